internal import Entries
internal import RowStore

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
      }
    guard error.code != .logNeedsWriting else {
      self.init(code, path, .logNeedsWriting)
      return
    }
    let number = error.sqliteCode == 0 ? "" : " (SQLite \(error.sqliteCode))"
    self.init(code, path, .said(error.operation + number))
  }
}

/// Runs `body`, naming the vault file in what SQLite says.
func storing<Result>(
  _ path: String, _ body: () throws(StoreError) -> Result
) throws(VaultError) -> Result {
  do throws(StoreError) { return try body() } catch { throw VaultError(error, path: path) }
}
