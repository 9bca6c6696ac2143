import Testing

@testable import CommandLine

@Suite struct ColumnsTests {
  @Test(arguments: [("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("🏨", 2), ("⭐️", 2)])
  func `text is as wide as a terminal shows it`(text: String, columns: Int) {
    #expect(width(text) == columns)
  }

  @Test func `clipping keeps within the columns and says that it clipped`() {
    #expect(clipped("日本語です", to: 7) == "日本語…")
    #expect(clipped("short", to: 5) == "short")
    #expect(
      byteCount(999) == "999 B" && byteCount(1500) == "1.5 kB" && byteCount(70_000_000) == "70 MB")
  }
}
