/// A format entries go out in, as `--format` names it; the first is the default.
enum ExportFormat: String, CaseIterable, Sendable {
  case json, markdown, jrnl, html, vjournal

  /// Whether it is written into a new folder, or else as one stream.
  var isFolder: Bool { self == .markdown }
}
