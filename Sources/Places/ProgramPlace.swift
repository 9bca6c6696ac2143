/// Any program that keeps objects. It is run as
///
/// - `PROGRAM list FOLDER`: prints every name in the folder and below it, one a line;
/// - `PROGRAM get DIR LIST`: brings the objects whose names stand in the file LIST into DIR, under their names;
/// - `PROGRAM put DIR PREFIX LIST`: takes `DIR/NAME` as `PREFIX` and `NAME`, for each name in LIST;
/// - `PROGRAM remove LIST`: takes away the objects whose names stand in LIST, if they are there.
struct ProgramPlace: Place {
  let place: String
  private let program: PlaceProgram

  /// - Parameter silence: seconds without a byte after which the program is ended.
  init(_ words: [String], _ place: String, silence: Int = PlaceProgram.silence) {
    self.place = place
    program = PlaceProgram(words: words, place: place, silence: silence)
  }

  func needs() -> [String] { [] }

  func objects(in folder: String) throws(PlaceError) -> [PlacedObject] {
    try program.run(["list", folder]).split(separator: 0x0a).map {
      PlacedObject(String(decoding: $0, as: UTF8.self))
    }
  }

  func get(_ names: [String], into directory: String) throws(PlaceError) {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run(["get", directory, list])
    }
  }

  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError) {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run(["put", directory, prefix, list])
    }
  }

  func remove(_ names: [String]) throws(PlaceError) -> Bool {
    try program.withFile(names) { list throws(PlaceError) in
      _ = try program.run(["remove", list])
    }
    return true
  }
}
