internal import Dates
internal import Formats
internal import Words

/// The programs that `camera setup` writes, in Python: one body, and for each library what finds a face and makes its
/// vector.
///
/// A library's part defines `MODEL`, `LIKE` and a class `Faces`, made with the paths of its weights:
/// `find(picture)` gives a list of `(width, height, found)`, `aligned(picture, found)` the face as a small upright
/// picture, `vector(picture, found, face)` its components. Pictures are OpenCV's, in BGR.
enum CameraScript {
  static func text(_ library: String) -> String { head + library + body }

  private static let head = #"""
    #!/usr/bin/env python3
    """Looks through a camera, or at pictures, and prints the vectors of the one face it sees.

    Nothing is written anywhere and nothing is sent.
    Ends with 10 no face, 11 several, 12 too dark or too bright, 13 too small, 14 blurred, 15 no camera, 16 a model is
    missing or cannot be read, 17 a picture that cannot be read, 18 a head that did not turn as it was asked to.
    """
    import argparse, json, os, secrets, sys, time

    MOST_PIXELS = 1 << 27  # of a picture that is opened at all
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MOST_PIXELS)
    import cv2

    NO_FACE, SEVERAL, LIGHT, SMALL, BLURRED, NO_CAMERA, NO_MODEL, NO_PICTURE, NO_TURN = range(10, 19)
    LEAST_SIZE = 80  # pixels of a face's shorter side
    LIGHTS = (40, 225)  # mean brightness of a face
    LEAST_SHARPNESS = 15.0  # variance of the Laplacian of the aligned face
    WARM_UP = 8  # frames a camera takes to find its exposure
    LONGEST = 1280  # pixels of a picture's longer side
    # How far the nose moves between the eyes when a head turns by some 25 degrees, in the distance of the eyes, and towards them when
    # it is lifted, in their distance from the mouth; and within what it is straight again.
    TURN, LIFT, STRAIGHT = 0.2, 0.1, 0.08
    MOST_BLURRED, MOST_GONE = 30, 3  # frames one after the other in which a turning face may be blurred, and not be found


    class Refused(Exception):
        def __init__(self, code, words):
            super().__init__(words)
            self.code = code


    """#

  private static let body = #"""


    def seen(faces, picture):
        """The one face in a picture: the picture within its limits, what was found, the upright face."""
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
        return picture, found, face


    def vector(faces, picture, found, face):
        return [float(x) for x in faces.vector(picture, found, face)]


    def pose(faces, picture, found):
        """Where the nose is between the eyes, and between them and the mouth; None where there is no mouth.

        Of a flat picture both stay nearly the same, however it is turned, moved or tilted.
        """
        (ax, ay), (bx, by), nose, mouth = faces.points(picture, found)
        along = (bx - ax, by - ay)
        length = along[0] ** 2 + along[1] ** 2
        if length == 0:
            raise Refused(NO_FACE, "no face is to be seen")
        across = (-along[1], along[0])
        middle = ((ax + bx) / 2, (ay + by) / 2)
        part = lambda point, line: ((point[0] - middle[0]) * line[0] + (point[1] - middle[1]) * line[1]) / length
        depth = part(mouth, across) if mouth else 0
        return part(nose, along), part(nose, across) / depth if depth > 0 else None


    def likeness(one, other):
        product = lambda a, b: sum(x * y for x, y in zip(a, b))
        return product(one, other) / max((product(one, one) * product(other, other)) ** 0.5, 1e-30)


    def challenge(faces, camera, asked, first, before, seconds):
        """Asks for a small turn and back again; the vector of the face that looks straight afterwards.

        The head that turns has to look like the one before.
        """
        print("ask: " + asked, file=sys.stderr, flush=True)
        has_turned, gone, blurred, end = False, 0, 0, time.monotonic() + seconds
        while time.monotonic() < end:
            is_there, picture = camera.read()
            if not is_there:
                break
            try:
                picture, found, face = seen(faces, picture)
                aside, lifted = pose(faces, picture, found)
            except Refused as refused:
                gone, blurred = gone + (refused.code == NO_FACE), blurred + 1
                if refused.code == SEVERAL or gone > MOST_GONE or blurred > MOST_BLURRED:
                    raise
                continue
            gone, blurred = 0, 0
            # The side that is left to who sits before the camera is the right one of its picture.
            moved = {"left": aside - first[0], "right": first[0] - aside, "up": 0}[asked]
            if asked == "up" and None not in (lifted, first[1]):
                moved = (first[1] - lifted) * TURN / LIFT
            if not has_turned and moved >= TURN:
                if likeness(vector(faces, picture, found, face), before) < LIKE:
                    continue
                has_turned = True
                print("ask: straight", file=sys.stderr, flush=True)
            elif has_turned and abs(aside - first[0]) < STRAIGHT and moved < STRAIGHT:
                return vector(faces, picture, found, face)
        raise Refused(NO_TURN, "the head did not turn as it was asked to")


    def from_camera(faces, source, frames, seconds, asked):
        camera = cv2.VideoCapture(int(source) if source.isascii() and source.isdigit() else source)
        if not camera.isOpened():
            raise Refused(NO_CAMERA, "the camera %s cannot be opened" % source)
        try:
            vectors, poses, last, end = [], [], None, time.monotonic() + seconds
            for _ in range(WARM_UP):
                camera.read()
            while len(vectors) < frames and time.monotonic() < end:
                is_there, picture = camera.read()
                if not is_there:
                    last = last or Refused(NO_CAMERA, "the camera %s gives no picture" % source)
                    break
                try:
                    picture, found, face = seen(faces, picture)
                    poses.append(pose(faces, picture, found) if asked else None)
                    vectors.append(vector(faces, picture, found, face))
                except Refused as refused:
                    last = refused
                except cv2.error:
                    last = Refused(NO_CAMERA, "the camera %s gives no picture that can be read" % source)
            if len(vectors) < frames:
                raise last or Refused(NO_FACE, "no face is to be seen")
            if asked:
                # The last frame comes after the turn. It has to be of the same face as those before it.
                first = sorted(poses, key=lambda each: each[0])[len(poses) // 2]
                if asked == "random":
                    asked = secrets.choice(("left", "right") + (("up",) if first[1] is not None else ()))
                vectors[-1] = challenge(faces, camera, asked, first, vectors[-1], min(seconds, 10))
            return vectors
        finally:
            camera.release()


    def from_picture(faces, path):
        try:
            picture = cv2.imread(path, cv2.IMREAD_COLOR)
            if picture is not None:
                return vector(faces, *seen(faces, picture))
        except cv2.error:
            pass
        raise Refused(NO_PICTURE, path + " is no picture that can be read")


    def main():
        words = argparse.ArgumentParser(add_help=True)
        words.add_argument("--weights", action="append", default=[], help="a file of weights, in their order")
        words.add_argument("--source", default="0", help="a camera's number, a device or a film")
        words.add_argument("--frames", type=int, default=3)
        words.add_argument("--seconds", type=float, default=15)
        words.add_argument("--challenge", nargs="?", const="random", choices=["random", "left", "right", "up"],
                           help="ask for a small turn of the head before the last frame")
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
                vectors = from_camera(faces, given.source, given.frames, given.seconds, given.challenge)
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
