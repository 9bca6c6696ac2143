internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

/// Date and place of an entry from the photo it is about.
@MainActor
package enum PhotoFacts {
  /// As much of a photo as its metadata can take.
  private static let beginning = 1 << 20

  /// Sets what the command line does not say, by the first file that knows it.
  static func fill(
    _ content: inout EntryContent, from files: [(String, InputFile)], _ invocation: Invocation
  ) throws {
    var wantsDate = !invocation.arguments.has(Options.date)
    var isSaid = false
    for (_, file) in files {
      let facts = PhotoMetadata(try file.beginning(beginning))
      try file.rewind()
      isSaid = isSaid || facts.taken != nil || facts.place != nil
      if wantsDate, let date = date(facts, invocation.dates) {
        content.date = date
        content.zone = invocation.dates.zone.name(for: date)
        wantsDate = false
      }
      if content.location == nil, let place = facts.place {
        content.location = Coordinates.text(latitude: place.latitude, longitude: place.longitude)
      }
    }
    if !isSaid { invocation.page.warn(WritingMessage.photoSaysNothing) }
  }

  /// The camera's clock in the zone it says, else in ours.
  private static func date(_ facts: PhotoMetadata, _ dates: DateParser) -> ZonedTime? {
    guard let taken = facts.taken else { return nil }
    let parts = taken.split(separator: " ")
    guard parts.count == 2 else { return nil }
    let day = parts[0].replacing(":", with: "-")
    return try? dates.instant(day + "T" + parts[1] + (facts.offset ?? ""))
  }
}
