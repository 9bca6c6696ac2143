internal import Entries
internal import SealedFiles

/// Brings the entries of a backup back into a diary that other devices have, too.
///
/// They would be told of nothing if the rows were exchanged, and would take back what the backup undid. So each entry that was
/// removed since is added again, one that was changed gets a new revision with what it was, and what was written since stays.
struct Reinstating {
  private let edit: CatalogueEdit
  private let backup: Catalogue
  private let names: NameRegister

  init(_ edit: CatalogueEdit, _ backup: Catalogue) throws(VaultError) {
    self.edit = edit
    self.backup = backup
    names = try backup.register()
  }

  /// - Parameter progress: called with the number of entries that were looked at.
  /// - Returns: how many entries were added or changed.
  func run(progress: (Int) -> Void) throws(VaultError) -> Int {
    var now = try edit.names()
    now.bringBack(names)
    if try now != edit.names() { edit.setNames(now) }
    for journal in names.journals { try edit.make(journal: journal) }
    for kind in names.ownKinds { try edit.make(kind: kind) }
    for template in try backup.templates().templates { _ = try edit.take(template, .update) }
    var (seen, changed) = (0, 0)
    try backup.walkHeaders { header throws(VaultError) in
      if try edit.holds(header.id.key) {
        if try bringBack(header) { changed += 1 }
      } else {
        try addAgain(header)
        changed += 1
      }
      seen += 1
      progress(seen)
      return true
    }
    guard seen == backup.state.count else {
      throw VaultError(.tampered, .entryRows, .rowsMissing(found: seen, known: backup.state.count))
    }
    return changed
  }

  /// An entry with all its revisions.
  private func addAgain(_ newest: Header) throws(VaultError) {
    for (place, revision) in try backup.revisions(of: newest).reversed().enumerated() {
      let past = revision.header
      let body = try backup.body(revision)
      if place == 0 {
        try edit.add(
          past.content(names, body: body), past.attachments, id: newest.id,
          created: newest.created, modified: past.modified
        ) { $0.trashed = newest.trashed }
      } else {
        let (place, old) = try edit.place(of: newest.id.key)
        try write(past, body, over: old, at: place, modified: past.modified)
      }
    }
  }

  /// Whether an entry was not as the backup has it, and is now.
  private func bringBack(_ wanted: Header) throws(VaultError) -> Bool {
    let (place, old) = try edit.place(of: wanted.id.key)
    guard old.id == wanted.id else {
      throw VaultError(.conflict, .entry, wanted.id.description, .hasOtherContent)
    }
    if try isSame(old, wanted) {
      guard old.trashed != wanted.trashed else { return false }
      var header = old
      header.trashed = wanted.trashed
      try edit.replace(place, by: header)
    } else {
      try write(
        wanted, try backup.body(wanted), over: old, at: place,
        modified: edit.catalogue.vault.settings.now())
    }
    return true
  }

  private func isSame(_ old: Header, _ wanted: Header) throws(VaultError) -> Bool {
    guard old.bodySize == wanted.bodySize, old.attachments == wanted.attachments,
      old.content(try edit.names(), body: "") == wanted.content(names, body: "")
    else { return false }
    if old.body == wanted.body { return true }
    return try edit.catalogue.body(old) == backup.body(wanted)
  }

  private func write(
    _ wanted: Header, _ body: String, over old: Header, at place: Catalogue.Place, modified: Int64
  ) throws(VaultError) {
    var header = old
    header.modified = modified
    header.attachments = wanted.attachments
    header.trashed = wanted.trashed
    // The other texts of a conflict stay in the history.
    header.others = []
    try header.take(wanted.content(names, body: body), try edit.names())
    try edit.write(&header, body: body, over: old, body: try edit.catalogue.body(old), at: place)
  }
}
