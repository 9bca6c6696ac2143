internal import Bytes
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Markdown

extension JSONWriter {
  /// The answer to what is only done.
  static var done: [UInt8] { object { $0.member("done", true) } }

  /// An entry as the page gets it.
  ///
  /// - Parameters:
  ///   - query: what was searched for: where its words stand is told in UTF-16 units, as scripts count.
  ///   - picture: the address of a picture of the entry.
  mutating func entry(
    _ entry: Entry, query: SearchQuery? = nil, picture: (Attachment) -> String?
  ) {
    beginObject()
    members(of: entry, body: entry.hasBody)
    let preview = entry.preview.map { PageText.plain($0) + (isCut(entry) ? "…" : "") }
    let excerpt = entry.excerpt.map { $0 == entry.title ? $0 : PageText.plain($0) }
    member("preview", preview)
    member("excerpt", excerpt)
    if let query {
      marks("titleMarks", entry.title ?? preview, query)
      marks("excerptMarks", excerpt, query)
    }
    member("others", entry.others.count)
    member("created", utc(entry.created))
    member("modified", utc(entry.modified))
    member("trashed", entry.trashed.map(utc))
    member("attachments", array: entry.attachments) { json, attachment in
      json.write(attachment)
      json.member("picture", picture(attachment))
    }
    endObject()
  }

  /// Whether the line goes on of which the preview is the beginning.
  private func isCut(_ entry: Entry) -> Bool {
    guard let preview = entry.preview, preview.utf8.count < entry.bodySize else { return false }
    return FirstLine.isFull(preview)
  }

  private mutating func marks(_ name: String, _ text: String?, _ query: SearchQuery) {
    guard let text else { return }
    key(name)
    beginArray()
    for hit in query.hits(in: text) {
      value(text.utf16.distance(from: text.startIndex, to: hit.lowerBound))
      value(text.utf16.distance(from: text.startIndex, to: hit.upperBound))
    }
    endArray()
  }
}

/// A text as the page shows it.
enum PageText {
  /// A line of Markdown without its markers; as it is, where it is nothing but markers.
  static func plain(_ text: String) -> String {
    let plain = MarkdownDocument(text).plainText
    return plain.isEmpty ? text : plain
  }

  /// Markdown as HTML, everything escaped; a picture of the entry stands where the text shows it.
  ///
  /// - Parameter picture: the address of a picture by its name; nil for what is none.
  static func html(_ text: String, picture: @escaping (String) -> String? = { _ in nil }) -> String
  {
    var bytes: [UInt8] = []
    do {
      var html = MarkdownHTML {
        bytes += $0
      } picture: { alt, target in
        guard let name = PictureTargets.fileName(of: target), let address = picture(name) else {
          return false
        }
        bytes += Array("<img loading=\"lazy\" alt=\"".utf8)
        bytes += Array(HTMLText.escaped(alt.isEmpty ? name : alt).utf8)
        bytes += Array("\" src=\"\(address)\">".utf8)
        return true
      }
      try html.add(MarkdownDocument(text))
      try html.end()
    } catch {
      // Neither closure throws.
      preconditionFailure("\(error)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The addresses of pictures: random, good for one page, and each for one file of one entry.
struct PictureAddresses {
  /// A page that shows more pictures than these at once lists them again.
  private static let limit = 8192
  private let secret: [UInt8]
  private var files: [String: (entry: EntryID, name: String)] = [:]
  private var order: [String] = []

  init(secret: [UInt8]) { self.secret = secret }

  /// The address of a file, which stays the same while the page is there.
  mutating func address(of name: String, in entry: EntryID) -> String {
    let word = Base32.encode(
      Digest.blake2b(
        secret + entry.bytes + Array(name.utf8), count: 20, domain: "FDv2 picture"))
    if files.updateValue((entry, name), forKey: word) == nil {
      order.append(word)
      if order.count > Self.limit { files[order.removeFirst()] = nil }
    }
    return "/picture/" + word
  }

  func file(_ word: String) -> (entry: EntryID, name: String)? { files[word] }
}
