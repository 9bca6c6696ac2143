import Foundation
import HTTP
import Markdown
import Platform
import Scratch
import Sealing

@testable import Access
@testable import Authentication
@testable import Bytes
@testable import Client
@testable import CommandLine
@testable import Commands
@testable import Dates
@testable import DiaryVault
@testable import Entries
@testable import FaceDiary
@testable import Formats
@testable import Keeper
@testable import KeeperProcess
@testable import Replication
@testable import Requests
@testable import SealedFiles
@testable import Text
@testable import Words

/// Everything that reads bytes from outside, by the name of its folder in `corpus`. What one reads wrongly traps.
/// libFuzzer runs them (`Tests/Fuzz/run`), and the tests on the corpus and on what is like it.
let fuzzTargets: [(name: String, read: @Sendable ([UInt8]) -> Void)] = [
  ("vectors", vectors), ("records", records), ("slots", slots), ("messages", messages),
  ("imports", imports), ("attachments", attachments), ("words", words), ("texts", texts),
  ("segments", segments), ("spaces", spaces), ("http", http),
]

private let device = DeviceID(Digest.blake2b([], domain: "FDv2 device"))
/// Where the imports find their files; whoever runs them removes it.
let fuzzFolder = Scratch.root + "facediary-fuzz-\(getpid())"

/// Requests of a browser in pieces of the size that the first byte says: in whatever pieces they come, they are the same.
private func http(_ bytes: [UInt8]) {
  func read(_ size: Int) -> [HTTPRequest?] {
    var reader = HTTPReader { _ in 1 << 16 }
    var found: [HTTPRequest?] = []
    for start in stride(from: 1, to: bytes.count, by: size) {
      do {
        guard let request = try reader.take(bytes[start..<min(bytes.count, start + size)]) else {
          continue
        }
        precondition(request.path.hasPrefix("/") && request.body.count == request.contentLength)
        found.append(request)
      } catch {
        // Where it is refused depends on the pieces, but what was read before does not.
        return found + [nil]
      }
    }
    return found
  }
  let one = read(1)
  let other = read(1 + Int(bytes.first ?? 0))
  for (first, second) in zip(one, other) where first != nil && second != nil {
    precondition(first == second)
  }
}

/// The first byte chooses a form, the rest is read as one. What is read must be written the same, or read again.
private func records(_ bytes: [UInt8]) {
  guard let form = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  switch form % 12 {
  case 0:
    if let header = try? Header(rest, in: 0..<rest.count) {
      let again = header.encoded()
      precondition((try? Header(again, in: 0..<again.count)) == header)
    }
  case 1:
    guard let page = try? HeaderPage(plain: rest) else { return }
    for index in 0..<page.count { _ = (page.key(index), page.id(index), try? page.header(index)) }
    var other = page
    if page.count > 1 { _ = other.split(at: page.middle) }
    precondition((try? HeaderPage(plain: other.plain()))?.count == other.count)
  case 2:
    guard let section = try? Section(plain: Padding.pad(rest)) else { return }
    precondition((try? Section(plain: section.plain())) == section)
  case 3:
    guard let state = try? StateRecord(plain: Padding.pad(rest)) else { return }
    precondition((try? StateRecord(plain: state.plain()))?.sections == state.sections)
    _ = (state.count, state.trashed)
  case 4: _ = try? NameRegister(plain: Padding.pad(rest))
  case 5: _ = try? TemplateList(plain: rest)
  case 6:
    if let anchor = try? Anchor(rest) { precondition((try? Anchor(anchor.encoded())) == anchor) }
  case 7: _ = try? TemplateSet(plain: rest)
  case 8:
    guard let policy = try? AccessPolicy(rest) else { return }
    precondition(policy.isValid)
  case 9: _ = try? Padding.unpad(rest)
  case 10: _ = try? UnsavedText(opened: rest)
  default: _ = SearchText.fold(String(decoding: rest, as: UTF8.self))
  }
}

/// What devices say of themselves, as it comes from a store, and what is kept of it.
private func spaces(_ bytes: [UInt8]) {
  guard let form = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  switch form % 9 {
  case 0:
    if let record = try? RosterRecord(rest) { precondition(record.encoded() == rest) }
  case 1: _ = try? Roster(space: Identity(high: 1, low: 2), rest)
  case 2:
    var keys: [[UInt8]: EpochKey] = [:]
    var roster = Roster(space: Identity(high: 1, low: 2))
    guard let seed = try? SecretBytes.random(), let identity = try? SpaceIdentity(seed: seed) else {
      return
    }
    _ = try? roster.take(rest, keys: &keys, box: identity.box)
    _ = try? SignedSegment.epoch(of: rest)
  case 3:
    let text = String(decoding: rest, as: UTF8.self)
    if let path = ObjectPath(text) { precondition(path.text == text) }
  case 4: _ = try? SpaceRecord(plain: Padding.pad(rest))
  case 5:
    if let name = try? SharedName(rest) { precondition((try? SharedName(name.encoded)) == name) }
  case 6:
    let half = rest.count / 2
    var replica = try? Replica(
      device, rules: ReplicatedEntry.rules, segments: [Array(rest[..<half])],
      void: [], last: nil, registers: Array(rest[half...]))
    try? replica?.load(Identity(high: 3, low: 3), rest)
    _ = replica?.shown(Identity(high: 3, low: 3))
  case 8:
    let space = Identity(high: 1, low: 2)
    guard let pack = try? Pack(rest, in: space) else { return }
    precondition(pack.encoded() == rest)
    var replica = Replica(device, rules: ReplicatedEntry.rules)
    for item in pack.items {
      guard case .merged? = try? replica.merge(item.copy.segment(), hash: item.hash) else {
        continue
      }
      let stripped = replica.stripped(item)
      precondition(replica.isAnswered(by: stripped) || !replica.isAnswered(by: item))
    }
  default:
    var typed = rest
    guard let secret = try? SecretBytes(wiping: &typed) else { return }
    _ = try? Pairing.parse(secret)
  }
}

/// What another device wrote, as it comes from a store.
private func segments(_ bytes: [UInt8]) {
  if let copy = try? SignedSegment(bytes) { precondition(copy.encoded() == bytes) }
  // Most inputs die at the digest; with a right one the operations themselves are read.
  var reader = ByteReader(bytes)
  guard let header = try? SegmentHeader(&reader), let copies = try? operations(&reader, header)
  else { return }
  let operations = copies.map { $0.operation { _ in true } }
  let segment = Segment(
    device: header.device, sequence: header.sequence, previous: header.previous,
    ends: header.ends, operations: operations)
  var replica = Replica(device, rules: [1: .all, 2: .newest, 3: .elements, 4: .carried])
  let hash = header.hash(in: Identity(high: 1, low: 2))
  guard case .merged(let changes)? = try? replica.merge(segment, hash: hash) else { return }
  for entry in changes.entries { _ = replica.shown(entry) }
  for case .revision(_, let fields, _) in segment.operations {
    try? ReplicatedEntry.check(fields)
  }
  _ = replica.digest()
}

private func operations(
  _ reader: inout ByteReader, _ header: SegmentHeader
) throws -> [OperationCopy] {
  var operations: [OperationCopy] = []
  for _ in 0..<min(header.count, reader.remaining) { operations.append(try OperationCopy(&reader)) }
  return operations
}

/// What an entry holds on its way to a screen, a page or another entry: any bytes.
private func texts(_ bytes: [UInt8]) {
  for type in ["image/jpeg", "image/png", "image/webp"] {
    guard let bare = PhotoMetadata.without(bytes, type: type) else { continue }
    precondition(PhotoMetadata.without(bare, type: type) == bare)
  }
  _ = PhotoMetadata(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  let document = MarkdownDocument(text)
  var html: [UInt8] = []
  var page = MarkdownHTML { html += $0 }
  try? page.add(document)
  try? page.end()
  precondition(!html.contains { $0 < 0x09 || $0 == 0x1b })
  for columns in [2, 40] {
    for line in MarkdownLines(document, columns: columns).lines {
      precondition(!line.drawn(Style(false)).unicodeScalars.contains { $0.value < 0x20 })
    }
  }
  _ = MarkdownFromHTML.text(text)
  _ = MarkdownFromLexical(text)
  let half = text.index(text.startIndex, offsetBy: text.count / 2)
  _ = TextDifference(from: String(text[..<half]), to: String(text[half...]))
  if let (matter, _) = try? FrontMatter.split(text, "entry.md") { _ = matter.allKeys }
  _ = try? DateParser().span(text)
}

private func slots(_ bytes: [UInt8]) {
  if let slot = try? KeySlot(bytes) { try? open(slot) }
  // Most inputs die at the checksum; with a right one the fields themselves are read.
  let content = Array(bytes.prefix(KeySlot.byteCount - 16))
  let sealed =
    content + Digest.blake2b(content, count: 16, domain: "FDv1 slot checksum")
  if let slot = try? KeySlot(sealed) {
    precondition(slot.encoded() == sealed)
    try? open(slot)
  }
  guard let keyring = try? Keyring(bytes) else { return }
  precondition(keyring.slots.count <= Keyring.slotLimit)
  for slot in keyring.slots { try? open(slot) }
}

private func open(_ slot: KeySlot) throws {
  // Argon2id's limits come from the file: outside the bounds nothing may be begun.
  guard slot.limits.memory <= 16 << 10 || !slot.kind.isHashed else {
    _ = slot.limits.isAcceptable()
    return
  }
  var raw = [UInt8](repeating: 1, count: slot.kind == .recovery ? 16 : slot.kind == .face ? 32 : 40)
  let opened = try slot.open(
    with: try SecretBytes(wiping: &raw), vaultID: [UInt8](repeating: 2, count: 16),
    keyID: [UInt8](repeating: 3, count: 16), leastMemory: 8192)
  switch opened {
  case .some: fatalError("a slot of nobody opened")
  case .none: break
  }
}

private func messages(_ bytes: [UInt8]) {
  var buffer = FrameBuffer()
  // In two pieces, as a socket gives them.
  buffer.append(bytes[..<(bytes.count / 2)])
  while let frame = try? buffer.next() { read(frame) }
  buffer.append(bytes[(bytes.count / 2)...])
  while let frame = try? buffer.next() { read(frame) }
  guard let kind = bytes.first.flatMap(Frame.Kind.init) else { return }
  read(Frame(kind, Array(bytes.dropFirst())))
}

private func read(_ frame: Frame) {
  switch frame.kind {
  case .request:
    guard let kind = frame.payload.first.flatMap(RequestKind.init(rawValue:)) else { return }
    decode(kind.service.request, Array(frame.payload.dropFirst()))
  case .showFace: _ = try? (try? frame.decoded(ShownFace.self))?.probe()
  case .items: _ = try? frame.items()
  case .entries: _ = try? frame.entries()
  case .failure: _ = try? frame.decoded(KeeperError.self)
  case .opened: _ = try? frame.decoded(Opened.self)
  case .question: _ = try? frame.decoded(OwnerQuestion.self)
  case .reply: _ = try? frame.decoded(OwnerReply.self)
  default: break
  }
}

private func decode<R: Request>(_: R.Type, _ bytes: [UInt8]) {
  switch try? Wire.decode(R.self, from: bytes, limit: Wire.requestLimit) {
  case let add as AddEntry: try? add.draft.validate()
  case let enroll as EnrollFaces: _ = try? enroll.faces.registration()
  default: break
  }
}

private func imports(_ bytes: [UInt8]) {
  guard let form = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  // In small pieces: a token may be cut anywhere.
  var position = 0
  func source() -> [UInt8] {
    defer { position += 37 }
    return position < rest.count ? Array(rest[position..<min(rest.count, position + 37)]) : []
  }
  let zone = LocalZone()
  let foreign = [
    ImportFormat.daylio, .diaro, .journey, .keep, .miniDiary, .miniDiarium, .standardNotes,
    .appleJournal, .vjournal,
  ]
  switch Int(form) % (4 + foreign.count) {
  case 0: drain(try? JSONEntries(name: "f", zone: zone) { source() })
  case 1: drain(try? JrnlEntries(name: "f", zone: zone) { source() })
  case 2:
    drain(try? DayOneEntries(name: "f", journal: nil, folder: InputFolder(fuzzFolder)) { source() })
  case 3:
    let folder = fuzzFolder + "/pages"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try? Data(rest).write(to: URL(fileURLWithPath: folder + "/2026-03-01.md"))
    MainActor.assumeIsolated {
      let input = try? ImportInput(folder, file: nil, zone: zone, attachments: nil)
      guard let input else { return }
      drain(try? ImportFormat.markdown.open(input))
    }
  case let index:
    let format = foreign[index - 4]
    let isPage = format.name == ImportFormat.appleJournal.name
    let place = fuzzFolder + (isPage ? "/apple/Entries" : "/foreign")
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let file = place + (isPage ? "/2026-03-01_x.html" : "/export")
    try? Data(rest).write(to: URL(fileURLWithPath: file))
    MainActor.assumeIsolated {
      let input = try? ImportInput(
        isPage ? FileSystem.parent(of: place) : file, file: isPage ? nil : InputFile(file),
        zone: zone, attachments: nil)
      guard let input else { return }
      _ = try? input.recognised()
      drain(try? format.open(input))
    }
  }
}

private func drain(_ source: (any EntrySource)?) {
  guard var source else { return }
  while true {
    let item: ImportItem?
    do { item = try source.next() } catch is BadEntry { continue } catch { return }
    guard let item else { return }
    if case .entry(let entry) = item {
      // What an import passes on is what the vault takes.
      precondition((try? entry.draft.validate(hasAttachments: true)) != nil)
    }
  }
}

private func attachments(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  if let stored = try? SealedAttachment(&reader) {
    precondition(stored.attachment.size >= 0 && stored.sealedSize >= stored.attachment.size)
    _ = try? stored.attachment.check()
  }
  let name = String(decoding: bytes, as: UTF8.self)
  let safe = AttachmentName.inFolder(name)
  precondition(
    !safe.isEmpty && !safe.contains("/") && safe != "." && safe != ".." && safe.utf8.count <= 255)
  let type = MediaType.of(bytes, name: name)
  precondition(
    (try? Attachment(name: safe, type: type, size: 0).check()) != nil)
  _ = CatalogueEdit.freeName(safe, among: [safe, safe + "-2"])
}

/// Everything a person or a script may type.
private func words(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let list = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
  _ = try? Arguments.parse(list, options: Options.global + Options.filters)
  let dates = DateParser(
    zone: LocalZone(), now: try? ZonedTime(seconds: 1_772_000_000, offset: 32_400))
  _ = try? dates.instant(text)
  _ = DateParser.duration(text)
  _ = try? ShellWords.split(text)
  _ = EntryReference(text)
  _ = EntryID(text)
  _ = SearchQuery(typed: text)
  _ = visible(text)
  SearchTerms.each(of: SearchText.fold(text)) { _ in }
  var typed = bytes
  if let secret = try? SecretBytes(wiping: &typed) { _ = try? RecoveryCode.parse(secret) }
}
