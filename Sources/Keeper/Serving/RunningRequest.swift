internal import Bytes
package import DiaryVault
package import Entries
package import Requests

/// A request of a client on its way, whatever the type of its answer, which comes encoded.
package struct RunningRequest {
  package let access: RequestAccess
  /// Whether it tells the other devices of all that was done here.
  package let tells: Bool
  package let step: (Slice) throws -> WorkStep<[UInt8]>
  package let take: ([ImportItem]) throws(VaultError) -> Void
  package let endItems: () -> Void

  package init(_ request: some VaultServed, on vault: Vault) throws(VaultError) {
    self = try Self.begin(request, on: vault)
  }

  private init<R: VaultServed>(_: R.Type, _ work: Work<R.Answer>) {
    access = R.access
    tells = R.self == Settle.self
    step = {
      try work.step($0).map { answer in
        let bytes = try Wire.encode(answer)
        // What no client could read is said to be too long, not damaged.
        guard bytes.count < Frame.sizeLimit else {
          throw VaultError(.record, expected: .atMostBytes(Frame.sizeLimit))
        }
        return bytes
      }
    }
    take = { items throws(VaultError) in try work.take(items) }
    endItems = work.endItems
  }

  private static func begin<R: VaultServed>(
    _ request: R, on vault: Vault
  ) throws(VaultError) -> RunningRequest {
    RunningRequest(R.self, try request.begin(on: vault))
  }

  /// The request in a frame, which an open diary answers.
  package static func decode(_ frame: Frame) throws -> any VaultServed {
    guard let kind = frame.payload.first.flatMap(RequestKind.init(rawValue:)),
      case .vault(let type) = kind.service
    else { throw SealingError.malformed }
    return try decode(type, Array(frame.payload.dropFirst()))
  }

  private static func decode<R: VaultServed>(_: R.Type, _ bytes: [UInt8]) throws -> R {
    try Wire.decode(R.self, from: bytes, limit: Wire.requestLimit)
  }
}
