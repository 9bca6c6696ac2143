internal import Platform

/// The desktop's own dialog that asks for a folder, where a program for that is installed.
package enum FolderDialog {
  /// The arguments of each, before the title.
  private static let known = [
    ("zenity", ["--file-selection", "--directory", "--title"]),
    ("kdialog", ["--getexistingdirectory", "/", "--title"]),
  ]

  package static var isThere: Bool { command(title: "") != nil }

  /// The program and its arguments; nil where there is none. It prints the folder that was chosen.
  static func command(title: String) -> [String]? {
    for (name, arguments) in known {
      if let program = ThisProcess.installed(name) { return [program] + arguments + [title] }
    }
    return nil
  }
}
