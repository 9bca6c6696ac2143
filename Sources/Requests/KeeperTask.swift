package import Access

/// What a keeper process is started for, and all that it needs to know of the command that starts it.
///
/// The client takes the command line apart, once, and sends this as the first frame of the keeper's socket. The keeper reads no words
/// of a command, and what it may touch does not depend on a command's name.
package struct KeeperTask: Codable, Sendable {
  package enum Purpose: String, Codable, Sendable {
    /// For one command.
    case single
    /// For a while, for every command that comes.
    case session
    /// Opened by passphrase or recovery code, for what makes access permanent.
    case owner
    /// For what opens no diary that is there: making one, salvaging, reviving a backup.
    case custody
    /// Makes a diary, and has it open then as its owner does: for a device that comes to others.
    case newcomer
    /// For what can be seen of a closed diary. It changes nothing and never has the vault's key.
    case look
    /// For copies of the sealed files. It never has a key.
    case copy

    /// Whether it may come to hold the vault's key, and so is found by `lock` and bound by the clock.
    package var mayHoldKey: Bool { self != .look && self != .copy }

    /// Whether it has the diary open by a secret that was given for it.
    package var isOwner: Bool { self == .owner || self == .newcomer }

    /// Whether a keeper of this purpose, which serves its one client, does requests of this access.
    package func does(_ access: RequestAccess) -> Bool {
      switch access {
      case .closed(let purpose): purpose == self || (isOwner && purpose == .look)
      case .owner: isOwner
      case .reads, .writes, .holds: false
      }
    }
  }

  package let purpose: Purpose
  package let location: DiaryLocation
  package let speech: Speech
  package var faces = FaceSources()
  package var secrets = SecretSources()
  /// Whether the configured program looks for a face also where nobody can be asked for a secret instead.
  package var looks = false
  /// How long the diary may stay open; nil for what the policy says.
  package var idle: Duration?
  package var life: Duration?
  /// Whether the device begins anew when its key cannot be read.
  package var resetsDevice = false
  /// Whether a program is started to keep the device key. It needs everything that a keeper gives up.
  package var startsHelper = false
  /// The program that asks for secrets in a window; nil for the terminal.
  package var pinentry: String?
  /// Words that its dialogs show: those that the window shows which has the command ask.
  package var dialogWords: String?
  /// Whether a recovery code is shown by that program, and not on standard output.
  package var showsCodeInDialog = false
  /// Whether a TPM is about to keep the device key.
  package var usesChip = false
  /// Folders beside the diary's own that the keeper works in: of a backup, or of a new vault.
  package var folders: [String] = []

  package init(_ purpose: Purpose, of location: DiaryLocation, speech: Speech) {
    self.purpose = purpose
    self.location = location
    self.speech = speech
  }

  /// How the keeper speaks to the person at the terminal.
  package struct Speech: Codable, Sendable {
    /// The language's code.
    package let language: String
    package let isQuiet: Bool
    /// The command for which it asks, as messages name it.
    package let command: String

    package init(language: String, isQuiet: Bool, command: String) {
      self.language = language
      self.isQuiet = isQuiet
      self.command = command
    }
  }

  /// Where faces come from.
  package struct FaceSources: Codable, Sendable {
    /// What was shown, frame by frame; empty when nothing was.
    package var shown: [VectorSource] = []
    /// The program that looks when nothing was shown; nil when none is configured.
    package var configured: ConfiguredProgram?
    /// Names of variables that programs get besides the usual ones.
    package var variables: [String] = []
    /// Why the configuration cannot be read: no program is started then.
    package var trouble: KeeperError?
    /// Why what is configured is no program.
    package var noProgram: KeeperError?

    package init() {}
  }

  /// Files that hold secrets; nil for what is asked for at the terminal, `-` for standard input.
  package struct SecretSources: Codable, Sendable {
    package var passphrase: String?
    package var recoveryCode: String?
    package var newPassphrase: String?
    package var backupPassphrase: String?
    package var spaceCode: String?
    /// Of the chip that keeps the device key.
    package var pin: String?
    package var newPIN: String?
    /// The code itself, or `-`.
    package var pairingCode = ""
    /// Whether there may be no passphrase at all, which the hint says then.
    package var newPassphraseIsOptional = false

    package init() {}

    /// Of a command that makes a diary: a passphrase that is named is the new one.
    package mutating func makesPassphrase(isOptional: Bool) {
      newPassphrase = newPassphrase ?? passphrase
      newPassphraseIsOptional = isOptional
    }

    /// Descriptors among the files that are named: `/dev/fd/63`, as a shell gives them.
    package var descriptors: [Int32] {
      files.compactMap { file in
        ["/dev/fd/", "/proc/self/fd/"].first(where: file.hasPrefix).flatMap {
          Int32(file.dropFirst($0.count))
        }
      }
    }

    /// The files that are named, which the keeper has to be able to read.
    package var files: [String] {
      [passphrase, recoveryCode, newPassphrase, backupPassphrase, spaceCode, pin, newPIN]
        .compactMap(\.self)
    }
  }
}

/// Where a vector comes from.
package enum VectorSource: Codable, Sendable {
  /// A file, `-` for standard input.
  case file(String)
  /// What a program prints.
  case program([String])

  /// As errors name it.
  package var name: String {
    switch self {
    case .file(let path): path == "-" ? "standard input" : path
    case .program(let words): words.first ?? ""
    }
  }
}

/// A program that was configured once, and its working directory, which is never the current one.
package struct ConfiguredProgram: Codable, Sendable {
  package let words: [String]
  package let directory: String

  package init(_ words: [String], in directory: String) {
    self.words = words
    self.directory = directory
  }
}
