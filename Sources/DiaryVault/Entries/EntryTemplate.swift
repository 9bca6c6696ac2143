internal import Sealing

/// A text to start an entry from, sealed in the vault.
public struct EntryTemplate: Sendable, Equatable, Codable {
  public let name: String
  public let body: String

  public init(name: String, body: String) {
    self.name = name
    self.body = body
  }

  static let bodyLimit = 64 << 10
}

/// All templates there are, in the order they were made.
struct TemplateList: Sendable, Equatable {
  static let sizeLimit = 2 << 20
  static let countLimit = 200

  var templates: [EntryTemplate] = []
  /// What a later version adds, kept.
  private var unknown: [UInt8] = []

  init(_ templates: [EntryTemplate] = []) { self.templates = templates }

  func plain() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.put(RecordVersion.first)
    writer.put(UInt32(templates.count))
    for template in templates {
      writer.putCounted(template.name)
      writer.putCounted(template.body)
    }
    writer.put(unknown)
    return Padding.pad(writer.bytes)
  }

  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    try reader.expectVersion()
    for _ in 0..<(try reader.uint32()) {
      let name = try reader.text()
      templates.append(EntryTemplate(name: name, body: try reader.text()))
    }
    unknown = try reader.bytes(reader.remaining)
  }
}

extension Snapshot {
  package func templates() throws(VaultError) -> [EntryTemplate] {
    try catalogue.templates().templates
  }
}

extension Vault {
  /// Makes a template, or gives the one of that name another text; nil removes it.
  ///
  /// - Parameter isNew: whether there must be none of that name yet, or one.
  package func setTemplate(_ name: String, body: String?, isNew: Bool) throws(VaultError) {
    try NameRegister.check(name, .template)
    if let body {
      guard body.utf8.count <= EntryTemplate.bodyLimit, !body.utf8.contains(0) else {
        throw VaultError(.template, expected: .atMostBytesWithoutNUL(EntryTemplate.bodyLimit))
      }
    }
    try change { edit throws(VaultError) in
      var list = try edit.templatesList()
      let templates = list.templates
      let key = SearchText.fold(name)
      let place = templates.firstIndex { SearchText.fold($0.name) == key }
      if isNew, place != nil {
        throw VaultError(.conflict, .template, name, .isThereAlready)
      }
      if !isNew, place == nil {
        throw VaultError(.notFound, .template, name, candidates: templates.map(\.name))
      }
      switch (place, body) {
      case (let place?, let body?):
        list.templates[place] = EntryTemplate(name: templates[place].name, body: body)
      case (let place?, nil): list.templates.remove(at: place)
      case (nil, let body?): list.templates.append(EntryTemplate(name: name, body: body))
      case (nil, nil): break
      }
      guard list.templates.count <= TemplateList.countLimit else {
        throw VaultError(.templates, expected: .atMost(TemplateList.countLimit))
      }
      edit.setTemplates(list)
    }
  }
}
