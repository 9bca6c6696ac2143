import Foundation
import TestServers
import Testing

/// What `status` says of a diary that is open elsewhere, of texts that wait, and of a device key that cannot be had.
@Suite(.threads) struct StandingTests {
  @Test func `a diary that another runtime directory has open is not called closed`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let other = ["FACEDIARY_RUNTIME": home.path + "/other"]
    let apart = try home.run(["status"], extra: other)
    #expect(apart.out.contains("another process") && !apart.out.contains("Closed"), "\(apart)")
    #expect(apart.out.contains("facediary lock"))
    #expect(
      try home.run(["status", "--json"], extra: other).object["openElsewhere"] as? Bool == true)
    // As it says.
    #expect(try home.run(["lock"], extra: other).status == 0)
    for extra in [other, [:]] {
      let closed = try home.run(["status"], extra: extra)
      #expect(closed.out.contains("Closed"), "\(closed)")
    }
    #expect(try home.ok(["status", "--json"]).object["openElsewhere"] as? Bool == false)
  }

  @Test func `a text that waits is named, and how to save it in the diary that was named`() throws {
    let home = try Home()
    let place = ["--vault", home.path + "/my diary", "--device", home.path + "/my device"]
    try home.ok(["init", "--kdf", "interactive"] + place)
    let program = try home.put(
      "hx", "#!/bin/sh\nprintf 'typed' > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase] + place, extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    let options = "(with --vault '\(home.path)/my diary' --device '\(home.path)/my device')"
    let screen = session.screen.replacing("\r\n", with: " ")
    #expect(screen.contains("write --recover \(options)"), "\(screen)")
    let status = try home.run(["status"] + place)
    #expect(status.out.contains("write --recover \(options)"), "\(status)")
    #expect(try home.run(["status", "--json"] + place).object["unsavedTexts"] as? Int == 1)
    #expect(try home.ok(["write", "--recover"] + place).out.count > 0)
    #expect(try home.run(["status", "--json"] + place).object["unsavedTexts"] as? Int == 0)
    #expect(try home.ok(["show", "@last"] + place).out.contains("typed"))
  }

  @Test func `with the chip gone, what opens nothing is not advised`() throws {
    guard let (home, chip) = try Chip.home() else { return }
    try home.ok(["device", "move", "--tpm"])
    chip.stop()
    let status = try home.run(["status"])
    #expect(status.out.contains("TPM") && status.out.contains("device reset"), "\(status)")
    #expect(!status.out.contains("You can open it with"))
    let json = try home.run(["status", "--json"])
    #expect((json.object["needs"] as? [String])?.isEmpty == true, "\(json)")
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status != 0)
    // As it says.
    try home.ok(["device", "reset"])
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
    #expect(try home.run(["status"]).out.contains("Closed"))
  }
}
