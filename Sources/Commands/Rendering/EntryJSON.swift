internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Words

extension JSONWriter {
  /// - Parameter bodies: whether the body belongs to this answer.
  mutating func entry(_ entry: Entry, body: Bool, excerpt: Bool = false) {
    beginObject()
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
    // Other titles or texts that count as well, by their revisions: what `conflicts` shows.
    if !entry.others.isEmpty {
      key("others")
      beginArray()
      for other in entry.others { value(Int(other)) }
      endArray()
    }
    key("attachments")
    array(entry.attachments) { json, attachment in json.write(attachment) }
    member("created", utc(entry.created))
    member("modified", utc(entry.modified))
    if excerpt { member("excerpt", entry.excerpt) }
    endObject()
  }
}

extension JSONWriter {
  /// The members of an attachment.
  mutating func write(_ attachment: Attachment) {
    member("name", attachment.name)
    member("size", attachment.size)
    member("type", attachment.type)
  }
}
