internal import Bytes
internal import Entries
internal import Platform
internal import SealedFiles

/// What belongs to a backup, in a text file beside its rows. A program that copies or removes backups needs no key
/// to tell a whole one from half of one.
///
/// ```
/// facediary backup 1
/// vault BYTES
/// object NAME
/// end BLAKE2b-256 of the lines above
/// ```
struct BackupContents: Equatable {
  private static let first = "facediary backup 1"
  private static let sizeLimit = 64 << 20

  /// The size of the rows when it was made. Tries at its passphrase may add to it; seals protect the content.
  let vaultSize: Int
  let objects: Set<ObjectName>

  /// Lists a folder whose rows are complete.
  init(_ folder: VaultFolder, objects: Set<ObjectName>) throws(VaultError) {
    vaultSize = try onDisk { () throws(PlatformError) in try FileStatus(folder.file).size }
    self.objects = objects
  }

  private var lines: String {
    "\(Self.first)\nvault \(vaultSize)\n"
      + objects.map { "object \($0.text)\n" }.sorted().joined()
  }

  private static func end(of lines: some Sequence<UInt8>) -> String {
    "end \(Base32.encode(FileDigest.of(Array(lines))))\n"
  }

  func write(to folder: VaultFolder) throws(VaultError) {
    try onDisk { () throws(PlatformError) in
      let file = try AtomicFile(folder.contents)
      try file.write(Array((lines + Self.end(of: lines.utf8)).utf8))
      try file.commit()
    }
  }

  /// What a folder says of itself; nil when it says nothing, or only a part of it.
  init?(of folder: VaultFolder) {
    guard let file = try? Descriptor.open(folder.contents, [.noFollow, .nonBlocking]),
      (try? file.status())?.kind == .regular,
      let bytes = try? file.readAll(limit: Self.sizeLimit),
      let end = bytes.dropLast().lastIndex(of: 0x0a),
      // Before it is taken apart: a line takes many times its bytes, and those of objects are longer than this.
      bytes.count(where: { $0 == 0x0a }) <= bytes.count / 24 + 4,
      Self.end(of: bytes[...end]).utf8.elementsEqual(bytes[(end + 1)...]),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard rows.count >= 4, rows.removeLast().isEmpty, rows.popLast() != nil,
      rows[0] == Self.first
    else { return nil }
    let vault = rows[1].split(separator: " ")
    guard vault.count == 2, vault[0] == "vault", let size = Int(vault[1]), size >= 0 else {
      return nil
    }
    var objects: Set<ObjectName> = []
    for row in rows.dropFirst(2) {
      guard row.hasPrefix("object "), let name = ObjectName(String(row.dropFirst(7))) else {
        return nil
      }
      objects.insert(name)
    }
    (vaultSize, self.objects) = (size, objects)
  }

  /// - Throws: ``VaultError`` `damaged` when something of it is not there.
  func check(_ folder: VaultFolder) throws(VaultError) {
    guard let rows = try? FileStatus(folder.file), rows.size >= vaultSize else {
      throw VaultError(.damaged, folder.path, .isNotWhole)
    }
    for object in objects where try ObjectReader.open(object, in: folder) == nil {
      throw VaultError(.damaged, folder.path, .isNotWhole)
    }
  }
}
