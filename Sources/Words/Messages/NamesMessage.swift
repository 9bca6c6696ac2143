/// Journals, kinds and the trash.
package enum NamesMessage: Sendable {
  case madeJournal(String)
  case changedJournal(String)
  case renamed(old: String, new: String)
  case moved(String)
  case noJournals
  case sayWhereEntriesGo
  case askToRemoveJournalInto(name: String, entries: Int, heir: String)
  case askToRemoveJournal(name: String, entries: Int)
  case removedJournal(String)
  case noTag(String)
  case tagIsThere(String)
  case mergeTags(old: String, new: String)
  case tagged(String, entries: Int)
  case madeKind(String)
  case askToRemoveKind(String)
  case removedKind(String)
  case askToTrash(Int)
  case trashed(Int)
  case restored(Int)
  case askToPurge(Int)
  case purged(Int)
}
