import Requests
import Testing

@testable import Keeper

/// What a request says of itself, and what the keeper does with it.
@Suite struct ServiceTests {
  @Test func `every kind of request is done by a request of that kind`() {
    for kind in RequestKind.allCases { #expect(kind.service.request.kind == kind) }
  }

  @Test func `an open diary answers what reads or writes, and the owner's keeper all else`() {
    for kind in RequestKind.allCases {
      let access = kind.service.request.access
      switch kind.service {
      case .vault: #expect([.reads, .writes, .holds].contains(access), "\(kind)")
      case .owner:
        if case .closed = access { continue }
        #expect(access == .owner, "\(kind)")
      }
    }
  }

  @Test func `a keeper of one client does what its purpose says, and nothing else`() {
    for kind in RequestKind.allCases {
      let access = kind.service.request.access
      let purposes = [
        KeeperTask.Purpose.single, .session, .owner, .newcomer, .custody, .look, .copy,
      ].filter { $0.does(access) }
      switch access {
      case .closed(.look): #expect(purposes == [.owner, .newcomer, .look])
      case .closed(let purpose): #expect(purposes == [purpose])
      case .owner: #expect(purposes == [.owner, .newcomer])
      case .reads, .writes, .holds: #expect(purposes.isEmpty)
      }
    }
  }
}
