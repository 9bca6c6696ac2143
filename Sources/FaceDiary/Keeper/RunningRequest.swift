internal import DiaryVault
internal import Sealing

/// A request of a client on its way, whatever the type of its answer, which comes encoded.
struct RunningRequest {
  let kind: RequestKind
  let step: (Slice) throws -> WorkStep<[UInt8]>
  let take: ([ImportItem]) throws(VaultError) -> Void
  let endItems: () -> Void

  init<R: Request>(_ request: R, on vault: Vault) throws(VaultError) {
    let work = try request.begin(on: vault)
    kind = R.kind
    step = { try work.step($0).map { try Wire.encode($0) } }
    take = { items throws(VaultError) in try work.take(items) }
    endItems = work.endItems
  }

  /// The request in a frame.
  static func decode(_ frame: Frame) throws -> any Request {
    guard let kind = frame.payload.first.flatMap(RequestKind.init(rawValue:)) else {
      throw SealingError.malformed
    }
    return try decode(kind.type, Array(frame.payload.dropFirst()))
  }

  private static func decode<R: Request>(_: R.Type, _ bytes: [UInt8]) throws -> R {
    try Wire.decode(R.self, from: bytes, limit: Wire.requestLimit)
  }
}
