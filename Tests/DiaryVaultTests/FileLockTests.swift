import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// A process that closes a descriptor of a file gives up all of its locks on it, those of SQLite too. Another process that closes the
/// diary then believes that it is the last one, and removes the log that this one still uses.
@Suite(.serialized) struct FileLockTests {
  /// Whether this process has a lock on a file. The kernel writes its list piece by piece and leaves some out while others come and go, so
  /// that it is read more than once; a lock that was given up stands in none.
  private func isLocked(_ path: String) throws -> Bool {
    var facts = stat()
    #expect(stat(path, &facts) == 0)
    return try (0..<10).contains { _ in
      let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
      return locks.split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        return words.contains("POSIX") && words.contains("\(getpid())")
          && words.contains { $0.hasSuffix(":\(facts.st_ino)") }
      }
    }
  }

  @Test func `nothing that is done beside an open diary gives up its locks`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let entry = try vault.add(try EntryDraft("one")).id
    let file = VaultFolder(bench.path).file
    #expect(try isLocked(file))
    let copy = bench.directory + "/copy"
    let deeds: [(String, () throws -> Void)] = [
      ("check", { try VaultFolder(bench.path).check() }),
      ("slots", { _ = try LockedVault(bench.path, settings: bench.settings) }),
      (
        "attempts",
        {
          let row = AttemptRow(
            bench.path, host: [UInt8](repeating: 1, count: 16), settings: bench.settings)
          _ = try row.read()
          try row.write([1, 2, 3])
          _ = try row.read()
        }
      ),
      ("verify", { _ = try vault.verify() }),
      (
        "backup",
        {
          try Vault.makeBackup(of: bench.path, as: copy, settings: bench.settings) {
            try vault.sealBackup(state: $0, since: try vault.beginBackup())
          }
        }
      ),
      ("contents", { try VaultFolder(bench.path).checkContents() }),
      (
        "is backup",
        {
          let id = try LockedVault(bench.path, settings: bench.settings).keyring.vaultID
          #expect(!LockedVault.isBackup(bench.path, of: id, settings: bench.settings))
          #expect(LockedVault.isBackup(copy, of: id, settings: bench.settings))
        }
      ),
      ("purge", { _ = try vault.delete([.id(entry)]) }),
      ("purge for good", { _ = try vault.purge(nil) }),
    ]
    for (name, deed) in deeds {
      try deed()
      #expect(try isLocked(file), "\(name)")
    }
  }
}
