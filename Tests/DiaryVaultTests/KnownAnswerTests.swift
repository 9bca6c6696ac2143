import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles
@testable import Text

/// The files of `Keys/vectors`: made once, then held against the code for ever.
@Suite struct KnownAnswerTests {
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Keys/vectors")

  static func terms(of folded: [UInt8]) -> [[UInt8]] {
    var terms: [[UInt8]] = []
    SearchTerms.each(of: folded) { terms.append(Array(folded[$0])) }
    return terms
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withUnsafeBytes { Array($0) }
  }

  static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var bytes = bytes
    return try SecretBytes(wiping: &bytes)
  }

  static func count(_ from: UInt8, _ count: Int) -> [UInt8] {
    (0..<count).map { from &+ UInt8($0) }
  }

  /// "Random" bytes 0, 1, 2, … in every call.
  static let counting = Randomness { count(0, $0) }

  static let vaultID = count(0x10, 16)
  static let keyID = count(0x20, 16)

  static func slot(_ kind: SlotKind, _ secretBytes: [UInt8]) throws -> [String: String] {
    let slot = try KeySlot(
      kind: kind, secret: try secret(secretBytes), vaultKey: try secret(count(0x80, 32)),
      vaultID: vaultID,
      keyID: keyID, device: kind.needsFace ? count(0x30, 16) : nil,
      limits: Argon2Cost(operations: 1, memory: 8192), leastMemory: 8192,
      randomness: counting)
    return [
      "secret": hex(secretBytes), "vaultID": hex(vaultID), "keyID": hex(keyID),
      "vaultKey": hex(count(0x80, 32)),
      "slot": hex(slot.encoded()),
    ]
  }

  static func flippedLast(_ bytes: [UInt8]) -> [UInt8] {
    bytes.dropLast() + [bytes.last! ^ 1]
  }

  static func unhex(_ text: String?) -> [UInt8] {
    let digits = Array((text ?? "").utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)!
    }
  }

  static func keyring() throws -> Keyring {
    let slots = try [
      KeySlot(unhex(try slot(.recovery, count(1, 16))["slot"])),
      KeySlot(unhex(try slot(.face, count(0xa0, 32))["slot"])),
    ]
    return Keyring(vaultID: vaultID, keyID: keyID, slots: slots, generation: 3)
  }

  static func keyringScenario() throws -> [String: String] {
    let keyring = try keyring()
    return [
      "vaultID": hex(vaultID), "keyID": hex(keyID), "generation": "3",
      "keyring": hex(keyring.encoded()),
      "slotDigests": keyring.slots.map { hex($0.digest) }.joined(separator: " "),
    ]
  }

  static func scenarios() throws -> [(String, [String: String])] {
    let keys = try VaultKeys(try secret(count(0x80, 32)), vaultID: vaultID, keyID: keyID)
    let body = "今日は京都でお茶。"
    let padded = Padding.pad(Array(body.utf8))
    let id = EntryID(bytes: count(0x40, 16))
    let object = VaultKeys.object(id.key)
    let sealedBody = keys.seal(padded, .body, object: object, revision: 3, randomness: counting)
    var header = Header(
      id: id, added: 7,
      date: try ZonedTime(seconds: 1_772_000_000, offset: 32_400),
      created: 1, modified: 2, body: Ref(sealed: sealedBody.span.bytes)!)
    header.written.title = "Uji"
    header.written.tags = ["tea"]
    header.written.starred = true
    header.bodyRevision = 3
    header.revision = 3
    header.describe(body)
    var full = header
    full.written.until = try ZonedTime(seconds: 1_772_003_600, offset: 32_400)
    full.written.zone = "Asia/Tokyo"
    full.journal = 1
    full.kind = 100
    full.written.title = nil
    full.describe(body)
    full.written.tags = ["tea", "雨"]
    full.trashed = 1_772_100_000
    full.previous = (2, Ref(sealed: sealedBody.span.bytes)!)
    full.attachments = [
      SealedAttachment(
        Attachment(name: "photo.jpg", type: "image/jpeg", size: 70_000),
        object: ObjectName(bytes: count(0xa0, 32))!,
        key: count(0xc0, 32))
    ]
    var page = HeaderPage()
    _ = page.insert(header.encoded(), key: header.key)
    var state = StateRecord(
      incarnation: count(0x50, 16), slots: KnownSlots(try keyring(), at: 1_772_000_000))
    state.devices[count(0x30, 16)] = DeviceState(counter: 9, templates: count(0x70, 32))
    state.added = 7
    state.latest = header.id
    let section = Section(pages: [
      PageRef(
        id: 5, ref: Ref(sealed: sealedBody.span.bytes)!, first: header.key, count: 1, trashed: 0)
    ])
    var register = NameRegister()
    _ = try register.addJournal(Journal(id: 0, name: "Kyoto"))
    let templates = TemplateList([EntryTemplate(name: "morning", body: "slept")]).plain()
    var larger = state
    larger.role = .backup
    larger.made = 1_772_000_000
    larger.policy = SealedPolicy(count(1, 34), allowsPlainFaces: false)
    larger.register = Ref(sealed: sealedBody.span.bytes)!
    larger.templates = Ref(sealed: sealedBody.span.bytes)!
    larger.sections = [
      SectionRef(
        id: 6, ref: Ref(sealed: sealedBody.span.bytes)!, first: header.key, count: 4, trashed: 1)
    ]
    let code = try secret(count(1, 16))
    var flipped = sealedBody
    flipped[30] ^= 1
    let common = ["vaultKey": hex(count(0x80, 32)), "vaultID": hex(vaultID), "keyID": hex(keyID)]
    func with(_ more: [String: String]) -> [String: String] { common.merging(more) { $1 } }
    return [
      (
        "subkeys",
        with(
          Dictionary(
            uniqueKeysWithValues: try [("FDstate_" as StaticString), "FDpages_", "FDbodies"].map {
              (
                "\($0)",
                hex(
                  bytes(
                    try KeyDerivation.subkey(of: try secret(count(0x80, 32)), id: 1, context: $0)))
              )
            }))
      ),
      (
        "recovery-code",
        [
          "code": hex(count(1, 16)),
          "text": String(decoding: bytes(try RecoveryCode.text(of: code)), as: UTF8.self),
        ]
      ),
      ("slot-recovery", try slot(.recovery, count(1, 16))),
      ("slot-passphrase", try slot(.passphrase, Array("correct horse".utf8))),
      ("slot-face", try slot(.face, count(0xa0, 32))),
      (
        "slot-face-passphrase",
        try slot(.facePassphrase, count(0xa0, 32) + Array("correct horse".utf8))
      ),
      (
        "slot-wrong-secret",
        try slot(.recovery, count(1, 16)).merging([
          "secret": hex(count(2, 16)), "error": "the commitment differs: another secret",
        ]) { $1 }
      ),
      (
        "slot-flipped",
        [
          "slot": hex(
            flippedLast(
              try KeySlot(unhex(try slot(.recovery, count(1, 16))["slot"])).encoded())),
          "error": "the checksum differs: damaged",
        ]
      ),
      ("keyring", try keyringScenario()),
      ("derivations", try derivations()),
      (
        "section",
        with([
          "row": "6", "plain": hex(section.plain()),
          "sealed": hex(
            keys.seal(
              section.plain(), .section, object: VaultKeys.object(6), randomness: counting)),
        ])
      ),
      (
        "register",
        with([
          "journal": "Kyoto", "plain": hex(register.plain()),
          "sealed": hex(
            keys.seal(
              register.plain(), .register, object: [UInt8](repeating: 0, count: 16),
              randomness: counting)),
        ])
      ),
      (
        "templates",
        with([
          "name": "morning", "body": "slept", "plain": hex(templates),
          "sealed": hex(
            keys.seal(
              templates, .templates, object: [UInt8](repeating: 0, count: 16),
              randomness: counting)),
        ])
      ),
      (
        "history",
        with([
          "entry": "\(header.id.key)", "revision": "3", "plain": hex(header.past),
          "headerRow": "\(keys.past(.header, of: header.id.key, revision: 3))",
          "textRow": "\(keys.past(.text, of: header.id.key, revision: 3))",
          "sealed": hex(
            keys.seal(
              header.past, .history, object: VaultKeys.object(header.id.key), revision: 3,
              randomness: counting)),
        ])
      ),
      (
        "object",
        [
          "key": hex(count(0xc0, 32)), "content": "70,000 bytes 7a", "size": "70000",
          "padded": "\(Attachment.padded(70_000))", "sealedSize": "\(try sealedFile().count)",
          "firstChunk": hex(Array(try sealedFile()[..<80])),
          "lastTag": hex(try sealedFile().suffix(16)),
          "name": ObjectName(bytes: FileDigest.of(try sealedFile()))!.text,
        ]
      ),
      (
        "object-cut-off",
        [
          "key": hex(count(0xc0, 32)), "of": "object", "bytes": "\(SealedFile.sealedChunk)",
          "error": "notAuthentic",
        ]
      ),
      ("header-full", ["record": hex(full.encoded()), "row": "\(full.id.key)"]),
      ("state-full", with(["plain": hex(larger.plain())])),
      (
        "body-of-another-ref",
        with([
          "object": hex(object), "revision": "3", "sealed": hex(sealedBody),
          "ref": hex(Array(sealedBody.prefix(24)) + count(0, 16)),
          "error": "it opens, and is not the one its parent knows",
        ])
      ),
      (
        "page-of-another-row",
        with([
          "row": "6", "error": "notAuthentic",
          "sealed": hex(
            keys.seal(page.plain(), .page, object: VaultKeys.object(5), randomness: counting)),
        ])
      ),
      (
        "padding-wrong",
        [
          "padded": hex(Padding.pad(Array(body.utf8)).dropLast() + [1]),
          "error": "a byte of the padding is not zero: malformed",
        ]
      ),
      (
        "padding-long",
        [
          "padded": hex(Padding.pad(Array(body.utf8)) + Array(repeating: 0, count: 16)),
          "error": "longer than this content is padded: malformed",
        ]
      ),
      ("padding", ["content": hex(Array(body.utf8)), "padded": hex(padded)]),
      (
        "associated-data",
        with([
          "object": hex(object), "revision": "3", "kind": "4",
          "data": hex(keys.associatedData(.body, object: object, revision: 3)),
        ])
      ),
      (
        "body",
        with(["object": hex(object), "revision": "3", "text": body, "sealed": hex(sealedBody)])
      ),
      (
        "body-flipped",
        with([
          "object": hex(object), "revision": "3", "sealed": hex(flipped), "error": "notAuthentic",
        ])
      ),
      ("header", ["record": hex(header.encoded()), "title": "Uji", "tag": "tea"]),
      (
        "page",
        with([
          "row": "5", "plain": hex(page.plain()),
          "sealed": hex(
            keys.seal(page.plain(), .page, object: VaultKeys.object(5), randomness: counting)),
        ])
      ),
      (
        "state",
        with([
          "plain": hex(state.plain()),
          "sealed": hex(
            keys.seal(
              state.plain(), .state, object: [UInt8](repeating: 0, count: 16), randomness: counting)
          ),
        ])
      ),
      (
        "folding",
        Dictionary(
          uniqueKeysWithValues: [
            "Straße STRASSE ẞ", "İstanbul ıI", "é e\u{301} ё Ё й и\u{306} ї Ќ", "ｶﾞガか\u{3099}ヽ",
            "ＡＢ　Ｃ\t\n d ", "한국어 \u{1112}\u{1161}\u{11ab}", "ﬁ ſ Ω ø ŉ", "a\u{ad}b\u{200b}c\u{fe0f}",
            "कि क़ ไทย", "=\u{338}", "Ὀδυσσεύς",
          ].map { ($0, hex(SearchText.fold($0))) })
      ),
      (
        "search-terms",
        [
          "text": "Tea, お茶とẞß É!", "folded": hex(SearchText.fold("Tea, お茶とẞß É!")),
          "terms": terms(of: SearchText.fold("Tea, お茶とẞß É!")).map(hex).joined(separator: " "),
        ]
      ),
    ]
  }

  @Test func `the code still makes every known answer`() throws {
    let writing = ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil
    var names: Set<String> = []
    for (name, answer) in try Self.scenarios() {
      let url = Self.directory.appendingPathComponent(name + ".json")
      names.insert(name + ".json")
      if writing {
        let data = try JSONSerialization.data(
          withJSONObject: answer, options: [.prettyPrinted, .sortedKeys])
        try (data + Data("\n".utf8)).write(to: url)
      }
      let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: String]
      #expect(kept == answer, "\(name)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
    // The faces' own file and those of several devices are held by their own tests.
    #expect(Set(files).subtracting(["similarity.json", "frozen", "space"]) == names)
  }

  @Test func `frozen sealed values open, and the altered one does not`() throws {
    func file(_ name: String) throws -> [String: String] {
      try #require(
        try JSONSerialization.jsonObject(
          with: Data(contentsOf: Self.directory.appendingPathComponent(name + ".json")))
          as? [String: String])
    }
    let unhex = Self.unhex
    let keys = try VaultKeys(
      try Self.secret(Self.count(0x80, 32)), vaultID: Self.vaultID, keyID: Self.keyID)
    let body = try file("body")
    let sealed = unhex(body["sealed"])
    let opened = try keys.open(sealed.span.bytes, .body, object: unhex(body["object"]), revision: 3)
    #expect(String(decoding: try Padding.unpad(opened), as: UTF8.self) == body["text"])
    let flipped = unhex(try file("body-flipped")["sealed"])
    #expect(throws: SealingError.notAuthentic) {
      try keys.open(flipped.span.bytes, .body, object: unhex(body["object"]), revision: 3)
    }
    for (name, secret) in [
      ("slot-recovery", Self.count(1, 16)), ("slot-passphrase", Array("correct horse".utf8)),
      ("slot-face", Self.count(0xa0, 32)),
      ("slot-face-passphrase", Self.count(0xa0, 32) + Array("correct horse".utf8)),
    ] {
      let slot = try KeySlot(unhex(try file(name)["slot"]))
      let key = try slot.open(
        with: try Self.secret(secret), vaultID: Self.vaultID, keyID: Self.keyID, leastMemory: 8192)
      switch consume key {
      case .some(let key): #expect(Self.bytes(key) == Self.count(0x80, 32))
      case .none: Issue.record("\(name) does not open")
      }
    }
    // The negative ones fail as their files say.
    let stranger = try file("slot-wrong-secret")
    let none = try KeySlot(unhex(stranger["slot"])).open(
      with: try Self.secret(unhex(stranger["secret"])), vaultID: Self.vaultID, keyID: Self.keyID,
      leastMemory: 8192)
    switch consume none {
    case .some: Issue.record("a wrong secret opened")
    case .none: break
    }
    #expect(throws: SealingError.notAuthentic) {
      try KeySlot(unhex(try file("slot-flipped")["slot"]))
    }
    let moved = unhex(try file("page-of-another-row")["sealed"])
    #expect(throws: SealingError.notAuthentic) {
      try keys.open(moved.span.bytes, .page, object: VaultKeys.object(6))
    }
    for name in ["padding-wrong", "padding-long"] {
      #expect(throws: SealingError.malformed) {
        try Padding.unpad(unhex(try file(name)["padded"]))
      }
    }
    let cut = Array(try Self.sealedFile()[..<SealedFile.sealedChunk])
    #expect(throws: SealingError.notAuthentic) {
      try SealedFile.open(
        cut.span.bytes, 0, of: 1, key: try Self.secret(unhex(try file("object-cut-off")["key"])))
    }
  }
}
