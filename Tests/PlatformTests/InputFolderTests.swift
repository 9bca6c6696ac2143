import Foundation
import Testing

@testable import Platform

@Suite struct InputFolderTests {
  @Test func `nothing outside the folder is reached, by whatever name or link`() throws {
    let scratch = try Scratch()
    let outside = scratch.path + "/outside"
    let inside = scratch.path + "/inside"
    for path in [outside, inside + "/below"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try Data("secret".utf8).write(to: URL(fileURLWithPath: outside + "/id_rsa"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: inside + "/below/file"))
    symlink(outside, inside + "/linked")
    symlink(outside + "/id_rsa", inside + "/file")
    symlink("below/file", inside + "/near")
    mkfifo(inside + "/pipe", 0o600)
    // The folder itself may be a link: its owner named it.
    symlink(inside, scratch.path + "/named")
    for path in [inside, scratch.path + "/named"] {
      let folder = try InputFolder(path)
      #expect(try folder.open("below/file")?.readAll(limit: 10) == Array("mine".utf8))
      #expect(folder.hasFile("below/file"))
      for name in [
        "linked/id_rsa", "file", "near", "../outside/id_rsa", "below/../../outside/id_rsa",
        outside + "/id_rsa", "pipe", "below", "", "/", "..", ".", "below//file/", "no\u{0}where",
        String(repeating: "x", count: 5000), "/proc/self/environ",
      ] { #expect(!folder.hasFile(name), "\(name.prefix(40))") }
      #expect(throws: PlatformError.self) { try folder.open("linked/id_rsa") }
      #expect(try folder.open("gone") == nil)
      #expect(try folder.names() == ["below", "file", "linked", "near", "pipe"])
    }
    #expect(throws: PlatformError.self) { try InputFolder(inside + "/below/file") }
  }
}
