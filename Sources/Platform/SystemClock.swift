internal import CLibrary
internal import CPlatform

/// The system's clocks.
package enum SystemClock {
  /// Nanoseconds since the machine started, with the time it slept.
  package static var sinceBoot: Int64 { cplatform_boot_time(1) }
  /// Nanoseconds since the machine started, excluding the time it slept.
  package static var awake: Int64 { cplatform_boot_time(0) }
  /// Seconds since 1970.
  package static var wall: Int64 { Int64(time(nil)) }

  /// 16 bytes that are different after every start of the machine; zeros where the system has none.
  package static var bootID: [UInt8] {
    var id = [UInt8](repeating: 0, count: 16)
    guard unsafe cplatform_boot_id(&id) == 0 else { return [UInt8](repeating: 0, count: 16) }
    return id
  }

  package static func sleep(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

  /// Seconds east of UTC in the local zone at an instant, by the C library: `TZ`, else `/etc/localtime`.
  package static func localOffset(at seconds: Int64) -> Int64 {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&time, &parts)
    return unsafe Int64(parts.tm_gmtoff)
  }
}
