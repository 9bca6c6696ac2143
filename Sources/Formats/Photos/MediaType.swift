internal import Dates
internal import Words

/// The type of a file by its first bytes, because its name may be wrong.
package enum MediaType {
  /// Those that every browser shows and none runs.
  package static let pictures: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp"]

  private static let signatures: [(offset: Int, bytes: [UInt8], type: String)] = [
    (0, [0xff, 0xd8, 0xff], "image/jpeg"),
    (0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"),
    (0, Array("GIF8".utf8), "image/gif"),
    (8, Array("WEBP".utf8), "image/webp"),
    (4, Array("ftypheic".utf8), "image/heic"),
    (4, Array("ftypheix".utf8), "image/heic"),
    (4, Array("ftypmif1".utf8), "image/heif"),
    (4, Array("ftypavif".utf8), "image/avif"),
    (4, Array("ftypqt".utf8), "video/quicktime"),
    (4, Array("ftypM4A".utf8), "audio/mp4"),
    (4, Array("ftyp".utf8), "video/mp4"),
    (0, [0x49, 0x49, 0x2a, 0x00], "image/tiff"),
    (0, [0x4d, 0x4d, 0x00, 0x2a], "image/tiff"),
    (0, Array("%PDF-".utf8), "application/pdf"),
    (0, [0x1a, 0x45, 0xdf, 0xa3], "video/webm"),
    (8, Array("WAVE".utf8), "audio/wav"),
    (0, Array("fLaC".utf8), "audio/flac"),
    (0, Array("OggS".utf8), "audio/ogg"),
    (0, Array("ID3".utf8), "audio/mpeg"),
    (0, [0xff, 0xfb], "audio/mpeg"),
    (0, [0x50, 0x4b, 0x03, 0x04], "application/zip"),
    (0, [0x1f, 0x8b], "application/gzip"),
  ]

  private static let textTypes = [
    "md": "text/markdown", "html": "text/html", "csv": "text/csv", "json": "application/json",
    "svg": "image/svg+xml", "gpx": "application/gpx+xml", "ics": "text/calendar",
  ]

  /// - Parameters:
  ///   - first: the file's first bytes.
  ///   - name: tells one kind of text from another.
  package static func of(_ first: [UInt8], name: String) -> String {
    for signature in signatures
    where first.dropFirst(signature.offset).starts(with: signature.bytes) {
      return signature.type
    }
    guard isText(first) else { return "application/octet-stream" }
    let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return textTypes[end] ?? "text/plain"
  }

  /// UTF-8 without controls; the last character may be cut.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard !bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].contains($0) })
    else { return false }
    return (0...3).contains { cut in
      String(validating: bytes.dropLast(min(cut, bytes.count)), as: UTF8.self) != nil
    }
  }
}
