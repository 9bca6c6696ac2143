internal import Platform

/// A table in PostgreSQL, reached with the psql program. If the role of
/// a device may only select and insert, the server itself prevents deletion.
struct PostgresPlace: Place {
  /// What one statement may carry, as hexadecimal, with room, in bytes.
  private let sizeLimit: Int
  private static let batch = 32 << 20

  let place: String
  private let program: PlaceProgram

  /// - Parameter silence: seconds without a byte after which psql is ended.
  init(
    service: String, _ place: String, silence: Int = PlaceProgram.silence,
    sizeLimit: Int = 256 << 20
  ) {
    self.sizeLimit = sizeLimit
    self.place = place
    program = PlaceProgram(
      words: [
        "psql", "--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--no-password",
        "--set", "ON_ERROR_STOP=1", "--dbname", "connect_timeout=15 service=" + service,
      ], place: place,
      environment: ["PGSERVICEFILE", "PGPASSFILE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY"],
      silence: silence)
  }

  /// Statements that the database's owner runs once.
  static let schema = [
    // Names are compared byte by byte: a database of any language lists the same.
    "create table facediary_object(name text collate \"C\" primary key, bytes bytea not null);",
    "create role DEVICE login; grant select, insert on facediary_object to DEVICE;",
  ]

  func needs() throws(PlaceError) -> [String] {
    do throws(PlaceError) {
      let found = try query(
        "select count(*) from information_schema.tables where table_name = 'facediary_object';")
      return Self.trimmed(found) == "0" ? Self.schema : []
    } catch {
      if case .noProgram = error.reason { return ["install psql (postgresql-client)"] }
      throw error
    }
  }

  private static func trimmed(_ printed: [UInt8]) -> String {
    String(decoding: printed.filter { $0 > 0x20 }, as: UTF8.self)
  }

  /// In one transaction that is rolled back, because a device's role may not remove anything.
  func tryOut() throws(PlaceError) {
    let name = Probe.folder + "/test-" + Probe.randomName()
    let (literal, from, to) = (
      try literal(name), try literal(Probe.folder + "/"), try literal(Probe.folder + "0")
    )
    let printed = try query(
      """
      begin;
      insert into facediary_object(name, bytes) values(\(literal), decode('\(Self.hex(Probe.text))', 'hex'));
      select name, encode(bytes, 'hex') from facediary_object where \(Self.within(from, to));
      rollback;
      """)
    let lines = printed.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    guard let line = lines.first(where: { $0.hasPrefix(name + "|") }) else {
      throw PlaceError(.unreliable(.list), place)
    }
    guard line == name + "|" + Self.hex(Probe.text) else {
      throw PlaceError(.unreliable(.get), place)
    }
  }

  /// Whatever collation a database or a table made earlier has.
  private static func within(_ from: String, _ to: String) -> String {
    "name collate \"C\" >= \(from) and name collate \"C\" < \(to)"
  }

  private func query(_ sql: String, limit: Int = 64 << 20) throws(PlaceError) -> [UInt8] {
    try program.withFile([sql]) { file throws(PlaceError) in
      try program.run(["--file", file], limit: limit)
    }
  }

  /// A name as a literal: of letters, digits and `/-` only.
  private func literal(_ name: String) throws(PlaceError) -> String {
    guard name.utf8.allSatisfy({ Self.isPlain($0) }) else {
      throw PlaceError(.system("a name that is none: \(name)"), place)
    }
    return "'\(name)'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d || byte == 0x2f
  }

  func objects(in folder: String) throws(PlaceError) -> [PlacedObject] {
    // "0" follows "/".
    let (from, to) = (try literal(folder + "/"), try literal(folder + "0"))
    return try query(
      "select name from facediary_object where \(Self.within(from, to));"
    ).split(separator: 0x0a).map { PlacedObject(String(decoding: $0, as: UTF8.self)) }
  }

  func get(_ names: [String], into directory: String) throws(PlaceError) {
    var literals: [String] = []
    for name in names { literals.append(try literal(name)) }
    guard !literals.isEmpty else { return }
    let sizes = try query(
      "select name, octet_length(bytes) from facediary_object where name in (\(literals.joined(separator: ", ")));"
    ).split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    var batch: [String] = []
    var size = 0
    for line in sizes {
      let parts = line.split(separator: "|")
      guard parts.count == 2, let count = Int(parts[1]), (0...sizeLimit).contains(count)
      else { continue }
      if size + count > Self.batch, !batch.isEmpty {
        try fetch(batch, size, into: directory)
        (batch, size) = ([], 0)
      }
      batch.append(try literal(String(parts[0])))
      size += count
    }
    if !batch.isEmpty { try fetch(batch, size, into: directory) }
  }

  private func fetch(_ literals: [String], _ size: Int, into directory: String) throws(PlaceError) {
    let printed = try query(
      "select name, encode(bytes, 'hex') from facediary_object where name in (\(literals.joined(separator: ", ")));",
      limit: 2 * size + literals.count * 256 + 4096)
    for line in printed.split(separator: 0x0a) {
      guard let bar = line.firstIndex(of: 0x7c) else { continue }
      let name = String(decoding: line[..<bar], as: UTF8.self)
      guard name.utf8.allSatisfy({ Self.isPlain($0) }), let bytes = Self.bytes(line[(bar + 1)...])
      else { continue }
      try reaching(place) { () throws(PlatformError) in
        let target = directory + "/" + name
        try FileSystem.makeDirectories(FileSystem.parent(of: target))
        let file = try AtomicFile(target)
        try file.write(bytes)
        try file.commit()
      }
    }
  }

  private static func bytes(_ hex: ArraySlice<UInt8>) -> [UInt8]? {
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x61 + 10
      default: nil
      }
    }
    guard hex.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(hex.count / 2)
    var index = hex.startIndex
    while index < hex.endIndex {
      guard let high = value(hex[index]), let low = value(hex[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }

  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError) {
    var statements: [String] = []
    var size = 0
    var isTooLarge = false
    for name in names {
      // The role may not replace what is there: only its owner can remove what is damaged.
      let bytes: [UInt8]? = try reaching(place) { () throws(PlatformError) in
        let file = try Descriptor.open(directory + "/" + name, [.noFollow, .nonBlocking])
        return try file.status().size > sizeLimit
          ? nil : try file.readAll(limit: sizeLimit)
      }
      guard let bytes else {
        isTooLarge = true
        continue
      }
      let literal = try literal(prefix + name)
      statements.append(
        "insert into facediary_object(name, bytes) values(\(literal), decode('\(Self.hex(bytes))', 'hex')) on conflict do nothing;"
      )
      size += bytes.count
      if size > Self.batch {
        _ = try query(statements.joined(separator: "\n"))
        (statements, size) = ([], 0)
      }
    }
    if !statements.isEmpty { _ = try query(statements.joined(separator: "\n")) }
    if isTooLarge { throw PlaceError(.tooLarge(limit: sizeLimit), place) }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  func remove(_ names: [String]) throws(PlaceError) -> Bool { false }
}
