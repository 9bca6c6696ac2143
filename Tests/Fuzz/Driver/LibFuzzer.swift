import Foundation

private let target: @Sendable ([UInt8]) -> Void = {
  let name = ProcessInfo.processInfo.environment["FACEDIARY_FUZZ"]
  guard let target = fuzzTargets.first(where: { $0.name == name }) else {
    fatalError("FACEDIARY_FUZZ is none of \(fuzzTargets.map(\.name))")
  }
  atexit { try? FileManager.default.removeItem(atPath: fuzzFolder) }
  return target.read
}()

/// libFuzzer brings its own main and calls this. One binary; `FACEDIARY_FUZZ` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
