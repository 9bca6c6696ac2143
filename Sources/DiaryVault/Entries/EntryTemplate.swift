internal import Sealing

/// A text to start an entry from, sealed in the vault.
public struct EntryTemplate: Sendable, Equatable, Codable {
  public let name: String
  public let body: String

  public init(name: String, body: String) {
    self.name = name
    self.body = body
  }

  static let sizeLimit = 2 << 20
  static let countLimit = 200
  static let bodyLimit = 64 << 10

  static func plain(_ list: [EntryTemplate]) -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.put(UInt8(1))
    writer.put(UInt32(list.count))
    for template in list {
      writer.putCounted(template.name)
      writer.putCounted(template.body)
    }
    return Padding.pad(writer.bytes)
  }

  static func list(plain: [UInt8]) throws(SealingError) -> [EntryTemplate] {
    var reader = ByteReader(try Padding.unpad(plain))
    guard try reader.uint8() == 1 else { throw .malformed }
    var list: [EntryTemplate] = []
    for _ in 0..<(try reader.uint32()) {
      let name = try reader.text()
      list.append(EntryTemplate(name: name, body: try reader.text()))
    }
    try reader.expectEnd()
    return list
  }
}

extension Snapshot {
  package func templates() throws(VaultError) -> [EntryTemplate] { try catalogue.templates() }
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
      let key = SearchText.fold(name)
      let place = list.firstIndex { SearchText.fold($0.name) == key }
      if isNew, place != nil {
        throw VaultError(.conflict, .template, name, .isThereAlready)
      }
      if !isNew, place == nil {
        throw VaultError(.notFound, .template, name, candidates: list.map(\.name))
      }
      switch (place, body) {
      case (let place?, let body?):
        list[place] = EntryTemplate(name: list[place].name, body: body)
      case (let place?, nil): list.remove(at: place)
      case (nil, let body?): list.append(EntryTemplate(name: name, body: body))
      case (nil, nil): break
      }
      guard list.count <= EntryTemplate.countLimit else {
        throw VaultError(.templates, expected: .atMost(EntryTemplate.countLimit))
      }
      edit.setTemplates(list)
    }
  }
}
