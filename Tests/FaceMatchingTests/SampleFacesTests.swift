import Foundation
import Testing

@testable import FaceMatching

/// The repository's `Keys` directory.
let keys = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Keys")

/// NumPy 1.0 bytes of one vector.
func npy(_ values: [Float], descr: String = "<f4", shape: String? = nil, fortran: Bool = false)
  -> [UInt8]
{
  let header =
    "{'descr': '\(descr)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape ?? "(\(values.count),)"), }"
  let padded =
    header + String(repeating: " ", count: (64 - (10 + header.utf8.count + 1) % 64) % 64) + "\n"
  var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
  bytes += [UInt8(padded.utf8.count & 255), UInt8(padded.utf8.count >> 8)] + Array(padded.utf8)
  for value in values {
    switch descr.dropFirst() {
    case "f8":
      unsafe withUnsafeBytes(of: Double(value).bitPattern.littleEndian) {
        unsafe bytes += Array($0)
      }
    case "f2":
      unsafe withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) {
        unsafe bytes += Array($0)
      }
    default:
      let bits = descr.hasPrefix(">") ? value.bitPattern.bigEndian : value.bitPattern.littleEndian
      unsafe withUnsafeBytes(of: bits) { unsafe bytes += Array($0) }
    }
  }
  return bytes
}

@Suite struct SampleFacesTests {
  static let files: [(name: String, bytes: [UInt8])] = {
    func shot(_ person: UInt64, _ shot: UInt64) -> [Float] {
      SampleFaces.shot(person: person, shot: shot)
    }
    func list(_ values: [Float], _ separator: String) -> String {
      values.map { "\($0)" }.joined(separator: separator)
    }
    return [
      ("owner-1.npy", npy(shot(1, 1))),
      (
        "owner-2.json",
        Array("{\"model\":\"sface\",\"embedding\":[\(list(shot(1, 2), ", "))]}\n".utf8)
      ),
      ("owner-3.csv", Array("# owner, shot 3\n\(list(shot(1, 3), ","))\n".utf8)),
      ("owner-4.npy", npy(shot(1, 4), descr: "<f8")),
      ("stranger-1.npy", npy(shot(2, 1))),
      ("stranger-2.json", Array("[\(list(shot(3, 1), ", "))]\n".utf8)),
    ]
  }()

  @Test(arguments: files.indices) func `the sample faces are what their seeds make`(index: Int)
    throws
  {
    let (name, bytes) = Self.files[index]
    let url = keys.appendingPathComponent("faces/" + name)
    if ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil {
      try Data(bytes).write(to: url)
    }
    #expect(try Array(Data(contentsOf: url)) == bytes)
  }

  @Test func `sample shots of one person are similar, those of two are not`() throws {
    let vectors = try Self.files.map { try VectorFile($0.bytes, source: $0.name).embeddings()[0] }
    for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
      #expect(try Similarity.cosine(vectors[i], vectors[j]) > 0.7)
    }
    for i in 0..<4 {
      for j in 4..<6 { #expect(try Similarity.cosine(vectors[i], vectors[j]) < 0.35) }
    }
  }
}
