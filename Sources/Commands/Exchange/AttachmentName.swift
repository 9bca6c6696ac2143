/// Names of files that come from outside.
enum AttachmentName {
  /// A name that cannot leave the folder it is put in or looked for in, whoever gave it.
  static func inFolder(_ name: String) -> String {
    // By bytes: a slash with a combining mark is one character, and still a slash.
    let last = name.utf8.split(separator: 0x2f).last.flatMap { String($0) } ?? ""
    let clean = String(
      last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
    return clean.isEmpty || clean == "." || clean == ".." ? "attachment" : clean
  }
}
