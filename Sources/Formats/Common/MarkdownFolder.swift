internal import Dates
internal import Words

/// What lies in a folder of Markdown beside the entries.
package enum MarkdownFolder {
  /// Journals and kinds, in the JSON of `export`.
  package static let namesFile = "facediary.json"
  package static let filesFolder = "attachments"
}
