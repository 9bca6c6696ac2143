/// Names of files that come from outside.
enum AttachmentName {
  /// A name that cannot leave the folder it is put in or looked for in, whoever gave it.
  static func inFolder(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let clean = String(
      last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
    return clean.isEmpty || clean == "." || clean == ".." ? "attachment" : clean
  }
}
