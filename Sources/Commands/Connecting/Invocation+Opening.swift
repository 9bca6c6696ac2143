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
      case .deviceStoreGone:
        note(OpeningMessage.deviceStoreRemade)
      case .newDevice: note(OpeningMessage.firstOpeningHere)
      case .deviceStoreReplaced(let path):
        note(
          OpeningMessage.deviceStorePutAside(path)
        )
      case .olderCopyAcceptedElsewhere: note(KeepingMessage.acceptedElsewhere)
      case .keyReplacedElsewhere: note(KeepingMessage.keyReplacedElsewhere)
      case .wasReadable(let path): note(OpeningMessage.vaultWasReadable(path))
      case .isReadable(let path): note(OpeningMessage.vaultIsReadable(path))
      case .isReplaceable(let folder): note(OpeningMessage.folderIsWritable(folder))
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
