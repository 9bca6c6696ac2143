import Markdown
import Testing

/// CommonMark's core, and what is added to it, as HTML.
@Suite struct MarkdownTests {
  private func html(_ text: String) throws -> String {
    var bytes: [UInt8] = []
    var page = MarkdownHTML { bytes += $0 }
    try page.add(MarkdownDocument(text))
    try page.end()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Most of them examples of CommonMark 0.31; headings are three levels lower, lines stay lines.
  private static let cases: [(text: String, html: String)] = [
    ("Hello", "<p>Hello</p>\n"),
    ("one\ntwo  \nthree", "<p>one<br>\ntwo<br>\nthree</p>\n"),
    ("# One\n\nTwo\n===", "<h4>One</h4>\n<h4>Two</h4>\n"),
    ("#tag is no heading", "<p>#tag is no heading</p>\n"),
    ("###### six #\n####### seven", "<h6>six</h6>\n<p>####### seven</p>\n"),
    ("*a* **b** ***c***", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>\n"),
    ("snake_case_name and 2*3*4", "<p>snake_case_name and 2<em>3</em>4</p>\n"),
    ("**foo*", "<p>*<em>foo</em></p>\n"),
    ("*foo**bar**baz*", "<p><em>foo<strong>bar</strong>baz</em></p>\n"),
    ("*foo**bar*", "<p><em>foo**bar</em></p>\n"),
    ("**「本」**を読む", "<p><strong>「本」</strong>を読む</p>\n"),
    ("10~20 and ~~gone~~", "<p>10~20 and <s>gone</s></p>\n"),
    ("\\*not\\* \\a", "<p>*not* \\a</p>\n"),
    ("`` a ` b `` `c", "<p><code>a ` b</code> `c</p>\n"),
    ("&amp; &lt; &#12354; &#0; &nosuch;", "<p>&amp; &lt; あ \u{fffd} &amp;nosuch;</p>\n"),
    ("<script>alert('x')</script>", "<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>\n"),
    (
      "[site](https://example.org \"title\")",
      "<p><a rel=\"noreferrer\" href=\"https://example.org\">site</a></p>\n"
    ),
    ("[run](javascript:alert(1))", "<p>run</p>\n"),
    ("[x](JAVASCRIPT:a) [y](data:text/html,z) [z](/etc/passwd)", "<p>x y z</p>\n"),
    (
      "[a][Name] and [name]\n\n[name]: <https://example.org/a b>",
      "<p><a rel=\"noreferrer\" href=\"https://example.org/a b\">a</a> and "
        + "<a rel=\"noreferrer\" href=\"https://example.org/a b\">name</a></p>\n"
    ),
    (
      "see https://example.org/a_(b)_c, (https://example.org). これはhttps://example.orgです",
      "<p>see <a rel=\"noreferrer\" href=\"https://example.org/a_(b)_c\">https://example.org/a_(b)_c</a>, "
        + "(<a rel=\"noreferrer\" href=\"https://example.org\">https://example.org</a>). "
        + "これは<a rel=\"noreferrer\" href=\"https://example.org\">https://example.org</a>です</p>\n"
    ),
    (
      "<me@example.org>",
      "<p><a rel=\"noreferrer\" href=\"mailto:me@example.org\">me@example.org</a></p>\n"
    ),
    ("![a *cat*](cat.jpg) ![[dog.png|200]]", "<p>a cat dog.png</p>\n"),
    (
      "[[a](https://b)](https://c)",
      "<p>[<a rel=\"noreferrer\" href=\"https://b\">a</a>](<a rel=\"noreferrer\" href=\"https://c\">https://c</a>)</p>\n"
    ),
    ("> a\nb\n\nc", "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>\n"),
    ("> - a\n> - b", "<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>\n"),
    (
      "- a\n- b\n\n- c",
      "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n<li><p>c</p>\n</li>\n</ul>\n"
    ),
    ("- a\n  - b\n    c", "<ul>\n<li>a<ul>\n<li>b<br>\nc</li>\n</ul>\n</li>\n</ul>\n"),
    (
      "3. a\n4. b\n- c",
      "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n<ul>\n<li>c</li>\n</ul>\n"
    ),
    ("On\n2026. I", "<p>On<br>\n2026. I</p>\n"),
    (
      "- [ ] milk\n- [x] bread",
      "<ul>\n<li class=\"task\">☐ milk</li>\n<li class=\"task\">☑ bread</li>\n</ul>\n"
    ),
    (
      "```swift\nlet a = \"<b>\"\n\n```\nafter",
      "<pre><code>let a = &quot;&lt;b&gt;&quot;\n\n</code></pre>\n<p>after</p>\n"
    ),
    ("~~~\nnever closed", "<pre><code>never closed\n</code></pre>\n"),
    ("a\n\n    code\n\n      more", "<p>a</p>\n<pre><code>code\n\n  more\n</code></pre>\n"),
    ("***\n- - -", "<hr>\n<hr>\n"),
    (
      "| a | b \\| c |\n|:-|-:|\n| *1* |\nx|y|z\n\nend",
      "<table>\n<thead><tr><th class=\"left\">a</th><th class=\"right\">b | c</th></tr>\n</thead>\n<tbody>\n"
        + "<tr><td class=\"left\"><em>1</em></td><td class=\"right\"></td></tr>\n"
        + "<tr><td class=\"left\">x</td><td class=\"right\">y</td></tr>\n</tbody>\n</table>\n<p>end</p>\n"
    ),
    ("a | b\nno table", "<p>a | b<br>\nno table</p>\n"),
    ("\u{1b}[31m\u{202e}x", "<p>\u{fffd}[31m&#x202e;x</p>\n"),
    ("> [Anna]: hello", "<blockquote>\n<p>[Anna]: hello</p>\n</blockquote>\n"),
    ("[Anna]: hello", "<p>[Anna]: hello</p>\n"),
    (
      "- ```\n  code\nrest", "<ul>\n<li><pre><code>code\n</code></pre>\n</li>\n</ul>\n<p>rest</p>\n"
    ),
    ("a\r\nb\rc", "<p>a<br>\nb<br>\nc</p>\n"),
    ("", ""), ("\n \n\t\n", ""), ("[", "<p>[</p>\n"), ("![", "<p>![</p>\n"), ("\\", "<p>\\</p>\n"),
  ]

  @Test(arguments: cases)
  func `a text becomes its HTML`(_ each: (text: String, html: String)) throws {
    #expect(try html(each.text) == each.html)
  }

  /// The words of a document, whatever marks them.
  private func words(_ blocks: [MarkdownDocument.Block]) -> String {
    blocks.map { block in
      switch block {
      case .heading(_, let inlines), .paragraph(let inlines): inlines.plainText
      case .quote(let blocks): words(blocks)
      case .list(let list): list.items.map { words($0.blocks) }.joined(separator: " ")
      case .code(let code): code
      case .rule: ""
      case .table(let table):
        ([table.head] + table.rows).flatMap { $0.map(\.plainText) }.joined(separator: " ")
      }
    }.joined(separator: " ")
  }

  @Test func `no letter is lost, whatever marks stand around it`() {
    var random = SystemRandomNumberGenerator()
    let marks = [
      "*", "**", "_", "`", "[", "](", ")", "!", "\n", "\n\n", "> ", "- ", "1. ", "# ", "    ", "|",
      "|-|\n", "```\n", "~~", "\\", " ", "&", "<", ">", "\t", "===\n", "![[", "]]", "。",
    ]
    for _ in 0..<5000 {
      var text = ""
      var letters = ""
      for _ in 0..<Int.random(in: 1...16, using: &random) {
        text += marks.randomElement(using: &random)!
        let letter = String("abcdefghijk日本".randomElement(using: &random)!)
        text += letter
        letters += letter
      }
      // Targets of links, names and the language of code are not words of a text.
      guard !text.contains("]("), !text.contains("]:"), !text.contains("```"),
        !text.contains("~~~"),
        !text.contains("|"), !text.contains("![[")
      else { continue }
      let kept = words(MarkdownDocument(text).blocks).filter { "abcdefghijk日本".contains($0) }
      #expect(kept == letters, "\(text.debugDescription)")
    }
  }

  @Test func `depth and size are bounded, whatever is opened`() throws {
    for part in [
      "[", "![", "*", "**a", "_a*", "`a``", "[a](", "[a](<", "[a](b)", "> ", "- ", "1. ", "<a",
      "http://a)", "[http://", "![[a", "[a][", "|-|\n", "a|b\n", "[[a]]", "\n> ", "\n - ", "&#",
    ] {
      let text = String(repeating: part, count: 20_000)
      #expect(try html(text).utf8.count >= 0)
    }
    // What walks the tree has a stack.
    for mark in ["*", "_", "~~a", "**b"] {
      let deep =
        String(repeating: mark, count: 60_000) + "x" + String(repeating: mark, count: 60_000)
      let document = MarkdownDocument(deep)
      #expect(document == MarkdownDocument(deep))
      #expect(try html(deep).contains("x"))
    }
    let links =
      String(repeating: "[*", count: 20_000) + "x" + String(repeating: "*](u)", count: 20_000)
    #expect(try html(links).contains("x"))
    // Much of little: rows without cells.
    let columns = 300
    let table =
      String(repeating: "|a", count: columns) + "\n" + String(repeating: "|-", count: columns)
    #expect(try html(table + String(repeating: "\nb", count: 3000)).utf8.count < 100_000)
    // Deep, and each level on a line of its own.
    for mark in ["> ", "- ", "1. "] {
      #expect(try html(String(repeating: mark, count: 3000) + "deep").contains("deep"))
    }
    #expect(
      try html(
        (0..<500).map { String(repeating: " ", count: 2 * $0) + "- a" }.joined(separator: "\n")
      )
      .contains("a"))
  }

  @Test(arguments: [
    (
      "**Walked** along the [river](https://example.org) with *Anna*, `code`",
      "Walked along the river with Anna, code"
    ),
    ("# A day\n\nand more", "A day and more"), ("2026. It ended", "2026. It ended"),
    ("- [x] milk\n- [ ] tea", "☑ milk ☐ tea"), ("> said\n> she", "said she"), ("---", ""),
    ("* one\n* two", "• one • two"), ("snake_case #tag 2 * 3", "snake_case #tag 2 * 3"),
    ("![the sea](sea.jpg) and **half a", "the sea and **half a"),
  ])
  func `the beginning of a text is shown without its markers`(_ text: String, _ plain: String) {
    #expect(MarkdownDocument(text).plainText == plain)
  }
}
