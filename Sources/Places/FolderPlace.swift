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

  /// Opens it. What is done in it afterwards goes from one open folder to the next: others may write here, and put a link to somewhere
  /// else in the place of a folder between any two steps.
  private func open() throws(PlaceError) -> OpenDirectory {
    try requireFolder()
    return try reaching(place) { () throws(PlatformError) in try OpenDirectory(path) }
  }

  /// A folder in it; nil where there is none.
  ///
  /// - Parameter makes: whether it is made then.
  /// - Throws: ``PlaceError`` `notFolder` where something else has its name.
  private func folder(
    _ name: some StringProtocol, in root: OpenDirectory, makes: Bool = false
  ) throws(PlaceError) -> OpenDirectory? {
    var folder = root
    for component in name.split(separator: "/") {
      let path = folder.path + "/" + component
      if makes {
        try reaching(place, naming: (String(name), folder)) { () throws(PlatformError) in
          _ = try FileSystem.makeDirectory(path)
        }
      }
      do throws(PlatformError) { folder = try OpenDirectory(noFollow: path) } catch {
        guard let kind = (try? FileStatus(path))?.kind else { return nil }
        guard kind == .directory else { throw PlaceError(.notFolder, place) }
        throw PlaceError(.system(error.explanation), place)
      }
    }
    return folder
  }

  /// Calls `body` with each of some names and the folder that it is in, which is opened once for names that follow one another.
  private func each(
    _ names: [String], makes: Bool = false,
    _ body: (_ name: String, _ folder: OpenDirectory, _ last: String) throws(PlaceError) -> Void
  ) throws(PlaceError) {
    let root = try open()
    var known: (name: String, folder: OpenDirectory?)?
    for name in names {
      let parent = FileSystem.parent(of: "/" + name)
      if known?.name != parent {
        known = (parent, try folder(parent, in: root, makes: makes))
      }
      if let folder = known?.folder { try body(name, folder, FileSystem.name(of: name)) }
    }
  }

  func needs() throws(PlaceError) -> [String] {
    if FileSystem.exists(path) { try requireFolder() }
    return FileSystem.isDirectory(path) ? [] : ["mkdir -p " + ShellWords.quoted(path)]
  }

  func objects(in name: String) throws(PlaceError) -> [PlacedObject] {
    guard let folder = try folder(name, in: open()) else { return [] }
    var found: [PlacedObject] = []
    try list(folder, name, name.split(separator: "/").count, &found)
    return found
  }

  private func list(
    _ folder: OpenDirectory, _ name: String, _ depth: Int, _ found: inout [PlacedObject]
  ) throws(PlaceError) {
    let names = try reaching(place) { () throws(PlatformError) in
      try FileSystem.names(in: folder.path)
    }
    // Programs that synchronize folders keep partial files there, under names that begin like this.
    for child in names where !child.hasPrefix(".") && !child.hasPrefix("~") {
      let status = try? FileStatus(folder.path + "/" + child)
      if status?.kind == .directory, depth < 5 {
        guard let inner = try self.folder(child, in: folder) else { continue }
        try list(inner, name + "/" + child, depth + 1, &found)
      } else if let status, status.kind == .regular {
        found.append(PlacedObject(name + "/" + child, size: status.size))
      }
    }
  }

  func get(_ names: [String], into directory: String) throws(PlaceError) {
    var failure: PlaceError?
    try each(names) { name, folder, last throws(PlaceError) in
      guard FileSystem.exists(folder.path + "/" + last) else { return }
      do throws(PlaceError) {
        let target = directory + "/" + name
        try reaching(place) { () throws(PlatformError) in
          try FileSystem.makeDirectories(FileSystem.parent(of: target))
        }
        try copy(folder.path + "/" + last, to: target, (name, folder))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  func put(
    _ names: [String], from directory: String, under prefix: String, replacing: Bool
  ) throws(PlaceError) {
    var folders: [String: OpenDirectory] = [:]
    try each(names.map { prefix + $0 }, makes: true) { name, folder, last throws(PlaceError) in
      let source = directory + "/" + name.dropFirst(prefix.count)
      try copy(source, to: folder.path + "/" + last, (name, folder))
      folders[FileSystem.parent(of: name)] = folder
    }
    for folder in folders.values {
      try reaching(place) { () throws(PlatformError) in
        try FileSystem.synchronize(directory: folder.path)
      }
    }
  }

  func remove(_ names: [String]) throws(PlaceError) -> Bool {
    try each(names) { name, folder, last throws(PlaceError) in
      let path = folder.path + "/" + last
      guard FileSystem.exists(path) else { return }
      try reaching(place) { () throws(PlatformError) in try FileSystem.remove(path) }
    }
    // A place that was only tried stays as it was.
    if names.contains(where: { $0.hasPrefix(Probe.folder + "/") }) {
      let root = try open()
      let objects = String(ObjectFolder.root.dropLast())
      if let folder = try folder(objects, in: root) {
        withExtendedLifetime(folder) {
          FileSystem.removeDirectory(folder.path + "/" + FileSystem.name(of: Probe.folder))
        }
      }
      withExtendedLifetime(root) { FileSystem.removeDirectory(root.path + "/" + objects) }
    }
    return true
  }

  /// - Parameter object: which one it is, a person has to know to take it away.
  private func copy(
    _ source: String, to target: String, _ object: (name: String, folder: OpenDirectory)
  ) throws(PlaceError) {
    try reaching(place, naming: object) { () throws(PlatformError) in
      let from = try Descriptor.open(source, [.noFollow, .nonBlocking])
      guard try from.status().kind == .regular else { throw PlatformError(.notRegular, source) }
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
