internal import Bytes
package import Entries
package import SealedFiles
internal import Sealing

extension Vault {
  /// Whether a sealed file lies whole in the diary's folder, for an entry to take.
  package func isStaged(_ file: SealedAttachment) -> Bool {
    ObjectReader.isWhole(file, in: VaultFolder(path))
  }
}

extension CatalogueEdit {
  /// Sealed files, as a header will know them; names already in `taken` get a number.
  ///
  /// - Throws: ``VaultError`` `conflict` for one whose object is not there whole.
  func link(
    _ staged: [SealedAttachment], taken: [SealedAttachment]
  ) throws(VaultError) -> [SealedAttachment] {
    guard taken.count + staged.count <= Attachment.countLimit else {
      throw VaultError(.attachments, expected: .atMostPerEntry(Attachment.countLimit))
    }
    // Nobody removes the object between this check and the commit.
    if !staged.isEmpty, checksObjects, objectLock == nil {
      objectLock = try VaultFolder(catalogue.vault.path).joinObjects()
    }
    var result: [SealedAttachment] = []
    for file in staged {
      try file.attachment.check()
      guard file.key.count == AEAD.keyBytes, file.object.bytes.count == 32 else {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      // Another process sealed it and reports its size: the last chunk shows whether that can be true.
      if checksObjects, !ObjectReader.isWhole(file, in: VaultFolder(catalogue.vault.path)) {
        throw VaultError(.conflict, file.attachment.name, .isNotStaged)
      }
      var named = file
      named.attachment = Attachment(
        name: Self.freeName(file.attachment.name, among: (taken + result).map(\.attachment.name)),
        type: file.attachment.type, size: file.attachment.size)
      result.append(named)
    }
    return result
  }

  /// `photo` and `.jpg`; of a name without an extension, or one that is nothing else, all of it and nothing.
  static func parts(of name: String) -> (stem: String, end: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// `photo.jpg`, else `photo-2.jpg`, …
  static func freeName(_ name: String, among taken: [String]) -> String {
    guard taken.contains(name) else { return name }
    let (stem, extensionPart) = parts(of: name)
    var end = extensionPart
    while end.utf8.count > 60 { end.removeLast() }
    var number = 2
    while true {
      var short = stem
      while short.utf8.count + end.utf8.count > 240, !short.isEmpty { short.removeLast() }
      let candidate = "\(short)-\(number)\(end)"
      if !taken.contains(candidate) { return candidate }
      number += 1
    }
  }
}

extension Snapshot {
  /// A file of an entry's newest revision, or of an older one, which keeps it until the entry is removed for good.
  ///
  /// - Throws: ``VaultError`` `notFound` with the names there are.
  package func attachment(
    _ name: String, of reference: EntryReference, revision: UInt64? = nil
  ) throws(VaultError) -> AttachedFile {
    let header = try header(reference, revision: revision)
    guard let stored = header.attachments.first(where: { $0.attachment.name == name }) else {
      throw VaultError(
        .notFound, .attachment, name, candidates: header.attachments.map(\.attachment.name))
    }
    guard try !catalogue.isAwaited(stored) else {
      throw VaultError(.notFound, .attachment, name, .hasNotArrived)
    }
    return AttachedFile(stored, of: header.id)
  }
}

extension Catalogue {
  /// Whether a photo or file is to come from another device. One whose object is whole and has not the length that belongs to its size
  /// has never come: whoever gave the entry this file said so.
  func isAwaited(_ file: SealedAttachment) throws(VaultError) -> Bool {
    guard state.space != nil else { return false }
    if let (object, size) = try ObjectReader.open(file.object, in: VaultFolder(vault.path)) {
      guard size != file.sealedSize, try formerDevice() != nil else { return false }
      return try ObjectCheck(object, is: file.object).finish()
    }
    return try spaceRecordIfWhole()?.missingFiles.contains(Hash(file.object.bytes)) ?? false
  }

  /// How many photos and files lie nowhere in the diary's folder, and are not to come from another device, either.
  func missingFiles() throws(VaultError) -> Int {
    let there = Set(try VaultFolder(vault.path).objectNames())
    let awaited = try spaceRecordIfWhole()?.missingFiles ?? []
    var missing: Set<ObjectName> = []
    try walkHeaders { header throws(VaultError) in
      for stored in header.attachments
      where !there.contains(stored.object) && !awaited.contains(Hash(stored.object.bytes)) {
        missing.insert(stored.object)
      }
      return true
    }
    return missing.count
  }
}
