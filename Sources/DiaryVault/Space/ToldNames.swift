internal import Bytes
internal import Entries
internal import Replication

/// What journals, kinds and templates were when this device and the others last had them alike. Registers keep no former values, so
/// that a device which comes into a space again finds only by this which side has changed one since.
extension ReplicaStore {
  /// Notes what all have alike by now. Of what was brought along nothing is noted until it is settled.
  func noteToldNames(_ edit: CatalogueEdit) throws(VaultError) {
    guard registersChanged else { return }
    var names = try edit.names()
    var here: [Identity: NameVersion] = [:]
    for (place, journal) in names.journals.enumerated() {
      guard let id = journal.shared else { continue }
      here[id] = SharedName.journal(journal, place: UInt64(place)).version
    }
    for (place, kind) in names.ownKinds.enumerated() {
      guard let id = kind.shared else { continue }
      here[id] = SharedName.kind(kind, place: UInt64(place)).version
    }
    for template in try edit.templatesList().templates {
      here[SharedName.id(ofTemplate: template.name)] = SharedName.template(template).version
    }
    for id in replica.registerIDs {
      if let brought = replica.brought(id),
        names.told[id] != nil || !brought.others.isEmpty || !replica.isHeard(id)
      {
        continue
      }
      let value = replica.values(of: id).first { !$0.isEmpty }
      if let here = here[id], let everywhere = try SharedName.version(of: value ?? []) {
        names.told[id] = ToldName(here: here, everywhere: everywhere)
      } else {
        names.told[id] = nil
      }
    }
    if try names != edit.names() { edit.setNames(names) }
  }

  /// Ends that what this device brought along stands beside what others have: of a name that one side had left alone, what the other
  /// made of it stays. What both changed stays as it is shown.
  ///
  /// - Returns: the bytes of what is told.
  func settleNames(_ names: NameRegister) throws(VaultError) -> Int {
    var size = 0
    for (id, told) in names.told {
      guard let brought = replica.brought(id), !brought.others.isEmpty,
        let settled = try told.settled(brought.value, brought.others)
      else { continue }
      replica.set(id, settled)
      size += settled.count
      touchRegisters()
      namesAreStale = true
    }
    return size
  }
}

extension ToldName {
  /// What becomes of a name that this device brought along.
  ///
  /// - Parameters:
  ///   - own: what this device brought; empty where it was removed here.
  ///   - others: what others gave, the newest first.
  /// - Returns: what is told, empty for one that is removed; nil where what is shown stays.
  fileprivate func settled(
    _ own: [UInt8], _ others: [[UInt8]]
  ) throws(VaultError) -> [UInt8]? {
    let mine = try SharedName.version(of: own)
    var theirs: [(value: [UInt8], version: NameVersion?)] = []
    for other in others { theirs.append((other, try SharedName.version(of: other))) }
    // Behind the one that all had alike stand those that had lost to it by then.
    let changed = Array(theirs.prefix { $0.version?.digest != everywhere.digest })
    guard let other = changed.first(where: { $0.version != nil }) ?? changed.first ?? theirs.first
    else { return nil }
    // Of several texts of one template each stays.
    guard Set(changed.compactMap { $0.version?.digest }).count < 2 else { return nil }
    let content: [UInt8]
    if mine?.digest == here.digest {
      content = other.value
      let place = other.version?.place
      if changed.isEmpty, mine?.place == here.place, place == everywhere.place, place == mine?.place
      {
        return nil
      }
    } else if changed.isEmpty || other.version == nil {
      content = own
    } else if mine == nil {
      content = other.value
    } else {
      return nil
    }
    guard let mine, let theirs = other.version, !content.isEmpty else { return content }
    let place = mine.place == here.place ? theirs.place : mine.place
    return try SharedName.reading(content).placed(at: place).encoded
  }
}

extension SharedName {
  static func reading(_ bytes: [UInt8]) throws(VaultError) -> SharedName {
    try unsealing(.foreignName) { () throws(SealingError) in try SharedName(bytes) }
  }

  /// - Parameter value: of a register; empty for what is removed, which has none.
  static func version(of value: [UInt8]) throws(VaultError) -> NameVersion? {
    value.isEmpty ? nil : try reading(value).version
  }

  var version: NameVersion {
    NameVersion(
      digest: Digest.blake2b(placed(at: 0).encoded, count: 16, domain: "FDv2 name version"),
      place: place)
  }

  private var place: UInt64 {
    switch self {
    case .journal(_, let place), .kind(_, let place): place
    case .template: 0
    }
  }

  func placed(at place: UInt64) -> SharedName {
    switch self {
    case .journal(let journal, _): .journal(journal, place: place)
    case .kind(let kind, _): .kind(kind, place: place)
    case .template: self
    }
  }
}
