internal import Entries
internal import RowStore
internal import SealedFiles

extension VaultError {
  init(_ error: StoreError, path: String) {
    let code: Code =
      switch error.code {
      case .diskFull: .diskFull
      case .busy: .busy
      case .readOnly: .readOnly
      case .corrupt, .constraint, .tooBig: .damaged
      case .notADatabase, .foreign: .notAVault
      case .notFound: .noVault
      case .permission: .permission
      case .exists: .vaultExists
      case .newer: .newerFormat
      case .system: .system
      case .logNeedsWriting: .readOnly
      case .secondName, .foreignBeside: .conflict
      }
    let detail =
      error.operation + (error.sqliteCode == 0 ? "" : ", SQLite \(error.sqliteCode)")
    switch error.code {
    case .secondName:
      self.init(code, VaultFolder(path).file + error.operation, .hasSecondName)
    case .foreignBeside:
      self.init(code, VaultFolder(path).file + error.operation, .isNotOfTheDiary)
    case .logNeedsWriting: self.init(code, path, .logNeedsWriting)
    case .system where error.sqliteCode != 0: self.init(code, path, .storageFailed(detail))
    default: self.init(code, path, .said(detail))
    }
  }
}

/// Runs `body`, naming the vault file in what SQLite says.
func storing<Result>(
  _ path: String, _ body: () throws(StoreError) -> Result
) throws(VaultError) -> Result {
  do throws(StoreError) { return try body() } catch { throw VaultError(error, path: path) }
}
