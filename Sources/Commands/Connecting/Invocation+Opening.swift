internal import Access
internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Words

extension Invocation {
  /// The work for one guess of a new passphrase.
  var passphraseLimits: Argon2Cost { arguments[Options.kdf] ?? .moderate }

  var hasFactor: Bool {
    arguments.has(Options.face) || arguments.has(Options.passphraseFile)
      || arguments.has(Options.recoveryFile)
  }

  package func requireVault() throws {
    guard FileSystem.exists(location.vault) else {
      throw VaultError(.noVault, location.vault)
    }
  }

  /// What the owner should know of what was just done.
  func tell(_ notices: [DiaryNotice]) {
    for notice in notices {
      switch notice {
      case .deviceStoreBehind(let what, let why):
        note(
          OpeningMessage.deviceStoreBehind(what, why)
        )
      case .backup(let made):
        note(
          OpeningMessage.isBackup(utc(made))
        )
      // The only signs that an older copy may have been put back, or could be: also with --quiet.
      case .deviceStoreGone: page.warn(OpeningMessage.deviceStoreRemade)
      case .newDevice: page.warn(OpeningMessage.firstOpeningHere)
      case .deviceStoreReplaced(let path): page.warn(OpeningMessage.deviceStorePutAside(path))
      case .olderCopyAcceptedElsewhere: page.warn(KeepingMessage.acceptedElsewhere)
      case .keyReplacedElsewhere: page.warn(KeepingMessage.keyReplacedElsewhere)
      case .leftSpace(let device, let id):
        // Nothing is fetched from there any more: the diary takes no part.
        try? forgetPlace()
        page.warn(KeepingMessage.leftSpace(device: visible(device), id: String(id.prefix(8))))
      case .waysInLost(let count): page.warn(KeepingMessage.waysInLost(count))
      case .isReplaceable(let folder): page.warn(OpeningMessage.folderIsWritable(folder))
      case .wasReadable(let path): note(OpeningMessage.vaultWasReadable(path))
      case .isReadable(let path): note(OpeningMessage.vaultIsReadable(path))
      case .faceKeepsPassphrase(let slot):
        note(KeepingMessage.faceKeepsPassphrase(id: String(Base32.encode(slot.id).prefix(8))))
      case .faceDropped(let slot):
        note(
          KeepingMessage.faceDropped(
            id: "\(Base32.encode(slot.id).prefix(8))",
            created: "\(slot.created.map(utc)?.prefix(10) ?? "?")"))
      case .keyringDamaged(let problems):
        note(
          OpeningMessage.keySlotCopyBroken(VaultError.Reason.keyring(problems))
        )
      }
    }
  }
}
