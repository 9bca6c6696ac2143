internal import Entries

extension English {
  static func text(_ message: WritingMessage) -> String {
    switch message {
    case .attachedAs(let name):
      "the entry has another file of that name, so the new one is called \(name)"
    case .attached(let count, let entry):
      "attached \(counted(count, "file", "files")) to \(entry)"
    case .noFiles: "the entry has no photos or files"
    case .fieldTwice(let field): "the field \(field) appears twice; remove one of the lines"
    case .photoSaysNothing: "--from-photo: no photo says when or where it was taken"
    case .trashEmpty: "the trash is empty"
    case .noMemories: "there are no entries from this day in earlier years"
    case .noTags: "no entry has a tag yet"
    case .noEntriesYet:
      "there are no entries yet; write one: facediary write"
    case .quotesArePhrase:
      "words in quotes are searched as one phrase; without quotes, each word is searched separately"
    case .textsStay(let count):
      "nothing was changed, so the entry still has \(counted(count, "other text", "other texts")); to end the conflict, save the text that you want to keep"
    case .nothingFound:
      "nothing found"
    case .wroteFile(let path):
      "wrote \(path); this copy is not encrypted"
    case .tookAway(let name, let entry):
      "removed \(name) from \(entry)"
    case .couldBeChanged(let path):
      "other users can change \(path), so it was not read"
    case .chmodOthers(let path):
      "chmod go-w '\(path)'"
    case .unreadable(let path):
      "\(path) cannot be read"
    case .notConfiguration(let path):
      "\(path) is not a valid configuration file"
    case .configurationForm:
      "it must contain a JSON object; to see and change the settings: facediary config"
    case .settingSaved(let key):
      "saved the setting \(key)"
    case .settingRemoved(let key):
      "removed the setting \(key)"
    case .noSuchSetting(let key):
      "unknown setting: \(key)"
    case .settingsStandIn(let path):
      "settings file: \(path)"
    case .settingUnset:
      "not set"
    case .unknownConfigurationKey(let path, let key, let nearest):
      "\(path): unknown setting \(key)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .badConfigurationKey(let path, let key):
      "\(path): the value of \(key) is not valid"
    case .noPlaceForConfiguration:
      "the configuration cannot be saved: neither HOME nor FACEDIARY_CONFIG is set"
    case .notDateCut(let text):
      "not a date: \(text)…"
    case .dateForms:
      "for example: 2026-03-01, 2026-03-01T09:30, yesterday, \"friday 6pm\", \"2 hours ago\"; for all forms: facediary help dates"
    case .notDate(let text):
      "not a date: \(text)"
    case .liesAhead(let time): "the entry's time is in the future: \(time)"
    case .dateUnclear(let text):
      "\(text) is ambiguous: day and month, or month and day"
    case .dateEither(let one, let other): "write \(one) or \(other)"
    case .notDuration(let text):
      "not a duration: \(text)"
    case .durationForms:
      "for example: +30m, +2h, +1h30m"
    case .notEnd(let text):
      "not an end time: \(text)"
    case .endForms:
      "for example: +90m, 18:30 or a date"
    case .endBeforeStart(let end, let start):
      "the end \(end) is before the start \(start)"
    case .noSuchDay(let text):
      "there is no day \(text)"
    case .dateYears:
      "the date must be in the years 1 to 9999"
    case .headBroken: "the line --- above the fields is missing"
    case .recovered(let entry, let revision, let other):
      if let other {
        "saved as the new entry \(entry), because \(other) has changed since you began the draft, or the diary's key was replaced"
      } else if revision == 1 {
        "saved as the new entry \(entry)"
      } else {
        "saved in \(entry) as revision \(revision)"
      }
    case .filesNotThere(let names):
      "these files of the draft no longer exist; add them again: \(names.joined(separator: ", "))"
    case .noSuchField(let name, let known):
      "an entry has no field \(name); the fields are \(known.joined(separator: ", "))"
    case .yesOrNo(let field, let text): "\(field) must be yes or no, not \(text)"
    case .noEditor:
      "no editor was found"
    case .editorElsewhere(let editor):
      "\(editor) passes the text to a program outside this terminal, which may keep copies that FaceDiary cannot prevent"
    case .editorElsewhereHint:
      "set VISUAL to vim, nano, emacs, micro or hx, or add --editor-on-disk to use this editor anyway"
    case .editorUnknown(let editor):
      "FaceDiary does not know the editor \(editor): depending on its settings, it may keep copies elsewhere (backups, undo files, histories)"
    case .swapInClear(let places):
      "this machine has swap space that is not encrypted (\(places)): what you type may be written there"
    case .nameEditor:
      "set VISUAL or EDITOR to the editor you want"
    case .noMemoryDirectory:
      "there is no memory-backed directory for the file"
    case .editorOnDiskHint:
      "to use a disk, where traces may remain, add --editor-on-disk"
    case .editorFailed(let editor, let status):
      "the editor \(editor) failed with exit code \(status); nothing was changed"
    case .editorLeftNoFile:
      "the editor did not save the file; nothing was changed"
    case .editorLeftTooMuch(let mebibytes):
      "the text from the editor is larger than \(mebibytes) MiB, so it was not kept; nothing was changed"
    case .editorLeftNoText:
      "the text from the editor is not UTF-8; it was read as Latin-1 and kept as a draft"
    case .keptInMemory(let path):
      "a copy is kept in memory, at \(path)"
    case .toBeforeFrom:
      "--to is before --from"
    case .noTemplates:
      "there are no templates; create one with: facediary templates add NAME"
    case .templateExists(let name):
      "the template \(name) already exists"
    case .editTemplate(let name):
      "change it with: facediary templates edit \(name)"
    case .templateNeedsText:
      "a template needs text"
    case .keptTemplate(let name):
      "saved the template \(name)"
    case .askToRemoveTemplate(let name):
      "Remove the template \(name)?"
    case .removedTemplate(let name):
      "removed the template \(name)"
    case .nothingToRecover:
      "there are no drafts to save"
    case .fromWhichPhoto:
      "--from-photo takes the date and location of a photo; attach one with --attach FILE"
    case .templateInEditor:
      "--template opens the editor; leave out TEXT"
    case .entryNeedsSomething:
      "an entry needs text, a title or an attachment"
    case .nothingWritten:
      "you wrote nothing, so nothing was saved"
    case .templateLeft:
      "you did not change the template, so nothing was saved"
    case .typeThenEnd:
      "type the text, then press Ctrl-D on an empty line"
    case .nothingToChange:
      "nothing to change: give text, an option, or - for standard input"
    case .nothingLeft:
      "the file was empty, so the entry was left unchanged"
    case .unchanged:
      "nothing was changed"
    case .keptAt(let path):
      "your text was not saved; a copy is at \(path), in memory until the machine restarts"
    case .attachTakesOne(let file):
      "--attach takes one file, and \(file) stands where the text of the entry belongs"
    case .oneTagWanted(let text):
      "\(text) is more than one tag; put a tag with a comma in quotes: '\"a, b\"'"
    case .newTagEmpty: "the new name is empty"
    case .keptSealedInMemory:
      "your text was not saved as an entry, and nothing can be written to the disk: it is kept as an encrypted draft in memory only, and is lost when this machine restarts. Make room, then save it: facediary write --recover"
    case .keptSealed:
      "your text was not saved as an entry; it is kept as an encrypted draft. To save it: facediary write --recover"
    case .sessionEndedMeanwhile:
      "the session ended while you wrote; your text is kept as an encrypted draft until it is saved"
    case .textTooLong(let limit):
      "the text is longer than \(limit) bytes"
    case .attachAsFile:
      "attach it as a file"
    case .inputNotText:
      "standard input is not UTF-8 text"
    case .lineCut(let limit):
      "a line has more than \(limit) bytes; the terminal does not pass on the rest of such a line"
    case .useEditorOrFile:
      "paste the text in an editor, with facediary write, or save it in a file: facediary write - < FILE"
    }
  }

  static func text(_ message: ReadingMessage) -> String {
    switch message {
    case .browseNeedsTerminal:
      "browse needs a terminal"
    case .movedMeanwhile:
      "the entry was moved or removed in the meantime"
    case .askToTrash:
      "Move this entry to the trash? [y/N]"
    case .entryCount(let count):
      counted(count, "entry", "entries")
    case .wordCount(let count):
      counted(count, "word", "words")
    case .journalEmpty:
      "there are no entries in this journal yet"
    case .nothingYet:
      "there are no entries yet; press n to write one"
    case .all:
      "All"
    case .searchKeys:
      "Esc shows everything again"
    case .listKeys:
      "? keys · q quit · Enter read · / search · : date · ←→ journal · n new · e edit · d trash"
    case .entryKeys:
      "q back · → next · e edit · s star · o open a file"
    case .movedToTrashUndo: "moved to the trash; press u to undo"
    case .broughtBack: "restored"
    case .browseKeys:
      """
      Moving
      ↑ ↓  k j\tone entry up or down
      PgUp PgDn Space\ta page
      g G\tnewest, oldest
      :\tgo to a date: 2026-03-01, last friday, 2024
      ← →  h l\tjournals
      What is shown
      /\tsearch; #tag and -word work there, too
      #\tshow only one tag
      *\tshow only starred entries
      Esc\tshow everything again
      An entry
      Enter\tread
      o\topen a photo or file
      e s d\tedit, star, move to the trash
      u\tundo the last delete
      n\twrite a new entry
      q\tquit
      """
    case .anyKeyBack: "any key goes back"
    case .moveOrBack: "↓ ↑ and Space move; any other key goes back"
    case .noSuchKey: "unknown key; press ? for the keys"
    case .nothingDeleted: "there is nothing to undo"
    case .goToDate: "Go to date:"
    case .filterByTag: "Tag:"
    case .whichFile: "Which file? Its number, or any other key to go back."
    case .sameLines(let count): counted(count, "unchanged line", "unchanged lines")
    case .openNeedsTerminal:
      "open needs a terminal, so that you can press Enter to remove the file afterwards"
    case .severalFiles(let entry, let count): "\(entry) has \(count) files; name one of them"
    case .viewerFailed(let program, let status):
      "\(program) could not open the file: it failed with exit code \(status)"
    case .noViewer: "xdg-open, which finds a program for the file, is not installed"
    case .pressEnterWhenSeen(let name): "\(name) is open; press Enter to remove it from memory."
    case .terminalGone:
      "the terminal was closed"
    case .moreWithAll(let count):
      "\(count) more with --all"
    case .new:
      "new"
    case .periodBackwards(let period):
      "the period \(period) ends before it begins"
    case .notPeriod(let text):
      "not a period: \(text)"
    case .periodForms:
      "use a year, a month, a period or all: 2026, 2026-03, 2026-03-01..2026-03-14, all"
    case .figures(let entries, let words, let days):
      "\(counted(entries, "entry", "entries")), \(counted(words, "word", "words")), on \(counted(days, "day", "days"))"
    case .span(let from, let to):
      "from \(from) to \(to)"
    case .streaks(let current, let longest):
      "streak: \(counted(current, "day", "days")) (longest: \(counted(longest, "day", "days")))"
    case .emptyDays(let count):
      "… \(counted(count, "day", "days")) without an entry"
    case .day(let year, let month, let day, let weekday):
      "\(year)-\(month)-\(day), \(weekday)"
    case .rankHeads: "rank\tmove\tcount\tname"
    case .month(let year, let month):
      SearchDates.monthNames[month - 1].prefix(1).uppercased()
        + SearchDates.monthNames[month - 1].dropFirst() + " \(year)"
    case .longDay(let year, let month, let day, let weekday):
      "\(weekday), \(day) " + text(ReadingMessage.month(year: year, month: month))
    case .revision(let number):
      "revision \(number)"
    }
  }

  static func text(_ message: NamesMessage) -> String {
    switch message {
    case .madeJournal(let name):
      "created the journal \(name)"
    case .changedJournal(let name):
      "changed the journal \(name)"
    case .noTag(let name): "no entry has the tag \(name)"
    case .tagIsThere(let name): "the tag \(name) already exists"
    case .mergeTags(let old, let new):
      "to merge the two tags: facediary tags merge \(old) \(new)"
    case .tagged(let name, let count):
      "\(counted(count, "entry was", "entries were")) changed to the tag \(name)"
    case .renamed(let old, let new):
      "renamed \(old) to \(new)"
    case .moved(let name):
      "moved \(name)"
    case .noJournals:
      "there are no journals; create one with: facediary journals add NAME"
    case .sayWhereEntriesGo:
      "choose where its entries go: --to JOURNAL or --trash"
    case .askToRemoveJournalInto(let name, let entries, let heir):
      "Remove the journal \(name) and move its \(counted(entries, "entry", "entries")) to \(heir)?"
    case .askToRemoveJournal(let name, let entries):
      "Remove the journal \(name) and move its \(counted(entries, "entry", "entries")) to the trash?"
    case .removedJournal(let name):
      "removed the journal \(name)"
    case .madeKind(let name):
      "created the kind \(name)"
    case .askToRemoveKind(let name):
      "Remove the kind \(name)? Its entries stay, without a kind."
    case .removedKind(let name):
      "removed the kind \(name)"
    case .askToTrash(let count):
      "Move \(counted(count, "entry", "entries")) to the trash?"
    case .trashed(let count):
      "moved \(counted(count, "entry", "entries")) to the trash"
    case .restored(let count):
      "restored \(counted(count, "entry", "entries"))"
    case .askToPurge(let count):
      "Permanently delete \(counted(count, "entry", "entries"))?"
    case .purged(let count):
      "permanently deleted \(counted(count, "entry", "entries"))"
    }
  }
}
