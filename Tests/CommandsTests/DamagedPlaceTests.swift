import Foundation
import Testing

/// Pieces of the place are damaged, and the devices do what they are told.
@Suite(.threads) struct DamagedPlaceTests {
  private func objects(_ diary: SharedDiary, _ kind: String) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: diary.folder).filter {
        $0.contains("/\(kind)/") && !$0.contains("/join/")
          && (try? Data(contentsOf: URL(fileURLWithPath: diary.folder + "/" + $0))) != nil
      })
  }

  private func sync(_ home: Home, _ more: String...) throws -> Run {
    try home.run(["sync", "--passphrase-file", home.passphrase] + more)
  }

  private func unusable(_ run: Run) -> [String] {
    run.object["unusable"] as? [String] ?? []
  }

  @Test(arguments: 0..<2)
  func `what waits for a damaged record is not called useless`(number: Int) throws {
    let diary = try SharedDiary()
    let (one, phone) = (diary.one, try diary.join())
    try diary.sync(one, phone)
    let records = try objects(diary, "roster")
    let tablet = try diary.join("tablet")
    _ = try tablet.write("from the tablet")
    try diary.sync(tablet)
    let logs = try objects(diary, "log")
    // The record that lets the tablet in, or the epoch for it, is cut short before the phone has seen it. The third confirms it.
    let new = try objects(diary, "roster").subtracting(records)
    #expect(new.count == 3)
    let record = new.sorted()[number]
    let path = diary.folder + "/" + record
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.dropLast(10).write(to: URL(fileURLWithPath: path))
    for _ in 0..<2 {
      let report = try sync(phone, "--json")
      #expect(report.status == 5)
      // The damaged record alone: what the tablet wrote is no rubbish.
      #expect(unusable(report) == [record])
      let words = try sync(phone).err
      #expect(words.contains("facediary sync repair"))
      #expect(!logs.contains { words.contains($0) }, "\(words)")
    }
    // What the words say, on a device that has it.
    try one.ok(["sync", "repair"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
    #expect(try sync(phone).status == 0)
    #expect(try phone.bodies == ["from the tablet"])
  }

  /// What is lost on this device alone comes back from the place, and never goes there.
  @Test(arguments: [true, false])
  func `a photo that is damaged or lost here is fetched again`(isDamaged: Bool) throws {
    let diary = try SharedDiary()
    let home = diary.one
    let photo = try home.put("photo.bin", String(repeating: "photo ", count: 5000))
    try home.ok(["write", "with a photo", "--attach", photo])
    try diary.sync(home)
    let there = diary.folder + "/" + (try #require(objects(diary, "object").first))
    let whole = try Data(contentsOf: URL(fileURLWithPath: there))
    let here = home.folder + "/objects/" + (there as NSString).lastPathComponent
    if isDamaged {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: here))
      bytes[5000] ^= 1
      try bytes.write(to: URL(fileURLWithPath: here))
    } else {
      try FileManager.default.removeItem(atPath: here)
    }
    let run = try home.run(["verify", "--passphrase-file", home.passphrase])
    #expect(run.status == 5 && run.out.contains("facediary sync repair"), "\(run)")
    try home.ok(["sync", "repair"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: here)) == whole)
    #expect(try Data(contentsOf: URL(fileURLWithPath: there)) == whole)
    try home.ok(["verify"])
    try home.ok(["extract", "@1", "photo.bin", "-o", home.path + "/out.bin"])
    #expect(FileManager.default.contentsEqual(atPath: photo, andPath: home.path + "/out.bin"))
  }

  @Test func `no code is shown for a place that cannot be reached, or a second diary begun`() throws
  {
    let diary = try SharedDiary()
    let again = try diary.one.run([
      "sync", "setup", diary.place, "--passphrase-file", diary.one.passphrase,
    ])
    #expect(again.status == 7 && again.err.contains("already set up"), "\(again)")
    try FileManager.default.moveItem(atPath: diary.folder, toPath: diary.folder + "-away")
    // Without a passphrase: it is not even asked for.
    let invited = try diary.one.run(["sync", "invite"])
    #expect(invited.status == 1 && invited.out.isEmpty, "\(invited)")
    #expect(invited.err.contains("does not exist"))
  }

  @Test func `a place that lost pieces is put right before another device is invited`() throws {
    let diary = try SharedDiary()
    _ = try diary.one.write("one")
    try diary.sync(diary.one)
    for record in try objects(diary, "roster") {
      try FileManager.default.removeItem(atPath: diary.folder + "/" + record)
    }
    let invited = try diary.one.run(["sync", "invite", "--passphrase-file", diary.one.passphrase])
    #expect(invited.status == 5 && invited.out.isEmpty, "\(invited)")
    #expect(invited.err.contains("facediary sync repair"))
    try diary.one.ok(["sync", "repair"])
    let phone = try diary.join()
    #expect(try phone.bodies == ["one"])
  }

  /// The place of the phone gives everything but the roster until there is a file beside it.
  @Test func `who is let in and lacks pieces is told, and comes in when they arrive`() throws {
    let diary = try SharedDiary()
    _ = try diary.one.write("one")
    try diary.sync(diary.one)
    let phone = try Home(made: false)
    let (script, arrived) = (phone.path + "/place.sh", phone.path + "/arrived")
    try Data(
      """
      #!/bin/sh
      folder='\(diary.folder)'
      case $1 in
      list) cd "$folder" && find "$2" -type f 2>/dev/null | { [ -e '\(arrived)' ] && cat || grep -v /roster/; } || : ;;
      get) while read -r name; do
        mkdir -p "$2/${name%/*}"; [ ! -e "$folder/$name" ] || cp "$folder/$name" "$2/$name"; done <"$3" ;;
      put) while read -r name; do
        mkdir -p "$folder/$3${name%/*}"; cp "$2/$name" "$folder/$3$name"; done <"$4" ;;
      remove) while read -r name; do rm -f "$folder/$name"; done <"$2" ;;
      esac

      """.utf8
    ).write(to: URL(fileURLWithPath: script))
    chmod(script, 0o755)
    let (invite, code) = try diary.invitation()
    let err = phone.path + "/join.err"
    let join = try phone.start(
      [
        "sync", "join", "cmd:" + script, code, "--name", "phone", "--passphrase-file",
        phone.passphrase, "--kdf", "interactive",
      ], saying: err)
    invite.waitUntilExit()
    #expect(invite.terminationStatus == 0)
    func said() -> String { (try? String(contentsOfFile: err, encoding: .utf8)) ?? "" }
    for _ in 0..<600 where !said().contains("facediary sync repair") && join.isRunning {
      usleep(50_000)
    }
    #expect(said().contains("facediary sync repair") && join.isRunning, "\(said())")
    _ = FileManager.default.createFile(atPath: arrived, contents: nil)
    join.waitUntilExit()
    #expect(join.terminationStatus == 0, "\(said())")
    #expect(try phone.bodies == ["one"])
  }

  @Test func `what no device of the diary wrote is named, and gone when it is deleted as advised`()
    throws
  {
    let diary = try SharedDiary()
    _ = try diary.one.write("one")
    let phone = try diary.join()
    try diary.sync(diary.one, phone)
    let log = try #require(try objects(diary, "log").sorted().first)
    let folder = (log as NSString).deletingLastPathComponent
    // Sealed under a key that nobody here has, under its right name.
    let other = try SharedDiary()
    _ = try other.one.write("other")
    try other.sync(other.one)
    let strange = try #require(try objects(other, "log").sorted().first)
    let name = folder + "/7-" + (strange as NSString).lastPathComponent.split(separator: "-")[1]
    let path = diary.folder + "/" + name
    try FileManager.default.copyItem(atPath: other.folder + "/" + strange, toPath: path)
    for _ in 0..<2 {
      let report = try sync(phone, "--json")
      #expect(report.status == 5)
      #expect(unusable(report) == [name])
    }
    #expect(try sync(phone).err.contains(name))
    try FileManager.default.removeItem(atPath: path)
    #expect(try sync(phone).status == 0)
    #expect(try phone.bodies == ["one"])
  }

  @Test func `who joins at another place than was meant is told so`() throws {
    let shared = try SharedDiary()
    let (invite, code) = try shared.invitation()
    defer { invite.terminate() }
    let home = try Home(made: false)
    let empty = home.path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let said = home.path + "/said"
    let join = try home.start(
      [
        "sync", "join", "folder:" + empty, code, "--kdf", "interactive", "--passphrase-file",
        home.passphrase,
      ], saying: said)
    defer { join.terminate() }
    var words = ""
    for _ in 0..<600 where !words.contains("holds no diary") {
      usleep(50_000)
      words = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
    }
    #expect(words.contains("\(empty) holds no diary yet"), "\(words)")
  }
}
