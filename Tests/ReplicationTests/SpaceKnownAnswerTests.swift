import Bytes
import Foundation
import Sealing
import Testing

@testable import Replication

/// The files of `Keys/vectors/space`: an object of each kind, and such as must be refused, each with the reason. They were
/// sealed once, with keys that stand in them, and are opened for ever.
///
/// `FACEDIARY_WRITE_KEYS=1` seals them anew.
@Suite struct SpaceKnownAnswerTests {
  typealias Answer = [String: String]

  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Keys/vectors/space")

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func unhex(_ text: String?) throws -> [UInt8] {
    let digits = Array(try #require(text).utf8)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16))
    }
  }

  static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var bytes = bytes
    return try SecretBytes(wiping: &bytes)
  }

  static func count(_ from: UInt8, _ count: Int) -> [UInt8] {
    (0..<count).map { from &+ UInt8($0) }
  }

  static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withUnsafeBytes { Array($0) }
  }

  static let first = Segment(
    device: laptopID, sequence: 1, previous: nil, ends: [],
    operations: [
      .revision(
        Identity(high: 5, low: 6),
        fields: [1: [.given(Array("Uji".utf8))], 2: [.given(Array("今日は京都でお茶。".utf8))]]),
      .set(Identity(high: 7, low: 8), value: [1, 2, 3]),
    ])

  static func second() throws -> Segment {
    let place = OperationPlace(end: 2, sequence: 300, index: 7)
    return Segment(
      device: laptopID, sequence: 2, previous: try copy(first).header.hash(in: space()),
      ends: [LogEnd(device: phoneID, sequence: 300, hash: Hash(count(0xc0, 32)))],
      operations: [
        .purge(Identity(high: 5, low: 6)),
        .purge(
          Identity(high: 9, low: 9), unseen: [OperationPlace(end: 1, sequence: 1, index: 0), place]),
        .revision(
          Identity(high: 9, low: 9),
          fields: [
            12: [
              .given(Array("tea".utf8)),
              .kept(OperationPlace(end: 1, sequence: 1, index: 0), number: 0),
              .kept(place, number: 3),
            ],
            13: [.carried(place, [1])],
          ], unseen: [place]),
      ])
  }

  static func copy(_ segment: Segment, by signer: SpaceIdentity? = nil) throws
    -> SignedSegment
  {
    SignedSegment(
      segment, in: try space(), by: (try signer ?? laptop()).signing,
      randomness: Randomness { count(0x11, $0) })
  }

  static func pack() throws -> Pack {
    Pack(
      by: laptopID, generation: 130,
      [
        Pack.Item(try copy(first).without([0]), in: try space()),
        Pack.Item(try copy(second()), in: try space()),
      ])
  }

  static func sealed(
    _ copy: SignedSegment, in space: Identity? = nil, key: EpochKey? = nil
  ) throws -> [UInt8] {
    try copy.sealed(in: try space ?? Self.space(), key: try key ?? epoch())
  }

  /// An object of any content, sealed and signed as it should be.
  static func seal(
    _ content: [UInt8], _ kind: SpaceObject.Kind, by signer: SpaceIdentity? = nil,
    in space: Identity? = nil, key: EpochKey? = nil, head: [UInt8]? = nil
  ) throws -> [UInt8] {
    let key = try key ?? epoch()
    return try SpaceObject.seal(
      content, kind, head: head ?? SpaceObject.head(kind, epoch: key.id),
      in: try space ?? Self.space(), key: key, by: (try signer ?? laptop()).signing)
  }

  // MARK: The files

  static func identities() throws -> Answer {
    let (recovery, laptop, epoch) = (try recovery(), try laptop(), try epoch())
    let pairing = try pairing()
    return [
      "recoveryCode": hex(recoveryCode), "recoverySigningKey": hex(recovery.signing.publicKey),
      "recoveryBoxKey": hex(recovery.box.publicKey), "space": hex(try space().bytes),
      "spaceName": try space().text, "seed": hex(laptopSeed),
      "signingKey": hex(laptop.signing.publicKey), "boxKey": hex(laptop.box.publicKey),
      "epochKey": hex(epochKey), "epoch": hex(epoch.id), "pairingCode": hex(pairingCode),
      "join": hex(pairing.id.bytes), "device": hex(laptopID.bytes),
      "segmentKey": hex(bytes(try epoch.subkey(.segment))),
      "packKey": hex(bytes(try epoch.subkey(.pack))),
    ]
  }

  static func objects() throws -> [String: Answer] {
    let (laptop, phone, members) = (try laptop(), try phone(), try members())
    let space = try space()
    let keys: Answer = [
      "space": hex(space.bytes), "epochKey": hex(epochKey),
      "signingKey": hex(laptop.signing.publicKey),
    ]
    func object(_ kind: String, _ object: [UInt8], _ more: Answer = [:]) -> Answer {
      keys.merging(["kind": kind, "object": hex(object)]) { one, _ in one }
        .merging(more) { _, new in new }
    }
    /// Whatever stands in the header and behind the signature, signed as it should be.
    func segment(_ header: [UInt8], _ operations: [UInt8]) throws -> Answer {
      let signature = laptop.signing.sign(SpaceObject.statement(.segment, space, header))
      let key = try epoch()
      return object(
        "segment",
        try SpaceObject.seal(
          signed: header + signature + operations, .segment,
          head: SpaceObject.head(.segment, epoch: key.id), in: space, key: key))
    }
    /// A header of operations whose digests are right.
    func segment(_ operations: [[UInt8]], sequence: [UInt8] = [1], ends: [UInt8] = [0]) throws
      -> Answer
    {
      let digests = try operations.map { bytes in
        var reader = ByteReader(bytes)
        return try OperationCopy(&reader).digest
      }
      let digest = Digest.blake2b(digests.flatMap(\.self), domain: "FDv2 operations")
      return try segment(
        laptopID.bytes + sequence + ends + [UInt8(operations.count)] + digest,
        operations.flatMap(\.self))
    }
    func operation(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
      [kind] + count(0, 16) + (kind == 2 ? [] : [1] + count(0x11, 16)) + [UInt8(body.count)] + body
    }
    func changed(_ bytes: [UInt8], at index: Int) -> [UInt8] {
      var bytes = bytes
      bytes[index] ^= 1
      return bytes
    }
    let (whole, pack) = (try copy(second()), try pack())
    let sealed = try sealed(whole)
    let sealedPack = try seal(pack.encoded(), .pack)
    let pairing = try pairing()
    let request = try pairing.request(members.phone, phone)
    let (roster, records) = try rosterRecords()
    let answer = try pairing.answer(
      Pairing.Welcome(space: space, heads: roster.heads, ends: []), to: members.phone, laptop)
    let joining: Answer = ["pairingCode": hex(pairingCode), "seed": hex(phoneSeed)]
    return [
      "segment": object("segment", sealed),
      "pack": object("pack", sealedPack),
      "request": object(
        "request", request,
        joining.merging(["name": "電話", "check": pairing.check(request)]) { _, new in new }),
      "answer": object(
        "answer", answer,
        joining.merging(["heads": hex(roster.heads.flatMap(\.bytes))]) { _, new in new }),
      "roster": [
        "space": hex(space.bytes), "kind": "roster", "recoveryCode": hex(recoveryCode),
        "objects": records.map(hex).joined(separator: " "),
        "members": "laptop active, 電話 revoked", "epoch": hex(roster.epoch),
      ],
      "confirmed": try confirmedRoster(),
      "segment-flipped": object("segment", changed(sealed, at: 100)),
      "segment-cut-off": object("segment", sealed.dropLast()),
      "segment-of-another-space": object(
        "segment", try Self.sealed(whole, in: Identity(high: 0, low: 0))),
      "segment-of-another-epoch": object(
        "segment",
        try SpaceObject.seal(
          signed: whole.encoded(), .segment,
          head: SpaceObject.head(.segment, epoch: try epoch().id), in: space,
          key: try EpochKey(try secret(count(0x99, 32))))),
      "segment-signed-by-another": object(
        "segment", try Self.sealed(copy(second(), by: phone))),
      "segment-signed-for-another-space": object(
        "segment",
        try Self.sealed(
          SignedSegment(second(), in: Identity(high: 0, low: 0), by: laptop.signing))),
      "segment-called-a-pack": object(
        "pack",
        sealed.enumerated().map {
          $0.offset == 4 ? SpaceObject.Kind.pack.rawValue : $0.element
        }),
      "segment-newer": object("segment", Array("FDs2".utf8) + sealed.dropFirst(4)),
      "segment-signature-missing": object("segment", try unsigned(whole.encoded())),
      "segment-without-operations": try segment([]),
      "segment-number-zero": try segment([operation(2, [0])], sequence: [0]),
      "segment-long-number": try segment([operation(2, [0])], ends: [0x80, 0x00]),
      "segment-unknown-operation": try segment(
        laptopID.bytes + [1, 0, 1] + count(0, 32), operation(9, [0])),
      "segment-more-behind": try segment(
        whole.header.encoded(), whole.encoded().dropFirst(whole.header.encoded().count + 64) + [0]),
      "segment-of-other-operations": try segment(
        whole.header.encoded(),
        Array(copy(first).encoded().dropFirst(copy(first).header.encoded().count + 64))
          + operation(2, [0])),
      "segment-with-an-operation-gone": try segment([[1] + count(0, 16) + [0] + count(1, 32)]),
      "segment-fields-out-of-order": try segment([operation(1, [2, 2, 0, 1, 0, 0])]),
      "segment-values-out-of-order": try segment([
        operation(1, [1, 12, 2, 0, 1, 0x62, 0, 1, 0x61, 0])
      ]),
      "segment-places-out-of-order": try segment([operation(2, [2, 1, 2, 0, 1, 1, 0])]),
      "segment-value-of-no-form": try segment([operation(1, [1, 12, 1, 3, 1, 0x61, 0])]),
      "segment-endless-text": try segment(
        laptopID.bytes + [1, 0, 1] + count(0, 32),
        [3] + count(0, 16) + [1] + count(0x11, 16) + Array(repeating: 0xff, count: 9) + [1]),
      "pack-flipped": object("pack", changed(sealedPack, at: 100)),
      "pack-signed-by-another": object("pack", try seal(pack.encoded(), .pack, by: phone)),
      "pack-empty": object(
        "pack", try seal(Pack(by: laptopID, generation: 1, []).encoded(), .pack)),
      "pack-generation-zero": object(
        "pack", try seal(Pack(by: laptopID, generation: 0, pack.items).encoded(), .pack)),
      "pack-generation-too-high": object(
        "pack", try seal(Pack(by: laptopID, generation: 1 << 32, pack.items).encoded(), .pack)),
      "pack-of-a-segment-signed-by-another": object(
        "pack",
        try seal(
          Pack(
            by: laptopID, generation: 1,
            [Pack.Item(try copy(first, by: phone), in: space)]
          ).encoded(), .pack)),
      "pack-one-twice": object(
        "pack",
        try seal(
          Pack(by: laptopID, generation: 1, [pack.items[0], pack.items[0]]).encoded(), .pack)),
      "request-flipped": object("request", changed(request, at: 100), joining),
      "request-signed-by-another": object(
        "request", try pairing.request(members.phone, laptop), joining),
      "request-of-another-code": object(
        "request", try Pairing(try secret(count(0x61, 16))).request(members.phone, phone), joining),
      "request-with-a-line-break": object(
        "request",
        try pairing.request(Member(name: "phone\nof mine", phone), phone), joining),
      "answer-to-another": object(
        "answer",
        try pairing.answer(
          Pairing.Welcome(space: space, heads: roster.heads, ends: []), to: members.laptop, laptop),
        joining),
      "answer-flipped": object("answer", changed(answer, at: 100), joining),
      "roster-taken-out-by-a-device": try rosterOf(
        [records[0]], nil, .revoke([RosterRecord.Revocation(laptopID, ends: [], records: [])]),
        by: laptop),
      "roster-taken-out-behind-another-record": try rosterOf(
        records, nil, .revoke([RosterRecord.Revocation(laptopID, ends: [], records: [])]),
        by: recovery()),
      "roster-of-another-code": try rosterOf(
        [], nil,
        .space(
          recoverySigning: phone.signing.publicKey, recoveryBox: phone.box.publicKey,
          members.phone), by: phone, under: try epoch(),
        beginning: EpochOpening(
          try epoch(), to: [members.phone.boxKey], recovery: phone.box.publicKey, earlier: [],
          in: space)),
      "roster-added-by-a-stranger": try rosterOf(
        [records[0]], phoneID, .add(members.phone, budget: 0), by: phone),
      "roster-beside-another-epoch": try rosterOf(
        [records[0]], laptopID, .add(members.phone, budget: 0), by: laptop, digest: count(0, 32)),
      "roster-renewed-without-an-epoch": try rosterOf(
        [records[0]], laptopID, .renew, by: laptop),
      "roster-confirmed-under-another-epoch": try rosterOf(
        records, laptopID, .confirm, by: laptop),
      "roster-under-an-epoch-that-does-not-come-before": try rosterOf(
        [records[0]], laptopID, .add(members.phone, budget: 0), by: laptop, under: epoch()),
    ]
  }

  /// Content and nothing behind it.
  static func unsigned(_ content: [UInt8]) throws -> [UInt8] {
    let key = try epoch()
    let head = SpaceObject.head(.segment, epoch: key.id)
    let plain = Padding.pad(Array(content.prefix(60)), least: 1024)
    let data = head + (try space()).bytes
    return head
      + AEAD.seal(
        plain.span.bytes, associatedData: data.span.bytes, key: try key.subkey(.segment))
  }

  // MARK: Opening them

  /// What a file's object says.
  static func open(_ file: Answer) throws -> Answer {
    let space = try #require(Identity(bytes: unhex(file["space"])))
    func key() throws -> EpochKey { try EpochKey(try secret(unhex(file["epochKey"]))) }
    let signingKey = try file["signingKey"].map { try unhex($0) }
    switch file["kind"] {
    case "segment":
      let copy = try SignedSegment(
        object: unhex(file["object"]), in: space, key: key(), signer: { _ in signingKey })
      try check(copy)
      return ["content": hex(copy.encoded()), "hash": copy.header.hash(in: space).text]
    case "pack":
      let pack = try Pack(
        object: unhex(file["object"]), in: space, key: key(), signer: { _ in signingKey })
      for item in pack.items {
        guard try item.copy.isSigned(by: #require(signingKey), in: space) else {
          throw SealingError.notAuthentic
        }
        try check(item.copy)
      }
      return [
        "content": hex(pack.encoded()),
        "hashes": pack.items.map(\.hash.text).joined(separator: " "),
      ]
    case "request":
      let pairing = try Pairing(try secret(unhex(file["pairingCode"])))
      let request = try unhex(file["object"])
      return [
        "name": try pairing.member(request: request).name, "check": pairing.check(request),
      ]
    case "answer":
      let pairing = try Pairing(try secret(unhex(file["pairingCode"])))
      let (welcome, signature) = try #require(
        try pairing.welcome(
          unhex(file["object"]), try SpaceIdentity(seed: try secret(unhex(file["seed"])))))
      guard signature.isSigned(by: try #require(signingKey)) else {
        throw SealingError.notAuthentic
      }
      #expect(welcome.space == space)
      return [
        "heads": hex(welcome.heads.flatMap(\.bytes))
      ]
    default:
      var roster = Roster(space: space)
      // Keys that came by another way are no help.
      let known = try file["epochKey"].map { _ in try key() }
      var keys = known.map { [$0.id: $0] } ?? [:]
      let box = try SpaceIdentity(recovery: try secret(unhex(file["recoveryCode"]))).box
      let objects = try (file["objects"] ?? "").split(separator: " ").map { try unhex(String($0)) }
      let (waiting, closed, refused) = try roster.takeAll(objects, keys: &keys, box: box)
      if let error = refused.values.first { throw error }
      #expect(waiting.isEmpty && closed.isEmpty)
      let members = roster.members.values.map {
        "\($0.member.name) \($0.standing == .active ? "active" : "revoked")"
      }
      return ["members": members.sorted().joined(separator: ", "), "epoch": hex(roster.epoch)]
    }
  }

  static func write(_ answer: Answer, _ name: String) throws {
    let data = try JSONSerialization.data(
      withJSONObject: answer, options: [.prettyPrinted, .sortedKeys])
    try (data + Data("\n".utf8)).write(to: directory.appendingPathComponent(name + ".json"))
  }

  static func read(_ name: String) throws -> Answer {
    try #require(
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: directory.appendingPathComponent(name + ".json"))) as? Answer)
  }

  @Test func `keys and names are derived as they were`() throws {
    if ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil {
      try Self.write(Self.identities(), "identities")
    }
    #expect(try Self.read("identities") == Self.identities())
  }

  @Test func `an object of each kind opens, and what no device wrote is refused`() throws {
    if ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] != nil {
      for (name, answer) in try Self.objects() {
        var answer = answer
        do { answer.merge(try Self.open(answer)) { kept, _ in kept } } catch {
          let error = try #require(error as? SealingError)
          answer["error"] = "\(error)"
        }
        try Self.write(answer, name)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
      .map { $0.replacingOccurrences(of: ".json", with: "") }
    var kinds: Set<String> = []
    for name in names where name != "identities" {
      let file = try Self.read(name)
      kinds.insert(file["kind"] ?? "")
      do {
        for (key, value) in try Self.open(file) { #expect(file[key] == value, "\(name)") }
        #expect(file["error"] == nil, "\(name) opens")
      } catch let error as SealingError {
        #expect(file["error"] == "\(error)", "\(name)")
      }
      // A file beside its own name is one that must be refused.
      #expect((file["error"] != nil) == name.contains("-"), "\(name)")
    }
    #expect(kinds == ["segment", "pack", "roster", "request", "answer"])
    #expect(names.count == 49)
  }
}
