/// A part of a vault that cannot be read, or not as it was written, as a person knows it.
public enum DamagedPart: Sendable, Equatable, Codable {
  /// A record of the vault.
  case thing(VaultError.Thing)
  /// The names of journals and kinds.
  case names
  /// An entry, by the beginning of its id.
  case entry(String)
  /// A number of entries that are in one record.
  case entries(Int, in: VaultError.Thing)
  /// Rows of a table of the database.
  case table(String)
  case textOfEntry(String)
  case attachment(String, ofEntry: String)
  /// A text whose entry is not known.
  case text(row: Int64)
  /// Titles, dates and tags of the entries of a page.
  case page(row: Int64)
  /// Entries of which nothing was found.
  case missing(Int)
}

extension DamagedPart: CustomStringConvertible {
  /// In English.
  public var description: String {
    switch self {
    case .thing(let thing): thing.rawValue
    case .names: "journals and kinds"
    case .entry(let id): "entry \(id)"
    case .entries(let count, let thing): "\(count) entries of a \(thing.rawValue)"
    case .table(let name): "perhaps part of the table \(name)"
    case .textOfEntry(let id): "the text of entry \(id)"
    case .attachment(let name, let entry): "\(name) of entry \(entry)"
    case .text(let row): "a text (row \(row))"
    case .missing(let count):
      "\(count) \(count == 1 ? "entry" : "entries") of which nothing was found"
    case .page(let row): "titles, dates and tags of a page (row \(row))"
    }
  }
}
