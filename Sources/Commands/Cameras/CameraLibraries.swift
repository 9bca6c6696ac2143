internal import Dates
internal import Formats
internal import Words

/// What each library does of a camera's program: to find faces and to make a vector of one.
enum CameraLibraries {
  /// YuNet finds the face, SFace makes the vector.
  static let openCV = #"""
    # OpenCV: YuNet finds the face, SFace makes the vector.
    MODEL = "sface"
    LIKE = 0.3  # how alike the vectors of a head are that turns; between two people less


    class Faces:
        def __init__(self, detector, recogniser):
            self.detector = cv2.FaceDetectorYN.create(detector, "", (320, 320), 0.8, 0.3, 50)
            self.recogniser = cv2.FaceRecognizerSF.create(recogniser, "")

        def find(self, picture):
            self.detector.setInputSize((picture.shape[1], picture.shape[0]))
            found = self.detector.detect(picture)[1]
            return [] if found is None else [(one[2], one[3], one) for one in found]

        def aligned(self, picture, found):
            return self.recogniser.alignCrop(picture, found)

        def vector(self, picture, found, face):
            return self.recogniser.feature(face)[0]

        def points(self, picture, found):
            at = [(float(found[i]), float(found[i + 1])) for i in range(4, 14, 2)]
            return at[0], at[1], at[2], ((at[3][0] + at[4][0]) / 2, (at[3][1] + at[4][1]) / 2)
    """#

  /// As the package `face_recognition` does it: the detector by gradients that dlib brings, five landmarks, a ResNet.
  static let dlib = #"""
    # dlib, as face_recognition uses it: its own detector, five landmarks, a ResNet.
    import dlib

    MODEL = "dlib_resnet_v1"
    LIKE = 0.9


    class Faces:
        def __init__(self, landmarks, recogniser):
            self.detector = dlib.get_frontal_face_detector()
            self.landmarks = dlib.shape_predictor(landmarks)
            self.recogniser = dlib.face_recognition_model_v1(recogniser)

        def find(self, picture):
            boxes = self.detector(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), 0)
            return [(box.width(), box.height(), box) for box in boxes]

        def aligned(self, picture, found):
            colours = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
            face = dlib.get_face_chip(colours, self.landmarks(colours, found), size=150, padding=0.25)
            return cv2.cvtColor(face, cv2.COLOR_RGB2BGR)

        def vector(self, picture, found, face):
            return self.recogniser.compute_face_descriptor(cv2.cvtColor(face, cv2.COLOR_BGR2RGB))

        def points(self, picture, found):
            parts = self.landmarks(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), found).parts()
            at = [(part.x, part.y) for part in parts]
            middle = lambda one, two: ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
            # Four corners of eyes and the nose: it knows no mouth.
            eyes = sorted([middle(at[0], at[1]), middle(at[2], at[3])])
            return eyes[0], eyes[1], at[4], None
    """#

  /// SCRFD finds the face and five points of it, ArcFace makes the vector, as the package `insightface` does it.
  static let insightFace = #"""
    # InsightFace by onnxruntime: SCRFD finds the face, ArcFace makes the vector.
    import numpy
    import onnxruntime

    MODEL = "buffalo_l"
    LIKE = 0.3
    SIDE = 640  # pixels of what SCRFD looks at
    LEAST_SCORE = 0.5
    MOST_OVERLAP = 0.4
    # Where eyes, nose and corners of the mouth are to be in ArcFace's 112 x 112 pixels.
    POINTS = numpy.array([[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]])


    class Faces:
        def __init__(self, detector, recogniser):
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 3
            self.detector, self.recogniser = [
                onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
                for path in (detector, recogniser)
            ]

        @staticmethod
        def run(session, picture, divisor):
            blob = cv2.dnn.blobFromImage(picture, 1 / divisor, None, (127.5, 127.5, 127.5), swapRB=True)
            return session.run(None, {session.get_inputs()[0].name: blob})

        def find(self, picture):
            scale = SIDE / max(picture.shape[:2])
            small = cv2.resize(picture, None, fx=scale, fy=scale)[:SIDE, :SIDE]
            square = numpy.zeros((SIDE, SIDE, 3), numpy.uint8)
            square[: small.shape[0], : small.shape[1]] = small
            outputs = self.run(self.detector, square, 128)
            scores, boxes, points = [], [], []
            for level, stride in enumerate((8, 16, 32)):
                score, box, point = (outputs[level + 3 * part].reshape(-1, width) for part, width in ((0, 1), (1, 4), (2, 10)))
                cells = SIDE // stride
                # Each cell's middle, twice: two sizes look at it.
                middles = numpy.stack(numpy.mgrid[:cells, :cells][::-1], axis=-1).reshape(-1, 2) * stride
                middles = numpy.repeat(middles, 2, axis=0)
                sure = numpy.flatnonzero(score[:, 0] >= LEAST_SCORE)
                middle, box, point = middles[sure], box[sure] * stride, point[sure] * stride
                scores.append(score[sure, 0])
                boxes.append(numpy.hstack([middle - box[:, :2], box[:, :2] + box[:, 2:]]))  # left, top, width, height
                points.append(point.reshape(-1, 5, 2) + middle[:, None, :])
            scores, boxes, points = (numpy.concatenate(parts) for parts in (scores, boxes, points))
            kept = cv2.dnn.NMSBoxes(boxes.tolist(), scores.tolist(), LEAST_SCORE, MOST_OVERLAP)
            return [(*boxes[i][2:] / scale, points[i] / scale) for i in numpy.array(kept).flatten()]

        def aligned(self, picture, found):
            # The turn, scale and shift that bring the five points nearest to where they are to be.
            rows = [row for x, y in found for row in ((x, -y, 1, 0), (y, x, 0, 1))]
            a, b, right, down = numpy.linalg.lstsq(numpy.array(rows), POINTS.flatten(), rcond=None)[0]
            return cv2.warpAffine(picture, numpy.array([[a, -b, right], [b, a, down]]), (112, 112))

        def vector(self, picture, found, face):
            return self.run(self.recogniser, face, 127.5)[0].flatten()

        def points(self, picture, found):
            at = [(float(x), float(y)) for x, y in found]
            return at[0], at[1], at[2], ((at[3][0] + at[4][0]) / 2, (at[3][1] + at[4][1]) / 2)
    """#
}
