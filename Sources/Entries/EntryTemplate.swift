package import Bytes

/// A text to start an entry from, sealed in the vault.
public struct EntryTemplate: Sendable, Equatable, Codable {
  public let name: String
  public let body: String

  public init(name: String, body: String) {
    self.name = name
    self.body = body
  }

  package static let bodyLimit = 64 << 10
}

/// All templates there are, in the order they were made.
package struct TemplateList: Sendable, Equatable {
  package static let sizeLimit = 2 << 20
  package static let countLimit = 200

  package var templates: [EntryTemplate] = []
  /// What a later version adds, kept.
  private var unknown: [UInt8] = []

  package init(_ templates: [EntryTemplate] = []) { self.templates = templates }

  package func plain() -> [UInt8] {
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

  package init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    try reader.expectVersion()
    for _ in 0..<(try reader.uint32()) {
      let name = try reader.text()
      templates.append(EntryTemplate(name: name, body: try reader.text()))
    }
    unknown = try reader.bytes(reader.remaining)
  }
}
