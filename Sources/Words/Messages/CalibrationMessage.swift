/// `calibrate`.
package enum CalibrationMessage: Sendable {
  case saveNeedsModel
  case savedFor(String)
  case tooFewPersons(Int)
  case moreShots
  case morePairs
  case tooFewPairs
  case notText(String)
  case quoteOpen(file: String, line: Int)
  case severalRows(path: String, line: Int, file: String, rows: Int)
  case twoPersons(String)
  case sameVector(file: String, line: Int, other: Int)
  case labelOnce
  case vectorsTwice(Int)
  case cannotShow(pairs: Int, rate: String, least: String)
  case sharedDirection(String)
  case worstPerson(person: String, rate: String)
  case pairs(genuine: Int, impostor: Int)
  case equalErrorRate(rate: String, threshold: String)
  case atRate(rate: String, threshold: String, low: String, high: String, fnmr: String)
  case byPerson(
    threshold: String, best: String, bestRate: String, median: String, worst: String,
    worstRate: String)
  case chosen(
    rate: String, low: String, high: String, owners: Int, open: String, threshold: String)
  case published(threshold: String, fmr: String, fnmr: String, chosen: String, open: String)
  case chosenTooMany(rate: String, target: String)
  case chosenUnshown(owners: Int, rate: String, most: String)
  case suggested(threshold: String, fmr: String, fnmr: String)
  case empty(String)
  case wantsColumns(file: String, line: Int, found: String)
  case wantsPersonAndFile(file: String, line: Int)
  case wantsRow(file: String, line: Int)
}
