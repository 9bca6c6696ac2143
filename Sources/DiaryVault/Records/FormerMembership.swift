internal import Bytes
internal import Replication
internal import Sealing

extension SpaceRecord {
  /// The space that what is kept here is of, and the devices that this diary has been there before.
  struct Former: Equatable {
    let space: Identity
    let devices: Set<DeviceID>

    init(space: Identity, devices: Set<DeviceID>) {
      (self.space, self.devices) = (space, devices)
    }

    init(_ reader: inout ByteReader) throws(SealingError) {
      space = try Identity(&reader)
      var devices: Set<DeviceID> = []
      for _ in 0..<(try reader.varint()) { devices.insert(try DeviceID(&reader)) }
      self.devices = devices
    }

    func encode(to writer: inout ByteWriter) {
      space.encode(to: &writer)
      writer.putVarint(UInt64(devices.count))
      for device in devices.sorted() { device.encode(to: &writer) }
    }
  }

  /// What is kept of an entry that was removed for good while the diary took part in no space.
  struct PurgedEntry {
    /// Its photos and files.
    let files: Set<Hash>
    /// Revisions of it of which the body was not here.
    let lacking: Set<Dot>

    init(files: Set<Hash>, lacking: Set<Dot>) { (self.files, self.lacking) = (files, lacking) }

    init(_ reader: inout ByteReader) throws(SealingError) {
      var (files, lacking): (Set<Hash>, Set<Dot>) = ([], [])
      for _ in 0..<(try reader.varint()) { files.insert(try Hash(&reader)) }
      for _ in 0..<(try reader.varint()) { lacking.insert(try Dot(&reader)) }
      (self.files, self.lacking) = (files, lacking)
    }

    func encode(to writer: inout ByteWriter) {
      writer.putVarint(UInt64(files.count))
      for file in files.sorted() { file.encode(to: &writer) }
      writer.putVarint(UInt64(lacking.count))
      for dot in lacking.sorted() { dot.encode(to: &writer) }
    }
  }
}
