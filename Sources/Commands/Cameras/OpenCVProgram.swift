/// The program that `camera setup opencv` writes, in Python.
enum OpenCVProgram {
  static let text = #"""
    #!/usr/bin/env python3
    """Looks through a camera, or at pictures, and prints the vectors of the one face it sees.

    OpenCV's YuNet finds the face, SFace makes the vector. Nothing is written anywhere and nothing is sent.
    Ends with 10 no face, 11 several, 12 too dark or too bright, 13 too small, 14 blurred, 15 no camera, 16 a model is
    missing or changed, 17 a picture that cannot be read.
    """
    import argparse, json, os, sys, time

    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    import cv2

    NO_FACE, SEVERAL, LIGHT, SMALL, BLURRED, NO_CAMERA, NO_MODEL, NO_PICTURE = range(10, 18)
    LEAST_SCORE = 0.8
    LEAST_SIZE = 80  # pixels of a face's shorter side
    LIGHTS = (40, 225)  # mean brightness of a face
    LEAST_SHARPNESS = 15.0  # variance of the Laplacian of the aligned face
    WARM_UP = 8  # frames a camera takes to find its exposure
    LONGEST = 1280  # pixels of a picture's longer side


    class Refused(Exception):
        def __init__(self, code, words):
            super().__init__(words)
            self.code = code


    class Faces:
        def __init__(self, detector, recogniser):
            for path in (detector, recogniser):
                if not os.path.isfile(path):
                    raise Refused(NO_MODEL, "there is no " + path)
            self.detector = cv2.FaceDetectorYN.create(detector, "", (320, 320), LEAST_SCORE, 0.3, 50)
            self.recogniser = cv2.FaceRecognizerSF.create(recogniser, "")

        def vector(self, picture):
            scale = LONGEST / max(picture.shape[:2])
            if scale < 1:
                picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            height, width = picture.shape[:2]
            self.detector.setInputSize((width, height))
            found = self.detector.detect(picture)[1]
            if found is None or len(found) == 0:
                raise Refused(NO_FACE, "no face is to be seen")
            if len(found) > 1:
                raise Refused(SEVERAL, "there are %d faces" % len(found))
            if min(found[0][2:4]) < LEAST_SIZE:
                raise Refused(SMALL, "the face is too far away")
            face = self.recogniser.alignCrop(picture, found[0])
            grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
            if not LIGHTS[0] <= grey.mean() <= LIGHTS[1]:
                raise Refused(LIGHT, "it is too dark" if grey.mean() < LIGHTS[0] else "it is too bright")
            if cv2.Laplacian(grey, cv2.CV_64F).var() < LEAST_SHARPNESS:
                raise Refused(BLURRED, "the picture is blurred: hold still")
            return [float(x) for x in self.recogniser.feature(face)[0]]


    def from_camera(faces, source, frames, seconds):
        camera = cv2.VideoCapture(int(source) if source.isdigit() else source)
        if not camera.isOpened():
            raise Refused(NO_CAMERA, "the camera %s cannot be opened" % source)
        try:
            vectors, last, end = [], None, time.monotonic() + seconds
            for _ in range(WARM_UP):
                camera.read()
            while len(vectors) < frames and time.monotonic() < end:
                isThere, picture = camera.read()
                if not isThere:
                    last = last or Refused(NO_CAMERA, "the camera %s gives no picture" % source)
                    break
                try:
                    vectors.append(faces.vector(picture))
                except Refused as refused:
                    last = refused
            if len(vectors) < frames:
                raise last or Refused(NO_FACE, "no face is to be seen")
            return vectors
        finally:
            camera.release()


    def main():
        words = argparse.ArgumentParser(add_help=True)
        words.add_argument("--detector", required=True)
        words.add_argument("--recogniser", required=True)
        words.add_argument("--source", default="0", help="a camera's number, a device or a film")
        words.add_argument("--frames", type=int, default=3)
        words.add_argument("--seconds", type=float, default=15)
        words.add_argument("--image", action="append", default=[])
        given = words.parse_args()
        try:
            faces = Faces(given.detector, given.recogniser)
            vectors = []
            for path in given.image:
                picture = cv2.imread(path, cv2.IMREAD_COLOR)
                if picture is None:
                    raise Refused(NO_PICTURE, path + " is no picture that can be read")
                vectors.append(faces.vector(picture))
            if not given.image:
                vectors = from_camera(faces, given.source, given.frames, given.seconds)
        except Refused as refused:
            print(refused, file=sys.stderr)
            return refused.code
        json.dump({"model": "sface", "embedding": vectors if len(vectors) > 1 else vectors[0]}, sys.stdout)
        print()
        return 0


    if __name__ == "__main__":
        sys.exit(main())

    """#
}
