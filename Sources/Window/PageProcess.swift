internal import Access
internal import Bytes
internal import CPage
internal import Client
internal import HTTP
internal import Platform
internal import Requests
internal import SealedFiles
internal import Words

/// The process that serves the page. It holds no key, starts no program, makes no socket once it serves, and reaches no file but
/// the sealed ones of its diary.
package enum PageProcess {
  /// How a process knows that it is to become the page's server: its first word, then the number of its socket.
  package static let word = "__window"

  /// Serves until the broker ends.
  package static func run(_ number: Int32) throws {
    let file = Descriptor(number, name: "socket")
    file.setCloseOnExec()
    // What a shell gave the command is not held, and not reached past what is given up.
    ThisProcess.closeDescriptors(ThisProcess.givenDescriptors().filter { $0 != number })
    let descriptors = LocalSocket(file)
    let messages = LocalSocket(try descriptors.receiveDescriptor(named: "socket"))
    let channel = WindowChannel(messages, descriptors: descriptors)
    var first = try channel.receive(BrokerMessage.self)
    guard !first.isEmpty, case .begin(let task) = first.removeFirst() else {
      throw SessionError.foreign
    }
    if let parent = messages.peer?.process.id { ThisProcess.endWithParent(parent) }
    let listener = try LoopbackListener(try channel.receiveDescriptor(named: "127.0.0.1"))
    try channel.send(ServerMessage.listening(port: Int(listener.port)))
    let page = PageServing(task, channel, listener)
    for message in first { try page.take(message) }
    try page.run()
  }

  /// Gives up what serving does not need. Without a vault there is no folder of it to name yet, and nothing to keep from anybody: files
  /// are given up when it has been made.
  static func confine(_ location: DiaryLocation, keptTexts: String?) {
    guard let keptTexts else {
      _ = Confinement.enter([.programs, .network], writing: [], reading: [])
      return
    }
    let folders = [location.vault, keptTexts].compactMap { FileSystem.realPath($0) }
    _ = Confinement.enter(
      [.files, .programs, .network], writing: folders,
      reading: ["/etc", "/usr/share/zoneinfo", "/proc/sys/kernel/random", "/dev/urandom"])
  }

  /// The files of the page, as they were built in.
  ///
  /// - Parameter language: what the page says it is in before it knows any words.
  static func files(in language: String) -> [String: PageServer.File] {
    var files: [String: PageServer.File] = [:]
    var place = 0
    while let name = unsafe cpage_name(place) {
      var size = 0
      let bytes = unsafe UnsafeBufferPointer(start: cpage_bytes(place, &size), count: size)
      let path = unsafe String(cString: name)
      let content: HTTPResponse.Content =
        path.hasSuffix(".js") ? .script : path.hasSuffix(".css") ? .style : .page
      files[path] = unsafe PageServer.File(content, compact(Array(bytes)))
      if content == .page {
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        files[path] = PageServer.File(
          content, Array(text.replacing("lang=\"en\"", with: "lang=\"\(language)\"").utf8))
      }
      place += 1
    }
    return files
  }

  /// A script or style without its indentation, and without comments that stand on lines of their own: nobody reads them there.
  static func compact(_ text: [UInt8]) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(text.count)
    var isComment = false
    for line in text.split(separator: 0x0a) {
      let rest = line.drop { $0 == 0x20 }
      let ends = rest.suffix(2).elementsEqual("*/".utf8)
      if isComment {
        isComment = !ends
      } else if rest.starts(with: "/*".utf8) {
        isComment = !ends
      } else if !rest.isEmpty, !rest.starts(with: "//".utf8) {
        compact += rest + [0x0a]
      }
    }
    return compact
  }
}
