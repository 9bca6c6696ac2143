package import Access
package import Bytes
package import CommandLine
package import Entries

/// A language: words for everything that is said to people. One that lacks any does not compile.
///
/// A case carries values as they are, so that each language orders, declines and counts as it does.
package protocol Phrasebook {
  /// What stands before what to do about an error.
  static var hint: String { get }
  static func text(_ message: UsageMessage) -> String
  static func text(_ message: HelpPhrase) -> String
  static func text(_ message: CommandHelp) -> String
  static func text(_ message: OptionHelp) -> String
  static func text(_ message: ManualText) -> String
  static func text(_ topic: HelpTopic) -> String
  static func text(_ message: OpeningMessage) -> String
  static func text(_ message: FaceMessage) -> String
  static func text(_ message: CalibrationMessage) -> String
  static func text(_ message: WritingMessage) -> String
  static func text(_ message: ReadingMessage) -> String
  static func text(_ message: NamesMessage) -> String
  static func text(_ message: KeepingMessage) -> String
  static func text(_ message: ExchangeMessage) -> String
  static func text(_ message: DemoMessage) -> String
  static func text(_ message: SyncMessage) -> String
  static func text(_ message: WindowMessage) -> String
  static func text(_ message: CameraRequest) -> String
  static func text(_ message: FailureMessage) -> String
  static func text(_ message: VectorMessage) -> String
  static func text(_ message: Quoted) -> String
  static func text(_ weekday: Weekday) -> String
  static func text(_ expectation: ImportExpectation) -> String
  static func text(_ purpose: InputPurpose) -> String
  static func text(_ thing: VaultError.Thing) -> String
  static func text(_ reason: VaultError.Reason) -> String
  static func text(_ part: DamagedPart) -> String
  static func text(_ kind: SlotKind) -> String
  static func text(_ need: SecretNeed) -> String
  /// Of a built-in kind.
  static func name(_ kind: Kind) -> String
}

extension Language {
  package var phrasebook: any Phrasebook.Type {
    switch self {
    case .english: English.self
    case .japanese: Japanese.self
    }
  }
}

extension Language {
  /// A kind as it is called here: the built-in ones have a name in other languages.
  package func kindName(_ name: String) -> String {
    Kind.builtIn.first { $0.name == name }.map(phrasebook.name) ?? name
  }
}

extension Quoted: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension UsageMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension CommandHelp: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension OptionHelp: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension ManualText: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension HelpTopic: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension OpeningMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension FaceMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension CalibrationMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension WritingMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension ReadingMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension NamesMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension KeepingMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension ExchangeMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension DemoMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension SyncMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension FailureMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension VectorMessage: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension Weekday: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension ImportExpectation: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension InputPurpose: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension VaultError.Thing: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension VaultError.Reason: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension DamagedPart: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension SlotKind: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}

extension SecretNeed: Message {
  package func text(in language: Language) -> String { language.phrasebook.text(self) }
}
