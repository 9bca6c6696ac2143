internal import Dates
internal import Words

/// What cameras write into photos beside the picture: when and where it was taken, with what, by whom. Read here by hand
/// after Exif 2.32, TIFF 6.0, the PNG specification and RFC 9649 (WebP); what cannot be understood is left out.
package struct PhotoMetadata: Equatable {
  /// `2026:03:02 13:30:00`, by the camera's clock.
  package var taken: String?
  /// `+09:00`.
  package var offset: String?
  /// Degrees north and east.
  package var place: (latitude: Double, longitude: Double)?
  /// How the picture is to be turned, 1 to 8.
  var orientation = 1

  public static func == (one: Self, other: Self) -> Bool {
    one.taken == other.taken && one.offset == other.offset && one.orientation == other.orientation
      && one.place?.latitude == other.place?.latitude
      && one.place?.longitude == other.place?.longitude
  }

  /// - Parameter photo: the file, or its beginning.
  package init(_ photo: [UInt8]) {
    for (kind, range) in JPEGSegments(photo) where kind == 0xe1 {
      let body = photo[range].dropFirst(4)
      guard body.starts(with: Self.exifMark) else { continue }
      read(Array(body.dropFirst(Self.exifMark.count)))
      return
    }
  }

  private static let exifMark: [UInt8] = Array("Exif\0\0".utf8)

  // MARK: TIFF

  private mutating func read(_ tiff: [UInt8]) {
    let fields = TIFFFields(tiff)
    let main = fields.directory(at: fields.first)
    orientation =
      main[0x0112].flatMap { fields.number($0) }.map { (1...8).contains($0) ? $0 : 1 } ?? 1
    if let exif = main[0x8769].flatMap({ fields.number($0) }) {
      let directory = fields.directory(at: exif)
      taken = (directory[0x9003] ?? main[0x0132]).flatMap { fields.text($0) }
      offset = directory[0x9011].flatMap { fields.text($0) }
    }
    if let gps = main[0x8825].flatMap({ fields.number($0) }) {
      let directory = fields.directory(at: gps)
      guard let south = directory[1].flatMap({ fields.text($0) }),
        let latitude = directory[2].flatMap({ fields.degrees($0) }),
        let west = directory[3].flatMap({ fields.text($0) }),
        let longitude = directory[4].flatMap({ fields.degrees($0) }),
        latitude <= 90, longitude <= 180
      else { return }
      place = (south == "S" ? -latitude : latitude, west == "W" ? -longitude : longitude)
    }
  }

  // MARK: Taking away

  /// The same picture with nothing beside it but, in JPEG, how it is turned; nil for a format whose metadata is not known here, or
  /// a file that is not what it says.
  package static func without(_ photo: [UInt8], type: String) -> [UInt8]? {
    switch type {
    case "image/jpeg": withoutInJPEG(photo)
    case "image/png": withoutInPNG(photo)
    case "image/webp": withoutInWebP(photo)
    default: nil
    }
  }

  private static func withoutInJPEG(_ photo: [UInt8]) -> [UInt8]? {
    guard photo.starts(with: [0xff, 0xd8]) else { return nil }
    var out: [UInt8] = [0xff, 0xd8]
    out.reserveCapacity(photo.count)
    let orientation = PhotoMetadata(photo).orientation
    if orientation != 1 {
      out += [0xff, 0xe1, 0, 34] + exifMark
      out += [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
      out += [UInt8(orientation), 0, 0, 0, 0, 0, 0]
    }
    var hasPicture = false
    for (kind, range) in JPEGSegments(photo) {
      let body = photo[range].dropFirst(4)
      switch kind {
      // Frames, tables and the picture itself.
      case 0xc0...0xcf, 0xdb...0xdf: break
      case 0xda: hasPicture = true
      // Colour profiles, and Adobe's colour transform.
      case 0xe2 where body.starts(with: Array("ICC_PROFILE\0".utf8)): break
      case 0xee where body.starts(with: Array("Adobe".utf8)) && body.count == 12: break
      // JFIF's version and density, without its thumbnail.
      case 0xe0 where body.starts(with: Array("JFIF\0".utf8)) && body.count >= 14:
        out += [0xff, 0xe0, 0, 16] + body.prefix(12) + [0, 0]
        continue
      default: continue
      }
      out += photo[range]
    }
    // What follows the picture (a second one, a film) is left out.
    return hasPicture ? out + [0xff, 0xd9] : nil
  }

  private static func withoutInPNG(_ photo: [UInt8]) -> [UInt8]? {
    let kept: Set = [
      "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT",
      "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
    ]
    guard photo.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    var out = Array(photo.prefix(8))
    var place = 8
    while place + 12 <= photo.count {
      let length = photo[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= photo.count - place - 12 else { return nil }
      let name = String(decoding: photo[(place + 4)..<(place + 8)], as: UTF8.self)
      let end = place + 12 + length
      if kept.contains(name) { out += photo[place..<end] }
      if name == "IEND" { return out }
      place = end
    }
    return nil
  }

  private static func withoutInWebP(_ photo: [UInt8]) -> [UInt8]? {
    guard photo.count >= 12, photo.starts(with: Array("RIFF".utf8)),
      photo[8..<12].elementsEqual(Array("WEBP".utf8))
    else { return nil }
    let whole = photo[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
    guard whole <= photo.count else { return nil }
    let photo = Array(photo.prefix(whole))
    var out = Array(photo.prefix(12))
    var place = 12
    while place + 8 <= photo.count {
      let name = String(decoding: photo[place..<(place + 4)], as: UTF8.self)
      let length = photo[(place + 4)..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length + length % 2
      guard end <= photo.count else { return nil }
      if ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"].contains(name) {
        let start = out.count
        out += photo[place..<end]
        // Clear the flags that say there was metadata.
        if name == "VP8X", length > 0 { out[start + 8] &= ~0x0c }
      }
      place = end
    }
    let size = UInt32(out.count - 8)
    for index in 0..<4 { out[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(index))) }
    return out
  }
}

/// The segments of a JPEG file, each from its marker to the next one, the picture's data with the segment that begins it.
/// It ends at the end of the picture or where the file stops making sense.
private struct JPEGSegments: Sequence, IteratorProtocol {
  private let photo: [UInt8]
  private var place = 2

  init(_ photo: [UInt8]) {
    self.photo = photo
    if !photo.starts(with: [0xff, 0xd8]) { place = photo.count }
  }

  mutating func next() -> (kind: UInt8, range: Range<Int>)? {
    // Markers may be padded with 0xff.
    while place + 1 < photo.count, photo[place] == 0xff, photo[place + 1] == 0xff { place += 1 }
    guard place + 4 <= photo.count, photo[place] == 0xff else { return nil }
    let kind = photo[place + 1]
    guard kind != 0xd9, kind != 0 else { return nil }
    let start = place
    let length = Int(photo[place + 2]) << 8 | Int(photo[place + 3])
    guard length >= 2, place + 2 + length <= photo.count else { return nil }
    place += 2 + length
    if kind == 0xda {
      while place + 1 < photo.count,
        photo[place] != 0xff || photo[place + 1] == 0 || (0xd0...0xd7).contains(photo[place + 1])
      { place += 1 }
      if place + 1 >= photo.count { place = photo.count }
    }
    return (kind, start..<place)
  }
}

/// The fields of a TIFF structure.
private struct TIFFFields {
  struct Field {
    let type: Int
    let count: Int
    let place: Int
  }

  private let bytes: [UInt8]
  private let isLittle: Bool
  /// Where the first directory is.
  var first: Int { integer(4, at: 4) ?? 0 }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isLittle = bytes.first == 0x49
  }

  private func integer(_ size: Int, at place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let part = bytes[place..<(place + size)]
    return isLittle
      ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }

  func directory(at place: Int) -> [Int: Field] {
    var fields: [Int: Field] = [:]
    guard place > 0, let count = integer(2, at: place), count <= 512 else { return fields }
    for index in 0..<count {
      let start = place + 2 + 12 * index
      guard let tag = integer(2, at: start), let type = integer(2, at: start + 2),
        let count = integer(4, at: start + 4), count <= 1 << 16
      else { break }
      let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8]
      guard let size = sizes[type] else { continue }
      let isInside = size * count <= 4
      guard let place = isInside ? start + 8 : integer(4, at: start + 8) else { continue }
      fields[tag] = Field(type: type, count: count, place: place)
    }
    return fields
  }

  func number(_ field: Field) -> Int? {
    field.type == 3 ? integer(2, at: field.place) : integer(4, at: field.place)
  }

  func text(_ field: Field) -> String? {
    guard field.type == 2, field.count <= 64, field.place >= 0,
      field.place + field.count <= bytes.count
    else { return nil }
    let text = bytes[field.place..<(field.place + field.count)].prefix { $0 != 0 }
    return text.isEmpty || !text.allSatisfy { (0x20..<0x7f).contains($0) }
      ? nil : String(decoding: text, as: UTF8.self)
  }

  /// Degrees, minutes and seconds as three fractions.
  func degrees(_ field: Field) -> Double? {
    guard field.type == 5, field.count == 3 else { return nil }
    var sum = 0.0
    for (index, part) in [1.0, 60, 3600].enumerated() {
      guard let above = integer(4, at: field.place + 8 * index),
        let below = integer(4, at: field.place + 8 * index + 4), below > 0
      else { return nil }
      sum += Double(above) / Double(below) / part
    }
    return sum
  }
}
