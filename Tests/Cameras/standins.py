"""Writes tiny ONNX models by hand (protobuf wire format), for tests: a detector that finds one drawn colour and a
recogniser that averages colours. They have the inputs and outputs of YuNet 2022mar and SFace 2021dec."""
import struct, sys

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
        locs.append(level('l%d' % step, step, n * 14, [0.0] * (n * 14 * 3 * step * step), [float(m) for m in marks] * n, 14))
    nodes.append(node('Concat', confs, ['iou'], attr_int('axis', 1)))
    nodes.append(node('Concat', ['iou', 'iou'], ['conf'], attr_int('axis', 2)))
    nodes.append(node('Concat', locs, ['loc'], attr_int('axis', 1)))
    open(path, 'wb').write(model(nodes, tensors, [value('input', [1, 3, side, side])],
        [value('loc', [1, 1, 14]), value('conf', [1, 1, 2]), value('iou', [1, 1, 1])]))

def recogniser(path):
    """128 means of a 112 x 112 picture: 14 px tiles of two colours."""
    w = []
    for o in range(2):
        for c in range(3): w += [(1.0 / 196 / 255) * (1 if c == (0 if o == 0 else 2) else 0.1)] * 196
    nodes = [node('Conv', ['data', 'w'], ['c'], attr_ints('kernel_shape', [14, 14]), attr_ints('strides', [14, 14])),
             node('Reshape', ['c', 'd'], ['fc1'])]
    tensors = [tensor('w', [2, 3, 14, 14], floats=w), tensor('d', [2], ints=[1, 128])]
    open(path, 'wb').write(model(nodes, tensors, [value('data', [1, 3, 112, 112])], [value('fc1', [1, 128])]))

if __name__ == '__main__':
    detector(sys.argv[1] + '/detector.onnx'); recogniser(sys.argv[1] + '/recogniser.onnx')
