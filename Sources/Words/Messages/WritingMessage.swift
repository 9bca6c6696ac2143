/// Writing and changing entries, their files and templates; dates as they are typed.
package enum WritingMessage: Sendable {
  case attachedAs(String)
  case attached(count: Int, entry: String)
  case nothingFound
  case noEntriesYet
  case trashEmpty
  case noMemories
  case noTags
  case noFiles
  case fieldTwice(String)
  case photoSaysNothing
  case wroteFile(String)
  case tookAway(name: String, entry: String)
  case couldBeChanged(String)
  case chmodOthers(String)
  case unreadable(String)
  case notConfiguration(String)
  case configurationForm
  case settingSaved(String)
  case settingRemoved(String)
  case noSuchSetting(String)
  case settingsStandIn(String)
  case settingUnset
  case unknownConfigurationKey(path: String, key: String, nearest: String?)
  case badConfigurationKey(path: String, key: String)
  case noPlaceForConfiguration
  case notDateCut(String)
  case dateForms
  case notDate(String)
  case dateUnclear(String)
  case dateEither(String, String)
  case liesAhead(String)
  case notDuration(String)
  case durationForms
  case notEnd(String)
  case endForms
  case endBeforeStart(end: String, start: String)
  case noSuchDay(String)
  case dateYears
  case headBroken
  case quotesArePhrase
  case textsStay(Int)
  case recovered(entry: String, revision: UInt64, insteadOf: String?)
  case filesNotThere([String])
  case noSuchField(String, known: [String])
  case yesOrNo(field: String, String)
  case noEditor
  case nameEditor
  case editorElsewhere(editor: String)
  case editorElsewhereHint
  case editorUnknown(editor: String)
  case swapInClear(String)
  case noMemoryDirectory
  case editorOnDiskHint
  case editorFailed(editor: String, status: Int)
  case editorLeftNoFile
  case editorLeftTooMuch(mebibytes: Int)
  case editorLeftNoText
  case keptInMemory(String)
  case toBeforeFrom
  case noTemplates
  case templateExists(String)
  case editTemplate(String)
  case templateNeedsText
  case keptTemplate(String)
  case askToRemoveTemplate(String)
  case removedTemplate(String)
  case nothingToRecover
  case fromWhichPhoto
  case templateInEditor
  case entryNeedsSomething
  case nothingWritten
  case templateLeft
  case nothingToChange
  /// At a terminal, before a text is read from it.
  case typeThenEnd
  case nothingLeft
  case unchanged
  case keptAt(String)
  case keptSealed, keptSealedInMemory, newTagEmpty
  case attachTakesOne(String)
  case oneTagWanted(String)
  case sessionEndedMeanwhile
  case textTooLong(Int)
  case attachAsFile
  case inputNotText
  case lineCut(Int)
  case useEditorOrFile
}
