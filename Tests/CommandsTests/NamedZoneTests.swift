import Dates
import Foundation
import Testing

/// Zones by name against another reader of the same files: `date`.
@Suite(.threads) struct NamedZoneTests {
  /// Instants from 1800 to 2200, also around changes of the clock.
  private static let instants: [Int64] =
    stride(from: -5_364_662_400, through: 7_258_118_400, by: 31_556_952 / 2 + 86_413).map { $0 }
    + [1_743_296_399, 1_743_296_400, 1_761_440_399, 1_761_440_400, 4_078_598_400]

  private func offsets(_ name: String) throws -> [Int32] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["TZ=\(name)", "date", "-f", "-", "+%z %::z"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let lines = Self.instants.map { "@\($0)" }.joined(separator: "\n")
    Thread {
      input.fileHandleForWriting.write(Data(lines.utf8))
      try? input.fileHandleForWriting.close()
    }
    .start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map { line in
      // `+0900 +09:00:00`
      let parts = line.split(separator: " ")[1].dropFirst().split(separator: ":").map { Int32($0)! }
      let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
      return line.hasPrefix("-") ? -seconds : seconds
    }
  }

  @Test(arguments: [
    "Asia/Tokyo", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo",
    "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Casablanca", "Asia/Tehran",
    "America/Nuuk", "Asia/Gaza", "Pacific/Auckland", "Antarctica/Troll", "UTC", "GMT",
  ])
  func `a zone's offsets are those of the system`(name: String) throws {
    let zone = try #require(NamedZone(name))
    let expected = try offsets(name)
    #expect(expected.count == Self.instants.count)
    for (instant, offset) in zip(Self.instants, expected) {
      #expect(zone.offset(at: instant) == offset, "\(name) at \(instant)")
    }
  }

  @Test func `offsets as other programs write them`() {
    for (name, offset) in [
      ("GMT+0900", 32_400), ("GMT-3", -10_800), ("UTC+05:30", 19_800), ("GMT+0000", 0),
    ] {
      #expect(NamedZone(name)?.offset(at: 0) == Int32(offset))
    }
  }

  @Test(arguments: [
    "", "Nowhere/City", "../etc/passwd", "/etc/localtime", "Europe/", "Europe", "GMT+99", "GMT+9x",
    "tzdata.zi", "Europe/Ber\u{0}lin", String(repeating: "A", count: 65),
  ])
  func `what is no zone is none`(name: String) { #expect(NamedZone(name) == nil) }
}
