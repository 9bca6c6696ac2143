internal import Dates
package import Entries
package import JSONText

extension JSONWriter {
  /// The members of an entry's content, id and revision before them.
  package mutating func members(of entry: Entry, body: Bool) {
    member("id", entry.id.description)
    member("revision", entry.revision)
    for field in EntryField.all {
      switch field.place {
      case .time(let path): member(field.name, entry.content[path].iso)
      case .optionalTime(let path): member(field.name, entry.content[path]?.iso)
      case .text(let path): member(field.name, entry.content[path])
      case .body: if body { member(field.name, entry.body) }
      case .texts(let path): member(field.name, entry.content[path])
      case .flag(let path): member(field.name, entry.content[path])
      }
    }
  }

  /// The members of an attachment.
  package mutating func write(_ attachment: Attachment) {
    member("name", attachment.name)
    member("size", attachment.size)
    member("type", attachment.type)
  }
}
