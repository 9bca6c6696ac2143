internal import CommandLine
internal import DiaryVault
internal import Platform

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
    open: { input in
      let folder = try input.folder()
      return ForeignSource(AppleJournalEntries(input, folder), in: folder)
    })
}

/// Entries of Apple's Journal, a page of HTML each.
struct AppleJournalEntries: ForeignEntries {
  private static let limit = 64 << 20
  private let folder: InputFolder
  private let dates: DateParser
  private var names: [String]
  private(set) var lost = LostParts()

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    self.folder = folder
    dates = DateParser(zone: input.zone)
    for path in input.contents.closed { lost.add(.folder, path) }
    names = input.contents.files.filter {
      $0.hasPrefix("Entries/") && $0.lowercased().hasSuffix(".html")
    }.reversed()
  }

  mutating func next() throws -> ForeignEntry? {
    guard let name = names.popLast() else { return nil }
    do {
      let bytes = try InputFile(name, in: folder).contents(limit: Self.limit)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure(.invalid, ExchangeMessage.notText(name))
      }
      return try entry(AppleJournalPage(text), name)
    } catch { throw BadEntry(failure: error, place: name) }
  }

  private mutating func entry(_ page: AppleJournalPage, _ name: String) throws -> ForeignEntry {
    // The day is in the file's name, and in words of the phone's language above the text.
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
      entry.files.append(.path(path.replacing("../", with: "")))
    }
    for kind in page.others { lost.add(.field, kind) }
    return entry
  }
}

/// What a page says: everything but its style.
private struct AppleJournalPage {
  private(set) var header = ""
  private(set) var title = ""
  private(set) var text = ""
  private(set) var pictures: [String] = []
  private(set) var places: [String] = []
  /// Kinds of what else was kept with the entry: how one felt, whom one met, what one heard.
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
    // What the `div` stands for that is open, and how deep in it one is.
    var part: Part?
    var depth = 0
    while let token = reader.next() {
      switch token {
      case .open("div", let attributes):
        let classes = Set((attributes["class"] ?? "").split(separator: " ").map(String.init))
        if part != nil {
          depth += 1
        } else if let opened = Self.part(classes) {
          part = opened
          depth = 0
        } else {
          body.take(token)
        }
      case .close("div"):
        if part == nil {
          body.take(token)
        } else if depth > 0 {
          depth -= 1
        } else {
          part = nil
        }
      case .open("img", let attributes), .open("video", let attributes),
        .open("source", let attributes):
        if let source = attributes["src"], !source.isEmpty, !source.contains(":") {
          pictures.append(source)
        }
      case .text(let words):
        let words = words.trimmed
        switch part {
        case nil: body.take(token)
        case .header?: header += words
        case .title?: title += words
        case .prompt?: prompt += words
        case .asset(let kind)?:
          guard !words.isEmpty else { break }
          if kind.lowercased().hasSuffix("map") || kind == "location" {
            places.append(words)
          } else if !["photo", "livePhoto", "video"].contains(kind) {
            others.append(kind)
          }
        }
      default: if part == nil { body.take(token) }
      }
    }
    text = body.finish().trimmedLines
    if !prompt.isEmpty { text = "> \(prompt)\n\n\(text)" }
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
