/// What the program says by its exit code of a picture that it makes no vector of.
package enum CameraRefusal: Int32, Sendable {
  case noFace = 10
  case several, light, small, blurred, noCamera, noModel, noPicture
}
