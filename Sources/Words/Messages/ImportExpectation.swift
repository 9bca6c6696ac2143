package import JSONText

/// What an import expected where it found something else. Fields have the names they have in the file.
package enum ImportExpectation: Sendable, Equatable {
  case end
  case entries, anEntry, anArrayOfEntries, anEntryOrAnExport
  case anArrayOrAnObject, anObject, anObjectALine
  case anArrayOf(String)
  case formatOne
  case field(String)
  case text(in: String)
  case texts(in: String)
  case flag(in: String)
  case array(in: String)
  case object(in: String)
  case date(in: String)
  case day(in: String)
  case id(in: String)
  case atMost(Int, in: String)
  case entryOfAtMost(bytes: Int)
  case aValue
  case aDate, aDateAndTime, aDateInUTC, aMonthOfDays
}

/// Something else stands in an import at `line` and `column`, both from 1.
package struct ImportProblem: Error, Equatable {
  let line: Int
  let column: Int
  let expected: ImportExpectation
}

extension JSONReader {
  package func expected(_ expectation: ImportExpectation) -> ImportProblem {
    ImportProblem(line: line, column: column, expected: expectation)
  }
}
