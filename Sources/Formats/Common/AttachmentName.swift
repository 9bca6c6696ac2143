internal import Dates
internal import Words

/// Names of files that come from outside.
package enum AttachmentName {
  /// A name that cannot leave the folder it is put in or looked for in, wherever it comes from.
  package static func inFolder(_ name: String) -> String {
    // By bytes: a slash with a combining mark is one character, and still a slash.
    let last = name.utf8.split(separator: 0x2f).last.flatMap { String($0) } ?? ""
    var clean = ""
    for scalar in last.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7f {
      // As long as a file system takes.
      guard clean.utf8.count + UTF8.width(scalar) <= 255 else { break }
      clean.unicodeScalars.append(scalar)
    }
    return clean.isEmpty || clean == "." || clean == ".." ? "attachment" : clean
  }
}
