internal import CommandLine
internal import Requests
internal import Words

/// How this process speaks to the person at the terminal, as its task says.
@MainActor
struct Speech {
  private let page: Page

  init(_ speech: KeeperTask.Speech) {
    page = Page(
      Output(), program: "facediary", language: Language(rawValue: speech.language) ?? .english,
      usesColor: false, isQuiet: speech.isQuiet)
  }

  func text(_ message: some Message) -> String { page.text(message) }

  /// Writes a remark, unless `--quiet` was given.
  func note(_ message: some Message) { page.note(message) }

  /// Writes a remark that must be seen.
  func warn(_ message: some Message) { page.warn(message) }
}
