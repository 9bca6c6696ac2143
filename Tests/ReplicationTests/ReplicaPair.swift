import Bytes
import Replication
import Testing

let text: Field = 1
let star: Field = 2
let tags: Field = 3
let trash: Field = 4
let rules: FieldMap<MergeRule> = [
  text: .all, star: .carried, tags: .elements, trash: .trash,
]

func identity(_ number: UInt64) -> Identity { Identity(high: number, low: number) }
func device(_ number: UInt8) -> DeviceID { DeviceID(Array(repeating: number, count: 32)) }
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
let space = identity(1)
func copy(_ segment: Segment) -> SignedSegment {
  SignedSegment(segment) {
    [UInt8](repeating: 0, count: 16)
  } sign: { _ in
    [UInt8](repeating: 0, count: 64)
  }
}
func name(_ segment: Segment) -> Hash { copy(segment).header.hash(in: space) }

func sealed(_ replica: inout Replica) throws -> Segment {
  let segment = replica.seal(hash: name)
  return try #require(segment)
}

/// Two devices that know one entry.
struct Pair {
  let entry = identity(99)
  var one = Replica(device(1), rules: rules)
  var other = Replica(device(2), rules: rules)

  init() throws {
    one.edit(entry, [text: [bytes("first")], star: [[0]], tags: [bytes("a")], trash: [[]]])
    try exchange()
  }

  /// What either has that is not sealed goes to the other.
  mutating func exchange() throws {
    let (mine, theirs) = (one.seal(hash: name), other.seal(hash: name))
    if let theirs { _ = try one.merge(theirs, hash: name(theirs)) }
    if let mine { _ = try other.merge(mine, hash: name(mine)) }
    #expect(one.digest() == other.digest())
  }

  var shown: ShownEntry? {
    #expect(one.shown(entry) == other.shown(entry))
    return one.shown(entry)
  }
}
