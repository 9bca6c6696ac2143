internal import Entries
internal import Platform

/// Which of the objects that backups share were read and found to match their names.
///
/// A copy that relies on a file which is there already must know that it is whole. Reading all of them each hour would cost
/// as much as copying them, so a file that has the size, inode and times it had is read again only after a month: rot that
/// leaves no trace in the file system is found then. The list stands beside the place of the objects, one line each, and is only a
/// memory: without it everything is read. A restore reads every object in any case.
package final class CheckedObjects {
  private static let file = ".facediary-checked"
  private static let first = "facediary checked 1"
  private static let sizeLimit = 64 << 20
  /// Seconds after which a file is read again.
  private static let lasting: Int64 = 30 * 86_400

  private let directory: String
  private let path: String
  private let now: Int64
  /// What a file looked like, and when it was read.
  private var known: [String: (look: String, at: Int64)] = [:]
  private var isChanged = false

  /// - Parameters:
  ///   - directory: where the objects are.
  ///   - folder: where the list is kept.
  package init(in directory: String, beside folder: VaultFolder, now: Int64) {
    self.directory = directory
    path = folder.path + "/" + Self.file
    self.now = now
    guard
      let text = try? Descriptor.open(path, [.noFollow, .nonBlocking])
        .readAll(limit: Self.sizeLimit),
      // A line takes many times its bytes, and true ones are longer than this.
      text.count(where: { $0 == 0x0a }) <= text.count / 24 + 4
    else { return }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.first.map(String.init) == Self.first else { return }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ")
      guard parts.count == 3, let at = Int64(parts[2]), at > now - Self.lasting, at <= now else {
        continue
      }
      known[String(parts[0])] = (String(parts[1]), at)
    }
  }

  /// Whether an object that stands here is what its name says.
  func isWhole(_ name: ObjectName) throws(VaultError) -> Bool {
    let path = directory + "/" + name.text
    guard let status = try? FileStatus(path), status.kind == .regular else { return false }
    if known[name.text]?.look == status.look { return true }
    guard try VaultFolder.isWhole(name, path) else { return false }
    note(name, status)
    return true
  }

  /// An object was written here just now.
  func wrote(_ name: ObjectName) {
    if let status = try? FileStatus(directory + "/" + name.text) { note(name, status) }
  }

  private func note(_ name: ObjectName, _ status: FileStatus) {
    known[name.text] = (status.look, now)
    isChanged = true
  }

  /// Keeps what is known, as well as it can: without it the next backup takes longer.
  package func keep() {
    guard isChanged, let file = try? AtomicFile(path) else { return }
    let lines = known.map { "\($0.key) \($0.value.look) \($0.value.at)" }.sorted()
    try? file.write(Array(([Self.first] + lines).joined(separator: "\n").utf8))
    try? file.commit()
  }
}

extension FileStatus {
  /// What changes with a file, as one word.
  fileprivate var look: String {
    "\(size)-\(identity.last ?? 0)-\(changed)-\(modified).\(modifiedNanoseconds)"
  }
}
