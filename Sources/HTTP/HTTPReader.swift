/// Reads the requests of one connection from the bytes that come in, in whatever pieces. It holds at most one request.
package struct HTTPReader {
  private var bytes: [UInt8] = []
  /// How many of them were looked at for the end of the head.
  private var scanned = 0
  private var request: HTTPRequest?
  private let bodyLimit: (HTTPRequest) -> Int

  /// - Parameter bodyLimit: the most bytes of the body of a request, of which the head is known.
  package init(bodyLimit: @escaping (HTTPRequest) -> Int) { self.bodyLimit = bodyLimit }

  /// Whether nothing of a request has come in.
  package var isIdle: Bool { bytes.isEmpty && request == nil }

  /// Takes what came in.
  ///
  /// - Returns: the request, once all of it is there.
  /// - Throws: ``HTTPProblem``. The connection is to be closed after its answer. More than one request at a time is one.
  package mutating func take(_ new: some Collection<UInt8>) throws(HTTPProblem) -> HTTPRequest? {
    bytes += new
    if request == nil { try readHead() }
    guard var found = request else { return nil }
    let length = found.contentLength
    guard bytes.count >= length else { return nil }
    guard bytes.count == length else { throw HTTPProblem(.badRequest) }
    found.body = bytes
    (bytes, scanned, request) = ([], 0, nil)
    return found
  }

  private mutating func readHead() throws(HTTPProblem) {
    guard let end = endOfHead() else {
      guard bytes.count <= HTTPRequest.headLimit else { throw HTTPProblem(.headersTooLarge) }
      return
    }
    guard end <= HTTPRequest.headLimit else { throw HTTPProblem(.headersTooLarge) }
    let head = try HTTPHead(bytes[..<end])
    let found = HTTPRequest(method: head.method, path: head.path, headers: head.headers)
    bytes.removeFirst(end)
    guard found.contentLength <= bodyLimit(found) else { throw HTTPProblem(.contentTooLarge) }
    request = found
  }

  /// Where the body begins; nil while the empty line has not come.
  private mutating func endOfHead() -> Int? {
    let last = min(bytes.count, HTTPRequest.headLimit + 4)
    while scanned + 4 <= last {
      if bytes[scanned] == 13, bytes[scanned + 1] == 10, bytes[scanned + 2] == 13,
        bytes[scanned + 3] == 10
      {
        return scanned + 4
      }
      scanned += 1
    }
    return nil
  }
}

/// The request line and the headers.
private struct HTTPHead {
  let method: HTTPRequest.Method
  let path: String
  private(set) var headers: [String: String] = [:]

  /// - Parameter bytes: with the empty line at the end.
  init(_ bytes: ArraySlice<UInt8>) throws(HTTPProblem) {
    // Both line ends stand together only: neither is part of anything.
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes.dropLast(2)
    while let end = rest.firstIndex(of: 10) {
      guard end > rest.startIndex, rest[end - 1] == 13 else { throw HTTPProblem(.badRequest) }
      lines.append(rest[..<(end - 1)])
      rest = rest[(end + 1)...]
      guard lines.count <= HTTPRequest.headerLimit + 1 else {
        throw HTTPProblem(.headersTooLarge)
      }
    }
    guard rest.isEmpty, let first = lines.first else { throw HTTPProblem(.badRequest) }
    (method, path) = try Self.requestLine(first)
    for line in lines.dropFirst() { try take(header: line) }
    try check()
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPProblem) -> (HTTPRequest.Method, String) {
    let words = line.split(separator: 32, omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
      throw HTTPProblem(.badRequest)
    }
    guard words[0].allSatisfy(isTokenByte), words[1].first == UInt8(ascii: "/"),
      words[1].count <= HTTPRequest.pathLimit, words[1].allSatisfy(isPathByte),
      // No way up, and no empty part that another reader leaves out.
      words[1].dropFirst().split(separator: 47, omittingEmptySubsequences: false)
        .enumerated().allSatisfy({ place, part in
          (!part.isEmpty || words[1].count == 1 && place == 0) && part.first != 46
        })
    else { throw HTTPProblem(.badRequest) }
    guard words[2].elementsEqual("HTTP/1.1".utf8) else {
      throw HTTPProblem(
        words[2].starts(with: "HTTP/".utf8) ? .versionNotSupported : .badRequest)
    }
    guard let method = HTTPRequest.Method(rawValue: String(decoding: words[0], as: UTF8.self))
    else { throw HTTPProblem(.methodNotAllowed) }
    return (method, String(decoding: words[1], as: UTF8.self))
  }

  private mutating func take(header line: ArraySlice<UInt8>) throws(HTTPProblem) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(Self.isTokenByte)
    else { throw HTTPProblem(.badRequest) }
    let value = line[(colon + 1)...].drop { $0 == 32 }
    guard value.allSatisfy({ (32..<127).contains($0) }), value.last != 32 else {
      throw HTTPProblem(.badRequest)
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard headers.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
      throw HTTPProblem(.badRequest)
    }
  }

  /// What a head must have, and must not have.
  private func check() throws(HTTPProblem) {
    guard let host = headers["host"], !host.isEmpty else { throw HTTPProblem(.badRequest) }
    if headers["transfer-encoding"] != nil || headers["upgrade"] != nil || headers["te"] != nil {
      throw HTTPProblem(.notImplemented)
    }
    if headers["expect"] != nil { throw HTTPProblem(.expectationFailed) }
    guard let length = headers["content-length"] else {
      if method == .post { throw HTTPProblem(.lengthRequired) }
      return
    }
    let digits = length.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy({ (48..<58).contains($0) }),
      digits.first != 48 || digits.count == 1, method == .post || length == "0"
    else { throw HTTPProblem(.badRequest) }
  }

  /// RFC 9110, 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48..<58, 65..<91, 94..<123, 33, 35...39, 42, 43, 45, 46, 124, 126: true
    default: false
    }
  }

  /// Those that a path needs no escape for, and that no reader takes for anything else.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 45...57, 65..<91, 95, 97..<123, 126: true
    default: false
    }
  }
}
