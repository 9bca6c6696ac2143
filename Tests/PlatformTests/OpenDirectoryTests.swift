import Foundation
import Scratch
import Testing

@testable import Platform

@Suite struct OpenDirectoryTests {
  /// Who may write to the folder above exchanges it for another while it is filled, and while it is removed.
  @Test func `what takes its name is neither written to nor removed`() throws {
    let folder = try Scratch()
    let (path, aside) = (folder.path + "/out", folder.path + "/aside")
    let new = try ExitCleanup.make(directory: path)
    let (made, place) = try #require(new)
    defer { ExitCleanup.remove(place) }
    let again = try ExitCleanup.make(directory: path)
    #expect(again == nil)
    try FileSystem.rename(path, to: aside)
    try FileSystem.makeDirectories(path + "/deep")
    let other = try AtomicFile(path + "/text")
    try other.commit()
    for name in ["a", "b/c"] {
      try FileSystem.makeDirectories(FileSystem.parent(of: made.path + "/" + name))
      let file = try AtomicFile(made.path + "/" + name)
      try file.write([1])
      try file.commit()
    }
    try made.synchronizeAll()
    #expect(try Set(FileSystem.names(in: aside)) == ["a", "b"])
    made.remove(path)
    #expect(try FileSystem.names(in: aside).isEmpty)
    #expect(try Set(FileSystem.names(in: path)) == ["deep", "text"])
    try FileSystem.rename(path, to: folder.path + "/mine")
    try FileSystem.rename(aside, to: path)
    made.remove(path)
    #expect(!FileSystem.exists(path))
  }
}
