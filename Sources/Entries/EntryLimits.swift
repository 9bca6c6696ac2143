/// What an entry may hold.
extension EntryDraft {
  /// Longest body, in bytes of UTF-8. A larger text can be attached as a file.
  public static let bodyLimit = 16 << 20
  /// Longest line (``EntryField/Line``), in bytes of UTF-8.
  public static let titleLimit = 1024
  public static let tagLimit = 256
  public static let tagCountLimit = 64

  private static func checkLine(
    _ text: String?, _ subject: VaultError.Thing
  ) throws(VaultError) {
    guard let text else { return }
    if text.utf8.contains(0) { throw VaultError(subject, expected: .noNUL) }
    if text.utf8.count > titleLimit {
      throw VaultError(subject, expected: .atMostBytes(titleLimit))
    }
    if text.allSatisfy(\.isWhitespace) { throw VaultError(subject, expected: .notBlank) }
    if text.contains(where: \.isNewline) { throw VaultError(subject, expected: .oneLine) }
  }

  /// - Parameter hasAttachments: whether files come with it: then it needs no text.
  /// - Throws: ``VaultError`` `invalid` naming the field.
  public func validate(hasAttachments: Bool? = nil) throws(VaultError) {
    let (body, title, tags) = (content.body, content.title, content.tags)
    if body.utf8.count > Self.bodyLimit {
      throw VaultError(.body, expected: .atMostBytes(Self.bodyLimit))
    }
    if body.utf8.contains(0) { throw VaultError(.body, expected: .noNUL) }
    if let journal = content.journal { try NameRegister.check(journal, .journal) }
    if let kind = content.kind { try NameRegister.check(kind, .kind) }
    for line in EntryField.lines { try Self.checkLine(content[line.content], line.thing) }
    if title == nil, !(hasAttachments ?? !attachments.isEmpty), body.allSatisfy(\.isWhitespace) {
      throw VaultError(.entry, expected: .textTitleOrAttachment)
    }
    guard tags.count <= Self.tagCountLimit else {
      throw VaultError(.tags, expected: .atMost(Self.tagCountLimit))
    }
    for tag in tags
    where tag.allSatisfy(\.isWhitespace) || tag.utf8.count > Self.tagLimit
      || tag.contains(where: \.isNewline) || tag.utf8.contains(0)
    {
      throw VaultError(.tag, expected: .oneLineOfBytes(Self.tagLimit))
    }
    if let zone = content.zone, zone.utf8.count > 64 {
      throw VaultError(.zone, expected: .ianaName)
    }
    if let until = content.until, until < content.date {
      throw VaultError(.until, expected: .notBeforeDate)
    }
  }
}
