import Foundation
import Testing

/// What the pages point at is there.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func files(_ folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? [])
      .map { folder + "/" + $0 }
  }

  private static func pages() throws -> [(name: String, text: String)] {
    try (["README.md"] + files("Sources").filter { $0.hasSuffix(".md") }).map {
      ($0, try String(contentsOfFile: root + "/" + $0, encoding: .utf8))
    }
  }

  @Test func `every suite a page names is a file of that name`() throws {
    let suites = Set(
      Self.files("Tests").filter { $0.hasSuffix("Tests.swift") }.map {
        URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
      })
    var named = 0
    for (page, text) in try Self.pages() {
      for match in text.matches(of: /`([A-Za-z]+Tests)`/) {
        named += 1
        #expect(suites.contains(String(match.1)), "\(page)")
      }
    }
    #expect(named > 30)
  }

  @Test func `every source file a page names exists`() throws {
    let names = Self.files("Sources") + Self.files("Tests")
    var named = 0
    for (page, text) in try Self.pages() {
      for match in text.matches(of: /`((?:[A-Za-z+]+\/)*[A-Za-z+]+\.(?:swift|c|h))`/) {
        named += 1
        let name = "/" + match.1
        #expect(names.contains { $0.hasSuffix(name) }, "\(page): \(match.1)")
      }
    }
    #expect(named > 5)
  }
}
