/// Why a command line, or an answer at the terminal, cannot be taken.
package enum UsageError: Error, Sendable, Equatable {
  /// - Parameter near: what it resembles.
  case unknownOption(String, near: String?)
  case takesNoValue(String)
  /// - Parameter value: what the value is called.
  case needsValue(String, value: String)
  case givenTwice(String)
  case notOneOf(option: String, given: String, words: [String])
  /// - Parameter most: nil where there is no bound.
  case notANumber(option: String, given: String, least: Int, most: Int?)
  case unknownVerb(String, of: String, near: String?, all: [String])
  /// - Parameters:
  ///   - command: the command that was meant.
  ///   - usage: how it is written, without the program's name.
  case misused(command: String, usage: String)
  /// A person must be asked, and there is no terminal.
  case noTerminal
  /// A secret of no bytes, or of more than 1024.
  case secretEmpty, secretTooLong
  case passphraseNotText, passphraseTooLong
}
