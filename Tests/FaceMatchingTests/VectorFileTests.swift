import Foundation
import Testing

@testable import FaceMatching

@Suite struct VectorFileTests {
  static let vector: [Float] = (0..<32).map { Float($0) - 15.5 }

  static func text(_ separator: String) -> [UInt8] {
    Array(vector.map { "\($0)" }.joined(separator: separator).utf8)
  }

  static func little(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      unsafe withUnsafeBytes(of: value.bitPattern.littleEndian) { unsafe Array($0) }
    }
  }

  static let good: [(String, String, [UInt8], VectorFile.Format)] = [
    ("npy f4", "a", npy(vector), .npy),
    ("npy f8", "a.csv", npy(vector, descr: "<f8"), .npy),
    ("npy f2", "a", npy(vector, descr: "<f2"), .npy),
    ("npy big endian", "a", npy(vector, descr: ">f4"), .npy),
    ("npy one row", "a", npy(vector, shape: "(1, 32)"), .npy),
    ("npy fortran 1-D", "a", npy(vector, fortran: true), .npy),
    ("json", "a", Array("[\(String(decoding: text(","), as: UTF8.self))]".utf8), .json),
    ("json rows", "a", Array(" [[\(String(decoding: text(","), as: UTF8.self))]]\n".utf8), .json),
    (
      "json object", "a",
      Array(
        "{\"x\":{\"y\":[1]},\"vector\":[\(String(decoding: text(", "), as: UTF8.self))],\"model\":null}"
          .utf8), .json
    ),
    ("csv", "a", text(","), .text),
    (
      "csv with BOM, CRLF, comment", "a",
      [0xef, 0xbb, 0xbf] + Array("# c\r\n".utf8) + text(", ") + [13, 10], .text
    ),
    ("semicolons", "a", text(";"), .text),
    ("spaces", "a", text("  "), .text),
    ("one a line", "a", text("\r\n"), .text),
    ("fvecs", "a", [32, 0, 0, 0] + little(vector), .fvecs),
    ("f32", "a.f32", little(vector), .rawFloat32),
  ]

  @Test(arguments: good.indices) func `every form gives the same vector`(index: Int) throws {
    let (name, source, bytes, format) = Self.good[index]
    let file = try VectorFile(bytes, source: source)
    #expect(file.format == format, "\(name)")
    #expect(file.rows == [Self.vector], "\(name)")
    #expect(try file.embeddings().count == 1)
  }

  @Test(arguments: ["\\u001b]0;x\\u0007", "a\\nb", "\\u202eflip", ""])
  func `a model's name that a terminal would not show as it is, is refused`(_ name: String) {
    let text =
      "{\"model\":\"\(name)\",\"embedding\":[\(String(decoding: Self.text(","), as: UTF8.self))]}"
    #expect(throws: VectorError.self) { try VectorFile(Array(text.utf8), source: "x") }
  }

  @Test func `the model of a JSON vector is read in any spelling`() throws {
    let file = try VectorFile(
      Array(
        "{\"model\":\"Dlib\",\"embedding\":[\(String(decoding: Self.text(","), as: UTF8.self))]}"
          .utf8), source: "x")
    #expect(try file.embeddings()[0].model == "dlib_resnet_v1")
  }

  @Test func `rows are several vectors`() throws {
    let rows = try VectorFile(
      npy(Self.vector + Self.vector.reversed(), shape: "(2, 32)"), source: "x"
    ).rows
    #expect(rows == [Self.vector, Self.vector.reversed()])
    #expect(try VectorFile(Self.text(",") + [10] + Self.text(","), source: "x").rows.count == 2)
  }

  static let bad: [(String, [UInt8], VectorError.Problem)] = [
    ("empty", [], .empty),
    ("blank", Array(" \n".utf8), .empty),
    ("comment only", Array("# x\n".utf8), .empty),
    ("binary", [1, 2, 3, 4, 5, 0, 1], .unknownFormat),
    ("pickle", [0x80, 4, 0x95, 1], .pickled),
    ("object array", npy(vector, descr: "|O"), .pickled),
    ("integers", npy(vector, descr: "<i4"), .elementType("<i4")),
    ("complex", npy(vector, descr: "<c8"), .elementType("<c8")),
    ("3-D", npy(vector, shape: "(1, 1, 32)"), .shape("(1, 1, 32)")),
    ("0-D", npy(vector, shape: "()"), .shape("()")),
    ("fortran", npy(vector, shape: "(2, 16)", fortran: true), .fortranOrder),
    ("no rows", npy([], shape: "(0, 32)"), .empty),
    (
      "overflow", npy(vector, shape: "(4611686018427387904, 16)"),
      .shape("(4611686018427387904, 16)")
    ),
    (
      "too many digits", npy(vector, shape: "(99999999999999999999,)"),
      .malformed(at: "byte 81", expected: "a count that fits a machine word")
    ),
    ("truncated", Array(npy(vector).dropLast()), .truncated(expected: 256, found: 255)),
    ("trailing", npy(vector) + [0], .trailingBytes(at: 256)),
    (
      "lying rows", npy(vector, shape: "(1000000, 32)"),
      .truncated(expected: 128_000_128, found: 256)
    ),
    (
      "npy version 9", [0x93] + Array("NUMPY".utf8) + [9, 0, 0, 0],
      .malformed(at: "byte 6", expected: "npy version 1, 2 or 3")
    ),
    (
      "npy header length", [0x93] + Array("NUMPY".utf8) + [2, 0, 255, 255, 255, 255],
      .malformed(at: "byte 8", expected: "a header of at most 65536 bytes")
    ),
    ("npy cut header", [0x93] + Array("NUMPY".utf8) + [1, 0], .truncated(expected: 10, found: 8)),
    ("15", npy(Array(vector.prefix(15))), .dimension(15)),
    ("8193", npy([Float](repeating: 1, count: 8193)), .dimension(8193)),
    (
      "commas", [UInt8](repeating: 0x2c, count: 1 << 20),
      .malformed(
        at: "line 1, column 1", expected: "a number, not \"\"")
    ),
    ("a long line", Array(String(repeating: "1,", count: 9000).utf8), .dimension(8193)),
    ("many lines", Array(String(repeating: "1\n", count: 9000).utf8), .dimension(8193)),
    ("f32 odd", Array(little(vector).dropLast()), .unknownFormat),
    (
      "fvecs cut", [32, 0, 0, 0] + little(vector).dropLast(), .truncated(expected: 132, found: 131)
    ),
    (
      "fvecs row length", [32, 0, 0, 0] + little(vector) + [31, 0, 0, 0] + little(vector),
      .malformed(at: "byte 132", expected: "the row length 32")
    ),
    (
      "words", Array("one two three".utf8),
      .malformed(at: "line 1, column 1", expected: "a number, not \"one\"")
    ),
    (
      "decimal comma", Array("0,5;0,6".utf8),
      .malformed(at: "line 1, column 1", expected: "a number, not \"0,5\"")
    ),
    ("nan", Array("1 2 nan".utf8), .notFinite(row: 0, component: 2)),
    ("too large", Array("1 2 1e39".utf8), .notFinite(row: 0, component: 2)),
    ("json not finite", Array("[1e999]".utf8), .notFinite(row: 0, component: 0)),
    ("json text", Array("[\"a\"]".utf8), .malformed(at: "line 1, column 5", expected: "a number")),
    (
      "json bomb", Array(String(repeating: "[", count: 100_000).utf8),
      .malformed(at: "line 1, column 4", expected: "a number")
    ),
    (
      "json no vector", Array("{\"a\":1}".utf8),
      .malformed(at: "line 1, column 8", expected: "\"embedding\" or \"vector\"")
    ),
    (
      "json two vectors", Array("{\"vector\":[1],\"embedding\":[1]}".utf8),
      .malformed(at: "line 1, column 26", expected: "one of \"embedding\" and \"vector\"")
    ),
    (
      "json two models", Array("{\"model\":\"dlib\",\"model\":null,\"vector\":[1]}".utf8),
      .malformed(at: "line 1, column 24", expected: "one \"model\"")
    ),
  ]

  @Test(arguments: bad.indices) func `every bad form is refused by name and place`(index: Int) {
    let (name, bytes, problem) = Self.bad[index]
    let error = #expect(throws: VectorError.self, "\(name)") {
      try VectorFile(bytes, source: "file").embeddings()
    }
    #expect(error?.problem == problem, "\(name)")
    #expect(error?.source == "file")
  }

  @Test func `rows of different lengths and zero vectors are refused`() {
    #expect(throws: VectorError(.allZero(row: 0), in: "z")) {
      try VectorFile(npy([Float](repeating: 0, count: 16)), source: "z").embeddings()
    }
    #expect(throws: VectorError(.unequalRows(row: 1, count: 2, expected: 32), in: "u")) {
      try VectorFile(Self.text(",") + Array("\n1,2\n".utf8), source: "u").embeddings()
    }
  }

  @Test func `random bytes and cut files never trap`() {
    var random = Seeded(state: 3)
    for (_, source, bytes, _) in Self.good {
      for _ in 0..<300 {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          mutated = Array(mutated.prefix(Int.random(in: 0...mutated.count, using: &random)))
        }
        _ = try? VectorFile(mutated, source: source).embeddings()
      }
    }
  }

  @Test func `half precision is exact`() {
    for (bits, value) in [
      (0x3c00, 1), (0xc000, -2), (0x0001, 0x1p-24), (0x03ff, 1023 * 0x1p-24), (0x7bff, 65504),
      (0x0000, 0),
    ] as [(UInt16, Float)] {
      #expect(NumPyArray.float(half: bits) == value)
    }
    #expect(NumPyArray.float(half: 0x7c00) == .infinity)
    #expect(NumPyArray.float(half: 0x7e00).isNaN)
  }
}

struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
