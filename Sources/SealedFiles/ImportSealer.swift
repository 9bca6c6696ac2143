package import Entries

/// Turns the files among what is imported into objects, which the next entry takes.
///
/// It runs where the import is read, so that the process with the diary's keys never sees their bytes.
package final class ImportSealer {
  private let store: ObjectStore
  private var sealer: ObjectSealer?
  private var sealed: [SealedAttachment] = []

  package init(_ store: ObjectStore) { self.store = store }

  /// The next of `items` that is not a piece of a file; nil at the end.
  package func next(_ items: () throws -> ImportItem?) throws -> ImportItem? {
    while let item = try items() {
      switch item {
      case .piece(let bytes): try open().take(bytes)
      case .attachment(let name, let type):
        sealed.append(try open().finish(name: name, type: type))
        sealer = nil
      case .entry(var entry):
        entry.draft.attachments += sealed
        sealed = []
        return .entry(entry)
      case .journal, .kind, .template: return item
      }
    }
    return nil
  }

  /// Forgets the pieces of a file that did not come to its end.
  package func abandon() { sealer = nil }

  private func open() throws(VaultError) -> ObjectSealer {
    if let sealer { return sealer }
    let made = try store.begin()
    sealer = made
    return made
  }
}
