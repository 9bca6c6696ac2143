package import CommandLine

/// Import and export.
package enum ExchangeMessage: Sendable {
  case markdownIsFolder
  case attachmentsAreForJSON
  case exportedUnsealed
  case wroteEntries(count: Int, path: String)
  case filesLeft(Int)
  case filesNotTaken(Int)
  case nameNewFolder
  case diary
  case contents
  case historyIsForJSON
  case isFolder(path: String, format: String)
  case markdownWantsFolder(String)
  case lost(LostPart, String, count: Int)
  case moreLost(Int)
  case jrnlEncrypted(String)
  case encrypted(String)
  case noTextOrEncrypted(String)
  case emptyFile(String)
  case utf16(String)
  case convertToUTF8(String)
  case noExport(String, type: String)
  case zipLocked(String)
  case zipDamaged(String)
  case notRecognised(String)
  case severalForms(String, [String])
  case conflictChoices
  case exportDecrypted
  case attachIt(String)
  case moreBad(Int, places: [String])
  case decryptJrnl
  case wouldImport(imported: Int, duplicates: Int)
  case wouldBring(date: String, title: String, files: Int)
  case wouldBringMore(Int)
  case entriesRead(Int)
  case wordsStay(Int)
  case wordsStayed(Int)
  case nothingImported
  case noEntries
  case isOwnFolder(String)
  case nameOtherPlace
  case imported(imported: Int, duplicates: Int)
  case updated(Int)
  case skipped(Int)
  case leftAsItIs(Int)
  case skipBadOnes
  case otherFormats
  case onlyFiles(name: String, line: Int)
  case sayWhereFiles
  case zone(String)
  case field(name: String, line: Int, field: String, expected: any Message)
  case jsonAt(name: String, line: Int, column: Int, expected: any Message)
  case noJrnlEntry(String)
  case wantsJrnlHead(name: String, line: Int)
  case lineTooLong(name: String, line: Int)
  case calendarCut(name: String, component: String)
  case lineNotDate(name: String, line: Int, date: String)
  case lineNotText(name: String, line: Int)
  case convertFrom(String)
  case noMarkdown(String)
  case noDayOne(String)
  case notText(String)
  case wantsID(String)
  case fileField(file: String, field: String, expected: any Message)
  case wantsDateField(file: String, field: String, String)
  case zipped(String)
  case notUnpacked(String, String)
  case tooLargeUnpacked(String, Int)
  case unzipFirst
  case wantsColon(file: String, line: Int)
  case frontMatterOpen(String)
  case wantsListEnd(file: String, line: Int)
  case wantsTextEnd(file: String, line: Int)
}
