package import Bytes

/// Which segments count. One of a device that was taken out, beyond what its revocation lists, is *void*: its place and number stay,
/// but its operations do nothing. A value that a revision has which counts stays, whoever gave it.
extension Replica {
  /// Whether a segment of a device that was taken out counts.
  package enum Standing: Equatable, Sendable {
    case counts, void
    /// It may lead to one that is listed and not here.
    case unknown
  }

  /// What counts of a device that was taken out.
  package struct Remainder: Sendable {
    let segments: Set<Hash>
    /// The highest number of one that is listed; nil when all of them are here.
    let unknown: UInt64?

    package func standing(of end: LogEnd) -> Standing {
      if segments.contains(end.hash) { return .counts }
      return unknown.map { end.sequence <= $0 } ?? false ? .unknown : .void
    }
  }

  /// - Parameters:
  ///   - ends: those that its revocations list.
  ///   - header: the header of a segment that is not merged.
  package func remainder<Failure: Error>(
    of device: DeviceID, _ ends: [LogEnd], header: (LogEnd) throws(Failure) -> SegmentHeader?
  ) throws(Failure) -> Remainder {
    var segments: Set<Hash> = []
    var unknown: UInt64?
    for end in ends where end.device == device {
      // Back along the log.
      var next: LogEnd? = end
      while let here = next, segments.insert(here.hash).inserted {
        if has(here.hash) {
          next = predecessor(of: here.hash)
        } else if let header = try header(here) {
          next = header.previous.map {
            LogEnd(device: device, sequence: here.sequence - 1, hash: $0)
          }
        } else {
          unknown = max(unknown ?? 0, here.sequence)
          next = nil
        }
      }
    }
    return Remainder(segments: segments, unknown: unknown)
  }

  /// The places of merged segments that do not count.
  package var voidSegments: Set<Int> { logs.void }

  /// The devices that wrote what is merged.
  package var devices: Set<DeviceID> { Set(logs.entries.map(\.device)) }

  /// Where the logs end of what counts, in order.
  package var countingEnds: [LogEnd] {
    let counting = logs.entries.indices.filter { !logs.void.contains($0) }
    let followed = Set(counting.compactMap { logs.entries[$0].previous })
    return counting.filter { !followed.contains($0) }.compactMap(end).sorted()
  }

  /// The places of the merged segments of a device that do not count any more.
  package func void(of device: DeviceID, _ remainder: Remainder) -> Set<Int> {
    Set(
      logs.entries.indices.filter { place in
        guard logs.entries[place].device == device, let end = end(place) else { return false }
        return remainder.standing(of: end) == .void
      })
  }

  /// Takes exactly these segments for void. Entries that are loaded follow; for others there is ``recount(_:)``.
  package mutating func setVoid(_ void: Set<Int>) {
    let concerned = registers(of: void.symmetricDifference(logs.void))
    logs.count(allBut: void)
    for id in entries.keys { recount(id) }
    for id in concerned { registers[id]?.drop(in: logs) }
  }

  /// Brings an entry to what follows from what counts now.
  package mutating func recount(_ entry: Identity) { entries[entry]?.takePurged(in: logs) }

  /// Whether one of some segments did something to an entry.
  package func isConcerned(_ entry: Identity, by segments: Set<Int>) -> Bool {
    guard let history = entries[entry] else { return false }
    func isOf(_ dots: some Sequence<Dot>) -> Bool {
      dots.contains { segments.contains($0.segment) }
    }
    return isOf(history.revisions.keys) || isOf(history.purges.keys) || isOf(history.taken)
  }

  /// Whether a revision of an entry repeats one of some values.
  package func repeats(_ entry: Identity, _ values: Set<[UInt8]>) -> Bool {
    guard !values.isEmpty, let history = entries[entry] else { return false }
    return history.revisions.values.contains { revision in
      revision.fields.contains { field in
        field.value.contains { $0.carried.map(values.contains) ?? false }
      }
    }
  }

  /// The registers that one of some segments set.
  package func registers(of segments: Set<Int>) -> Set<Identity> {
    Set(registers.filter { $0.value.isOf(segments) }.keys)
  }

  /// The revisions that count and give one of some fields a value, the oldest first.
  package func givers(_ fields: [Field], in entry: Identity) -> [Dot] {
    let counting = entries[entry]?.counting(in: logs) ?? []
    return counting.filter { revision in fields.contains { revision.given[$0] != nil } }
      .map(\.dot).sorted { logs.stamp($0) < logs.stamp($1) }
  }

  /// Whether something of an entry is here that does not count.
  package func hasVoid(_ entry: Identity) -> Bool {
    entries[entry]?.revisions.keys.contains(where: logs.isVoid) ?? false
  }

  /// The merged segments of which an entry's revisions are lacking.
  package func lacking(_ entry: Identity) -> Set<Hash> {
    Set((entries[entry]?.lacking(in: logs) ?? []).compactMap { end(of: $0)?.hash })
  }

  /// The merged segments of which a register's values are lacking.
  package func lacking(register id: Identity) -> Set<Hash> {
    guard let register = registers[id] else { return [] }
    let lacking = register.known.union(register.gone).filter { register.isLacking($0, in: logs) }
    return Set(lacking.compactMap { end(of: $0)?.hash })
  }

  func isReplaced(_ register: Identity, _ dot: Dot) -> Bool {
    registers[register]?.isReplaced(dot, in: logs) ?? false
  }

  /// The devices that ever set a register by what counts.
  package func authors(ofRegister id: Identity) -> Set<DeviceID> {
    guard let register = registers[id] else { return [] }
    return Set(
      register.known.union(register.gone).filter { !logs.isVoid($0) }.map {
        logs.entries[$0.segment].device
      })
  }

  func isLacking(register id: Identity, _ dot: Dot) -> Bool {
    registers[id].map { $0.isLacking(dot, in: logs) } ?? !logs.isVoid(dot)
  }

  /// A digest of everything that counts within some ends, or of all: equal wherever the same counts and is here.
  package func digest(within ends: [LogEnd]? = nil) -> StateDigest {
    let limit = logs.limits((ends ?? self.ends).compactMap { logs.place(of: $0.hash) })
    var writer = ByteWriter(reserving: 1 << 12)
    func isIn(_ dot: Dot) -> Bool { logs.has(limit, dot) && !logs.isVoid(dot) }
    func put(_ dots: some Sequence<Dot>) {
      let stamps = dots.map(logs.stamp).sorted()
      writer.putVarint(UInt64(stamps.count))
      for stamp in stamps {
        stamp.hash?.encode(to: &writer)
        writer.putVarint(UInt64(stamp.index))
      }
    }
    let merged = logs.entries.indices.filter { isIn(Dot(segment: $0, index: 0)) }
    for end in merged.compactMap(end).sorted() { end.hash.encode(to: &writer) }
    for id in entries.keys.sorted() {
      guard let history = entries[id] else { continue }
      let purges = history.purges.filter { isIn($0.key) }
      let dots = (Array(history.revisions.keys) + Array(history.taken)).filter { dot in
        isIn(dot) && !purges.contains { EntryHistory.has(purge: $0, taken: dot, in: logs) }
      }
      guard !dots.isEmpty || !purges.isEmpty else { continue }
      id.encode(to: &writer)
      put(dots)
      put(purges.keys)
    }
    return Digest.blake2b(writer.bytes, domain: "FDv2 replica state")
  }

  /// Whether a revision is here and was not purged.
  func isLiving(_ dot: Dot, in entry: Identity) -> Bool {
    entries[entry]?.revisions[dot] != nil
  }

  /// Of some revisions those that are here and were not purged.
  package func living(of dots: some Sequence<Dot>, in entry: Identity) -> Set<Dot> {
    guard let history = entries[entry] else { return [] }
    return Set(dots.filter { history.revisions[$0] != nil })
  }

  /// Whether all of some revisions are.
  package func areLiving(_ dots: some Sequence<Dot>, in entry: Identity) -> Bool {
    dots.allSatisfy { entries[entry]?.revisions[$0] != nil }
  }
}
