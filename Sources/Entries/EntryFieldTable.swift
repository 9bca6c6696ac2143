internal import Text

/// One field of ``EntryContent``: its name in JSON and front matter, where it stands, and how devices tell one another of it.
///
/// The table drives messages, JSON, Markdown, comparison and what devices write for one another: none of them names a field
/// by itself.
package struct EntryField: Sendable {
  /// What remains when several devices changed a field without knowing of one another.
  package enum Merge: Sendable {
    /// The newest. What was purged is gone.
    case newest
    /// The newest, also when the entry in which it was given was purged.
    case carried
    /// Each of them. A person decides.
    case all
    /// A list keeps what anybody added and nobody who knew of it removed.
    case elements
  }

  /// What a name stands for, which each device numbers by itself.
  package enum Reference: Sendable { case journal, kind }

  /// Where it stands in a header on the disk; never given twice there.
  package enum HeaderPlace: Sendable {
    /// Under this key. 1, 2, 8, 10 to 18 and 21 are for what people do not write.
    case record(UInt8)
    /// A bit of the fixed part; 2 is not for what people write.
    case flag(UInt8)
    /// In the fixed part: the date.
    case fixed
    /// In a row of its own: the text.
    case body
  }

  package enum Place: Sendable {
    case time(Lens<EntryContent, ZonedTime>)
    case optionalTime(Lens<EntryContent, ZonedTime?>)
    case text(Lens<EntryContent, String?>)
    case body(Lens<EntryContent, String>)
    case texts(Lens<EntryContent, [String]>)
    case flag(Lens<EntryContent, Bool>)
  }

  /// One line that says something, and nothing else: the title, where it was.
  package struct Line: Sendable {
    package let name: String
    package let thing: VaultError.Thing
    package let content: Lens<EntryContent, String?>
    package let change: Lens<EntryChange, Change<String>>
  }

  package let name: String
  /// What devices call it; never given twice. 3 to 6 are for what people do not write.
  package let number: UInt8
  package let header: HeaderPlace
  package let merge: Merge
  package let reference: Reference?
  package let place: Place
  package let line: Line?

  private init(
    _ name: String, number: UInt8, header: HeaderPlace, merge: Merge, reference: Reference? = nil,
    _ place: Place, line: Line? = nil
  ) {
    self.name = name
    self.number = number
    self.header = header
    self.merge = merge
    self.reference = reference
    self.place = place
    self.line = line
  }

  private init(
    _ name: String, number: UInt8, header: HeaderPlace, merge: Merge,
    line thing: VaultError.Thing, _ content: Lens<EntryContent, String?>,
    _ change: Lens<EntryChange, Change<String>>
  ) {
    self.init(
      name, number: number, header: header, merge: merge, .text(content),
      line: Line(name: name, thing: thing, content: content, change: change))
  }

  /// All of them, in the order in which they are written.
  package static let all: [EntryField] = [
    EntryField(
      "date", number: 7, header: .fixed, merge: .carried, .time(Lens({ $0.date }, { $0.date = $1 }))
    ),
    EntryField(
      "until", number: 8, header: .record(3), merge: .carried,
      .optionalTime(Lens({ $0.until }, { $0.until = $1 }))),
    EntryField(
      "zone", number: 9, header: .record(4), merge: .carried,
      .text(Lens({ $0.zone }, { $0.zone = $1 }))),
    EntryField(
      "journal", number: 10, header: .record(5), merge: .carried, reference: .journal,
      .text(Lens({ $0.journal }, { $0.journal = $1 }))),
    EntryField(
      "kind", number: 11, header: .record(6), merge: .carried, reference: .kind,
      .text(Lens({ $0.kind }, { $0.kind = $1 }))),
    EntryField(
      "title", number: 1, header: .record(7), merge: .all, line: .title,
      Lens({ $0.title }, { $0.title = $1 }), Lens({ $0.title }, { $0.title = $1 })),
    EntryField(
      "body", number: 2, header: .body, merge: .all, .body(Lens({ $0.body }, { $0.body = $1 }))),
    EntryField(
      "tags", number: 12, header: .record(9), merge: .elements,
      .texts(Lens({ $0.tags }, { $0.tags = $1 }))),
    EntryField(
      "starred", number: 13, header: .flag(1), merge: .carried,
      .flag(Lens({ $0.starred }, { $0.starred = $1 }))),
    EntryField(
      "location", number: 14, header: .record(19), merge: .newest, line: .location,
      Lens({ $0.location }, { $0.location = $1 }), Lens({ $0.location }, { $0.location = $1 })),
    EntryField(
      "weather", number: 15, header: .record(20), merge: .newest, line: .weather,
      Lens({ $0.weather }, { $0.weather = $1 }), Lens({ $0.weather }, { $0.weather = $1 })),
  ]

  /// Those that are a line, in the same order, the title first.
  package static let lines = all.compactMap(\.line)

  package static func named(_ name: String) -> EntryField? { all.first { $0.name == name } }
}

/// A place in a value, read and set by closures: a key path costs ten times as much, which a list of a hundred thousand
/// entries makes noticeable.
package struct Lens<Root, Value>: Sendable {
  fileprivate let get: @Sendable (Root) -> Value
  fileprivate let set: @Sendable (inout Root, Value) -> Void

  init(
    _ get: @escaping @Sendable (Root) -> Value,
    _ set: @escaping @Sendable (inout Root, Value) -> Void
  ) {
    self.get = get
    self.set = set
  }
}

extension EntryContent {
  /// About how many bytes it takes in a message.
  package var size: Int {
    EntryField.all.reduce(64) { size, field in
      switch field.place {
      case .text(let lens): size + (self[lens]?.utf8.count ?? 0)
      case .body(let lens): size + self[lens].utf8.count
      case .texts(let lens): self[lens].reduce(size) { $0 + 8 + $1.utf8.count }
      case .time, .optionalTime, .flag: size
      }
    }
  }

  package subscript<Value>(lens: Lens<EntryContent, Value>) -> Value {
    get { lens.get(self) }
    set { lens.set(&self, newValue) }
  }
}

extension EntryChange {
  package subscript<Value>(lens: Lens<EntryChange, Value>) -> Value {
    get { lens.get(self) }
    set { lens.set(&self, newValue) }
  }

  /// What makes one content of another.
  package init(from old: EntryContent, to new: EntryContent) {
    func field<T: Sendable & Codable & Equatable>(_ old: T?, _ new: T?) -> Change<T> {
      old == new ? .keep : new.map { .set($0) } ?? .clear
    }
    self.init()
    if new.date != old.date { date = new.date }
    until = field(old.until, new.until)
    zone = field(old.zone, new.zone)
    journal = field(old.journal, new.journal)
    kind = field(old.kind, new.kind)
    for line in EntryField.lines {
      self[line.change] = field(old[line.content], new[line.content])
    }
    if new.body != old.body { body = new.body }
    addTags = new.tags.filter { !old.tags.contains($0) }
    removeTags = old.tags.filter { !new.tags.contains($0) }
    if new.starred != old.starred { starred = new.starred }
  }
}
