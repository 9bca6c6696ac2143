internal import Access
internal import DiaryVault
internal import Entries
internal import Requests

extension DiaryLocation {
  /// The files of texts that are kept on this device until they are saved.
  ///
  /// A text that no key of the diary opens counts as none: it can never be saved.
  func filesOfKeptTexts(of vault: Vault) -> KeptFiles {
    let kept = keptTexts(of: vault.keyring.vaultID)
    var files = KeptFiles()
    guard let names = try? kept.keptTexts() else {
      files.areAll = false
      return files
    }
    for name in names {
      do {
        guard let sealed = try kept.read(name, limit: Self.keptTextLimit),
          let opened = try? vault.openDraft(sealed)
        else { continue }
        files.objects.formUnion(try UnsavedText(opened: opened.text).files.map(\.object))
      } catch {
        files.areAll = false
      }
    }
    return files
  }
}
