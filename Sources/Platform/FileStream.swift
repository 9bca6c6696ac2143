internal import CLibrary
internal import CPlatform

/// Bytes on their way into a new file. What is long goes to the disk while more is made, and past the page cache where
/// the file system can: a cache that must be filled first and written out at the end costs more than sealing what is in it.
@safe
final class FileStream {
  private static let size = 2 << 20
  /// What `O_DIRECT` asks of memory, lengths and places.
  private static let alignment = 4096

  private let file: Descriptor
  private let lane = Lane()
  /// Bytes that wait, and memory that is being written.
  private var filling: UnsafeMutableRawBufferPointer?
  private var spare: UnsafeMutableRawBufferPointer?
  private var filled = 0
  /// Where in the file `filling` belongs.
  private var place = 0
  /// Of what is under way.
  private var isDirect = false
  private var failure: PlatformError?

  init(_ file: Descriptor) { self.file = file }

  /// Waits for what is under way.
  func wait() { lane.wait() }

  deinit {
    wipe()
    unsafe filling?.deallocate()
    unsafe spare?.deallocate()
  }

  /// What a short file has may be a key.
  private func wipe() {
    if let start = unsafe filling?.baseAddress { unsafe explicit_bzero(start, filled) }
    filled = 0
  }

  func write(_ bytes: [UInt8]) throws(PlatformError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let region = unsafe filling ?? allocate()
      let count = min(rest.count, region.count - filled)
      unsafe rest.prefix(count).withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: region[filled...]).copyMemory(from: $0)
      }
      filled += count
      rest = rest.dropFirst(count)
      if filled == region.count { unsafe try send(region) }
    }
  }

  private func allocate() -> UnsafeMutableRawBufferPointer {
    let region = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.size, alignment: Self.alignment)
    unsafe filling = region
    return unsafe region
  }

  /// Has a full region written while the other is filled.
  private func send(_ region: UnsafeMutableRawBufferPointer) throws(PlatformError) {
    try settle()
    if place == 0 { isDirect = cplatform_set_direct(file.number, 1) == 0 }
    let offset = place
    lane.start { [self] in unsafe put(unsafe region, at: offset) }
    place += filled
    filled = 0
    unsafe filling = unsafe spare
    unsafe spare = unsafe region
  }

  /// Waits for what is under way.
  private func settle() throws(PlatformError) {
    lane.wait()
    if let failure { throw failure }
  }

  private func put(_ region: UnsafeMutableRawBufferPointer, at offset: Int) {
    var done = 0
    while done < region.count {
      let count = retrying {
        unsafe pwrite(
          file.number, region.baseAddress! + done, region.count - done, off_t(offset + done))
      }
      if count > 0 { done += count }
      let isRefused = count < 0 && errno == EINVAL
      if isDirect, isRefused || done % Self.alignment != 0 {
        writeThroughCache()
        continue
      }
      guard count > 0 else {
        failure = PlatformError(file.name)
        return
      }
    }
  }

  private func writeThroughCache() {
    isDirect = false
    _ = cplatform_set_direct(file.number, 0)
  }

  /// Returns when everything was written; whether it is on the disk is the file's matter.
  func finish() throws(PlatformError) {
    try settle()
    guard filled > 0, let region = unsafe filling else { return }
    if isDirect { writeThroughCache() }
    unsafe put(UnsafeMutableRawBufferPointer(rebasing: region[..<filled]), at: place)
    place += filled
    wipe()
    try settle()
  }
}
