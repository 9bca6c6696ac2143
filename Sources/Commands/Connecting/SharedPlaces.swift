internal import Access
internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Meeting
internal import Places
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// Where this diary's devices meet.
extension Invocation {
  /// A place as a person named it.
  ///
  /// - Throws: ``Failure`` `invalid` for a folder in the diary's own; what ``Places`` says of a place that is none.
  func place(_ text: String) throws -> (text: String, place: any Place) {
    guard text.hasPrefix("folder:") else { return (text, try Places.named(text)) }
    // A folder is relative to the current directory of now, also when a timer uses it later.
    let folder = Invocation.absolute(String(text.dropFirst("folder:".count)))
    try requireElsewhere(folder + "/new")
    return ("folder:" + folder, try Places.named("folder:" + folder))
  }

  /// The place that a command names. An unreachable place is reported before a passphrase is asked for.
  func reachablePlace() throws -> (text: String, place: any Place) {
    let named = try place(operands[0])
    _ = try named.place.list(ObjectFolder.root + "none")
    return named
  }

  /// The place that was set.
  func keptPlace() throws -> KeptPlaces.Place {
    try requireVault()
    guard let kept = try KeptPlaces(location.devices).place(of: try vaultID) else {
      throw sharesNothing
    }
    return kept
  }

  /// Sync is not set up; who took part before is told how to come back, for a space set up anew would be another one.
  var sharesNothing: Failure {
    let left = (try? KeptPlaces(location.devices).left(by: try vaultID)) ?? nil
    return Failure(
      .notFound, SyncMessage.sharesNothing,
      hint: left.map { SyncMessage.comeBack(place: ShellWords.quoted($0)) } ?? .setUpFirst)
  }

  func keep(place: String, space: String) throws {
    try KeptPlaces(location.devices).change(try vaultID) {
      $0 = KeptPlaces.Record(place: place, space: space, auto: $0.auto)
    }
  }

  /// Keeps whether a session moves and merges by itself.
  func keep(automatic: Bool) throws {
    try KeptPlaces(location.devices).change(try vaultID) { $0.auto = automatic }
  }

  /// After leaving the other devices there is no place any more.
  func forgetPlace() throws { try KeptPlaces(location.devices).change(try vaultID) { $0.leave() } }

  /// When the place was last listed, seconds since 1970; nil before the first time.
  var placeReached: Int64? { SpaceMirror(VaultFolder(location.vault)).listed }

  /// Keeps any other sync of this diary waiting until it is let go.
  ///
  /// - Throws: ``VaultError`` `busy` when another one takes longer than a minute.
  func syncLock() throws -> SpaceMirror.Lock {
    try SpaceMirror(VaultFolder(location.vault)).waitForLock()
  }

  /// Held by the process that moves by itself.
  ///
  /// - Throws: ``AuthenticationError`` `busy` when another of this diary does not end within some seconds.
  func automaticTurn() throws -> FileLock {
    try DeviceDirectory(location.devices).lock("auto-\(try vaultID).lock")
  }

  func mover(to place: any Place) -> ObjectMover {
    let line = progress("sync")
    return ObjectMover(
      location.vault, place, progress: { line.reach($0, of: $1) }, isOver: { line.end() })
  }

  private var vaultID: String {
    get throws { Base32.encode(try vaultFacts().id) }
  }

  /// What this device is called.
  func deviceName() throws -> String {
    let host =
      (try? Descriptor.open("/proc/sys/kernel/hostname").readAll(limit: 4096))
      .map { String(decoding: $0, as: UTF8.self).trimmed } ?? "device"
    let name = arguments[Options.deviceName] ?? (host.isEmpty ? "device" : host)
    guard DeviceName.isUsable(name) else {
      throw VaultError(.device, expected: .nameOfBytes(DeviceName.limit))
    }
    return name
  }
}
