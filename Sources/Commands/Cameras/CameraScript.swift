internal import Dates
internal import Formats
internal import Words

/// The programs that `camera setup` writes, in Python: one body, and for each library what finds a face and makes its
/// vector.
///
/// A library's part defines `MODEL` and a class `Faces`, made with the paths of its weights:
/// `find(picture)` gives a list of `(width, height, found)`, `aligned(picture, found)` the face as a small upright
/// picture, `vector(picture, found, face)` its components. Pictures are OpenCV's, in BGR.
enum CameraScript {
  static func text(_ library: String) -> String { head + library + body }

  private static let head = #"""
    #!/usr/bin/env python3
    """Looks through a camera, or at pictures, and prints the vectors of the one face it sees.

    Nothing is written anywhere and nothing is sent.
    Ends with 10 no face, 11 several, 12 too dark or too bright, 13 too small, 14 blurred, 15 no camera, 16 a model is
    missing or cannot be read, 17 a picture that cannot be read.
    """
    import argparse, json, os, sys, time

    MOST_PIXELS = 1 << 27  # of a picture that is opened at all
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MOST_PIXELS)
    import cv2

    NO_FACE, SEVERAL, LIGHT, SMALL, BLURRED, NO_CAMERA, NO_MODEL, NO_PICTURE = range(10, 18)
    LEAST_SIZE = 80  # pixels of a face's shorter side
    LIGHTS = (40, 225)  # mean brightness of a face
    LEAST_SHARPNESS = 15.0  # variance of the Laplacian of the aligned face
    WARM_UP = 8  # frames a camera takes to find its exposure
    LONGEST = 1280  # pixels of a picture's longer side


    class Refused(Exception):
        def __init__(self, code, words):
            super().__init__(words)
            self.code = code


    """#

  private static let body = #"""


    def vector(faces, picture):
        scale = LONGEST / max(picture.shape[:2])
        if min(picture.shape[:2]) < LEAST_SIZE:
            raise Refused(NO_FACE, "no face is to be seen")
        if scale < 1 and scale * min(picture.shape[:2]) < 1:
            raise Refused(NO_FACE, "no face is to be seen")
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        all = faces.find(picture)
        if not all:
            raise Refused(NO_FACE, "no face is to be seen")
        if len(all) > 1:
            raise Refused(SEVERAL, "there are %d faces" % len(all))
        width, height, found = all[0]
        if min(width, height) < LEAST_SIZE:
            raise Refused(SMALL, "the face is too far away")
        face = faces.aligned(picture, found)
        grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
        if not LIGHTS[0] <= grey.mean() <= LIGHTS[1]:
            raise Refused(LIGHT, "it is too dark" if grey.mean() < LIGHTS[0] else "it is too bright")
        if cv2.Laplacian(grey, cv2.CV_64F).var() < LEAST_SHARPNESS:
            raise Refused(BLURRED, "the picture is blurred: hold still")
        return [float(x) for x in faces.vector(picture, found, face)]


    def from_camera(faces, source, frames, seconds):
        camera = cv2.VideoCapture(int(source) if source.isascii() and source.isdigit() else source)
        if not camera.isOpened():
            raise Refused(NO_CAMERA, "the camera %s cannot be opened" % source)
        try:
            vectors, last, end = [], None, time.monotonic() + seconds
            for _ in range(WARM_UP):
                camera.read()
            while len(vectors) < frames and time.monotonic() < end:
                is_there, picture = camera.read()
                if not is_there:
                    last = last or Refused(NO_CAMERA, "the camera %s gives no picture" % source)
                    break
                try:
                    vectors.append(vector(faces, picture))
                except Refused as refused:
                    last = refused
                except cv2.error:
                    last = Refused(NO_CAMERA, "the camera %s gives no picture that can be read" % source)
            if len(vectors) < frames:
                raise last or Refused(NO_FACE, "no face is to be seen")
            return vectors
        finally:
            camera.release()


    def from_picture(faces, path):
        try:
            picture = cv2.imread(path, cv2.IMREAD_COLOR)
            if picture is not None:
                return vector(faces, picture)
        except cv2.error:
            pass
        raise Refused(NO_PICTURE, path + " is no picture that can be read")


    def main():
        words = argparse.ArgumentParser(add_help=True)
        words.add_argument("--weights", action="append", default=[], help="a file of weights, in their order")
        words.add_argument("--source", default="0", help="a camera's number, a device or a film")
        words.add_argument("--frames", type=int, default=3)
        words.add_argument("--seconds", type=float, default=15)
        words.add_argument("--image", action="append", default=[])
        given = words.parse_args()
        try:
            for path in given.weights:
                if not os.path.isfile(path):
                    raise Refused(NO_MODEL, "there is no " + path)
            try:
                faces = Faces(*given.weights)
            except Exception as error:
                raise Refused(NO_MODEL, "the weights cannot be read: %s" % error)
            vectors = [from_picture(faces, path) for path in given.image]
            if not given.image:
                vectors = from_camera(faces, given.source, given.frames, given.seconds)
        except Refused as refused:
            print(refused, file=sys.stderr)
            return refused.code
        json.dump({"model": MODEL, "embedding": vectors if len(vectors) > 1 else vectors[0]}, sys.stdout)
        print()
        return 0


    if __name__ == "__main__":
        sys.exit(main())

    """#
}
