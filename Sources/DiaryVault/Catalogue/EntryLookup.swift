internal import Bytes
internal import Entries

extension Catalogue {
  /// The one entry `reference` names.
  ///
  /// - Parameter trash: look in the trash instead of the diary.
  /// - Throws: ``VaultError``: `notFound`, `ambiguous` with candidates, `invalid`, `tampered`.
  func header(_ reference: EntryReference, trash: Bool = false) throws(VaultError) -> Header {
    switch reference {
    case .id(let id):
      guard let header = try entry(id) else {
        throw VaultError(.notFound, .entry, id.description)
      }
      guard (header.trashed != nil) == trash else { throw Self.elsewhere(id, trash: trash) }
      return header
    case .prefix(let prefix):
      let all = try entries(withPrefix: prefix)
      let found = all.filter { ($0.trashed != nil) == trash }
      guard let only = found.first else {
        if let other = all.first, all.count == 1 { throw Self.elsewhere(other.id, trash: trash) }
        throw VaultError(.notFound, .entry, prefix)
      }
      guard found.count == 1 else {
        throw VaultError(
          .ambiguous, .entry, prefix, candidates: found.map(\.id.description).sorted())
      }
      return only
    case .last:
      if !trash, let latest = state.latest,
        let header = try entry(latest), header.trashed == nil
      {
        return header
      }
      guard let last = try lastAdded(trash: trash) else {
        throw VaultError(.notFound, .entry, "@last")
      }
      return last
    case .position(let place):
      guard place > 0, let header = try newest(place - 1, trash: trash) else {
        throw VaultError(.notFound, .entry, "@\(place)")
      }
      return header
    }
  }

  private static func elsewhere(_ id: EntryID, trash: Bool) -> VaultError {
    VaultError(.notFound, .entry, id.short, trash ? .isNotInTrash : .isInTrash)
  }

  /// The entry that has `count` newer ones. Sections and pages that cannot hold it are skipped by their counts.
  private func newest(_ count: Int, trash: Bool) throws(VaultError) -> Header? {
    var left = count
    func holds(_ all: Int, _ trashed: Int) -> Bool {
      let own = trash ? trashed : all - trashed
      if left < own { return true }
      left -= own
      return false
    }
    guard
      let known = state.sections.last(where: { holds(Int($0.count), Int($0.trashed)) }),
      let pageRef = try section(known).pages.last(where: {
        holds(Int($0.count), Int($0.trashed))
      })
    else { return nil }
    let page = try page(pageRef)
    for index in (0..<page.count).reversed()
    where (page.flags(index) & Header.Flags.trashed != 0) == trash {
      if left == 0 {
        return try unsealing(.headerPage) { () throws(SealingError) in try page.header(index) }
      }
      left -= 1
    }
    throw VaultError(.tampered, .headerPage, .countsDoNotFit)
  }

  /// The one that was added last; only the keys of the others are read.
  private func lastAdded(trash: Bool) throws(VaultError) -> Header? {
    var last: (page: HeaderPage, index: Int)?
    for known in state.sections {
      for pageRef in try section(known).pages
      where trash ? pageRef.trashed > 0 : pageRef.trashed < pageRef.count {
        let page = try page(pageRef)
        for index in 0..<page.count
        where (page.flags(index) & Header.Flags.trashed != 0) == trash
          && page.key(index).added > (last.map { $0.page.key($0.index).added } ?? 0)
        {
          last = (page, index)
        }
      }
    }
    guard let last else { return nil }
    return try unsealing(.headerPage) { () throws(SealingError) in
      try last.page.header(last.index)
    }
  }
}
