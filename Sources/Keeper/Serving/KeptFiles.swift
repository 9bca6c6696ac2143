internal import Access
internal import DiaryVault
internal import Entries
internal import Requests

extension DiaryLocation {
  /// The files of texts that are kept on this device until they are saved; nil when a text cannot be read.
  ///
  /// A text that no key of the diary opens counts as none: it can never be saved.
  func filesOfKeptTexts(of vault: Vault) -> Set<ObjectName>? {
    let kept = keptTexts(of: vault.keyring.vaultID)
    guard let names = try? kept.keptTexts() else { return nil }
    var files: Set<ObjectName> = []
    for name in names {
      let sealed: [UInt8]?
      do { sealed = try kept.read(name, limit: Self.keptTextLimit) } catch { return nil }
      guard let sealed, let opened = try? vault.openDraft(sealed) else { continue }
      guard let text = try? UnsavedText(opened: opened.text) else { return nil }
      files.formUnion(text.files.map(\.object))
    }
    return files
  }
}
