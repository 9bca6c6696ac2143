internal import Sealing

/// What can be counted over entries.
public enum TallySubject: String, Sendable, Codable { case tags, kinds, journals, words }

/// A name and how many entries have it; of a word, how often it stands there.
public struct TallyCount: Sendable, Codable, Equatable {
  public let name: String
  public let count: Int

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

/// What a diary amounts to.
public struct DiaryStatistics: Sendable, Codable, Equatable {
  public var entries = 0
  public var words = 0
  /// Entries by civil day, days since 1970-01-01.
  public var days: [Int: Int] = [:]

  package init() {}
}

extension Snapshot {
  /// Counts over the entries a filter lets through, the most frequent first.
  ///
  /// Journals and kinds without entries are there with zero, in the owner's order; of tags that differ only
  /// in case the first spelling met, from the newest entry back, gives the name. Words open every body.
  package func tally(_ subject: TallySubject, _ filter: EntryFilter) throws(VaultError)
    -> [TallyCount]
  {
    let register = try register()
    let cursor = HeaderCursor(catalogue, filter: filter, register: register, newestFirst: true)
    var numbers: [UInt32: Int] = [:]
    var texts: [[UInt8]: (name: String, count: Int)] = [:]
    while let header = try cursor.next() {
      switch subject {
      case .journals: if let id = header.journal { numbers[id, default: 0] += 1 }
      case .kinds: if let id = header.kind { numbers[id, default: 0] += 1 }
      case .tags:
        for tag in header.tags { texts[SearchText.fold(tag), default: (tag, 0)].count += 1 }
      case .words:
        for text in [header.title, try catalogue.body(header)].compactMap({ $0 }) {
          WordCount.each(in: text) { word in
            texts[Array(word.utf8), default: (word, 0)].count += 1
          }
        }
      }
    }
    switch subject {
    case .journals:
      return register.journals.map { TallyCount(name: $0.name, count: numbers[$0.id] ?? 0) }
    case .kinds: return register.kinds.map { TallyCount(name: $0.name, count: numbers[$0.id] ?? 0) }
    case .tags, .words:
      let list = texts.values.map { TallyCount(name: $0.name, count: $0.count) }
        .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      // Every word used once is no answer to anybody.
      return subject == .words ? Array(list.prefix(10_000)) : list
    }
  }

  package func statistics(_ filter: EntryFilter) throws(VaultError) -> DiaryStatistics {
    let cursor = HeaderCursor(
      catalogue, filter: filter, register: try register(), newestFirst: true)
    var result = DiaryStatistics()
    while let header = try cursor.next() {
      result.entries += 1
      result.words += header.words
      result.days[header.date.day, default: 0] += 1
    }
    return result
  }
}

/// Words as a ranking counts them: runs of letters of three and more, in lower case; of Chinese characters
/// and katakana, which are written without spaces, runs of two and more; hiragana parts them.
enum WordCount {
  private enum Script { case none, letters, han, katakana }

  static func each(in text: String, _ body: (String) -> Void) {
    var run = String.UnicodeScalarView()
    var script = Script.none
    func end() {
      defer { run = String.UnicodeScalarView() }
      guard run.count >= (script == .letters ? 3 : 2) else { return }
      body(String(run).lowercased())
    }
    for scalar in text.unicodeScalars {
      let next = Self.script(scalar)
      // A combining mark belongs to the letter before it.
      let continues = next == script || (script == .letters && scalar.properties.isDiacritic)
      if !continues {
        end()
        script = next
      }
      if script != .none { run.append(scalar) }
    }
    end()
  }

  private static func script(_ scalar: Unicode.Scalar) -> Script {
    switch scalar.value {
    case 0x41...0x5a, 0x61...0x7a: .letters
    case 0..<0x80: .none
    case 0x3041...0x309f: .none
    case 0x30a1...0x30fa, 0x30fc...0x30ff: .katakana
    case 0x3400...0x9fff, 0xf900...0xfaff, 0x3005: .han
    default: scalar.properties.isAlphabetic ? .letters : .none
    }
  }
}
