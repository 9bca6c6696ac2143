internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// Apple Journal's export: `Entries/2024-11-03_Title.html`, photos and the like in `Resources`.
  ///
  /// Form: as https://github.com/obsidianmd/obsidian-importer (`formats/apple-journal`) and others read it; Apple states
  /// none.
  static let appleJournal = ImportFormat(
    name: "apple-journal", shapes: [.folder],
    recognises: { input in
      input.contents.files.contains { $0.hasPrefix("Entries/") && $0.hasSuffix(".html") }
    },
    open: { try ForeignSource($0) { AppleJournalEntries($0, $1) } })
}

/// Entries of Apple's Journal, a page of HTML each.
struct AppleJournalEntries: ForeignEntries {
  private static let limit = 64 << 20
  private let dates: DateParser
  private var texts: ForeignTexts
  private(set) var lost = LostParts()

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    dates = DateParser(zone: input.zone)
    let pages = input.contents.files.filter {
      $0.hasPrefix("Entries/") && $0.lowercased().hasSuffix(".html")
    }
    texts = ForeignTexts(pages, in: folder, limit: Self.limit)
  }

  func isOwn(_ path: String) -> Bool {
    // The phone's metadata of each photo is in a file beside it.
    path == "index.html" || path.hasPrefix("Entries/") && path.lowercased().hasSuffix(".html")
      || path.hasPrefix("Resources/") && path.lowercased().hasSuffix(".json")
  }

  mutating func next() throws -> ForeignEntry? {
    guard let (text, name) = try texts.next() else { return nil }
    do { return try entry(AppleJournalPage(text), name) } catch {
      throw BadEntry(failure: error, place: name)
    }
  }

  private mutating func entry(_ page: AppleJournalPage, _ name: String) throws -> ForeignEntry {
    // The day is in the file's name, and above the text in the phone's language.
    let stem = name.dropFirst("Entries/".count).prefix(10)
    guard case .day(let day)? = (try? dates.parse(String(stem))) ?? (try? dates.parse(page.header))
    else {
      throw Failure(
        .invalid,
        ExchangeMessage.fileField(
          file: name, field: "pageHeader", expected: ImportExpectation.aDate))
    }
    var entry = ForeignEntry(name, at: try dates.zone.instant(day: day, secondOfDay: 43_200))
    entry.draft.zone = dates.zone.name
    entry.draft.title = page.title
    entry.draft.body = page.text
    if !page.places.isEmpty {
      entry.draft.content.location = ForeignSource.line(page.places.joined(separator: ", "))
    }
    for path in page.pictures {
      // Paths begin at the page: `../Resources/IMG1.heic`.
      let place = path.hasPrefix("../") ? String(path.dropFirst(3)) : path
      entry.files.append(.path(PictureTargets.unescaped(place)))
    }
    entry.files += page.embedded
    for kind in page.others { lost.add(.field, kind) }
    return entry
  }
}

/// The contents of a page without its style.
private struct AppleJournalPage {
  private(set) var header = ""
  private(set) var title = ""
  private(set) var text = ""
  private(set) var pictures: [String] = []
  /// The pictures within the page itself.
  private(set) var embedded: [ForeignEntry.File] = []
  private(set) var places: [String] = []
  /// The other kinds of asset: state of mind, contacts, music.
  private(set) var others: [String] = []

  private enum Part {
    case header, title
    case asset(String)
    case prompt
  }

  init(_ html: String) {
    var reader = MarkupReader(html)
    var body = MarkdownFromHTML()
    var prompt = ""
    // What the open `div` is, and the depth inside it.
    var part: Part?
    var depth = 0
    var captions: [String] = []
    // Whether the asset that is open gave anything.
    var isEmpty = false
    while let token = reader.next() {
      switch token {
      case .open("div", let attributes):
        let classes = Set((attributes["class"] ?? "").split(separator: " ").map(String.init))
        if part != nil {
          depth += 1
        } else if let opened = Self.part(classes) {
          part = opened
          depth = 0
          isEmpty = true
        } else {
          body.take(token)
        }
      case .close("div"):
        if part == nil {
          body.take(token)
        } else if depth > 0 {
          depth -= 1
        } else {
          if case .asset(let kind)? = part, isEmpty { others.append(kind) }
          part = nil
        }
      case .open("img", let attributes), .open("video", let attributes),
        .open("audio", let attributes), .open("source", let attributes):
        guard let source = attributes["src"], !source.isEmpty else { break }
        isEmpty = false
        if source.hasPrefix("data:") || source.contains("://") {
          body.take(token)
        } else {
          pictures.append(source)
        }
      case .text(let words):
        switch part {
        case nil: body.take(token)
        case .header?: header += words
        case .title?: title += words
        case .prompt?: prompt += words
        case .asset(let kind)?:
          guard !words.trimmed.isEmpty else { break }
          isEmpty = false
          take(words.trimmed, of: kind, &captions)
        }
      default: if part == nil { body.take(token) }
      }
    }
    embedded = body.pictures.compactMap { picture in
      picture.bytes.map { .bytes($0, name: picture.name) }
    }
    finish(body.finish().trimmedLines, prompt: prompt.oneLine.trimmed, captions)
  }

  private mutating func finish(_ body: String, prompt: String, _ captions: [String]) {
    header = header.oneLine.trimmed
    title = title.oneLine.trimmed
    let parts = [prompt.isEmpty ? "" : "> " + MarkdownSigns.escaped(prompt), body] + captions
    text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// What stands in an asset.
  private mutating func take(_ words: String, of kind: String, _ captions: inout [String]) {
    if kind.lowercased().hasSuffix("map") || kind == "location" {
      places.append(words)
    } else if ["photo", "livePhoto", "video", "audio"].contains(kind) {
      captions.append(words)
    } else {
      others.append(kind)
    }
  }

  private static func part(_ classes: Set<String>) -> Part? {
    if classes.contains("pageHeader") { return .header }
    if classes.contains("title") { return .title }
    if classes.contains("reflectionPrompt") { return .prompt }
    guard classes.contains("gridItem") else { return nil }
    let kind = classes.first { $0.hasPrefix("assetType_") }
    return .asset(kind.map { String($0.dropFirst("assetType_".count)) } ?? "asset")
  }
}
