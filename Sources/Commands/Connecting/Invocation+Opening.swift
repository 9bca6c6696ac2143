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
    do throws(PlatformError) { _ = try FileStatus(location.vault) } catch {
      // A folder above it that cannot be entered says nothing about the diary.
      guard error.isMissing else { throw VaultError(error) }
      // A lost diary is brought back, where nobody named another one.
      guard arguments[Options.vault] == nil, let place = KeptPlaces(location.devices).only else {
        throw VaultError(.noVault, location.vault)
      }
      throw Failure(
        .noVault, FailureMessage.noDiary(location.vault),
        hint: SyncMessage.recoverFrom(place: ShellWords.quoted(place)))
    }
  }

  /// An advice as it can be followed: a command in it must name the diary and the device store that this one named.
  func naming(in advice: any Message) -> any Message {
    let text = advice.text(in: .english)
    let named = [Options.vault, Options.device].compactMap { option in
      arguments[option].map { option.spec.name + " " + ShellWords.quoted($0) }
    }
    guard !named.isEmpty, text.contains("facediary "), !text.contains("facediary help"),
      !text.contains("--vault"), !text.contains("--device")
    else { return advice }
    return FailureMessage.withOptions(advice, named.joined(separator: " "))
  }

  /// What the owner should know of what was just done.
  func tell(_ notices: [DiaryNotice]) {
    for notice in notices {
      // Nothing is fetched from there any more: the diary takes no part.
      if case .leftSpace = notice { try? forgetPlace() }
      // The only signs that an older copy may have been put back, or could be: also with --quiet.
      if notice.isWarning { page.warn(notice.words) } else { note(notice.words) }
    }
  }
}
