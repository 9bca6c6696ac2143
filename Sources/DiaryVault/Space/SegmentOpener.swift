internal import Bytes
internal import Entries
internal import Platform
internal import Replication
internal import SealedFiles

/// Opens the segments that are here, one ahead of the merge, on another processor, so that this costs no extra time.
final class SegmentOpener {
  /// A segment as the replica takes it, with a digest for each text.
  struct Opened {
    let segment: Segment
    let copy: SignedSegment
    let texts: [[UInt8]: [UInt8]]
    /// How many bytes it had.
    let size: Int
    /// Whether all who take part can open what it came in.
    let isForAll: Bool

    /// Whether there are operations that only a later version reads.
    let hasNewer: Bool

    init(_ copy: SignedSegment, size: Int, isForAll: Bool = true) {
      self.copy = copy
      self.isForAll = isForAll
      var hasNewer = false
      let whole = copy.segment { operation in
        do throws(SealingError) {
          switch operation {
          case .revision(_, let fields, _): try ReplicatedEntry.check(fields)
          case .set(let register, let value):
            // What stands under an id that no device gives to such a thing says nothing.
            if !value.isEmpty, try !SharedName(value).mayHave(register) { return false }
          case .purge, .revisionGone, .setGone: break
          }
          return true
        } catch {
          if error == .newer { hasNewer = true }
          return false
        }
      }
      self.hasNewer = hasNewer
      var texts: [[UInt8]: [UInt8]] = [:]
      segment = whole.replacing(ReplicatedEntry.body) { text in
        let digest = ReplicatedEntry.digest(text)
        texts[digest] = text
        return digest
      }
      self.texts = texts
      self.size = size
    }
  }

  enum Outcome {
    case opened(Opened)
    /// It does not lie here.
    case missing
    /// This device has no key for it.
    case closed
    /// What lies under its name is not the segment of that name, or not all of it.
    case damaged
    /// No device of this version writes such a segment.
    case refused(SealingError)
    case failed(VaultError)
  }

  /// What segments are opened with.
  struct Keys {
    private let space: Identity
    private let epochs: [[UInt8]: EpochKey]
    private let roster: Roster

    init(space: Identity, _ epochs: [[UInt8]: EpochKey], _ roster: Roster) {
      self.space = space
      self.epochs = epochs
      self.roster = roster
    }

    /// nil without a key.
    ///
    /// - Throws: ``SealingError``: `notAuthentic`, also when it is another segment than the name says.
    func open(_ object: [UInt8], _ name: LogEnd) throws(SealingError) -> SignedSegment? {
      guard let key = epochs[try SignedSegment.epoch(of: object)] else { return nil }
      let copy = try SignedSegment(object: object, in: space, key: key) {
        roster.signingKey(of: $0)
      }
      guard Pack.Item(copy, in: space).end == name else { throw .notAuthentic }
      return copy
    }

    /// Whether all who take part can open an object.
    func isForAll(_ object: [UInt8]) -> Bool {
      (try? SignedSegment.epoch(of: object)).map(roster.epochsForAll.contains) ?? false
    }

    /// Whether the device that a pack's segment names has signed it.
    func isSigned(_ copy: SignedSegment) -> Bool {
      roster.signingKey(of: copy.header.device).map { copy.isSigned(by: $0, in: space) } ?? false
    }
  }

  private let mirror: SpaceMirror
  private let lane = Lane()
  /// What the lane writes, which is read when it has ended.
  private final class Box { var outcome: Outcome? }
  private var ahead: (name: LogEnd, box: Box)?

  init(_ mirror: SpaceMirror) { self.mirror = mirror }

  deinit { lane.wait() }

  /// - Parameter next: the one that will most likely be asked for then.
  func open(_ name: LogEnd, _ keys: Keys, next: LogEnd?) -> Outcome {
    lane.wait()
    var outcome = ahead.flatMap { $0.name == name ? $0.box.outcome : nil } ?? .missing
    ahead = nil
    // A segment that did not open may open now: another process may have changed the roster or fetched it.
    if case .opened = outcome {} else { outcome = Self.open(name, keys, mirror) }
    if let next {
      let box = Box()
      ahead = (next, box)
      lane.start { [mirror] in box.outcome = Self.open(next, keys, mirror) }
    }
    return outcome
  }

  private static func open(_ name: LogEnd, _ keys: Keys, _ mirror: SpaceMirror) -> Outcome {
    do throws(VaultError) {
      guard let object = try mirror.read(.log(name)) else { return .missing }
      do throws(SealingError) {
        guard let copy = try keys.open(object, name) else { return .closed }
        return .opened(Opened(copy, size: object.count, isForAll: keys.isForAll(object)))
      } catch {
        // Before its author's signature was found right, nothing says that a device wrote it.
        return error == .newer ? .refused(error) : .damaged
      }
    } catch { return .failed(error) }
  }
}
