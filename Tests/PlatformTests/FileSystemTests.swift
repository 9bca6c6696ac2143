import CPlatform
import Foundation
import Testing

@testable import Platform

@Suite struct FileSystemTests {
  /// As on a file system whose rename cannot refuse to replace: those of networks, of other systems, of programs.
  @Test func `a name is taken once, by a file or a folder, also where a rename cannot refuse`()
    throws
  {
    let scratch = try Scratch()
    func path(_ name: String) -> String { scratch.path + "/" + name }
    func rename(_ one: String, _ other: String) -> Int32 {
      unsafe cplatform_rename_stepwise(path(one), path(other))
    }
    let files = FileManager.default
    try files.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
    _ = files.createFile(atPath: path("folder/inside"), contents: Data([1]))
    _ = files.createFile(atPath: path("file"), contents: Data([2]))
    #expect(rename("folder", "diary") == 0)
    #expect(files.fileExists(atPath: path("diary/inside")))
    #expect(!files.fileExists(atPath: path("folder")))
    #expect(rename("file", "other") == 0)
    #expect(files.contents(atPath: path("other")) == Data([2]))
    // What is there stays, whatever it is.
    try files.createDirectory(atPath: path("empty"), withIntermediateDirectories: false)
    for (one, other) in [
      ("diary", "empty"), ("diary", "other"), ("other", "diary"), ("other", "empty"),
    ] {
      #expect(rename(one, other) == -1 && errno == EEXIST, "\(one) \(other)")
    }
    #expect(files.fileExists(atPath: path("diary/inside")))
    #expect(files.contents(atPath: path("other")) == Data([2]))
  }
}
