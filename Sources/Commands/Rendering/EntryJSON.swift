internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Words

extension JSONWriter {
  /// - Parameter bodies: whether the body belongs to this answer.
  mutating func entry(_ entry: Entry, body: Bool, excerpt: Bool = false) {
    beginObject()
    members(of: entry, body: body)
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
