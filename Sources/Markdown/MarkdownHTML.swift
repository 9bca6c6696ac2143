/// A document as HTML: all text is escaped, links lead only to the web and to mail, and nothing in it runs.
package struct MarkdownHTML {
  /// What waits to be written.
  private var bytes: [UInt8] = []
  private let write: ([UInt8]) throws -> Void
  /// Writes a picture itself, or says that its words are to stand there.
  private let picture: (_ alt: String, _ target: String) throws -> Bool

  package init(
    write: @escaping ([UInt8]) throws -> Void,
    picture: @escaping (_ alt: String, _ target: String) throws -> Bool = { _, _ in false }
  ) {
    self.write = write
    self.picture = picture
  }

  /// Writes what waits.
  package mutating func end() throws {
    if !bytes.isEmpty { try write(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func add(_ document: MarkdownDocument) throws {
    for block in document.blocks { try add(block) }
  }

  private mutating func mark(_ html: StaticString) {
    html.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ text: String) { HTMLText.escape(text, onto: &bytes) }

  private mutating func add(_ block: MarkdownDocument.Block) throws {
    switch block {
    case .heading(let level, let inlines):
      // Under the page's own title, its days and its entries.
      let tag = "h\(min(6, level + 3))>"
      bytes += Array(("<" + tag).utf8)
      try add(inlines)
      bytes += Array(("</" + tag + "\n").utf8)
    case .paragraph(let inlines):
      mark("<p>")
      try add(inlines)
      mark("</p>\n")
    case .quote(let blocks):
      mark("<blockquote>\n")
      for block in blocks { try add(block) }
      mark("</blockquote>\n")
    case .list(let list): try add(list)
    case .code(let code):
      mark("<pre><code>")
      put(code)
      mark("</code></pre>\n")
    case .rule: mark("<hr>\n")
    case .table(let table): try add(table)
    }
  }

  private mutating func add(_ list: MarkdownDocument.List) throws {
    if let start = list.start {
      bytes += Array((start == 1 ? "<ol>\n" : "<ol start=\"\(start)\">\n").utf8)
    } else {
      mark("<ul>\n")
    }
    for item in list.items {
      switch item.isDone {
      case nil: mark("<li>")
      case true?: mark("<li class=\"task\">☑ ")
      case false?: mark("<li class=\"task\">☐ ")
      }
      for block in item.blocks {
        if list.isTight, case .paragraph(let inlines) = block {
          try add(inlines)
        } else {
          try add(block)
        }
      }
      mark("</li>\n")
    }
    if list.start == nil { mark("</ul>\n") } else { mark("</ol>\n") }
  }

  private mutating func add(_ table: MarkdownDocument.Table) throws {
    mark("<table>\n<thead>")
    try addRow(table.head, table, "th")
    mark("</thead>\n<tbody>\n")
    for row in table.rows { try addRow(row, table, "td") }
    mark("</tbody>\n</table>\n")
  }

  private mutating func addRow(
    _ row: [[MarkdownDocument.Inline]], _ table: MarkdownDocument.Table, _ tag: String
  ) throws {
    mark("<tr>")
    for (cell, alignment) in zip(row, table.alignments) {
      let side =
        switch alignment {
        case .none: ""
        case .left: " class=\"left\""
        case .center: " class=\"center\""
        case .right: " class=\"right\""
        }
      bytes += Array("<\(tag)\(side)>".utf8)
      try add(cell)
      bytes += Array("</\(tag)>".utf8)
    }
    mark("</tr>\n")
  }

  private mutating func add(_ inlines: [MarkdownDocument.Inline]) throws {
    for inline in inlines {
      switch inline {
      case .text(let text): put(text)
      case .code(let code):
        mark("<code>")
        put(code)
        mark("</code>")
      case .emphasis(let inner):
        mark("<em>")
        try add(inner)
        mark("</em>")
      case .strong(let inner):
        mark("<strong>")
        try add(inner)
        mark("</strong>")
      case .struck(let inner):
        mark("<s>")
        try add(inner)
        mark("</s>")
      case .link(let inner, let target):
        guard HTMLText.isSafe(target) else {
          try add(inner)
          continue
        }
        mark("<a rel=\"noreferrer\" href=\"")
        put(target)
        mark("\">")
        try add(inner)
        mark("</a>")
      case .image(let alt, let target):
        try end()
        if try !picture(alt, target) { put(alt.isEmpty ? target : alt) }
      case .lineBreak: mark("<br>\n")
      }
    }
  }
}
