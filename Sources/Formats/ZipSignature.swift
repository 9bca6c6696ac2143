/// The first bytes of a zip archive.
package enum ZipSignature {
  package static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 0x03, 0x04])
  }
}
