"""Writes stand-ins for weights, with their inputs and outputs: `opencv`, `dlib` or `insightface`, then the folder.

ONNX models are written by hand (protobuf wire format): detectors that find one drawn colour, where YuNet 2022mar and
SCRFD look, and recognisers that average colours, as SFace 2021dec and ArcFace have them. For dlib landmarks are learnt
from drawn heads, and the ResNet is `dlib_resnet.cpp`'s.
"""
import lzma, os, struct, sys

def varint(n):
    out = b''
    while True:
        b = n & 127
        n >>= 7
        out += bytes([b | (128 if n else 0)])
        if not n: return out
def key(f, w): return varint(f << 3 | w)
def msg(f, b): return key(f, 2) + varint(len(b)) + b
def text(f, s): return msg(f, s.encode())
def num(f, n): return key(f, 0) + varint(n & (1 << 64) - 1)

def tensor(name, dims, floats=None, ints=None):
    b = b''.join(num(1, d) for d in dims)
    if floats is not None: b += num(2, 1) + msg(9, struct.pack('<%df' % len(floats), *floats))
    else: b += num(2, 7) + msg(9, struct.pack('<%dq' % len(ints), *ints))
    return b + text(8, name)
def attr_ints(name, v): return text(1, name) + b''.join(num(8, x) for x in v) + num(20, 7)
def attr_int(name, v): return text(1, name) + num(3, v) + num(20, 2)
def node(op, ins, outs, *attrs):
    return (b''.join(text(1, i) for i in ins) + b''.join(text(2, o) for o in outs) + text(3, outs[0]) + text(4, op)
            + b''.join(msg(5, a) for a in attrs))
def value(name, dims):
    shape = b''.join(msg(1, num(1, d)) for d in dims)
    return text(1, name) + msg(2, msg(1, num(1, 1) + msg(2, shape)))
def model(nodes, tensors, ins, outs):
    g = b''.join(msg(1, n) for n in nodes) + text(2, 'g') + b''.join(msg(5, t) for t in tensors)
    g += b''.join(msg(11, v) for v in ins) + b''.join(msg(12, v) for v in outs)
    return num(1, 7) + text(2, 'standin') + msg(7, g) + msg(8, num(2, 11))

def detector(path, side=320):
    """A face is where much is green (B 0, G 255, R 0): one prior of one size answers."""
    nodes, tensors, confs, locs = [], [], [], []
    # marks as YuNet finds them: eyes, nose, mouth, in tenths of the box from its middle; the box itself is the prior's.
    marks = [0, 0, 0, 0, -2, -1.5, 2, -1.5, 0, 0.3, -1.5, 2.2, 1.5, 2.2]
    def level(name, step, channels, weights, bias, width):
        tensors.append(tensor(name + 'w', [channels, 3, step, step], floats=weights))
        tensors.append(tensor(name + 'b', [channels], floats=bias))
        nodes.append(node('Conv', ['input', name + 'w', name + 'b'], [name + 'c'], attr_ints('kernel_shape', [step, step]), attr_ints('strides', [step, step])))
        nodes.append(node('Transpose', [name + 'c'], [name + 't'], attr_ints('perm', [0, 2, 3, 1])))
        tensors.append(tensor(name + 'd', [3], ints=[1, -1, width]))
        nodes.append(node('Reshape', [name + 't', name + 'd'], [name + 'r']))
        return name + 'r'
    for step, n in ((8, 3), (16, 2), (32, 2), (64, 3)):
        w = []
        for o in range(n):
            # Only the level of 64 and its second size (192).
            on = 1.0 if (step == 64 and o == 1) else 0.0
            for c in (-1.0, 1.0, -1.0): w += [on * c / 255 / step / step] * (step * step)
        confs.append(level('s%d' % step, step, n, w, [0.0] * n, 1))
        turns = [0.0] * (n * 14 * 3 * step * step)
        if step == 64:
            # The nose goes aside with the red of a face, and up with its blue.
            for channel, colour, shift in ((14 + 8, 2, 13.6), (14 + 9, 0, -10.2)):
                start = (channel * 3 + colour) * step * step
                turns[start : start + step * step] = [shift / 255 / step / step] * (step * step)
        locs.append(level('l%d' % step, step, n * 14, turns, [float(m) for m in marks] * n, 14))
    nodes.append(node('Concat', confs, ['iou'], attr_int('axis', 1)))
    nodes.append(node('Concat', ['iou', 'iou'], ['conf'], attr_int('axis', 2)))
    nodes.append(node('Concat', locs, ['loc'], attr_int('axis', 1)))
    open(path, 'wb').write(model(nodes, tensors, [value('input', [1, 3, side, side])],
        [value('loc', [1, 1, 14]), value('conf', [1, 1, 2]), value('iou', [1, 1, 1])]))

def recogniser(path, channels, side, input, output):
    """`channels` averages of colours for each of 64 tiles."""
    w = []
    for o in range(channels):
        share = [0.1, 0.1, 0.1]
        share[o % 3] = 1.0 - 0.2 * (o // 3)
        for c in range(3): w += [share[c] / side / side / 255] * (side * side)
    nodes = [node('Conv', [input, 'w'], ['c'], attr_ints('kernel_shape', [side, side]), attr_ints('strides', [side, side])),
             node('Reshape', ['c', 'd'], [output])]
    tensors = [tensor('w', [channels, 3, side, side], floats=w), tensor('d', [2], ints=[1, channels * 64])]
    open(path, 'wb').write(model(nodes, tensors, [value(input, [1, 3, 8 * side, 8 * side])],
                                 [value(output, [1, channels * 64])]))

def scrfd(path, side=640):
    """A face is where much is green, seen by the second size at a stride of 32."""
    nodes, tensors, outputs = [], [], []
    # eyes, nose, mouth from a cell's middle, in strides
    marks = [-1.2, -0.9, 1.2, -0.9, 0, 0.2, -0.9, 1.3, 0.9, 1.3]
    for part, width, bias in (('s', 1, [-0.6]), ('b', 4, [3.0] * 4), ('k', 10, marks)):
        for step in (8, 16, 32):
            name, weights = part + str(step), []
            for o in range(2 * width):
                on = 1.0 if part == 's' and step == 32 and o == 1 else 0.0
                for c in (-1.0, 1.0, -1.0): weights += [on * c * 0.5 / step / step] * (step * step)
            tensors.append(tensor(name + 'w', [2 * width, 3, step, step], floats=weights))
            tensors.append(tensor(name + 'v', [2 * width], floats=bias * 2))
            tensors.append(tensor(name + 'd', [2], ints=[-1, width]))
            nodes.append(node('Conv', ['input.1', name + 'w', name + 'v'], [name + 'c'], attr_ints('kernel_shape', [step, step]), attr_ints('strides', [step, step])))
            nodes.append(node('Transpose', [name + 'c'], [name + 't'], attr_ints('perm', [0, 2, 3, 1])))
            nodes.append(node('Reshape', [name + 't', name + 'd'], [name]))
            outputs.append(value(name, [2 * (side // step) ** 2, width]))
    open(path, 'wb').write(model(nodes, tensors, [value('input.1', [1, 3, side, side])], outputs))

def landmarks(path):
    """Five landmarks, learnt from drawn heads."""
    import dlib, draw
    pictures, objects = [], []
    for owner in range(6):
        for column, row in ((3, 3), (4, 2), (5, 3)):
            x, y = column * 64 + 32, row * 64 + 32
            pictures.append(draw.picture('heads', [(column, row)], owner=owner)[:, :, ::-1].copy())
            box = dlib.rectangle(x - 90, y - 90, x + 90, y + 90)
            eyes = [dlib.point(x + dx, y - 30) for dx in (57, 23, -57, -23)]
            objects.append([dlib.full_object_detection(box, dlib.points(eyes + [dlib.point(x, y + 32)]))])
    options = dlib.shape_predictor_training_options()
    options.cascade_depth, options.num_trees_per_cascade_level, options.oversampling_amount = 4, 20, 4
    dlib.train_shape_predictor(pictures, objects, options).save(path)

if __name__ == '__main__':
    library, folder = sys.argv[1:3]
    first, second = folder + '/first', folder + '/second'
    if library == 'opencv':
        detector(first + '.onnx')
        recogniser(second + '.onnx', 2, 14, 'data', 'fc1')
    elif library == 'insightface':
        scrfd(first + '.onnx')
        recogniser(second + '.onnx', 8, 14, 'input.1', '683')
    else:
        landmarks(first + '.dat')
        with open(os.path.dirname(os.path.abspath(__file__)) + '/dlib_resnet.dat.xz.xz', 'rb') as packed:
            open(second + '.dat', 'wb').write(lzma.decompress(lzma.decompress(packed.read())))
