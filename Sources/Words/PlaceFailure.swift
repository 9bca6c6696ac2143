internal import Places

extension Failure {
  /// What a place did not do, in words.
  init(_ error: PlaceError) {
    switch error.reason {
    case .unknown:
      self.init(.usage, SyncMessage.nameOfPlace(error.place), hint: SyncMessage.placeForms)
    case .missing:
      self.init(.system, SyncMessage.folderMissing(error.place), hint: SyncMessage.mountIt)
    case .notFolder: self.init(.system, SyncMessage.notAFolder(error.place))
    case .system(let says):
      self.init(.system, SyncMessage.placeFailed(place: error.place, says: says))
    case .full: self.init(.diskFull, SyncMessage.placeFull(error.place), hint: SyncMessage.makeRoom)
    case .readOnly: self.init(.readOnly, SyncMessage.placeReadOnly(error.place))
    case .noProgram(let program): self.init(.system, SyncMessage.installProgram(program))
    case .unreliable(let failing):
      self.init(.system, SyncMessage.placeIsUnreliable(error.place, lists: failing != .list))
    case .silent(let program, let seconds):
      self.init(.system, SyncMessage.silent(program: program, seconds: seconds))
    case .program(let program, let says):
      self.init(.system, SyncMessage.programFailed(program: program, says: Self.briefly(says)))
    case .tooLarge(let limit):
      self.init(
        .system, SyncMessage.tooLarge(error.place, limit: limit), hint: SyncMessage.leaveOutOrMove)
    }
  }

  /// What a program says of its failure, in one line: the last two of its own, without warnings of its interpreter and times.
  private static func briefly(_ says: String) -> String {
    let lines = says.split(whereSeparator: \.isNewline).map { line in
      // "2026/11/30 11:20:56 Failed to …"
      let marks = [4, 7, 10, 13, 16, 19].map { line.dropFirst($0).first }
      return (marks == ["/", "/", " ", ":", ":", " "] ? line.dropFirst(20) : line)
        .drop(while: \.isWhitespace)
    }.filter { !$0.isEmpty && !$0.hasPrefix("perl: warning") }
    return lines.isEmpty ? says : lines.suffix(2).joined(separator: "; ")
  }
}
