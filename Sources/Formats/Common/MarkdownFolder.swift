internal import Dates
internal import Words

/// What a folder of Markdown holds beside the entries.
package enum MarkdownFolder {
  /// Journals and kinds, in the JSON of `export`.
  package static let namesFile = "facediary.json"
  package static let filesFolder = "attachments"
}
