internal import CommandLine
internal import Words

extension ImportFormat {
  /// Every one there is.
  package static let all: [ImportFormat] = [
    .json, .jrnl, .dayOne, .markdown, .appleJournal, .daylio, .diaro, .journey, .keep, .miniDiary,
    .miniDiarium, .standardNotes,
  ]

  package static func named(_ name: String) -> ImportFormat? { all.first { $0.name == name } }
}

extension ImportInput {
  /// How files begin that other programs encrypt: OpenPGP, age, OpenSSL, CryptoJS, Ansible Vault.
  private static let encryptedBeginnings = [
    "-----BEGIN PGP MESSAGE-----", "age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE-----",
    "Salted__", "U2FsdGVkX1", "$ANSIBLE_VAULT",
  ].map { Array($0.utf8) }

  private static func isEncrypted(_ text: ArraySlice<UInt8>) -> Bool {
    encryptedBeginnings.contains { text.starts(with: $0) }
  }

  /// Without a character that the end of the beginning cuts.
  private func whole(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    for _ in 0..<4 where text.last.map({ $0 >= 0x80 }) ?? false {
      let isStart = text.last.map { $0 >= 0xc0 } ?? false
      text.removeLast()
      if isStart { break }
    }
    return text
  }

  /// What it looks like to be.
  ///
  /// - Throws: ``Failure`` `invalid` for an archive and what looks like nothing, `usage` for a folder that holds the
  ///   entries of several programs: none is left lying there unseen.
  package func recognised() throws -> ImportFormat {
    if ZipArchive.begins(with: text) {
      throw Failure(.invalid, ExchangeMessage.zipped(name), hint: ExchangeMessage.unzipFirst)
    }
    if Self.isEncrypted(text) {
      throw Failure(
        .invalid, ExchangeMessage.encrypted(name), hint: ExchangeMessage.exportDecrypted)
    }
    let found = try ImportFormat.all.filter { try $0.recognises(self) }
    guard let first = found.first else {
      if isFolder { return .markdown }
      // JSON that is nobody's is ours, or says where it is not.
      let isArray = text.first == UInt8(ascii: "[")
      if isArray || isJSONObject { return .json }
      // What is no text is no export: most often it is encrypted, by a program that puts nothing in front.
      let isText =
        text.isEmpty || !text.contains(0) && String(validating: whole(text), as: UTF8.self) != nil
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
