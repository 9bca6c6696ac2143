internal import Dates
internal import Words

/// A zip archive, known by its first bytes.
package enum ZipArchive {
  package static func begins(with bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 0x03, 0x04])
  }
}
