internal import Platform

/// A folder that something else carries between devices: Syncthing, Nextcloud, a network drive, a stick.
struct FolderPlace: Place {
  private let path: String
  var folder: String? { path }
  let place: String

  init(_ path: String, _ place: String) {
    self.path = path
    self.place = place
  }

  private func requireFolder() throws(PlaceError) {
    guard FileSystem.isDirectory(path) else {
      throw PlaceError(FileSystem.exists(path) ? .notFolder : .missing, place)
    }
  }

  /// - Throws: ``PlaceError`` `notFolder` where a link leads out of it: others may write here, and nothing is read or written elsewhere.
  private func requireInside(_ names: some Sequence<String>) throws(PlaceError) {
    try requireFolder()
    for folder in Set(names.map { FileSystem.parent(of: $0) }) {
      var partial = path
      for component in folder.split(separator: "/") {
        partial += "/" + component
        let kind = (try? FileStatus(partial))?.kind
        guard kind == nil || kind == .directory else { throw PlaceError(.notFolder, place) }
      }
    }
  }

  func needs() throws(PlaceError) -> [String] {
    if FileSystem.exists(path) { try requireFolder() }
    return FileSystem.isDirectory(path) ? [] : ["mkdir -p " + ShellWords.quoted(path)]
  }

  func objects(in folder: String) throws(PlaceError) -> [PlacedObject] {
    try requireInside([folder + "/"])
    var found: [PlacedObject] = []
    var open = [folder]
    while let folder = open.popLast() {
      let directory = path + "/" + folder
      guard FileSystem.isDirectory(directory) else { continue }
      let names = try reaching(place) { () throws(PlatformError) in
        try FileSystem.names(in: directory)
      }
      for name in names {
        // Programs that synchronize folders keep partial files there, under names that begin like this.
        guard !name.hasPrefix("."), !name.hasPrefix("~") else { continue }
        let status = try? FileStatus(directory + "/" + name)
        if status?.kind == .directory, folder.split(separator: "/").count < 5 {
          open.append(folder + "/" + name)
        } else if let status, status.kind == .regular {
          found.append(PlacedObject(folder + "/" + name, size: status.size))
        }
      }
    }
    return found
  }

  func get(_ names: [String], into directory: String) throws(PlaceError) {
    try requireInside(names)
    var failure: PlaceError?
    for name in names where FileSystem.exists(path + "/" + name) {
      do throws(PlaceError) {
        try copy(path + "/" + name, to: directory + "/" + name)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError) {
    try requireInside(names.map { prefix + $0 })
    var folders: Set<String> = []
    for name in names {
      let target = path + "/" + prefix + name
      try copy(directory + "/" + name, to: target)
      folders.insert(FileSystem.parent(of: target))
    }
    for folder in folders {
      try reaching(place) { () throws(PlatformError) in
        try FileSystem.synchronize(directory: folder)
      }
    }
  }

  func remove(_ names: [String]) throws(PlaceError) -> Bool {
    try requireInside(names)
    for name in names where FileSystem.exists(path + "/" + name) {
      try reaching(place) { () throws(PlatformError) in
        try FileSystem.remove(path + "/" + name)
      }
    }
    // A place that was only tried stays as it was.
    for folder in [Probe.folder, String(ObjectFolder.root.dropLast())]
    where names.contains(where: { $0.hasPrefix(Probe.folder + "/") }) {
      FileSystem.removeDirectory(path + "/" + folder)
    }
    return true
  }

  private func copy(_ source: String, to target: String) throws(PlaceError) {
    // Which file it is, a person has to know to take it away.
    try reaching(place, naming: path + "/") { () throws(PlatformError) in
      let from = try Descriptor.open(source, [.noFollow, .nonBlocking])
      guard try from.status().kind == .regular else { throw PlatformError(.notRegular, source) }
      try FileSystem.makeDirectories(FileSystem.parent(of: target))
      let file = try AtomicFile(target)
      while true {
        let bytes = try from.read(1 << 20)
        if bytes.isEmpty { break }
        try file.write(bytes)
      }
      try file.commit()
    }
  }
}
