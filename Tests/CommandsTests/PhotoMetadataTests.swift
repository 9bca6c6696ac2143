import Foundation
import Testing

@testable import Dates
@testable import Formats
@testable import Words

/// What a camera wrote beside a picture is read, and taken away whole.
@Suite(.threads) struct PhotoMetadataTests {
  /// An Exif block in big or little end first: turned by 90°, taken 2026-03-02 13:30 at 35° 0′ 36″ N 135° 46′ W.
  private static func exif(isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
        + [UInt8](repeating: 0, count: 4 - value.count)
    }
    // The directories at 8, 50 and 80, what does not fit into fields from 160.
    var tiff: [UInt8] = (isLittle ? [0x49, 0x49] : [0x4d, 0x4d]) + number(42, 2) + number(8, 4)
    tiff += number(3, 2) + field(0x0112, 3, 1, number(6, 2))
    tiff += field(0x8769, 4, 1, number(50, 4)) + field(0x8825, 4, 1, number(80, 4)) + number(0, 4)
    tiff +=
      number(2, 2) + field(0x9003, 2, 20, number(160, 4)) + field(0x9011, 2, 7, number(180, 4))
    tiff += number(0, 4)
    tiff += number(4, 2) + field(1, 2, 2, [0x4e, 0]) + field(2, 5, 3, number(190, 4))
    tiff += field(3, 2, 2, [0x57, 0]) + field(4, 5, 3, number(214, 4)) + number(0, 4)
    tiff += [UInt8](repeating: 0, count: 160 - tiff.count)
    tiff += Array("2026:03:02 13:30:00\0+09:00\0".utf8) + [0, 0, 0]
    for (above, below) in [(35, 1), (0, 1), (3600, 100), (135, 1), (46, 1), (0, 1)] {
      tiff += number(above, 4) + number(below, 4)
    }
    return Array("Exif\0\0".utf8) + tiff
  }

  private static func segment(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xff, kind, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xff)] + body
  }

  private static let picture =
    segment(0xdb, [0, 1, 2]) + segment(0xda, [1, 2]) + [9, 0xff, 0, 9, 0xff, 0xd0, 9]

  private static func jpeg(_ exif: [UInt8]) -> [UInt8] {
    [0xff, 0xd8] + segment(0xe0, Array("JFIF\0".utf8)) + segment(0xe1, exif)
      + segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0secret".utf8))
      + segment(0xfe, Array("secret".utf8)) + segment(0xe2, Array("MPF\0secret".utf8))
      + segment(0xe0, Array("JFXX\0secret".utf8)) + segment(0xee, Array("secret".utf8))
      + segment(0xf1, Array("secret".utf8))
      + segment(0xe0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1] + Array("secret".utf8))
      + segment(0xe2, Array("ICC_PROFILE\0colours".utf8)) + picture + [0xff, 0xd9]
      + Array("a second, secret picture".utf8)
  }

  @Test(arguments: [true, false])
  func `when and where a photo was taken is read`(_ isLittle: Bool) throws {
    let facts = PhotoMetadata(Self.jpeg(Self.exif(isLittle: isLittle)))
    #expect(facts.taken == "2026:03:02 13:30:00" && facts.offset == "+09:00")
    #expect(facts.orientation == 6)
    let place = try #require(facts.place)
    #expect(abs(place.latitude - 35.01) < 1e-9)
    #expect(abs(place.longitude + (135 + 46.0 / 60)) < 1e-9)
  }

  @Test func `of a photo without its metadata the picture, its colours and how it is turned stay`()
    throws
  {
    let bare = try #require(
      PhotoMetadata.without(Self.jpeg(Self.exif(isLittle: true)), type: "image/jpeg"))
    let text = String(decoding: bare, as: UTF8.self)
    #expect(!text.contains("secret") && !text.contains("2026") && text.contains("ICC_PROFILE"))
    let facts = PhotoMetadata(bare)
    #expect(facts.orientation == 6 && facts.taken == nil && facts.place == nil)
    #expect(bare.suffix(Self.picture.count + 2).elementsEqual(Self.picture + [0xff, 0xd9]))
    #expect(PhotoMetadata.without(bare, type: "image/jpeg") == bare)
  }

  @Test func `an entry takes date and place from its photo where nothing else says them`() throws {
    let home = try Home()
    let photo = home.path + "/photo.jpg"
    try Data(Self.jpeg(Self.exif(isLittle: true))).write(to: URL(fileURLWithPath: photo))
    func written(_ more: [String]) throws -> [String: Any] {
      let id = try home.write("by the river", ["--attach", photo] + more)
      return try #require(home.ok(["show", id, "--json"]).array.first)
    }
    var entry = try written(["--from-photo", "--weather", "snow", "--until", "+1h"])
    #expect(entry["date"] as? String == "2026-03-02T13:30:00+09:00")
    #expect(entry["until"] as? String == "2026-03-02T14:30:00+09:00")
    #expect(entry["location"] as? String == "35.01000, -135.76667")
    #expect(entry["weather"] as? String == "snow")
    let none = try home.run(["write", "x", "--from-photo", "--passphrase-file", home.passphrase])
    #expect(none.status == 2 && none.err.contains("--attach"), "\(none.err)")
    entry = try written(["--from-photo", "--date", "2025-01-01T10:00", "--location", "Kyoto"])
    #expect(entry["date"] as? String == "2025-01-01T10:00:00+09:00")
    #expect(entry["location"] as? String == "Kyoto")
    // Nothing is taken that was not asked for.
    entry = try written([])
    #expect(entry["location"] is NSNull && entry["date"] as? String != "2026-03-02T13:30:00+09:00")
    let id = try #require(entry["id"] as? String)
    try home.ok(["edit", id, "--location", "Nara", "--weather", "rain"])
    #expect(try home.ok(["show", id]).out.contains("Nara · rain"))
    try home.ok(["edit", id, "--no-location", "--no-weather"])
    entry = try #require(home.ok(["show", id, "--json"]).array.first)
    #expect(entry["location"] is NSNull && entry["weather"] is NSNull)
    #expect(
      try home.run(["edit", id, "--location", " ", "--passphrase-file", home.passphrase]).status
        == 8)
  }

  @Test func `PNG and WebP lose their texts`() throws {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(body.count)] + Array(name.utf8) + body + [1, 2, 3, 4]
    }
    let head: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let kept = (head + chunk("IHDR", [1]), chunk("IDAT", [2]) + chunk("IEND", []))
    let png = kept.0 + chunk("eXIf", [7]) + chunk("tEXt", [8]) + kept.1 + [9, 9]
    #expect(PhotoMetadata.without(png, type: "image/png") == kept.0 + kept.1)
    func part(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(body.count), 0, 0, 0] + body + (body.count % 2 == 1 ? [0] : [])
    }
    func webp(_ parts: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [UInt8(parts.count + 4), 0, 0, 0] + Array("WEBP".utf8) + parts
    }
    #expect(
      PhotoMetadata.without(
        webp(
          part("VP8X", [0x2c, 0]) + part("VP8 ", [1, 2, 3]) + part("EXIF", [7]) + part("XMP ", [8])
            + part("XMP\0", [9]) + part("ZZZZ", [9])) + [9, 9, 9],
        type: "image/webp") == webp(part("VP8X", [0x20, 0]) + part("VP8 ", [1, 2, 3])))
  }

  @Test func `cut and changed photos are read as far as they make sense`() {
    let jpeg = Self.jpeg(Self.exif(isLittle: false))
    var random = SystemRandomNumberGenerator()
    for count in 0..<jpeg.count {
      let cut = Array(jpeg.prefix(count))
      _ = PhotoMetadata(cut)
      #expect(PhotoMetadata.without(cut, type: "image/jpeg").map { $0.count <= jpeg.count } ?? true)
      for type in ["image/png", "image/webp", "image/avif"] {
        #expect(PhotoMetadata.without(cut, type: type) == nil)
      }
    }
    for _ in 0..<2000 {
      var changed = jpeg
      for _ in 0..<3 {
        changed[Int.random(in: 0..<jpeg.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = PhotoMetadata(changed)
      _ = PhotoMetadata.without(changed, type: "image/jpeg")
    }
    #expect(PhotoMetadata([]).taken == nil)
  }
}
