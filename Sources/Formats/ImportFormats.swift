internal import CommandLine
internal import Words

extension ImportFormat {
  /// All formats.
  package static let all: [ImportFormat] = [
    .json, .redNotebook, .jrnl, .dayOne, .markdown, .appleJournal, .dailyTxT, .daylio,
    .dayOneClassic, .diarium, .diaro, .journey, .keep, .logseq, .miniDiary, .miniDiarium, .org,
    .standardNotes, .vjournal,
  ]

  package static func named(_ name: String) -> ImportFormat? { all.first { $0.name == name } }
}

extension ImportInput {
  /// The first bytes of files encrypted by other programs: OpenPGP, age, OpenSSL, CryptoJS, Ansible Vault.
  private static let encryptedBeginnings = [
    "-----BEGIN PGP MESSAGE-----", "age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE-----",
    "Salted__", "U2FsdGVkX1", "$ANSIBLE_VAULT",
  ].map { Array($0.utf8) }

  private static func isEncrypted(_ text: ArraySlice<UInt8>) -> Bool {
    encryptedBeginnings.contains { text.starts(with: $0) }
  }

  /// An array, and not a date or a link in brackets.
  private var isArray: Bool {
    guard text.first == UInt8(ascii: "[") else { return false }
    let rest = text.dropFirst().drop { " \t\r\n".utf8.contains($0) }
    return rest.first.map("{[]\"".utf8.contains) ?? true
  }

  /// With a byte order mark, or with a NUL in each of the first characters, which are ASCII in an export.
  private var isUTF16: Bool {
    let first = beginning.prefix(2)
    if first == [0xff, 0xfe] || first == [0xfe, 0xff] { return true }
    let pairs = Array(beginning.prefix(16))
    guard pairs.count >= 4 else { return false }
    return [0, 1].contains { zero in
      pairs.indices.allSatisfy { (pairs[$0] == 0) == ($0 % 2 == zero) }
    }
  }

  /// Without a character that is cut off at the end.
  private func whole(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    for _ in 0..<4 where text.last.map({ $0 >= 0x80 }) ?? false {
      let isStart = text.last.map { $0 >= 0xc0 } ?? false
      text.removeLast()
      if isStart { break }
    }
    return text
  }

  /// The format that the source is in.
  ///
  /// - Throws: ``Failure`` `invalid` for an archive and what looks like nothing, `usage` for a folder that holds the
  ///   entries of several programs: none is left lying there unseen.
  package func recognised() throws -> ImportFormat {
    if ZipSignature.begins(text) {
      throw Failure(.invalid, ExchangeMessage.zipped(name), hint: ExchangeMessage.unzipFirst)
    }
    if Self.isEncrypted(text) {
      throw Failure(
        .invalid, ExchangeMessage.encrypted(name), hint: ExchangeMessage.exportDecrypted)
    }
    let found = try ImportFormat.all.filter { try $0.recognises(self) }
    guard let first = found.first else {
      if isFolder { return .markdown }
      if beginning.isEmpty { throw Failure(.invalid, ExchangeMessage.emptyFile(name)) }
      if isUTF16 {
        throw Failure(
          .invalid, ExchangeMessage.utf16(name), hint: ExchangeMessage.convertToUTF8(path))
      }
      // JSON of no other program is read as ours, and an error then says where it is not.
      if isArray || isJSONObject { return .json }
      let type = MediaType.of(Array(text), name: "")
      if type == "application/pdf" || !["text", "application"].contains(where: type.hasPrefix) {
        throw Failure(
          .invalid, ExchangeMessage.noExport(name, type: type),
          hint: ExchangeMessage.attachIt(name))
      }
      // A file that is not text is no export. Most often it is encrypted, by a program that writes no header.
      let isText =
        !text.contains(0) && String(validating: whole(text), as: UTF8.self) != nil
      throw Failure(
        .invalid, isText ? ExchangeMessage.notRecognised(name) : .noTextOrEncrypted(name),
        hint: isText ? Verbatim("facediary help import") : ExchangeMessage.exportDecrypted)
    }
    guard found.count == 1 || !isFolder else {
      throw Failure(
        .usage, ExchangeMessage.severalForms(name, found.map(\.name)),
        hint: Verbatim(found.map { "--format " + $0.name }.joined(separator: ", ")))
    }
    return first
  }
}
