/// Why the camera program made no vector of a picture, as its exit code says.
package enum CameraRefusal: Int32, Sendable {
  case noFace = 10
  case several, light, small, blurred, noCamera, noModel, noPicture, noTurn
}
