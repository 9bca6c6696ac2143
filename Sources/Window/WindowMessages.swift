package import Access
internal import Platform
internal import Requests

// What the two processes of a window tell each other. The broker starts programs and never sees what is written; the page's server talks
// to the browser and can start nothing.

/// What the page's server is told to be.
package struct PageTask: Codable, Sendable {
  package let location: DiaryLocation
  /// The language's code.
  package let language: String
  /// A random label: the server is `<label>.localhost`.
  package let label: String
  /// Of the first page, 256 random bits as text.
  package let token: String
  package var means: Means
  /// Whether the page begins with a new entry.
  package var writes = false
  /// Whether the browser writes nothing of a page's history to a disk.
  var reloads = true

  /// What there is on this machine to open the diary with.
  package struct Means: Codable, Sendable {
    /// Whether a program asks for secrets in a window of its own.
    package var pinentry: Bool
    /// Whether the broker has a terminal, where a recovery code can be shown.
    package var terminal: Bool
    /// Whether the desktop can ask for a folder.
    package var folderDialog: Bool
    /// Whether `#word` in a text is a tag.
    package var inlineTags: Bool

    package init(pinentry: Bool, terminal: Bool, folderDialog: Bool, inlineTags: Bool) {
      (self.pinentry, self.terminal) = (pinentry, terminal)
      (self.folderDialog, self.inlineTags) = (folderDialog, inlineTags)
    }
  }
}

/// What the broker does for the page: commands of this program, with words that nobody else chooses.
package struct WindowWork: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// Opens the diary by a face; where that is not enough, a program asks for the passphrase.
    case unlock
    /// The same by the passphrase alone.
    case openByPassphrase
    /// By the recovery code, which was typed into the page.
    case openByCode
    /// Makes a diary, which a face opens where the word says so.
    case make
    /// A backup becomes the diary, where there is none; by the recovery code, which was typed into the page.
    case bringBack, bringBackByCode
    /// Makes a diary that takes part in another device's, by a folder; the pairing code was typed into the page.
    case join
    /// Downloads what a program needs that looks through a webcam, and has it look.
    case setUpCamera
    /// Puts the diary into a folder for several devices, and lets one in.
    case share, invite
    case lock, sync
    /// Syncs, and agrees that as many entries are removed here as the page named.
    case syncRemoving
    /// Copies the diary into a folder.
    case backup
    /// Writes every entry into the person's folder of downloads, unsealed, in a format.
    case export
    /// Writes one file of an entry there: what is too large for a page.
    case extract
    /// Says what the file that the page brought would bring, and brings it.
    case preview, importing
    /// Faces: takes shots of one, lists them, removes one by its id.
    case enroll, faces, removeFace
    /// Ways in.
    case addCode, changePassphrase, removeSlot
    /// Asks for a folder in a dialog of the desktop.
    case chooseFolder
    /// Reads the whole diary and says what is damaged.
    case verify
    /// How long the diary stays open without use.
    case setIdle
    /// What only changes words and looks.
    case setLanguage, setInlineTags

    /// Whether it asks for a new secret or shows a code, which is no page's business: only a terminal or a dialog does that.
    package var isPrivate: Bool {
      [.make, .addCode, .changePassphrase, .share, .invite].contains(self)
    }

    /// Whether a dialog may ask for a secret, show a code or have something confirmed.
    var mayAsk: Bool {
      isPrivate
        || [
          .unlock, .openByPassphrase, .bringBack, .join, .enroll, .faces, .removeFace,
          .removeSlot, .setIdle,
        ].contains(self)
    }

    /// Whether it is ended when the page asks for that: it waits for somebody, or for a network.
    var mayBeStopped: Bool { [.setUpCamera, .invite, .join].contains(self) }

    /// Whether a page that shows no diary may see how it ended.
    package var isOfDoor: Bool {
      [.lock, .chooseFolder, .setUpCamera].contains(self) || makesDiary || opens
    }

    var makesDiary: Bool { self == .make || self == .join || bringsBack }

    var bringsBack: Bool { [.bringBack, .bringBackByCode].contains(self) }

    /// Whether what is typed is a recovery code.
    var takesCode: Bool { [.openByCode, .bringBackByCode].contains(self) }

    /// Whether the diary is open after it.
    package var opens: Bool { [.unlock, .openByPassphrase, .openByCode, .make].contains(self) }
  }

  package let kind: Kind
  /// A folder, a format, an id, an id and a file's name, or a number.
  package var word: String?
  /// Whether the passphrase was typed into the page, and comes through a pipe.
  package var isTyped = false

  package init(_ kind: Kind, _ word: String? = nil) { (self.kind, self.word) = (kind, word) }
}

/// Where backups go, as the configuration says, and when the newest there was made.
package struct BackupStanding: Codable, Sendable, Equatable {
  package let folder: String
  /// In the form of RFC 3339; nil where there is none.
  package let last: String?

  package init(folder: String, last: String?) { (self.folder, self.last) = (folder, last) }
}

/// What the page is told of this machine and of where its diary stands.
package struct WindowStanding: Codable, Sendable, Equatable {
  package let door: DoorStanding
  /// The folder of texts that could not be saved; nil before there is a vault.
  package let keptTexts: String?
  package let backups: BackupStanding?
  /// Whether a program that shows faces is configured.
  package let hasCamera: Bool

  package init(
    door: DoorStanding, keptTexts: String?, backups: BackupStanding?, hasCamera: Bool
  ) {
    (self.door, self.keptTexts) = (door, keptTexts)
    (self.backups, self.hasCamera) = (backups, hasCamera)
  }
}

/// From the broker to the page's server.
enum BrokerMessage: Codable {
  case begin(PageTask)
  case standing(WindowStanding)
  /// Two descriptors follow: of connections to the session, for requests and for news.
  case session
  /// What is being done may ask in a dialog, which shows these words.
  case dialog(String)
  /// What a command says while it works.
  case said(String)
  /// How a work ended, what the command said, and what it printed.
  case finished(WindowWork, exitCode: Int32, words: String, output: String)
  /// The window ends: the page keeps what is half typed.
  case farewell
}

/// From the page's server to the broker.
enum ServerMessage: Codable {
  /// It serves this port.
  case listening(port: Int)
  /// A page has paired: the file that led the browser here is needed no more.
  case paired
  /// Where a passphrase was typed into the page, a descriptor follows: the reading end of a pipe.
  case run(WindowWork)
  /// A file to import comes, of this name; the broker passes a descriptor to write it to.
  case file(String)
  /// It is needed no more.
  case forgetFile
  /// What is being done is to end.
  case stop
  /// A link of an entry that somebody followed.
  case open(link: String)
  /// The session has ended.
  case closed
}

/// What the Door shows: as `status --json` says it.
package struct DoorStanding: Codable, Sendable, Equatable {
  package struct Face: Codable, Sendable, Equatable {
    package let enrolled: Int
    package let attemptsLeft: Int
    package let lockedOut: Bool
  }

  package let state: AppState
  /// The diary's id; nil where there is none.
  package let id: String?
  package let face: Face?
  package let needs: [String]
  package let reason: String?
  /// Seconds.
  package let retryAfter: Int?
}

/// One end of the conversation: messages through one socket, descriptors through another.
final class WindowChannel {
  private static let sizeLimit = 1 << 20
  private let socket: LocalSocket
  private let descriptors: LocalSocket
  private var bytes: [UInt8] = []
  private(set) var isOver = false

  init(_ socket: LocalSocket, descriptors: LocalSocket) {
    (self.socket, self.descriptors) = (socket, descriptors)
    socket.setPatience(seconds: 10)
    descriptors.setPatience(seconds: 10)
  }

  /// Readable when there are messages.
  var number: Int32 { socket.number }

  /// - Throws: when the other process has ended.
  func send(_ message: some Encodable) throws {
    let body = try Wire.encode(message)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    try socket.send(length + body)
  }

  func pass(_ number: Int32) throws { try descriptors.pass(number) }

  func pass(_ file: Descriptor) throws {
    try withExtendedLifetime(file) { try descriptors.pass(file.number) }
  }

  func receiveDescriptor(named name: String) throws -> Descriptor {
    try descriptors.receiveDescriptor(named: name)
  }

  /// The messages that are there; waits until there is something to read.
  func receive<Message: Decodable>(_: Message.Type) throws -> [Message] {
    guard let more = try socket.receive() else { return [] }
    guard !more.isEmpty else {
      isOver = true
      return []
    }
    bytes += more
    var messages: [Message] = []
    while bytes.count >= 4 {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
      guard length <= Self.sizeLimit else { throw SessionError.foreign }
      guard bytes.count >= 4 + length else { break }
      messages.append(try Wire.decode(Message.self, from: Array(bytes[4..<(4 + length)])))
      bytes.removeFirst(4 + length)
    }
    return messages
  }
}
