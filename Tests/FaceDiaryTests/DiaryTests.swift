import Bytes
import Foundation
import Scratch
import Testing

@testable import Access
@testable import Authentication
@testable import DiaryVault
@testable import Entries
@testable import FaceDiary
@testable import FaceMatching
@testable import Keeper
@testable import Requests
@testable import Sealing

@MainActor
@Suite struct DiaryTests {
  private let scratch = Scratch()
  private var home: String { scratch.path }
  private let location: DiaryLocation

  init() {
    let home = scratch.path
    location = DiaryLocation(
      vault: home + "/data/diary", devices: home + "/state", runtime: home + "/run")
  }

  private func diary(_ verifier: any BiometricVerifier = CosineVerifier()) -> Diary {
    Diary(
      at: location, verifier: verifier, settings: VaultSettings(leastMemory: 8192, busyTimeout: 500)
    )
  }

  private func secret(_ text: String = "open") throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try SecretBytes(wiping: &bytes)
  }

  private func shot(_ person: UInt64, _ number: UInt64) throws -> Embedding {
    try Embedding(SampleFaces.shot(person: person, shot: number))
  }

  private func make(faces: Bool = true) async throws -> (Diary, AuthenticationModel, CreatedDiary) {
    let diary = diary()
    let registration = FaceRegistration(
      embeddings: [try shot(1, 1), try shot(1, 2)], model: "sface")
    let created = try await diary.create(
      passphrase: try secret(), limits: Argon2Cost(operations: 1, memory: 8192),
      faces: faces ? registration : nil)
    let model = AuthenticationModel(service: diary)
    await model.checkInitialState()
    return (diary, model, created)
  }

  private var store: String {
    try! FileManager.default.contentsOfDirectory(atPath: home + "/state")[0]
  }

  @Test func `a diary opens for its owner's face, passphrase and recovery code`() async throws {
    let (diary, model, created) = try await make()
    #expect(model.state == .authentication)
    guard case .accepted = try await model.authenticate(try Probe([try shot(1, 3)])) else {
      Issue.record("refused")
      return
    }
    let id = try await diary.write(
      try EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "今日"))
    await model.logout()
    await #expect(throws: AuthenticationError(.locked, "")) { try await diary.entries() }
    try await model.authenticate(.passphrase, try secret())
    #expect(try await diary.entries(bodies: true).map(\.id) == [id])
    await model.logout()
    try await model.authenticate(.recovery, try RecoveryCode.parse(created.recoveryCode))
    #expect(model.state == .authenticated)
    await model.logout()
    try await model.authenticate(.recovery, try created.recoveryCode.copy())
    #expect(model.state == .authenticated)
    await model.logout()
    await #expect(throws: VaultError(.wrongSecret, "")) {
      try await model.authenticate(.passphrase, try secret("shut"))
    }
    for code in ["hello", "", String(repeating: "x", count: 100)] {
      await #expect(throws: VaultError(.wrongSecret, "")) {
        try await model.authenticate(.recovery, try secret(code))
      }
    }
    // A long file would be sealed under a key of its own.
    await #expect(throws: AuthenticationError(.locked, "")) {
      try await diary.stage(name: "film", type: "video/mp4") {
        [UInt8](repeating: 7, count: 40 << 20)
      }
    }
  }

  @Test func `another vault in the place of the open one proves no owner`() async throws {
    let (diary, model, _) = try await make()
    guard case .accepted = try await model.authenticate(try Probe([try shot(1, 3)])) else {
      Issue.record("refused")
      return
    }
    let other = DiaryLocation(
      vault: home + "/other/diary", devices: home + "/other-state", runtime: home + "/run")
    _ = try await Diary(
      at: other, settings: VaultSettings(leastMemory: 8192, busyTimeout: 500)
    ).create(
      passphrase: try secret("mine"), limits: Argon2Cost(operations: 1, memory: 8192),
      faces: nil)
    let files = FileManager.default
    let aside = location.vault + "-aside"
    try files.moveItem(atPath: location.vault, toPath: aside)
    try files.copyItem(atPath: other.vault, toPath: location.vault)
    await #expect(throws: VaultError.self) {
      _ = try await diary.owner(.passphrase, try secret("mine"))
    }
    try files.removeItem(atPath: location.vault)
    try files.moveItem(atPath: aside, toPath: location.vault)
    _ = try await diary.owner(.passphrase, try secret())
  }

  @Test func `five strangers lock the face, the passphrase unlocks it`() async throws {
    let (diary, model, _) = try await make()
    for left in [4, 3, 2, 1, 0] {
      #expect(
        try await model.authenticate(try Probe([try shot(2, 1)])) == .refused(attemptsLeft: left))
    }
    #expect(model.face == .lockedOut)
    await #expect(throws: AuthenticationError(.lockedOut, "")) {
      try await diary.verifyFace(try Probe([try shot(1, 3)]), passphrase: nil)
    }
    let later = AuthenticationModel(service: self.diary())
    await later.checkInitialState()
    #expect(later.face == .lockedOut)
    try await model.authenticate(.passphrase, try secret())
    await model.logout()
    try await model.authenticate(try Probe([try shot(1, 3)]))
    #expect(model.state == .authenticated)
  }

  @Test func `a device store that is gone asks for a secret, never for a new face`() async throws {
    _ = try await make()
    try FileManager.default.removeItem(atPath: home + "/state")
    let diary = diary()
    let model = AuthenticationModel(service: diary)
    await model.checkInitialState()
    #expect(model.state == .authentication)
    #expect(model.face == .unreadable)
    try await model.authenticate(.passphrase, try secret())
    #expect(try await diary.takeNotices() == [.deviceStoreGone])
    #expect(model.state == .authenticated)
  }

  @Test func `a diary opened on another device asks for a secret, not a rollback error`()
    async throws
  {
    _ = try await make()
    let elsewhere = Diary(
      at: DiaryLocation(vault: location.vault, devices: home + "/other", runtime: home + "/run"),
      settings: VaultSettings(leastMemory: 8192))
    let model = AuthenticationModel(service: elsewhere)
    await model.checkInitialState()
    #expect(model.state == .onboarding)
  }

  @Test(arguments: ["templates", "device.key"])
  func `a store file that is damaged or gone is never onboarding`(name: String) async throws {
    _ = try await make()
    let path = home + "/state/" + store + "/" + name
    let good = try Data(contentsOf: URL(fileURLWithPath: path))
    for remove in [false, true] {
      if remove {
        try FileManager.default.removeItem(atPath: path)
      } else {
        try DeviceDirectory(home + "/state/" + store).write(
          name, [UInt8](repeating: 1, count: good.count))
      }
      let diary = diary()
      let model = AuthenticationModel(service: diary)
      await model.checkInitialState()
      #expect(model.state == .authentication, "\(name) \(remove)")
      try await model.authenticate(.passphrase, try secret())
      #expect(model.state == .authenticated)
      try await diary.owner(.passphrase, try secret()).enroll(
        FaceRegistration(embeddings: [try shot(1, 1)], model: "sface"))
      await model.onFaceChanged()
      await model.logout()
      try await model.authenticate(try Probe([try shot(1, 3)]))
      #expect(model.state == .authenticated)
      await model.logout()
    }
  }

  @Test func `removed face templates that are put back do not open`() async throws {
    let (diary, model, _) = try await make()
    let directory = DeviceDirectory(home + "/state/" + store)
    let old = try directory.read("templates")!
    try await model.authenticate(.passphrase, try secret())
    let owner = try await diary.owner(.passphrase, try secret())
    try await owner.removeFace(try await owner.faces()!.faces[0].id)
    await model.logout()
    try directory.write("templates", old)
    await #expect(throws: VaultError(.tampered, "")) {
      try await diary.verifyFace(try Probe([try shot(1, 3)]), passphrase: nil)
    }
    #expect(await !diary.isOpen)
  }

  @Test func `whoever proves a passphrase changes that one and no other`() async throws {
    let (diary, model, _) = try await make()
    let limits = Argon2Cost(operations: 1, memory: 8192)
    try await model.authenticate(.passphrase, try secret())
    try await diary.owner(.passphrase, try secret()).addPassphrase(
      try secret("another person's"), limits: limits)
    await model.logout()
    // A face opened it.
    _ = try await model.authenticate(try Probe([try shot(1, 3)]))
    try await diary.owner(.passphrase, try secret()).changePassphrase(
      to: try secret("new"), limits: limits)
    await model.logout()
    try await model.authenticate(.passphrase, try secret("another person's"))
    #expect(model.state == .authenticated)
    await model.logout()
    await #expect(throws: VaultError(.wrongSecret, "")) {
      try await model.authenticate(.passphrase, try secret())
    }
    try await model.authenticate(.passphrase, try secret("new"))
    #expect(model.state == .authenticated)
  }

  @Test func `removing the last face leaves none that opens`() async throws {
    let (diary, model, _) = try await make()
    try await model.authenticate(.passphrase, try secret())
    let owner = try await diary.owner(.passphrase, try secret())
    for face in try await owner.faces()!.faces { try await owner.removeFace(face.id) }
    await model.onFaceChanged()
    await model.logout()
    #expect(model.state == .onboarding)
    await #expect(throws: AuthenticationError(.noFace, "")) {
      try await diary.verifyFace(try Probe([try shot(1, 3)]), passphrase: nil)
    }
  }

  @Test func `enrolment refuses what it should`() async throws {
    let (diary, model, _) = try await make(faces: false)
    #expect(model.state == .onboarding)
    await #expect(throws: AuthenticationError(.locked, "")) {
      _ = try await diary.owner(.passphrase, try secret())
    }
    try await model.authenticate(.passphrase, try secret())
    let owner = try await diary.owner(.passphrase, try secret())
    let a = try shot(7, 1)
    await #expect(throws: EnrollmentError.modelNeeded) {
      try await owner.enroll(FaceRegistration(embeddings: [a]))
    }
    await #expect(throws: EnrollmentError.thresholdNeeded(model: "mine")) {
      try await owner.enroll(FaceRegistration(embeddings: [a], model: "Mine"))
    }
    await #expect(throws: EnrollmentError.thresholdInvalid(given: 1.5, enrolled: nil)) {
      try await owner.enroll(FaceRegistration(embeddings: [a], model: "mine", threshold: 1.5))
    }
    #expect(try await owner.faces() == nil)
    let report = try await owner.enroll(
      FaceRegistration(embeddings: [a, a, try shot(8, 1)], model: "mine", threshold: 0.6))
    #expect(report.enrolled.count == 2)
    #expect(report.warnings.count == 2)
    await #expect(throws: EnrollmentError.nothingNew) {
      try await owner.enroll(FaceRegistration(embeddings: [a]))
    }
    await #expect(throws: VectorError.self) {
      try await owner.enroll(FaceRegistration(embeddings: [try shot(7, 2)], model: "sface"))
    }
    let error = await #expect(throws: EnrollmentError.self) {
      try await owner.enroll(FaceRegistration(embeddings: [try shot(5, 1)]))
    }
    guard case .unlike = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      try await owner.enroll(FaceRegistration(embeddings: [try shot(5, 1)], force: true)).enrolled
        .count
        == 1)
  }

  @Test func `init changes no existing file and leaves nothing when it fails`() async throws {
    let (diary, _, _) = try await make()
    let file = URL(fileURLWithPath: location.vault + "/vault")
    let before = try Data(contentsOf: file)
    await #expect(throws: VaultError(.vaultExists, "")) {
      try await diary.create(passphrase: try secret())
    }
    #expect(try Data(contentsOf: file) == before)
    let other = DiaryLocation(
      vault: home + "/x/diary", devices: home + "/xs", runtime: home + "/run")
    await #expect(throws: EnrollmentError.modelNeeded) {
      try await Diary(at: other, settings: VaultSettings(leastMemory: 8192)).create(
        passphrase: nil, faces: FaceRegistration(embeddings: [try shot(1, 1)]))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/x").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/xs").isEmpty)
  }

  @Test func `a custom verifier decides and receives the templates`() async throws {
    struct Always: BiometricVerifier {
      func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
        Verdict(isAccepted: templates.templates.count == 2, similarity: 1)
      }
    }
    _ = try await make()
    let model = AuthenticationModel(service: diary(Always()))
    await model.checkInitialState()
    try await model.authenticate(try Probe([try shot(9, 9)]))
    #expect(model.state == .authenticated)
  }

  @Test func `messages of the session come back as they went`() throws {
    let entry = Entry(
      id: .random(), revision: 3,
      content: EntryContent(
        date: try ZonedTime(seconds: 5, offset: -3600),
        until: try ZonedTime(seconds: 9, offset: 0), zone: "Asia/Tokyo", kind: "meal", title: "t",
        body: "本文", tags: ["a", "b"], starred: true),
      hasBody: true, preview: nil,
      attachments: [Attachment(name: "p.jpg", type: "image/jpeg", size: 70_000)],
      created: 1, modified: 2, trashed: 7, bodySize: 6, others: [2, 5], excerpt: "x")
    var buffer = FrameBuffer()
    for byte in Frame([entry]).encoded + Frame(.endOfItems).encoded {
      #expect(!buffer.hasFrame || buffer.isEmpty == false)
      buffer.append([byte])
    }
    let frame = try #require(try buffer.next())
    #expect(try frame.entries() == [entry])
    #expect(try buffer.next()?.kind == .endOfItems)
    #expect(buffer.isEmpty)
    for bytes in [[0, 0, 0, 0, 1], [255, 255, 255, 255, 1], [1, 0, 0, 0, 99]] as [[UInt8]] {
      var bad = FrameBuffer()
      bad.append(bytes[...])
      #expect(throws: SealingError.malformed) { try bad.next() }
      #expect(!bad.hasFrame)
    }
    for index in frame.payload.indices {
      _ = try? Frame(.entries, Array(frame.payload[..<index])).entries()
      var flipped = frame.payload
      flipped[index] ^= 0xff
      _ = try? Frame(.entries, flipped).entries()
    }
  }

  @Test func `kept text that is put back again becomes no second entry`() async throws {
    let (diary, model, _) = try await make(faces: false)
    try await model.authenticate(.passphrase, try secret())
    let key = try await diary.run(DraftKey())
    let added = try UnsavedText(
      adding: EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "typed")
    ).sealed(to: key)
    func recovered(_ sealed: [UInt8]) async throws -> EntryID {
      guard case .entry(let written, _, _) = try await diary.run(RecoverDraft(sealed)) else {
        throw VaultError(.notFound, .entry, "")
      }
      return written.id
    }
    let first = try await recovered(added)
    #expect(try await recovered(added) == first)
    let entry = try await diary.entry(.id(first))
    var change = EntryChange()
    change.body = "typed, and changed"
    let edited = try UnsavedText(change, of: entry, expected: 1).sealed(to: key)
    for _ in 0..<3 { #expect(try await recovered(edited) == first) }
    #expect(try await diary.entries().count == 1)
  }

  @Test func `emptying the trash leaves the files of kept texts`() async throws {
    let (diary, model, _) = try await make(faces: false)
    try await model.authenticate(.passphrase, try secret())
    func stage(_ name: String) async throws -> SealedAttachment {
      let pieces = Pieces(name)
      return try await diary.stage(name: name, type: "text/plain") { pieces.next() }
    }
    func report() async throws -> [Int] {
      let report = try await diary.run(VerifyVault())
      return [report.kept, report.unfinished]
    }
    let (photo, _) = (try await stage("photo"), try await stage("never finished"))
    let key = try await diary.run(DraftKey())
    let text = try UnsavedText(
      adding: EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "typed"), files: [photo]
    ).sealed(to: key)
    let kept = DiaryLocation.keptTexts(beside: home + "/state/" + store)
    try kept.make()
    try kept.write("a.sealed", text)
    // One that no key of the diary opens says nothing; one that some other form of the program wrote may name any of them.
    try kept.write("b.sealed", Array("none of ours".utf8))
    try kept.write("c.sealed", try SealedBox.seal([1], to: key))
    #expect(try await report() == [1, 0])
    try await diary.purge(nil)
    try kept.remove("c.sealed")
    #expect(try await report() == [1, 1])
    // An entry had the same photo.
    var draft = try EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "")
    draft.attachments = [try await stage("photo")]
    let other = try await diary.write(draft)
    try await diary.delete([other])
    try await diary.purge([other])
    #expect(try await report() == [1, 1])
    try await diary.purge(nil)
    #expect(try await report() == [1, 0])
    guard case .entry(let written, missing: [], _) = try await diary.run(RecoverDraft(text)) else {
      Issue.record("a file is missing")
      return
    }
    #expect(try await diary.attachment("photo", of: .id(written.id)) == Array("photo".utf8))
    #expect(try await report() == [0, 0])
  }

  @Test func `kept text whose file is gone is saved without it, and says so`() async throws {
    let (diary, model, _) = try await make(faces: false)
    try await model.authenticate(.passphrase, try secret())
    let key = try await diary.run(DraftKey())
    let gone = SealedAttachment(
      Attachment(name: "gone.jpg", type: "image/jpeg", size: 3),
      object: try #require(ObjectName(bytes: Array(repeating: 1, count: 32))),
      key: Array(repeating: 2, count: SealedAttachment.keyBytes))
    func recovered(_ text: UnsavedText) async throws -> (EntryID, missing: [String]) {
      let saved = try await diary.run(RecoverDraft(try text.sealed(to: key)))
      guard case .entry(let written, let missing, _) = saved else {
        throw VaultError(.notFound, .entry, "")
      }
      return (written.id, missing)
    }
    let draft = try EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "typed")
    let (id, missing) = try await recovered(UnsavedText(adding: draft, files: [gone]))
    #expect(missing == ["gone.jpg"])
    var change = EntryChange()
    (change.body, change.attach) = ("typed more", [gone])
    for expected in [UInt64(1), 7] {
      // Of a revision that is there, and of one that is not: then it becomes an entry of its own.
      let text = UnsavedText(
        change, of: try await diary.entry(.id(id)), expected: expected)
      let (saved, missing) = try await recovered(text)
      #expect(missing == ["gone.jpg"] && (saved == id) == (expected == 1))
      #expect(try await diary.entry(.id(saved)).body == "typed more")
    }
  }
}

/// A file of one piece.
private final class Pieces: @unchecked Sendable {
  private var left: [[UInt8]]
  init(_ text: String) { left = [Array(text.utf8)] }
  func next() -> [UInt8]? { left.popLast() }
}
