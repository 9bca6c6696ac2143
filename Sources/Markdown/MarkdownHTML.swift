/// A document as HTML: everything of the text escaped, links to the web and to mail alone, nothing that runs.
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

/// Text in HTML.
package enum HTMLText {
  private static let plain: [Bool] = (0..<256).map { byte in
    // 0xc2, 0xd8 and 0xe2 begin what is looked at below.
    (byte >= 0x20 && byte < 0x7f && !"&<>\"'".utf8.contains(UInt8(byte)))
      || [0x09, 0x0a, 0x0d].contains(byte) || (byte >= 0x80 && ![0xc2, 0xd8, 0xe2].contains(byte))
  }

  package static func escape(_ text: String, onto bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      var place = 0
      while place < utf8.count {
        guard unsafe !plain[Int(utf8[place])] else {
          place += 1
          continue
        }
        let (length, replacement) = unsafe replaced(utf8, place)
        if let replacement {
          unsafe bytes.append(contentsOf: utf8[start..<place])
          bytes += Array(replacement.utf8)
          start = place + length
        }
        place += length
      }
      unsafe bytes.append(contentsOf: utf8[start..<utf8.count])
    }
  }

  private static func replaced(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> (length: Int, String?) {
    let first = unsafe text[place]
    switch first {
    case UInt8(ascii: "&"): return (1, "&amp;")
    case UInt8(ascii: "<"): return (1, "&lt;")
    case UInt8(ascii: ">"): return (1, "&gt;")
    case UInt8(ascii: "\""): return (1, "&quot;")
    case UInt8(ascii: "'"): return (1, "&#39;")
    case 0x7f: return (1, "&#x7f;")
    // No character of HTML: XML 1.0 and browsers both refuse them.
    case 0..<0x20: return (1, "\u{fffd}")
    default:
      let length = first < 0xe0 ? 2 : 3
      guard place + length <= text.count,
        let scalar = unsafe String(decoding: text[place..<(place + length)], as: UTF8.self)
          .unicodeScalars.first, isCommanding(scalar)
      else { return (length, nil) }
      return (length, "&#x" + String(scalar.value, radix: 16) + ";")
    }
  }

  /// What commands a terminal or turns its text, should somebody look at the page in one.
  private static func isCommanding(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x206f: true
    default: false
    }
  }

  /// Whether a link may lead there: to the web or to mail, never to what runs.
  package static func isSafe(_ target: String) -> Bool {
    let start = target.prefix(8).lowercased()
    return ["http://", "https://", "mailto:"].contains { start.hasPrefix($0) }
  }
}
