internal import Access
internal import Bytes
internal import CommandLine
internal import Entries

/// The language that all others are translated from.
enum English: Phrasebook {
  static let hint = "hint: "

  static func text(_ message: UsageMessage) -> String {
    switch message {
    case .unknownOption(let option):
      "unknown option \(option)"
    case .textAfterDashes:
      "to use a word that begins with - as text, put -- before it"
    case .didYouMean(let word):
      "did you mean \(word)?"
    case .takesNoValue(let option):
      "\(option) takes no value"
    case .needsValue(let option, let value):
      "\(option) needs a value: \(option) \(value)"
    case .givenTwice(let option):
      "\(option) can be given only once"
    case .cannot(let command, let verb):
      "unknown subcommand: \(command) \(verb)"
    case .usage(let words):
      "usage: facediary \(words)"
    case .seeHelpOf(let command):
      "see: facediary \(command) --help"
    case .cannotBe(let option, let value):
      "unknown value for \(option): \(value)"
    case .oneOf(let words):
      "use one of: \(words)"
    case .wantsNumberFrom(let option, let least, let value):
      "\(option) must be a number of at least \(least), not \(value)"
    case .wantsNumberBetween(let option, let least, let most, let value):
      "\(option) must be a number from \(least) to \(most), not \(value)"
    case .noTerminal:
      "cannot ask: there is no terminal"
    case .secretEmpty:
      "the passphrase or code is empty"
    case .secretTooLong:
      "the secret is too long; it can have at most 1024 bytes"
    case .passphraseNotText:
      "the passphrase is not UTF-8"
    case .passphraseSize:
      "the passphrase is too long; it can have at most 1024 bytes"
    case .twoReadStandardInput(let one, let other):
      "standard input cannot be both \(one.text(in: .english)) and \(other.text(in: .english))"
    case .nameFileForOne:
      "give a file for one of them"
    case .homeNotSet:
      "HOME is not set, or is not an absolute path"
    case .nameVaultAndDevice:
      "give --vault and --device"
    case .noSuchRule(let name):
      "unknown policy setting: \(name)"
    case .emptyPath:
      "--vault or --device is empty"
    case .unsetVariable:
      "is a variable in your script unset?"
    case .wantsRevision(let value):
      "a revision must be a number of at least 1, not \(value)"
    case .wantsDuration(let option, let value):
      "\(option) must be a duration such as 5m or 12h, not \(value)"
    case .atMostTwelveHours(let option):
      "\(option) must be at most 12h"
    case .wantsYear(let value):
      "--year must be a year such as 2026, not \(value)"
    case .wantsRate(let option, let value):
      "\(option) must be a rate between 0 and 1, not \(value)"
    case .noSuchWork(let level):
      "unknown value for --kdf: \(level)"
    case .worksKnown:
      "use one of: interactive, moderate, sensitive"
    case .noHelpFor(let word): "there is no help for \(word)"
    case .unknownCommand(let name):
      "unknown command \(name)"
    case .helpListsCommands:
      "for a list of commands: facediary --help"
    case .needsYes(let command):
      "without a terminal, \(command) needs --yes"
    case .contradict(let one, let other):
      "\(one) and \(other) cannot be used together"
    case .starsContradict:
      "--star and --no-star cannot be used together"
    }
  }

  static func text(_ message: DemoMessage) -> String {
    switch message {
    case .noSamples:
      "the sample vectors were not found"
    case .nameSamples:
      "run the demo in the folder that contains Keys/, or give their folder: facediary demo --faces DIR"
    case .wrong(let what):
      "the demo went wrong: \(what.text(in: .english))"
    case .looking(let state):
      "1. Looking for a diary: \(state)"
    case .notOnboarding:
      "there is no diary, but the state is not onboarding"
    case .none(let state):
      "   there is none: \(state)"
    case .notAsked:
      "a face is enrolled, but it was not asked for"
    case .made(let shots, let state):
      "2. Creating a diary with a passphrase, a recovery code and \(shots) shots of the owner's face: \(state)"
    case .noRecoveryCode:
      "no recovery code"
    case .strangerLetIn:
      "the demo went wrong: a stranger was accepted"
    case .strangerRefused(let left, let state):
      "3. A stranger shows a face: refused, \(counted(left, "try", "tries")) left, \(state)"
    case .ownerRefused:
      "the demo went wrong: the owner was refused"
    case .ownerShown(let similarity, let threshold, let state):
      "4. The owner shows a new picture of their face: similarity \(similarity), threshold \(threshold), \(state)"
    case .written(let id):
      "5. Writing two entries; each is safely on disk before its id is returned: \(id)"
    case .searchFailed:
      "search did not find the entry"
    case .found(let excerpt):
      "6. A search for かわせみ finds: \(excerpt)"
    case .notWhole:
      "the vault is damaged"
    case .verified(let entries):
      "7. Checking the diary: \(counted(entries, "entry", "entries")), no problems found"
    case .stillOpen:
      "the diary is still open after it was closed"
    case .closed(let state):
      "8. Closed: \(state)"
    case .plaintext(let files):
      "found unencrypted text in \(files)"
    case .scanned(let word, let files):
      "9. Searching the \(counted(files, "file", "files")) on disk for the word \"\(word)\": not found"
    case .yourOwn:
      "To create your own diary: facediary init"
    }
  }

  static func text(_ weekday: Weekday) -> String {
    let names = [
      "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    return switch weekday {
    case .name(let day): names[day]
    case .short(let day): String(names[day].prefix(3))
    }
  }

  static func text(_ purpose: InputPurpose) -> String {
    switch purpose {
    case .file: "the file"
    case .labels: "the labels"
    case .entries: "the entries"
    case .passphrase: "the passphrase"
    case .recoveryCode: "the recovery code"
    case .faceVector: "a face vector"
    case .entryText: "the entry's text"
    case .backupPassphrase: "the backup's passphrase"
    case .pairingCode: "the pairing code"
    case .spaceCode: "the sync recovery code"
    case .pin: "the PIN"
    }
  }

  static func name(_ kind: Kind) -> String { kind.name }

  static func text(_ kind: SlotKind) -> String {
    switch kind {
    case .passphrase: "passphrase"
    case .recovery: "recovery code"
    case .face: "face"
    case .facePassphrase: "face and passphrase"
    }
  }

  static func text(_ need: SecretNeed) -> String {
    switch need {
    case .restart: "the machine has been restarted since the passphrase was last given"
    case .expired: "the passphrase was last given too long ago"
    case .unused: "the diary has not been opened here for too long"
    case .warm: "no session is running that a face could reopen"
    case .noSlot:
      "it opens the diary only together with a passphrase, and that way in was removed"
    case .anotherPassphrase:
      "this face opens the diary together with another passphrase; remove that way in first"
    case .camera: "the policy accepts faces only from its camera program"
    case .facePassphrase: "this face opens the diary only together with the passphrase"
    case .backup: "a backup cannot be opened with a face"
    case .never: "the passphrase has never been given on this device"
    case .place:
      "another diary was in this place before, and this one has never been opened here with its passphrase"
    }
  }

  static func text(_ message: Quoted) -> String {
    switch message {
    case .failed(let path, let why): "\(path): \(why)"
    case .wanted(let expected): expected
    }
  }

  /// `1 entry`, `2 entries`.
  static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
