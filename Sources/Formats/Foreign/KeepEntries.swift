internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// The folder `Keep` of Google's Takeout: a JSON file for each note, its pictures beside it.
  ///
  /// Form: notes as https://github.com/marph91/jimmy (`formats/google_keep.py`) and others read them; Google states none.
  static let keep = ImportFormat(
    name: "keep", shapes: [.file, .folder],
    recognises: { try $0.someJSON(has: "\"userEditedTimestampUsec\"") },
    open: { try ForeignSource($0) { KeepEntries($0, $1) } })
}

/// Notes of Google Keep.
struct KeepEntries: ForeignEntries {
  private var files: ForeignFiles
  private let zone: LocalZone
  var lost: LostParts { files.lost }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    files = ForeignFiles(input, folder)
    zone = input.zone
  }

  /// Those read below, and how a note was shown.
  private static let known: Set<String> = [
    "title", "textContent", "textContentHtml", "listContent", "labels", "attachments",
    "annotations", "isPinned", "isTrashed", "isArchived", "color", "createdTimestampUsec",
    "userEditedTimestampUsec",
  ]

  func isOwn(_ path: String) -> Bool {
    // Each note is also there as an HTML page.
    let lower = path.lowercased()
    return lower.hasSuffix(".json")
      || lower.hasSuffix(".html") && files.folder.hasFile(path.dropLast(5) + ".json")
  }

  mutating func next() throws -> ForeignEntry? {
    // Labels and settings lie beside the notes.
    while let (note, name) = try files.next(having: [
      "userEditedTimestampUsec", "createdTimestampUsec",
    ]) {
      if note["isTrashed"]?.flag == true {
        files.lost.add(.trashed, name)
        continue
      }
      do { return try entry(note, name) } catch { throw BadEntry(failure: error, place: name) }
    }
    return nil
  }

  private mutating func entry(_ note: JSONValue, _ name: String) throws -> ForeignEntry {
    let edited = note["userEditedTimestampUsec"]?.number
    guard let created = note["createdTimestampUsec"]?.number ?? edited,
      let (date, zone) = try? zone.time(milliseconds: created / 1000)
    else { throw ForeignEntry.wrongDate(name, "createdTimestampUsec") }
    var entry = ForeignEntry(name, at: date)
    entry.draft.zone = zone
    entry.modified = edited.flatMap { abs($0) < 1e18 ? Int64($0 / 1e6) : nil }
    entry.draft.title = note["title"]?.text
    entry.draft.starred = note["isPinned"]?.flag ?? false
    entry.draft.tags = (note["labels"]?.list ?? []).compactMap { $0["name"]?.text }
    if let text = note["textContent"]?.text, !text.isEmpty {
      entry.draft.body = text
    } else if let html = note["textContentHtml"]?.text {
      entry.takeHTML(html)
    }
    var parts = [entry.draft.body]
    parts.append(
      (note["listContent"]?.list ?? []).map { item in
        let text = (item["text"]?.text ?? "").replacing("\n", with: "\n  ")
        return "- [\(item["isChecked"]?.flag == true ? "x" : " ")] \(text)"
      }.joined(separator: "\n"))
    parts.append(
      (note["annotations"]?.list ?? []).compactMap { link in
        guard let url = link["url"]?.text else { return nil }
        let title = link["title"]?.text ?? ""
        let description = link["description"]?.text ?? ""
        return MarkdownSigns.link(title.isEmpty ? url : title, to: url)
          + (description.isEmpty ? "" : "\n" + description)
      }.joined(separator: "\n"))
    entry.draft.body = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    let place = name.contains("/") ? FileSystem.parent(of: name) + "/" : ""
    for file in note["attachments"]?.list ?? [] {
      guard let path = file["filePath"]?.text else { continue }
      // Takeout sometimes writes another file extension.
      let candidates = [
        path, path.replacing(".jpeg", with: ".jpg"), path.replacing(".jpg", with: ".jpeg"),
      ]
      entry.files.append(
        .path(place + (candidates.first { files.folder.hasFile(place + $0) } ?? path)))
    }
    for key in note.keys where !Self.known.contains(key) { files.lost.add(.field, key) }
    return entry
  }
}
