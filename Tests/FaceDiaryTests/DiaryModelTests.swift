import Bytes
import Foundation
import Observation
import Scratch
import Synchronization
import Testing

@testable import Access
@testable import Authentication
@testable import DiaryVault
@testable import Entries
@testable import FaceDiary
@testable import Sealing

@MainActor
@Suite struct DiaryModelTests {
  private let scratch = Scratch()
  private let diary: Diary

  init() async throws {
    let home = scratch.path
    diary = Diary(
      at: DiaryLocation(
        vault: home + "/data/diary", devices: home + "/state", runtime: home + "/run"),
      settings: VaultSettings(leastMemory: 8192, busyTimeout: 500))
    var bytes = Array("open".utf8)
    _ = try await diary.create(
      passphrase: try SecretBytes(wiping: &bytes),
      limits: Argon2Cost(operations: 1, memory: 8192), faces: nil)
  }

  private func open(_ model: AuthenticationModel) async throws {
    await model.checkInitialState()
    var bytes = Array("open".utf8)
    try await model.authenticate(.passphrase, try SecretBytes(wiping: &bytes))
  }

  private func draft(_ body: String, day: Int64, journal: String? = nil) throws -> EntryDraft {
    EntryDraft(
      date: try ZonedTime(seconds: day * 86_400 + 43_200, offset: 0), journal: journal, body: body)
  }

  @Test func `the shown list follows changes, filter and search`() async throws {
    let model = AuthenticationModel(service: diary)
    try await open(model)
    let store = DiaryModel(diary)
    await store.reload()
    #expect(store.isEmpty && store.count == 0)
    try await store.change(.addJournal(Journal(name: "Kyoto")))
    try await store.change(.addJournal(Journal(name: "Work")))
    #expect(store.journals.map(\.name) == ["Kyoto", "Work"])
    try await store.moveJournals(from: 1, to: 0)
    #expect(store.journals.map(\.name) == ["Work", "Kyoto"])
    let first = try await store.add(try draft("temple", day: 10, journal: "Kyoto"))
    let second = try await store.add(try draft("office", day: 10, journal: "Work"))
    _ = try await store.add(try draft("rain", day: 11))
    #expect(store.days.map(\.id) == [11, 10])
    #expect(store.days.map(\.entries.count) == [1, 2])
    store.filter.journal = "Kyoto"
    await store.settled()
    #expect(store.entries.map(\.id) == [first])
    // What no longer fits leaves by itself.
    store.selection = first
    #expect(store.selected?.id == first)
    var change = EntryChange()
    change.journal = .set("Work")
    try await store.edit(first, change)
    #expect(store.isEmpty && store.selected == nil)
    store.filter.journal = nil
    await store.settled()
    store.searchText = "off"
    await store.settled()
    #expect(store.entries.map(\.id) == [second])
    store.selection = second
    #expect(try await store.detail()?.body == "office")
    try await store.delete([second])
    #expect(store.isEmpty && store.selection == nil && store.count == 2)
    store.searchText = ""
    await store.settled()
    try await store.restore([second])
    #expect(store.count == 3)
    // A journal that goes takes the filter with it.
    store.filter.journal = "Work"
    await store.settled()
    try await store.change(.removeJournal("Work", entriesTo: "Kyoto"))
    #expect(store.filter.journal == nil && store.entries.count == 3)
  }

  @Test func `a long list is answered in pages`() async throws {
    let model = AuthenticationModel(service: diary)
    try await open(model)
    let drafts = try (0..<450).map { try draft("entry \($0)", day: Int64($0)) }
    let left = Mutex(drafts[...])
    _ = try await diary.importEntries {
      left.withLock { $0.popFirst() }.map { .entry(ImportedEntry(draft: $0)) }
    }
    let store = DiaryModel(diary)
    await store.reload()
    #expect(store.entries.count == 200 && store.hasMore && store.count == 450)
    await store.loadMore()
    await store.loadMore()
    #expect(store.entries.count == 450 && !store.hasMore)
  }

  @Test func `a follower sees new entries, and an empty list once the diary closes`() async throws {
    let model = AuthenticationModel(service: diary)
    let store = DiaryModel(diary)
    await store.reload()
    let following = Task { await store.follow(model) }
    defer { following.cancel() }
    // What a view would be told, without asking.
    let counts = Observations { store.entries.count }
    let seen = Task {
      var list: [Int] = []
      for await count in counts {
        if list.last != count { list.append(count) }
        if list.contains(2), count == 0 { break }
      }
      return list
    }
    await Task.yield()
    try await open(model)
    _ = try await store.add(try draft("one", day: 1))
    while store.entries.count != 1 { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    _ = try await store.add(try draft("two", day: 2))
    for _ in 0..<50 { await Task.yield() }
    await model.logout()
    let list = await seen.value
    #expect(list.last == 0 && list.contains(2))
    #expect(store.isEmpty && store.journals.isEmpty && store.selection == nil)
    await #expect(throws: AuthenticationError.self) {
      try await store.add(try draft("late", day: 3))
    }
  }

  private final class Clock: SessionClock {
    private let now = Mutex(Duration.seconds(1000))
    var sinceBoot: Duration { now.withLock { $0 } }
    var awake: Duration { sinceBoot }
    func pass(_ seconds: Int) { now.withLock { $0 += .seconds(seconds) } }
  }

  @Test func `a follower closes a diary that nobody used, and nothing of it stays`() async throws {
    let clock = Clock()
    let model = AuthenticationModel(
      service: diary, clock: clock,
      limits: SessionLimits(idle: .seconds(300), life: .seconds(3600)))
    let store = DiaryModel(diary)
    let following = Task { await store.follow(model) }
    try await open(model)
    _ = try await store.add(try draft("one", day: 1))
    while store.entries.count != 1 { await Task.yield() }
    // What is done here is use.
    for _ in 0..<3 {
      clock.pass(200)
      await store.reload()
    }
    #expect(model.state == .authenticated && store.entries.count == 1)
    store.searchText = "one"
    store.filter.starred = true
    await store.settled()
    clock.pass(301)
    await #expect(throws: AuthenticationError(.locked, "")) {
      try await store.add(try draft("late", day: 3))
    }
    while !store.searchText.isEmpty { await Task.yield() }
    #expect(model.state != .authenticated && store.filter == EntryFilter())
    #expect(await !diary.isOpen)
    // Nor does anything stay where it is no longer followed.
    try await open(model)
    while store.entries.count != 1 { await Task.yield() }
    following.cancel()
    await following.value
    #expect(store.isEmpty)
  }
}
