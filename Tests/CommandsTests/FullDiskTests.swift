import Foundation
import Testing

/// A real disk that is full: a small one in memory, in a mount namespace of the test's own.
@Suite(.threads) struct FullDiskTests {
  /// Whether this user can have a mount namespace.
  static let isPossible: Bool = {
    let probe = try? Process.run(
      URL(fileURLWithPath: "/usr/bin/unshare"), arguments: ["-rm", "true"])
    probe?.waitUntilExit()
    return probe?.terminationStatus == 0
  }()

  /// What a program prints in a mount namespace of its own.
  private func run(_ program: String, _ home: Home) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["-rm", program]
    process.environment = home.environment.merging([
      "PROGRAM": Home.binary, "KEYS": Home.keys,
    ]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(.enabled(if: isPossible, "no mount namespace for this user"))
  func `a diary on a full disk opens and is read, and is written again when there is room`() throws
  {
    let home = try Home(made: false)
    let program = try home.put(
      "scenario",
      """
      #!/bin/sh
      set -u
      mkdir "$HOME/disk" && mount -t tmpfs -o size=3m,mode=700 tmpfs "$HOME/disk" || exit 99
      secret="--passphrase-file $HOME/passphrase"
      run() { echo "> $1"; "$PROGRAM" "$@"; echo "= $?"; }
      export HOME="$HOME/disk"
      run init $secret --kdf interactive --json --face "$KEYS/owner-1.npy" --face "$KEYS/owner-2.json" \\
        --face "$KEYS/owner-3.csv" --model sface > /dev/null 2>&1
      run write first $secret > /dev/null
      run unlock --face "$KEYS/stranger-1.npy" > /dev/null 2>&1
      dd if=/dev/zero of="$HOME/fill" bs=1k 2> /dev/null
      run show --raw @last $secret
      run unlock $secret 2> /dev/null
      run show --raw @last
      run write second
      run keys add recovery $secret 2>&1 > /dev/null | grep -c 'is not valid'
      run keys rotate --yes $secret 2>&1 > /dev/null | grep -c 'is not valid'
      rm "$HOME/fill"
      run unlock $secret 2> /dev/null
      run write third > /dev/null
      run show --raw @last
      run lock 2> /dev/null

      """, mode: 0o700)
    let text = try run(program, home)
    #expect(
      text == """
        > show
        first= 0
        > unlock
        = 0
        > show
        first= 0
        > write
        facediary: \(home.path)/disk/.local/share/facediary/diary.facediary: the disk is full
        = 1
        1
        1
        > unlock
        = 0
        > show
        third= 0
        > lock
        = 0

        """)
  }

  @Test(.enabled(if: isPossible, "no mount namespace for this user"))
  func `a passphrase that was changed while the device's disk is full opens the diary`() throws {
    let home = try Home(made: false)
    _ = try home.put("other", "another passphrase\n")
    let program = try home.put(
      "scenario",
      """
      #!/bin/sh
      mkdir "$HOME/disk" && mount -t tmpfs -o size=200k,mode=700 tmpfs "$HOME/disk" || exit 99
      old="--passphrase-file $HOME/passphrase" new="--passphrase-file $HOME/other"
      run() { "$PROGRAM" "$@" --vault "$HOME/diary" --device "$HOME/disk/device" 2> "$HOME/said"; echo "= $?"; }
      run init $old --kdf interactive > /dev/null
      run unlock $old
      run write first > /dev/null
      dd if=/dev/zero of="$HOME/disk/fill" bs=1k 2> /dev/null
      run passphrase $old --new-passphrase-file "$HOME/other" --kdf interactive
      grep -c 'could not be updated' "$HOME/said"
      run lock
      run show --raw @last $old
      run show --raw @last $new
      grep -c 'could not be updated' "$HOME/said"
      rm "$HOME/disk/fill"
      run show --raw @last $new
      grep -c 'could not be updated' "$HOME/said"

      """, mode: 0o700)
    let text = try run(program, home)
    #expect(text == "= 0\n= 0\n1\n= 0\n= 3\nfirst= 0\n1\nfirst= 0\n0\n", "\(text)")
  }

  @Test(.enabled(if: isPossible, "no mount namespace for this user"))
  func `a place without room for what it lost is told so, however often it is repaired`() throws {
    let home = try Home()
    for number in 0..<4 {
      // Objects are sealed: how their bytes could be pressed together does not matter.
      let file = try home.put("\(number).bin", String(repeating: "\(number)", count: 400_000))
      _ = try home.write("entry", ["--attach", file])
    }
    let program = try home.put(
      "scenario",
      """
      #!/bin/sh
      mkdir "$HOME/place" && mount -t tmpfs -o size=8m,mode=700 tmpfs "$HOME/place" || exit 99
      run() { "$PROGRAM" "$@" --passphrase-file "$HOME/passphrase" > /dev/null 2> "$HOME/said"; echo "= $?"; }
      run sync setup "folder:$HOME/place"
      run sync
      rm -rf "$HOME/place"/*
      mount -t tmpfs -o size=1m,mode=700 tmpfs "$HOME/place" || exit 99
      for turn in 1 2; do run sync repair; grep -c 'no room left' "$HOME/said"; done
      umount "$HOME/place"
      run sync repair
      run sync

      """, mode: 0o700)
    let text = try run(program, home)
    #expect(text == "= 0\n= 0\n= 1\n1\n= 1\n1\n= 0\n= 0\n", "\(text)")
  }
}
