internal import Requests

/// What the page may ask, by the last part of its path.
enum PageCall: String, CaseIterable {
  // The window itself.
  case hello, wait, leave, lock, work, stop, link
  // Entries.
  case list, entry, render, save, star, trash, restore, purge, emptyTrash, history, revert
  case conflict, keepVersion
  // Files of entries.
  case upload, drop, file
  // What is being typed.
  case keep, discard, kept, recover, discardKept, awake
  // The diary.
  case names, tallies, statistics, rank, onThisDay, changeNames, renameTag, templates, setTemplate
  case devices, slots
  // A file to import.
  case bring, forget
}

/// What a call brings: one JSON object.
struct CallBody {
  private let document: JSONDocument

  init(_ bytes: [UInt8]) throws { document = try JSONDocument(bytes) }

  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try document.decoded(type)
  }
}
