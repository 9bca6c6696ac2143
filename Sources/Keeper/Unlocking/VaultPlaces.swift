internal import Access
internal import Authentication
internal import Bytes
internal import Platform

/// Where a diary was opened by passphrase or recovery code.
///
/// Whoever may move folders can put another diary of this device in the place of one. Its face would open it, and what is written then
/// would be in the wrong diary, whose passphrase may be theirs. So a face opens a diary only where a secret has opened it before, or
/// where no other one has been.
///
/// `places` in the device store: a line for each, `HASH-OF-PATH`, the newest last. It names no path.
struct VaultPlaces {
  private static let file = "places"
  private static let limit = 100

  private let base: String
  /// Of the path as it was named, and of the one that it leads to: a link on the way may be exchanged, too.
  private let here: Set<String>

  /// - Parameters:
  ///   - vault: the path of the diary's folder.
  ///   - base: the directory of the device stores.
  init(of vault: String, in base: String) {
    self.base = base
    let real = FileSystem.realFolder(above: vault) + "/" + FileSystem.name(of: vault)
    here = Set(
      [real, Self.plain(vault)].map { path in
        Base32.encode(Digest.blake2b(Array(path.utf8), count: 16, domain: "FDv1 vault place"))
      })
  }

  /// A whole path without `.` and `..`, links left as they are.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Whether other diaries have been opened here, and this one has not.
  func isForeign(_ id: [UInt8]) -> Bool {
    let unknown = here.subtracting(known(id))
    guard !unknown.isEmpty else { return false }
    return DeviceDirectory(base).names().contains { name in
      guard let other = Base32.decode(name), other.count == 16, other != id else { return false }
      return !unknown.isDisjoint(with: known(other))
    }
  }

  /// A secret has opened it here. Where that cannot be kept, the next face may be asked for a secret once more.
  func note(_ id: [UInt8]) {
    let known = known(id)
    let unknown = here.subtracting(known)
    guard !unknown.isEmpty else { return }
    write(known + unknown.sorted(), to: store(id))
  }

  /// Another store will be that of the diary.
  func carry(_ id: [UInt8], to directory: String) {
    write(known(id), to: PrivateDirectory(directory))
  }

  private func write(_ places: [String], to store: PrivateDirectory) {
    let kept = places.suffix(Self.limit)
    try? store.write(Self.file, Array(kept.map { $0 + "\n" }.joined().utf8))
  }

  private func store(_ id: [UInt8]) -> PrivateDirectory {
    PrivateDirectory(base + "/" + Base32.encode(id))
  }

  private func known(_ id: [UInt8]) -> [String] {
    guard let bytes = try? store(id).read(Self.file) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension Keeper {
  var places: VaultPlaces { VaultPlaces(of: location.vault, in: location.devices) }

  /// A secret has opened the diary: whoever gave it is told where another one was until now.
  func notePlace(_ id: [UInt8]) {
    let places = places
    if places.isForeign(id) { notices.append(.inPlaceOfAnother(path: location.vault)) }
    places.note(id)
  }

  /// Why a face is not enough now, by what this device keeps: it may have been put back.
  func faceNeed(_ id: [UInt8], _ access: AccessRecord) throws -> FreshnessNeed? {
    places.isForeign(id) ? .place : try access.need()
  }
}
