internal import Access
internal import Bytes
internal import CommandLine
internal import Entries

/// The language that all others are translated from.
enum English: Phrasebook {
  static let hint = "hint: "

  static func text(_ message: UsageMessage) -> String {
    switch message {
    case .unknownOption(let option):
      "unknown option \(option)"
    case .didYouMean(let word):
      "did you mean \(word)?"
    case .takesNoValue(let option):
      "\(option) takes no value"
    case .needsValue(let option, let value):
      "\(option) needs a value: \(option) \(value)"
    case .givenTwice(let option):
      "\(option) is given twice"
    case .cannot(let command, let verb):
      "\(command) cannot \(verb)"
    case .usage(let words):
      "usage: facediary \(words)"
    case .seeHelpOf(let command):
      "facediary \(command) --help"
    case .cannotBe(let option, let value):
      "\(option) cannot be \(value)"
    case .oneOf(let words):
      "one of \(words)"
    case .wantsNumberFrom(let option, let least, let value):
      "\(option) must be a number of at least \(least), not \(value)"
    case .wantsNumberBetween(let option, let least, let most, let value):
      "\(option) must be a number from \(least) to \(most), not \(value)"
    case .noTerminal:
      "there is no terminal to ask at"
    case .secretEmpty:
      "a secret must have 1 to 1024 bytes; this one is empty"
    case .secretTooLong:
      "a secret must have 1 to 1024 bytes; this one is longer"
    case .passphraseNotText:
      "the passphrase is not UTF-8"
    case .passphraseSize:
      "a passphrase has 1 to 1024 bytes"
    case .twoReadStandardInput(let one, let other):
      "standard input cannot be both \(one.text(in: .english)) and \(other.text(in: .english))"
    case .nameFileForOne:
      "name a file for one of them"
    case .homeNotSet:
      "HOME is not set"
    case .nameVaultAndDevice:
      "name the vault with --vault and --device"
    case .noSuchRule(let name):
      "no such rule: \(name)"
    case .emptyPath:
      "--vault or --device is empty"
    case .unsetVariable:
      "an unset variable in a script?"
    case .wantsRevision(let value):
      "a revision must be a number of at least 1, not \(value)"
    case .wantsDuration(let option, let value):
      "\(option) must be a duration such as 5m or 12h, not \(value)"
    case .atMostTwelveHours(let option):
      "\(option) is at most 12h"
    case .wantsYear(let value):
      "--year must be a year such as 2026, not \(value)"
    case .wantsRate(let option, let value):
      "\(option) must be a rate between 0 and 1, not \(value)"
    case .noSuchWork(let level):
      "no such level: --kdf \(level)"
    case .worksKnown:
      "interactive, moderate or sensitive"
    case .noHelpFor(let word): "there is no help for \(word)"
    case .unknownCommand(let name):
      "unknown command \(name)"
    case .helpListsCommands:
      "facediary --help lists them"
    case .needsYes(let command):
      "\(command) needs --yes when there is no terminal to ask on"
    case .contradict(let one, let other):
      "\(one) and \(other) cannot be used together"
    case .starsContradict:
      "--star and --no-star contradict one another"
    }
  }

  static func text(_ message: HelpPhrase) -> String {
    switch message {
    case .usage(let program, let command):
      "usage: \(program) \(command)"
    case .usageOfProgram(let program):
      "usage: \(program) COMMAND [options]"
    case .options:
      "options:"
    case .optionsOfEveryCommand:
      "options of every command:"
    case .optionsOfEveryCommandTitle:
      "Options of every command:"
    case .moreAboutEach(let program):
      """
      \(program) COMMAND --help says more about each, and \(program) help ids, dates, vectors, search or text
      about what they have in common.
      """
    }
  }

  static func text(_ message: CommandHelp) -> String {
    switch message {
    case .headline:
      "facediary: a diary that only opens for its owner's face"
    case .openingTitle:
      "Opening:"
    case .facesTitle:
      "Faces:"
    case .writingTitle:
      "Writing:"
    case .readingTitle:
      "Reading:"
    case .sortingTitle:
      "Sorting:"
    case .trashTitle:
      "The trash:"
    case .keepingTitle:
      "Maintenance:"
    case .locksTitle:
      "Keys and access:"
    case .devicesTitle:
      "Several devices"
    case .sync:
      "bring this diary up to date with your other devices"
    case .syncDetails:
      """
      A PLACE is where the devices meet: folder:/PATH (carried by Syncthing, a cloud's client, a network drive or a stick),
      rclone:REMOTE:PATH (any cloud or server that rclone reaches), postgres:SERVICE (a PostgreSQL service, by psql),
      or cmd:PROGRAM. It sees sealed pieces and when they come; it cannot read, change or invent any.

        facediary sync setup PLACE         on the first device; shows a recovery code once
        facediary sync invite              shows a code for another device
        facediary sync join PLACE CODE     there; both show ten symbols to compare
        facediary sync                     sends and fetches; merges when the diary is open
        facediary sync leave               stops it on this device; the diary stays
        facediary sync move PLACE          goes on in another place
        facediary sync auto off            an open diary no longer sends and fetches by itself

      If two devices change a text before they sync, both versions stay: see conflicts. A change that removes more
      than 20 entries, or more than one in twenty, waits for your confirmation. revoke takes out a lost device, recover
      restores the diary from the place; both ask for the recovery code that setup showed. repair puts back what
      the place has lost. compact packs everything without what was purged, and removes from the place what the packs
      replace. If something is wrong with the place, the exit code is 5, and nothing on this device is deleted.
      """
    case .conflicts:
      "entries with more than one text"
    case .conflictsDetails:
      "Shows every version of a text that devices changed before they synced. Saving the entry with edit ends the conflict; until then every version is kept."
    case .shellTitle:
      "The shell:"
    case .attach:
      "keep photos and files with an entry"
    case .attachDetails:
      """
      Files are sealed in pieces, whatever their size. One whose name the entry has already gets a
      number: photo-2.jpg. The file itself stays where it is.
      """
    case .attachments:
      "the photos and files of an entry"
    case .extract:
      "write a photo or file out"
    case .extractDetails:
      """
      Without -o it is written here under its own name, and a file that is there already is not touched.
      What is written out is no longer sealed.
      """
    case .open:
      "show a photo or file with another program"
    case .openDetails:
      """
      The file is put into memory, never on a disk, for the desktop's own program or the one that --with names, and removed \
      when you press Enter or that program ends. FaceDiary cannot remove what the program itself saves (thumbnails, a list of \
      recent files). If the entry has only one file, you need not name it.
      """
    case .detach:
      "take a photo or file away from an entry"
    case .detachDetails:
      "Its older revisions keep it, until the entry is purged."
    case .browse:
      "the diary as a timeline on the whole screen"
    case .browseDetails:
      """
      Keys: ↑ ↓ PgUp PgDn Home End and the mouse wheel move, : goes to a date; Enter reads; ← → or Tab change the
      journal; / searches as you type, # shows one tag, * the starred, Esc everything again; o opens a photo or
      file, s stars, e edits, n writes a new entry, d moves one to the trash, u brings it back; ? shows the keys,
      q leaves. When the session ends, browse clears the screen and quits.
      """
    case .calibrate:
      "measure what a threshold is worth on faces you have"
    case .calibrateDetails:
      """
      LABELS.csv has the columns person,file and optionally row (from 0) of a file with several rows;
      files are relative to it. Every pair is scored. FMR is the share of pairs of different people
      that a threshold accepts, FNMR the share of pairs of one person it refuses; a score is accepted
      at or above the threshold. Enrolled faces keep their threshold until facediary faces recalibrate.
      """
    case .export:
      "write entries out as plain text"
    case .exportDetails:
      """
      json      everything but history, trash and templates; imports back equal
      markdown  a folder: a file an entry with its fields in front, photos and files beside; imports back equal
      jrnl      jrnl's JSON. Lost: the end, the zone, journal, kind, ids, photos and files; an entry without a
                title gives its first line for one
      html      one page that needs nothing else, for reading and printing, with photos in it. It cannot be
                imported: other files are named in it, not kept
      """
    case .importing:
      "take in entries from elsewhere: all of them, or none"
    case .importDetails:
      """
      json      what export wrote, an array of entries, or JSON Lines; date and body are enough
      jrnl      jrnl's JSON export, its text: [2026-03-01 09:30] Title, or its folder of a text a day; @words become tags
      dayone    Day One's JSON, with its photos folder beside it, or the folder of both; a file's name is its journal
      markdown  a folder of .md files, at any depth, also Obsidian's: front matter between --- lines; without a
                date there, the name tells it: 2026-03-01-name.md, 2026_03_01.md, 2026/03/01.md; pictures that the
                text shows are attached
      mini-diary, mini-diarium, standard-notes (decrypted), daylio (its CSV)
                a file; pictures in the text become files of the entry, Daylio's moods and activities tags
      keep, journey, diaro, apple-journal
                a folder as it was exported (Takeout's Keep, Diaro's backup), photos beside or below
      Without --format the form is recognised. Everything that has no place here is listed.
      A zip archive is unpacked into memory first. An entry that is here already is skipped; one that is here
      with other content is a conflict: --on-conflict update makes it what the file says, and clears fields the
      file leaves out. Journals and kinds that entries name are made. FILE may be - for standard input.
      """
    case .enroll:
      "register your face from vector files"
    case .enrollDetails:
      """
      A file may hold one vector or several rows; each becomes a template. Several shots, in different
      light and on different days, help more than any threshold. Asks for the passphrase even while
      the diary is open, so that nobody who finds it open can give themselves permanent access.
      """
    case .faces:
      "the faces enrolled on this device"
    case .facesDetails:
      "Listing and changing them asks for the passphrase or the recovery code, even while the diary is open."
    case .models:
      "the face models known, with their starting thresholds"
    case .match:
      "compare two face vectors; needs no diary"
    case .matchDetails:
      "Ends with 0 when accepted, 3 when refused, 2 when no threshold is known."
    case .camera:
      "ready-made webcam programs: list, set up, test"
    case .cameraDetails:
      """
      camera setup NAME writes a small Python program, lists the packages and weight files it needs and where they
      go, tests it, and makes it the program that `unlock` runs. NAME is opencv (YuNet and SFace), dlib (as in
      face_recognition) or insightface (SCRFD and ArcFace; its weights are for research only). Nothing is downloaded
      for you. A weight file is accepted only if it has the SHA-256 named here. The program checks that exactly one
      face can be seen, not whose it is. A shot of `enroll --camera` is several frames, of which the one most like the
      others is used; there are as many shots as your calibration was measured with, or else three.
      """
    case .probe:
      "run the configured camera program and show what it prints"
    case .probeDetails:
      "Opens nothing and compares nothing; for trying out a camera program."
    case .acceptRollback:
      "go on from an older copy that you put back on purpose"
    case .acceptRollbackDetails:
      """
      Shows what comes back, and asks for a passphrase or recovery code that is valid today. Ways in that were removed
      stay removed, the stricter policy holds, and today's faces stay. Without a terminal, naming the command is a yes.
      """
    case .backup:
      "a consistent copy, while the diary is in use"
    case .backupDetails:
      """
      Makes a folder in DIRECTORY, named by the time. The backups there share their photos and files, in objects:
      each is there once, and the next backup copies only what is new. facediary --vault BACKUP reads one with the
      same passphrase, and nothing writes it. restore-backup makes it the diary again. DIRECTORY can be copied
      anywhere: it is as secret as the diary itself. What was copied only in part is told from what is whole.
      Without DIRECTORY the backup goes to the folder that "backup" in config.json names.
      """
    case .restoreBackup:
      "put a backup in the place of the diary"
    case .restoreBackupDetails:
      """
      Asks for the passphrase or the recovery code now, opens every record of the backup, says what will be replaced by
      what, and asks. The diary is changed in place, in one step. The ways in stay as they are now.
      When the diary is gone, or its file vault, the backup becomes the diary.
      """
    case .salvage:
      "copy everything that can still be read from a damaged vault into a new one"
    case .salvageDetails:
      """
      Every page and every row is tried on its own, so a damaged part loses only what it contained. The damaged
      vault is not changed. The new one gets the same passphrase and a new recovery code; older revisions are
      not copied. Everything that was lost is listed.
      """
    case .window:
      "the diary as a page in a browser"
    case .windowDetails:
      """
      Shows the diary in a browser: reading, searching, writing, photos, figures. The page is served by this program on this machine
      alone, and nothing of it is loaded from a network. The browser gets a profile of its own, in memory, without history or
      extensions, which is removed when the window is closed.

      A closed diary shows its door: the camera program that `facediary camera setup` set up, and the passphrase. `pinentry` asks for
      the passphrase where it is installed and there is a display; otherwise the page does. The recovery code opens it, too. The
      window ends when the page is closed and with Ctrl-C, and closes the diary if it has opened it. When the session ends, or with `facediary lock`, the page forgets everything and shows the door again; what
      was half typed is kept, sealed, and offered when the diary is open again.

      Its settings make backups, import with a look at what would come, export, and take and remove faces; what only the owner may do
      asks for the passphrase each time. Recovery codes and new passphrases are shown and typed in the terminal, or in pinentry's
      dialogs where the window was started without one, never on the page.

      Chromium, Chrome, Edge, Brave and Firefox are found on the PATH. Browsers from snap packages cannot read the file that leads
      them to the page.
      """
    case .demo:
      "show every step on sample faces, in a temporary directory"
    case .device:
      "where the device key is kept"
    case .deviceDetails:
      """
      The device key opens the face slot and seals the enrolled faces. In a file, who can read it and the vault needs
      no face. With --tpm the TPM of this machine seals it, and counts sessions and tries at the face, so that vault and
      device store put back together are noticed; --pin adds a PIN. A helper can keep it in a Secret Service or a
      keychain. It is run with get, store or erase as its last word and reads vault=…, key=… and, to store, secret=… from
      standard input; get prints secret=…. Recipes stand in the documentation of the library, page ThreatModel.

      move makes a new key, so that copies of the old one open nothing; the old one is erased. reset gives this device
      up when its key is lost: faces must be enrolled again. Both ask for the passphrase or the recovery code now.
      """
    case .initialize:
      "make a diary"
    case .initDetails:
      """
      Asks for a passphrase twice, and prints a recovery code once: write it down, on paper. The
      faces named with --face are registered at once.
      """
    case .keys:
      "the ways into the diary"
    case .keysDetails:
      """
      KIND is passphrase, recovery (a new code; the old one stays until it is removed) or face-passphrase (a
      face and a passphrase together; the face alone then opens nothing on this device).

      rotate makes a new vault key and seals everything anew, in one step. Ways in whose secret is not at hand
      are dropped, and are named first; a new recovery code is shown. Old copies of the file still open with
      the old key: it cannot take them back.

      All except list ask for the passphrase or the recovery code, even while the diary is open.
      """
    case .passphrase:
      "change the passphrase"
    case .passphraseDetails:
      """
      Asks for the passphrase (or the recovery code) now, then for the new one twice. Its work for one guess is
      raised to today's. Old copies of the vault still open with the old passphrase; after it was seen by somebody,
      keys rotate is what helps.
      """
    case .policy:
      "when a face is not enough, and how long the diary stays open"
    case .policyDetails:
      """
      passphrase-after 156h   a face opens nothing when the passphrase was last given longer ago
      unused-after 48h        … or when the diary was not opened on this device for longer
      after-restart on        … or when the machine was started since
      warm off                on: no face slot on the disk; a face only re-opens what a passphrase opened in
                              a session that still runs
      face-passphrase off     on, by keys add face-passphrase: a face opens the diary only together with a passphrase;
                              off lets enroll give it a way in of its own again
      camera off              on: faces come only from the configured probe program as it is now, never from a file
      idle 5m                 a session ends after so long without use
      life 12h                the longest a session may last

      Setting one asks for the passphrase or the recovery code now. The policy is sealed in the vault.
      """
    case .verify:
      "open every record and report anything missing, out of date or altered"
    case .rank:
      "what you wrote about most, and how that changed"
    case .rankDetails:
      """
      Words are ranked by how often they occur. A word has at least three letters, or at least two Chinese
      characters or katakana, which are written without spaces.
      """
    case .stats:
      "entries, words, streaks, and a year as a calendar"
    case .onThisDay:
      "what you wrote on this day in earlier years"
    case .journals:
      "journals, which may be trips, with how many entries they hold"
    case .journalsDetails:
      """
      facediary journals add "Kyoto" --from 2026-03-01 --to 2026-03-04
      facediary journals move Kyoto --before Work
      facediary journals remove Kyoto --to Work     its entries move there
      facediary journals remove Kyoto --trash       its entries go to the trash
      """
    case .kinds:
      "kinds of entries, with how many there are"
    case .kindsDetails:
      """
      Every diary has move 🚗 (移動), meal 🍽 (ごはん), sight 🏞 (観光) and stay 🏨 (ホテル); these stay as they
      are. A kind is found by its name, its emoji, or both, however they were typed.
      """
    case .tags:
      "all tags, with how many entries have them, and other names for them"
    case .tagsDetails:
      """
      facediary tags rename diary journal           every entry tagged diary is tagged journal
      facediary tags merge walk walks hike          those tagged walk or walks are tagged hike

      Each entry gets a new revision; those in the trash keep their tags.
      """
    case .lock:
      "close the diary"
    case .status:
      "show the diary's state, without opening it"
    case .unlock:
      "open the diary and keep it open for a while"
    case .unlockDetails:
      """
      Shows a face (--face, or the configured program) or asks for the passphrase, and starts a
      session: until it ends, other commands do not ask again. It ends with facediary lock, after a
      time without use, at the end of its life, and when the machine has slept.
      """
    case .help:
      "explain a command, or ids, dates, vectors, search, text"
    case .helpDetails: "Without a word it lists the commands."
    case .completion:
      "a script that completes commands, journals, tags and ids"
    case .completionDetails:
      """
      bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
      zsh:  facediary completion zsh > a directory of $fpath, as _facediary
      fish: facediary completion fish > ~/.config/fish/completions/facediary.fish
      Journals, tags and ids are offered while a session is open.
      """
    case .man:
      "the manual; redirected, as a manual page"
    case .manDetails:
      "facediary man > ~/.local/share/man/man1/facediary.1"
    case .list:
      "list entries, newest first"
    case .search:
      "find entries that hold every word"
    case .searchDetails:
      """
      Looks in titles, texts and tags, inside words too, for entries that hold every word. "Quoted words" are a
      phrase, OR between two words wants one of them, -word excludes, #tag is a whole tag. Case, width, accents and
      hiragana or katakana make no difference. Quote #tag where your shell begins comments with #.
      """
    case .show:
      "show entries"
    case .history:
      "every revision of an entry, newest first"
    case .historyDetails:
      "`show ID --revision N` shows one of them whole, `revert ID N` makes it the newest."
    case .revert:
      "make an old revision of an entry the newest"
    case .revertDetails:
      "Restores the text and all fields; photos and files stay as they are now. The present text stays in the history. Where several devices gave the entry a text, add --ends-conflict to have this one replace them."
    case .templates:
      "texts to start an entry from, kept sealed"
    case .templatesDetails:
      """
      The text is the words given, else standard input when it is not a terminal, else what you write in
      the editor. Begin an entry with one: facediary write --template NAME
      """
    case .delete:
      "move entries to the trash"
    case .restore:
      "take entries back out of the trash"
    case .trash:
      "what is in the trash"
    case .purge:
      "remove trashed entries for good, with all their revisions"
    case .purgeDetails:
      "Without ID it empties the trash. Copies made before keep what they have."
    case .write:
      "write an entry"
    case .writeDetails:
      """
      The words given are the entry; without any, standard input is when it is not a terminal, else
      your editor opens ($VISUAL, $EDITOR). Words on the command line reach your shell's history and,
      while the command runs, every process list: what should not be there is better typed in the
      editor or piped in.
      """
    case .edit:
      "change an entry; the older text stays in its history"
    case .editDetails:
      """
      With options only, the text stays as it is. TEXT is the new text; - reads it from standard
      input. With neither, your editor opens.

      Where several devices gave an entry a title or text, your editor shows all of them, and what you
      save replaces them. A title or TEXT given here is refused then, unless you add --ends-conflict;
      --ends-conflict alone keeps the one that is shown first.
      """
    }
  }

  static func text(_ message: OptionHelp) -> String {
    switch message {
    case .vault:
      "where the diary is kept"
    case .device:
      "the directory of this device's stores"
    case .json:
      "answer in JSON"
    case .quiet:
      "say nothing but results and errors"
    case .language:
      "the language of texts for people"
    case .face:
      "show this face vector: a file, - or cmd:PROGRAM; several are frames of one moment"
    case .passphraseFile:
      "read the passphrase from a file (- is standard input)"
    case .recoveryFile:
      "read the recovery code from a file"
    case .help:
      "show this help"
    case .version:
      "show the version"
    case .life:
      "how long at most (12h)"
    case .idle:
      "how long it may stay unused (5m)"
    case .look:
      "look through the camera that is set up, also where nobody can be asked for a passphrase"
    case .noFace:
      "ask for the passphrase, even where a camera is set up"
    case .demoWindow:
      "then show the diary in a browser, with a sample face for a camera"
    case .windowWrites:
      "begin with a new entry"
    case .codeDialog:
      "show the recovery code in a dialog of pinentry instead of printing it"
    case .browser:
      "show the page in PROGRAM, a browser or a command that gets the path of a file to open"
    case .lockAll:
      "every open diary of yours"
    case .newPassphraseFile:
      "read the new passphrase from a file"
    case .samePassphraseFile:
      "the same as --passphrase-file here"
    case .noPassphrase:
      "no passphrase: only the recovery code and the face open it"
    case .noPassphraseKept:
      "rotate: keep no passphrase, only the new recovery code"
    case .kdf:
      "work for one guess of the passphrase: interactive (64 MiB), moderate (256 MiB), sensitive (1 GiB)"
    case .model:
      "the face model that made the vectors"
    case .threshold:
      "the cosine similarity at or above which a face is accepted, in [-1, 1]; higher is closer"
    case .label:
      "what to call these shots"
    case .force:
      "register shots that do not resemble those enrolled, too"
    case .replaceSamples:
      "remove enrolled sample faces first"
    case .probeCommand:
      "the program, instead of the configured one"
    case .calibratedModel:
      "the face model that made them; needed for --save"
    case .enrolledShots:
      "score as with K shots enrolled"
    case .shownFrames:
      "score as with P frames shown"
    case .plot:
      "draw score histograms and the DET curve"
    case .targetFMR:
      "the false match rate to suggest a threshold for (1e-3)"
    case .targetChosen:
      "the share of owners that vectors made to pass may open within five tries (0.01)"
    case .noAttack:
      "do not make vectors to pass; the threshold then holds against strangers alone"
    case .save:
      "make it the default of match and enroll for this model"
    case .title:
      "a title"
    case .date:
      "when it was: 2026-03-01, 2026-03-01T09:30, yesterday, …"
    case .until:
      "when it ended: +90m, 18:30 or a date"
    case .journal:
      "the journal it belongs to"
    case .kind:
      "what kind it is, by name or emoji"
    case .tag:
      "add a tag (repeatable)"
    case .star:
      "star it"
    case .editorOnDisk:
      "allow the editor's temporary file to be written to disk"
    case .attach:
      "keep a photo or file with it"
    case .template:
      "start the editor with this template"
    case .recover:
      "save texts that were kept because the session had ended"
    case .untag:
      "remove a tag"
    case .noStar:
      "unstar it"
    case .noTitle:
      "remove the title"
    case .noJournal:
      "take it out of its journal"
    case .endsConflict: "this title or text replaces those that other devices wrote, too"
    case .noKind:
      "remove its kind"
    case .noUntil:
      "remove its end"
    case .expectedRevision:
      "refuse when N is not the newest revision"
    case .from:
      "entries from this day on"
    case .to:
      "entries up to this day, included"
    case .on:
      "entries of this day"
    case .filterTag:
      "entries with this tag; several: with all of them"
    case .filterJournal:
      "entries of this journal"
    case .filterKind:
      "entries of this kind, by name or emoji"
    case .starred:
      "starred entries"
    case .hasAttachment:
      "entries with photos or files"
    case .limit:
      "show at most N entries"
    case .reverse:
      "oldest first"
    case .bodies:
      "with their texts"
    case .emptyDays:
      "show days without entries, too"
    case .revision:
      "an older revision"
    case .inTrash:
      "an entry in the trash"
    case .raw:
      "only the text of one entry, byte for byte"
    case .onDate:
      "a day other than today"
    case .year:
      "only this year; without it, all years, with the calendar of the current one"
    case .period:
      "2026, 2026-03, 2026-03-01..2026-03-14 or all; without it, this year"
    case .versus:
      "the period to compare with (the year or month before)"
    case .everyRank:
      "every one, not only the first ten"
    case .tripFrom:
      "the first day of a trip"
    case .tripTo:
      "its last day; remove: the journal that takes its entries"
    case .journalEmoji:
      "an emoji for it"
    case .kindEmoji:
      "the emoji of a new kind"
    case .before:
      "move: put it before this journal; else last"
    case .entriesToTrash:
      "remove: its entries go to the trash"
    case .yes:
      "skip confirmation"
    case .importFormat:
      "the format, if it cannot be detected"
    case .attachmentsFrom:
      "json: where its photos and files are"
    case .dryRun:
      "only count"
    case .exportFormat:
      "json"
    case .exportOutput:
      "a file that only you can read; for markdown, a new folder"
    case .extractOutput:
      "where to (its name, here); - is standard output"
    case .attachmentsTo:
      "json: write photos and files into this new folder"
    case .showsDifference: "show what changed from each revision to the next"
    case .location: "where it was"
    case .weather: "what the weather was like"
    case .noLocation: "remove the place"
    case .noWeather: "remove the weather"
    case .fromPhoto:
      "take date and place from the first photo attached, unless other options give them"
    case .onConflict:
      "if an entry is here with other content: import nothing, leave it, or make a new revision"
    case .skipBad: "skip entries that cannot be imported, and list them"
    case .cameraSource: "a camera other than the first: its number, its device or a video file"
    case .camera: "take the shots through the camera that was set up"
    case .viewer: "show it with this program, which ends when you are done"
    case .photoMetadata:
      "html: leave in photos what the camera wrote: time, place, model"
    case .repair:
      "rebuild what can be rebuilt from undamaged records, then verify again"
    case .keep:
      "make one in DIR, named by the time, and keep the newest N"
    case .backupPassphraseFile:
      "the passphrase of a backup made before keys rotate"
    case .helper:
      "move: a program that keeps the key (get, store, erase)"
    case .chip:
      "move: sealed by the TPM of this machine"
    case .pin:
      "move: with a PIN; the TPM asks for it and counts wrong tries"
    case .newPINFile:
      "move: read the new PIN from a file"
    case .pinFile:
      "read the PIN of the TPM from a file"
    case .backToFile:
      "move: back into a file"
    case .sampleFaces:
      "the sample vectors (Keys/faces)"
    case .deviceName:
      "what this device is called; else the machine's name"
    case .spaceCodeFile:
      "the recovery code that sync setup showed, from a file, - or a descriptor"
    }
  }

  static func text(_ topic: HelpTopic) -> String {
    switch topic {
    case .ids:
      """
      Naming an entry

        @1, @2, …        as `facediary list` shows them: @1 is the newest by date
        @last            the most recently added entry, whatever its date
        3dnr14vq         its id, as lists show it: any beginning of four characters or more
                         that no other entry has

      An id is 26 characters from 0-9 and a-z without i, l, o and u. Scripts get it whole, by --json.
      """
    case .dates:
      """
      Dates and times

        2026-03-01  2026/3/1  20260301           a day
        March 1 2026  1 March  Mar 1  the 3rd    a day; without a year the last one
        1.3.2026  3/1  3/1/2026                  with a stroke, as your locale writes it
        2026-03-01T09:30  2026-03-01 9:30        a time on that day, in your time zone
        2026-03-01T09:30+09:00                   a time with its offset from UTC
        now  today  yesterday  tomorrow          relative to now
        3 days ago  a week ago  1 month ago  2 hours ago  10 min ago
        friday  last friday                      the last one before today
        9:30  6pm  6:30pm  half past nine  noon  midnight
                                                 today
        yesterday 18:00  friday 6pm  noon yesterday
                                                 both
        this morning  friday evening  last night
                                                 8:00; afternoon is 15:00, evening 19:00, night 21:00

      A day without a time means the current time if it is today, otherwise 12:00. Where a stretch of time is meant
      (--from, --to, --on, --period), 2026 and 2026-03 are a whole year and a whole month. --from, --to and --on also
      take "last week", which begins on Monday, "this month", "last year" and the like.

      An end, for --until: +90m, +1h30m, 18:30 (past midnight when it is earlier than the beginning, for
      twelve hours at most), or a date. Spans of time, for --for and --idle: 45s, 5m, 12h, 1h30m.

      An entry keeps the time zone it was written in, and its day is the day there.
      """
    case .vectors:
      """
      Faces as vectors

      A face is a vector of 16 to 8,192 numbers that a face model computes from a picture; 128 and 512
      are usual. --face, enroll and match take it from

        FILE             a file
        -                standard input
        cmd:PROGRAM …    what a program prints: yours, that looks through a camera

      in any of these forms, told apart by what is in them:

        NumPy .npy       float16, float32 or float64; one dimension, or a row for each shot
        JSON             [0.1, …], or {"embedding": [0.1, …], "model": "sface"}
        CSV or text      one line, or one number a line
        FAISS .fvecs     raw float32 too, in a file named .f32

      Several files or rows are several shots of one look. The model is the file's, the option's or the
      enrolled one's; they must agree. `facediary models` lists those known here with their thresholds;
      `facediary calibrate` finds one for yours.
      """
    case .search:
      """
      Searching

        tea river        entries that hold both, in title, text or tags; also inside words
        tea OR coffee    either
        -milk            not that
        "by the river"   exactly this phrase
        #friends         entries with this tag

      Case, accents, width and hiragana or katakana make no difference; ß is ss. Voicing marks (か, が)
      and й are letters of their own. Newest first; --reverse, --limit and the filters of `list` apply.
      In `browse`, press /.
      """
    case .sync:
      """
      Several devices, one diary

        facediary sync setup PLACE         first device; shows the recovery code of all devices, once
        facediary sync invite              shows a code for one other device, and waits for it
        facediary sync join PLACE CODE     on the other device; both show ten symbols, and the first asks about them
        facediary sync                     sends and fetches; merges when the diary is open
        facediary sync status, devices     what is waiting, and when each device was last heard of
        facediary conflicts                entries with more than one text

      A PLACE is folder:/PATH (Syncthing, a cloud's client, a network drive, a stick), rclone:REMOTE:PATH,
      postgres:SERVICE or cmd:PROGRAM; sync doctor says what it still needs. It sees sealed pieces, their sizes and
      when they come. Passphrases, faces and the diary's own recovery code stay on each device.

      Two texts of one entry both stay, until somebody saves it with edit, which shows them all. An entry that one
      device removes and another changes comes back. A change that would remove more than 20 entries, or more than
      one in twenty, waits for your confirmation.

      A problem with a place is reported with exit code 5; a place that cannot be reached gives exit code 1. Neither
      deletes anything on this device. sync repair puts back what a place lost. sync compact removes
      what was purged. sync revoke DEVICE takes out a lost device, and
      sync recover PLACE brings the diary to a new one: both ask for the recovery code that setup showed.
      """
    case .text:
      """
      How texts are read and written

      A text is kept byte for byte. `show` on a terminal, `browse` and `export --format html` read it as
      Markdown: # headings, *emphasis*, **strong**, lists, > quotes, `code`, | tables |, [links](https://…),
      ![pictures](name.jpg) of the entry itself. Each line stays a line. `show --raw` gives the bytes.

      In the editor its fields stand above the text:

        ---
        title: Under the bamboo
        date: 2026-03-02 09:30
        until: +90m
        journal: Kyoto
        kind: move
        tags: friends, tea
        location: Arashiyama (35.01, 135.67)
        weather: light rain
        starred: yes
        ---

        The text.

      Change what you like. A field whose line is removed stays as it was; a line without a value clears its field.
      If a line cannot be understood, the editor opens again and shows what is wrong.
      """
    }
  }

  static func text(_ message: ManualText) -> String {
    switch message {
    case .done:
      "done"
    case .systemFailed:
      "the system failed (disk full, permission, unreadable)"
    case .usageWrong:
      "the command line is wrong, or a needed --yes is missing"
    case .notAuthenticated:
      "not authenticated"
    case .lockedOut:
      "locked out or waiting after too many attempts"
    case .integrity:
      "integrity: damaged, tampered with, or rolled back"
    case .notFound:
      "not found"
    case .conflict:
      "conflict: exists already, changed meanwhile, ambiguous"
    case .invalid:
      "invalid data"
    case .declined:
      "declined, or the editor failed or left nothing"
    case .runtimeDirectory:
      "the directory of the session's socket"
    case .configurationFile:
      "the configuration file"
    case .editor:
      "your editor"
    case .pager:
      "shows long output on a terminal; empty or cat for none"
    case .noColors:
      "no colours"
    }
  }

  static func text(_ message: OpeningMessage) -> String {
    switch message {
    case .thisIsRecoveryCode:
      "this is the recovery code. It opens the diary when everything else is lost, and is never shown again: write it down on paper"
    case .needsNewPassphrase(let command):
      "\(command) needs a new passphrase and nobody can be asked"
    case .givePassphraseOrNone:
      "give it with --passphrase-file, or choose --no-passphrase"
    case .giveNewPassphraseFile:
      "give it with --new-passphrase-file"
    case .asksInWindow(let command, let vault):
      "facediary \(command): the diary in \(vault)"
    case .noPinentry(let path):
      "\"pinentry\" in the configuration must be a program's whole path, not \(path)"
    case .dialogOrJSON:
      "--code-dialog and --json exclude each other: a dialog shows the code to a person"
    case .noDialog:
      "no program is there that shows a dialog"
    case .installPinentry:
      "install pinentry (pinentry-gnome3 or pinentry-qt), or name a program as \"pinentry\" in the configuration"
    case .codeIsWritten:
      "I have written it down"
    case .codeIsNotWritten:
      "Cancel"
    case .pinPrompt:
      "PIN of the TPM: "
    case .newPINPrompt:
      "New PIN: "
    case .pinsDiffer:
      "the two PINs differ"
    case .givePINFile:
      "give it with --pin-file FILE, or run the command on a terminal; without it: facediary device reset, with the passphrase or recovery code"
    case .giveNewPINFile:
      "give it with --new-pin-file FILE, or run the command on a terminal"
    case .needsNewPIN:
      "device move --pin needs a new PIN"
    case .newPassphrasePrompt:
      "New passphrase: "
    case .sameAgainPrompt:
      "The same again: "
    case .passphrasesDiffer:
      "the two passphrases differ; nothing was changed"
    case .askToUseIt: "Use it all the same?"
    case .shortPassphrase:
      "anybody who copies the file soon guesses a short passphrase; several words are better"
    case .locked:
      "the diary is locked"
    case .showFaceOrGivePassphrase:
      "show a face with --face FILE, or give --passphrase-file FILE"
    case .openWithUnlock:
      "open it with: facediary unlock"
    case .needsSecretNow(let command):
      "\(command) needs the passphrase or the recovery code now"
    case .giveSecretFile:
      "give it with --passphrase-file or --recovery-file"
    case .faceOrPassphraseWrong(let triesLeft):
      "the face or the passphrase is not right; tries left: \(triesLeft)"
    case .givePassphraseBesideFace:
      "give --passphrase-file beside --face"
    case .notTheFace(let triesLeft):
      "this is not the face that is enrolled; tries left: \(triesLeft)"
    case .severalFramesOrPassphrase:
      "several frames at once (--face again) are refused less often; or use the passphrase"
    case .orUsePassphrase:
      "or use the passphrase"
    case .passphrasePrompt:
      "Passphrase: "
    case .pairingCodePrompt:
      "Pairing code: "
    case .recoveryCodePrompt:
      "Recovery code: "
    case .oneSecretOnly:
      "give a passphrase or a recovery code, not both"
    case .notARecoveryCode:
      "this is not a recovery code"
    case .recoveryCodeForm:
      "28 letters and digits in groups of four; one of them is mistyped"
    case .deviceStoreBehind(let what, let why):
      "done, but this device's store could not be brought up to date (\(what): \(why.text(in: .english))): unlock once with the passphrase"
    case .isBackup(let made):
      "this is a backup, made \(made): it can only be read; facediary restore-backup makes it the diary"
    case .deviceStoreRemade:
      "this device's store was missing and was made again; faces must be enrolled again, and an older copy of the diary would not have been noticed this time"
    case .deviceMemoryGone:
      "this device has lost what it remembered of the diary, so it cannot tell whether the key or the ways in were replaced since this copy was made. If they were, replace the key again with facediary keys rotate"
    case .vaultWasReadable(let path):
      "other users could read \(path): now only you can"
    case .vaultIsReadable(let path):
      "other users can read \(path), and this could not be changed"
    case .folderIsWritable(let folder):
      "other users can write to \(folder), and so replace the diary in it: chmod go-w \(folder)"
    case .firstOpeningHere:
      "this device opens the diary for the first time"
    case .deviceStorePutAside(let path):
      "this device's store could not be read and was put aside as \(path); faces must be enrolled again, and an older copy of the diary would not have been noticed this time"
    case .keySlotCopyBroken(let problems):
      "a copy of the key slots is broken (\(problems.text(in: .english))); look closer with: facediary verify"
    case .cameraChanged(let file):
      "the camera program is not what it was when it was sealed: \(file)"
    case .confirmCamera:
      "if you changed it: facediary policy set camera on"
    case .closed:
      "the diary is closed"
    case .vault(let path):
      "vault: \(path)"
    case .noDiaryYet:
      "There is no diary yet. Make one with: facediary init"
    case .vaultUnreadable(let reason):
      "The vault cannot be read (\(reason)). Try: facediary verify"
    case .open(let by, let idle, let life):
      "Open (by \(by.text(in: .english))): \(counted(idle, "minute", "minutes")) until it closes unused, \(life) in all. Anything you run can read it until then; close it with: facediary lock"
    case .closedOpensBy(let ways):
      "Closed. It opens by \(ways.map { $0.text(in: .english) }.joined(separator: ", "))."
    case .way(let name): name == "recovery" ? "recovery code" : name
    case .facesEnrolled(let count, let triesLeft):
      "Faces enrolled here: \(count); tries left: \(triesLeft)"
    case .faceLockedOut:
      "The face is locked out; the passphrase or the recovery code lifts that."
    case .noFaceHere:
      "No face is enrolled on this device. Enrol one with: facediary enroll FILE… (or open it without: facediary unlock)"
    case .faceDataUnreadable:
      "This device's face data cannot be read; unlock with the passphrase and enrol again."
    case .recognised(let similarity, let threshold):
      "recognised (similarity \(similarity), threshold \(threshold))"
    case .openUntil(let time, let isTomorrow, let idle):
      "the diary is open until \(isTomorrow ? "tomorrow " : "")\(time), or \(counted(idle, "minute", "minutes")) without use; close it with: facediary lock"
    case .askToMakeDiary:
      "There is no diary yet. Make one now?"
    case .nothingMade:
      "nothing was made"
    case .noPassphraseContradicts(let option):
      "--no-passphrase and \(option) contradict one another"
    case .made(let vault):
      "made \(vault)"
    case .nextEnroll:
      "next: register your face with facediary enroll FILE…, or open it with facediary unlock"
    case .chipIsThere:
      "this machine has a TPM, which can keep the device key: facediary device move --tpm"
    case .nextUnlock:
      "next: facediary unlock --face FILE, then facediary write"
    }
  }

  static func text(_ message: FaceMessage) -> String {
    switch message {
    case .threeShots:
      "three shots or more, on different days, refuse you much less often"
    case .registered(let count, let threshold):
      "registered \(count); a face is accepted from similarity \(threshold) on. Try it: facediary unlock --face FILE"
    case .enrolledAlready(let shot):
      "shot \(shot) is enrolled already and was skipped"
    case .shotsUnlike(let one, let other, let similarity, let threshold):
      "shots \(one) and \(other) have a similarity of only \(similarity) (threshold \(threshold)); if both are you, more shots help; otherwise remove one with: facediary faces remove ID"
    case .constantDirection(let shot, let share):
      "shot \(shot): \(share) of its direction is one constant in every component; strangers may then score high too, so measure a threshold with: facediary calibrate"
    case .samplesArePublic:
      "these are the sample faces that come with the program: anybody can open the diary with them, so keep it for trying things out"
    case .sampleAmongOwn(let shot):
      "shot \(shot) is one of the sample faces that come with the program; anybody could open your diary with it"
    case .trySamplesApart:
      "try the samples in a diary of their own: facediary init --vault /tmp/try.facediary --device /tmp/try"
    case .samplesEnrolled(let count):
      "\(counted(count, "sample face is", "sample faces are")) enrolled, with which anybody can open this diary"
    case .replaceThem:
      "--replace-samples removes them and registers yours"
    case .askToReplaceSamples(let count):
      "\(counted(count, "public sample face is", "public sample faces are")) enrolled. Remove them and register yours?"
    case .registeredUnlike(let shot, let similarity, let threshold):
      "shot \(shot) was registered although it resembles the others only by \(similarity) (threshold \(threshold))"
    case .calibrated(let shots, let frames, let scoring, let threshold):
      "with \(shots) shots enrolled, the newest shots and the first \(frames) frames are scored by \(scoring), with threshold \(threshold)"
    case .calibrationWantsShots(let shots, let more):
      "your calibration was measured with \(shots) shots and applies once that many are enrolled: enrol \(more) more"
    case .removed(let left):
      "removed; faces left: \(left)"
    case .accepted(let threshold):
      "a face is now accepted from similarity \(threshold) on"
    case .modelThresholds(let source):
      "thresholds are cosine similarities (higher is closer) from \(source): starting points, not guarantees"
    case .similarity(let value):
      "similarity \(value) (-1 to 1, higher is closer)"
    case .noThresholdKnown:
      "no threshold is known for this model, so nothing is decided"
    case .nameModelOrThreshold:
      "name the model with --model, or a threshold with --threshold"
    case .given:
      "given"
    case .calibratedFor(let model):
      "calibrated for \(model)"
    case .publishedFor(let model):
      "published for \(model)"
    case .matchAccepted(let above, let threshold, let source):
      "accepted, by \(above): the threshold is \(threshold) (\(source))"
    case .matchRefused(let below, let threshold, let source):
      "refused, by \(below): the threshold is \(threshold) (\(source))"
    case .thresholdComesFrom(let threshold, let origin):
      "the threshold is \(threshold): \(origin)"
    case .measuredRates(let fmr, let fnmr, let chosen):
      "measured on your calibration: strangers \(fmr) %, the owner refused \(fnmr) %, vectors made to pass \(chosen) %"
    case .publishedMeasured(
      let model, let fmr, let fnmr, let chosen, let fewerRefused, let fewerChosen):
      "published for \(model); with three shots and one frame strangers pass in \(fmr) %, the owner is refused in \(fnmr) %, vectors made to pass open \(chosen) %. Three frames, calibrated: \(fewerRefused) % and \(fewerChosen) %"
    case .notMeasured:
      "its error rates have not been measured"
    case .doubtfulThreshold(let threshold):
      "a threshold of \(threshold) is lower than the published one or was not measured, and could let others in"
    case .askDoubtfulThreshold(let threshold):
      "A threshold of \(threshold) is lower than the published one or was not measured, and could let others in. Use it?"
    case .forceIfMeasured:
      "measure it with: facediary calibrate; or insist with --force"
    case .notOneFace(let shot):
      "shot \(shot) is nearer to the model's mean face than any one person's is: an average, not a face"
    case .belowThreshold:
      "the similarity is below the threshold"
    case .noProbeProgram:
      "no probe program is configured"
    case .nameProbeProgram:
      "name one with --command, or as \"probe\" in the configuration"
    case .frames(let count, let components, let length, let model):
      "\(counted(count, "frame", "frames")) of \(components) components, length \(length), model \(model)"
    case .thresholdOutside(let value):
      "threshold \(value) is outside [-1, 1]"
    case .thresholdIsCosine:
      "a threshold is a cosine similarity; higher is closer"
    case .modelNeeded:
      "neither file nor option says which face model made this vector"
    case .nameModel:
      "name it with --model; facediary models lists those known"
    case .noThresholdOf(let model):
      "no threshold is known for the model \(model), and a guess could let anybody in"
    case .giveThreshold:
      "give one with --threshold, measured on your own faces"
    case .otherThreshold(let enrolled, let given):
      "the enrolled faces have the threshold \(enrolled), not \(given)"
    case .oneThreshold:
      "one diary has one threshold; leave out --threshold"
    case .shotUnlike(let shot, let similarity, let threshold):
      "shot \(shot) resembles the enrolled ones only by \(similarity); the threshold is \(threshold)"
    case .forceIfYou:
      "if it is really you: --force"
    case .atMostFaces(let limit):
      "a diary keeps at most \(limit) faces"
    case .closeCallMoreShots:
      "that was close; three shots or more, on different days, refuse you less: facediary enroll FILE…"
    case .closeCallMoreFrames:
      "that was close; several frames at once vary less (--face again)"
    case .cameraSetUp: "set up"
    case .cameraNotSetUp(let name): "not set up: facediary camera setup \(name)"
    case .noReadyCamera(let name): "there is no ready camera program called \(name)"
    case .libraryMissing(let name): "the library for \(name) is not installed"
    case .weightsMissing(let files):
      "these weight files are missing, and FaceDiary downloads nothing by itself: \(files.joined(separator: "; "))"
    case .weightsOther(let path, let found, let expected):
      "\(path) is not the expected file: its SHA-256 is \(found), not \(expected)"
    case .weights(let name, let size, let licence, let sha256):
      "\(name) (\(size), licence: \(licence), SHA-256 \(sha256))"
    case .cameraSees(let frames, let model, let components):
      "the camera sees one face: \(counted(frames, "frame", "frames")) of \(model), \(components) components. Next: facediary enroll --camera"
    case .cameraRefused(let refusal, let says):
      switch refusal {
      case .noFace: "no face is visible: sit in front of the camera"
      case .several: "more than one face is visible"
      case .light: "it is too dark or too bright: sit where light falls on your face"
      case .small: "the face is too far away: come closer"
      case .blurred: "the picture is blurred: hold still"
      case .noCamera, .noModel, .noPicture: says
      }
    case .photoNeedsReadyCamera(let file):
      "\(file) is a photo, and the configured program cannot read photos"
    case .framesUnlike: "the frames of this shot look like two different people; try again"
    case .shotPrompt(let number, let count):
      text(FaceMessage.shotComes(number, of: count)) + ", then press Enter: "
    case .shotComes(let number, let count):
      [
        "look straight into the camera", "turn your head a little to the left",
        "turn your head a little to the right", "as you sit in the evening",
        "without or with glasses",
      ][(number - 1) % 5] + " (shot \(number) of \(count))"
    case .filesOrCamera: "name files or --camera, not both"
    case .nothingNew:
      "every one of these shots is enrolled already"
    }
  }

  static func text(_ message: CalibrationMessage) -> String {
    switch message {
    case .saveNeedsModel:
      "--save needs --model"
    case .tooFewPersons(let shots):
      "too few persons have \(shots) shots for this calibration"
    case .moreShots:
      "add more shots per person, or lower --enroll and --frames"
    case .tooFewPairs:
      "there are too few pairs for a threshold worth saving"
    case .notText(let path):
      "\(path) is not UTF-8 text"
    case .quoteOpen(let file, let line): "\(file), line \(line): a quote is opened and not closed"
    case .severalRows(let path, let line, let file, let rows):
      "\(path), line \(line): \(file) has \(rows) rows; name one of them"
    case .twoPersons(let path):
      "\(path): calibrating needs at least two people, one of them with two shots"
    case .cannotShow(let pairs, let rate, let least):
      "\(pairs) pairs of different people cannot show a false match rate of \(rate); nothing below about \(least) % can be claimed"
    case .sharedDirection(let length):
      "all vectors share a direction (their mean has length \(length) of 1), so strangers score high; only a threshold measured like this is worth anything"
    case .worstPerson(let person, let rate):
      "the suggested threshold refuses \(person) in \(rate) % of pairs: enrolling more shots of that person helps"
    case .pairs(let genuine, let impostor):
      "\(genuine) pairs of one person, \(impostor) of two"
    case .equalErrorRate(let rate, let threshold):
      "EER \(rate) % at similarity \(threshold)"
    case .atRate(let rate, let threshold, let low, let high, let fnmr):
      "FMR \(rate): threshold \(threshold) (95 % \(low) to \(high)), FNMR \(fnmr) %"
    case .byPerson(let best, let bestRate, let median, let worst, let worstRate):
      "FNMR by person: best \(best) \(bestRate) %, median \(median) %, worst \(worst) \(worstRate) %"
    case .chosen(let rate, let low, let high, let owners, let open, let threshold):
      "vectors made to pass open \(rate) % of owners in five tries (95 % \(low) to \(high), \(counted(owners, "owner", "owners"))) at \(threshold); without the guard \(open) %"
    case .published(let threshold, let fmr, let fnmr, let chosen, let open):
      "the published threshold \(threshold), not calibrated: FMR \(fmr) %, FNMR \(fnmr) %, vectors made to pass \(chosen) %, without the guard \(open) %"
    case .chosenTooMany(let rate, let target):
      "no threshold was found at which vectors made to pass open \(target) % of owners at most; at the suggested one they open \(rate) %"
    case .chosenUnshown(let owners, let rate, let most):
      "\(counted(owners, "owner", "owners")) cannot show that vectors made to pass open \(rate) % at most; nothing below about \(most) % can be claimed"
    case .suggested(let threshold, let fmr, let fnmr):
      "suggested threshold: \(threshold) (FMR \(fmr) %, FNMR \(fnmr) %)"
    case .empty(let file):
      "\(file): there is nothing in it"
    case .wantsColumns(let file, let line, let found):
      "\(file), line \(line): expected the columns person and file, not \(found)"
    case .wantsPersonAndFile(let file, let line):
      "\(file), line \(line): expected a person and a file"
    case .wantsRow(let file, let line):
      "\(file), line \(line): expected a row number from 0"
    }
  }

  static func text(_ message: WritingMessage) -> String {
    switch message {
    case .attached(let count, let entry):
      "attached \(count) to \(entry)"
    case .noFiles: "it has no photos or files"
    case .fieldTwice(let field): "\(field) is there twice; leave one"
    case .photoSaysNothing: "--from-photo: no photo says when or where it was taken"
    case .trashEmpty: "the trash is empty"
    case .noMemories: "nothing was written on this day of earlier years"
    case .noTags: "no entry has a tag yet"
    case .nothingFound:
      "nothing found"
    case .wroteFile(let path):
      "wrote \(path); it is no longer sealed"
    case .tookAway(let name, let entry):
      "took \(name) away from \(entry)"
    case .couldBeChanged(let path):
      "\(path) could be changed by others"
    case .chmodOthers(let path):
      "chmod go-w '\(path)'"
    case .unreadable(let path):
      "\(path) cannot be read"
    case .notConfiguration(let path):
      "\(path) is not a configuration"
    case .configurationForm:
      "an object with the texts probe and language and the array environment, all optional"
    case .unknownConfigurationKey(let path, let key, let nearest):
      "\(path): there is no setting \(key)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .badConfigurationKey(let path, let key):
      "\(path): \(key) is not a value that can stand there"
    case .noPlaceForConfiguration:
      "there is no place for a configuration: HOME is not set"
    case .notDateCut(let text):
      "not a date: \(text)…"
    case .dateForms:
      "2026-03-01, 2026-03-01T09:30, yesterday, friday 6pm, 2 hours ago; facediary help dates says more"
    case .notDate(let text):
      "not a date: \(text)"
    case .liesAhead(let time): "the entry's time is in the future: \(time)"
    case .dateUnclear(let text):
      "\(text) may be a day and a month, or a month and a day"
    case .notDuration(let text):
      "not a duration: \(text)"
    case .durationForms:
      "+30m, +2h, +1h30m"
    case .notEnd(let text):
      "not an end time: \(text)"
    case .endForms:
      "+90m, 18:30 or a date"
    case .endBeforeStart(let end, let start):
      "the end \(end) is before the start \(start)"
    case .noSuchDay(let text):
      "there is no day \(text)"
    case .dateYears:
      "a date in the years 1 to 9999"
    case .headBroken: "the line --- above the fields is gone"
    case .recovered(let entry, let revision):
      revision == 1
        ? "saved as the new entry \(entry): it was new, or the entry it was meant to change has changed since"
        : "saved in \(entry) as revision \(revision)"
    case .noSuchField(let name, let known):
      "an entry has no field \(name); the fields are \(known.joined(separator: ", "))"
    case .yesOrNo(let field, let text): "\(field) is yes or no, not \(text)"
    case .noEditor:
      "there is no editor"
    case .editorElsewhere(let editor):
      "\(editor) gives the text to a program outside this terminal, which may keep copies that nothing here can prevent"
    case .editorElsewhereHint:
      "set VISUAL to vim, nano, emacs, micro or hx; or give --editor-on-disk to use this one all the same"
    case .editorUnknown(let editor):
      "FaceDiary does not know what \(editor) keeps elsewhere (backups, undo, histories): that depends on its settings"
    case .swapInClear(let places):
      "this machine moves memory to disk unencrypted (\(places)): what you type may get there"
    case .nameEditor:
      "name one in VISUAL or EDITOR"
    case .noMemoryDirectory:
      "there is no directory in memory to put the file into"
    case .editorOnDiskHint:
      "--editor-on-disk puts it on a disk, where traces may stay"
    case .editorFailed(let editor, let status):
      "the editor \(editor) ended with \(status); nothing was changed"
    case .editorLeftNoFile:
      "the editor left no file; nothing was changed"
    case .editorLeftNoText:
      "what the editor left is not UTF-8 text; it was read as Latin-1 and kept"
    case .keptInMemory(let path):
      "it is kept at \(path), in memory"
    case .toBeforeFrom:
      "--to is before --from"
    case .noTemplates:
      "no templates; make one with: facediary templates add NAME"
    case .templateExists(let name):
      "template \(name) is there already"
    case .editTemplate:
      "change it with: facediary templates edit"
    case .templateNeedsText:
      "a template needs a text"
    case .keptTemplate(let name):
      "kept the template \(name)"
    case .askToRemoveTemplate(let name):
      "Remove the template \(name)?"
    case .removedTemplate(let name):
      "removed the template \(name)"
    case .nothingToRecover:
      "there is no text waiting to be recovered"
    case .templateInEditor:
      "--template begins a text in the editor; leave out the words"
    case .entryNeedsSomething:
      "an entry needs a text, a title or an attachment"
    case .nothingWritten:
      "nothing was written, so nothing was kept"
    case .templateLeft:
      "the template was left as it is, so nothing was kept"
    case .typeThenEnd:
      "type the text; Ctrl-D on a line of its own ends it"
    case .nothingToChange:
      "nothing to change: give a text, an option, or - for standard input"
    case .nothingLeft:
      "the file was empty, so the entry was left unchanged"
    case .unchanged:
      "nothing was changed"
    case .keptAt(let path):
      "your text was not saved; it is kept at \(path) (in memory: gone when the machine restarts)"
    case .keptSealed:
      "your text was not saved. It is kept, sealed; get it back with: facediary write --recover"
    case .sessionEndedMeanwhile:
      "the session ended while you wrote; your text is kept sealed until it is saved"
    case .textTooLong(let limit):
      "the text is longer than \(limit) bytes"
    case .attachAsFile:
      "attach it as a file"
    case .inputNotText:
      "standard input is not UTF-8 text"
    }
  }

  static func text(_ message: ReadingMessage) -> String {
    switch message {
    case .browseNeedsTerminal:
      "browse needs a terminal"
    case .movedMeanwhile:
      "it was moved or removed meanwhile"
    case .askToTrash:
      "Move it to the trash? [y/N]"
    case .entryCount(let count):
      counted(count, "entry", "entries")
    case .journalEmpty:
      "nothing in this journal yet"
    case .nothingYet:
      "nothing yet: press n to write"
    case .all:
      "All"
    case .searchKeys:
      "Esc shows everything again"
    case .listKeys:
      "? keys · q leave · Enter read · / search · : date · ←→ journal · n new · e edit · d trash"
    case .entryKeys:
      "q back · → next · e edit · s star · o open a file"
    case .movedToTrashUndo: "moved to the trash; u brings it back"
    case .broughtBack: "brought back"
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
      #\tone tag alone
      *\tstarred alone
      Esc\teverything again
      An entry
      Enter\tread
      o\topen a photo or file
      e s d\tedit, star, to the trash
      u\tbring back what was deleted last
      n\twrite a new one
      q\tleave
      """
    case .anyKeyBack: "any key goes back"
    case .moveOrBack: "↓ ↑ and Space move; any other key goes back"
    case .noSuchKey: "nothing is on that key; ? shows the keys"
    case .nothingDeleted: "nothing was deleted here that could be brought back"
    case .goToDate: "Go to date:"
    case .filterByTag: "Tag:"
    case .whichFile: "Which file? Its number, or any other key to go back."
    case .sameLines(let count): counted(count, "unchanged line", "unchanged lines")
    case .openNeedsTerminal:
      "open needs a terminal, so that you can say when to remove the file again"
    case .severalFiles(let entry, let count): "\(entry) has \(count) files: say which"
    case .viewerFailed(let program, let status):
      "\(program) could not show it: it ended with \(status)"
    case .noViewer: "xdg-open, which would find a program for it, is not installed"
    case .pressEnterWhenSeen(let name): "\(name) is open; press Enter to remove it from memory."
    case .terminalGone:
      "the terminal is gone"
    case .moreWithAll(let count):
      "\(count) more with --all"
    case .new:
      "new"
    case .periodBackwards(let period):
      "the period \(period) ends before it begins"
    case .notPeriod(let text):
      "not a period: \(text)"
    case .periodForms:
      "2026, 2026-03, 2026-03-01..2026-03-14 or all"
    case .figures(let entries, let words, let days):
      "\(counted(entries, "entry", "entries")), \(counted(words, "word", "words")), on \(counted(days, "day", "days"))"
    case .span(let from, let to):
      "from \(from) to \(to)"
    case .streaks(let current, let longest):
      "days in a row: \(current) now, \(longest) at most"
    case .emptyDays(let count):
      "… \(counted(count, "day", "days")) without an entry"
    case .day(let year, let month, let day, let weekday):
      "\(year)-\(month)-\(day), \(weekday)"
    case .revision(let number):
      "revision \(number)"
    }
  }

  static func text(_ message: NamesMessage) -> String {
    switch message {
    case .madeJournal(let name):
      "made the journal \(name)"
    case .changedJournal(let name):
      "changed the journal \(name)"
    case .noTag(let name): "no entry has the tag \(name)"
    case .tagIsThere(let name): "there is a tag \(name) already"
    case .mergeTags(let old, let new):
      "to give the entries of both the same tag: facediary tags merge \(old) \(new)"
    case .tagged(let name, let count):
      "\(counted(count, "entry has", "entries have")) the tag \(name) now"
    case .renamed(let old, let new):
      "\(old) is \(new) now"
    case .moved(let name):
      "moved \(name)"
    case .noJournals:
      "no journals; make one with: facediary journals add NAME"
    case .sayWhereEntriesGo:
      "say where its entries go: --to JOURNAL or --trash"
    case .askToRemoveJournalInto(let name, let entries, let heir):
      "Remove the journal \(name)? Its entries, \(entries), move to \(heir)."
    case .askToRemoveJournal(let name, let entries):
      "Remove the journal \(name)? Its entries, \(entries), go to the trash."
    case .removedJournal(let name):
      "removed the journal \(name)"
    case .madeKind(let name):
      "made the kind \(name)"
    case .askToRemoveKind(let name):
      "Remove the kind \(name)? Its entries stay, without a kind."
    case .removedKind(let name):
      "removed the kind \(name)"
    case .askToTrash(let count):
      "Move \(count) to the trash?"
    case .trashed(let count):
      "moved to the trash: \(count)"
    case .restored(let count):
      "restored: \(count)"
    case .askToPurge(let count):
      "Remove \(count) for good?"
    case .purged(let count):
      "removed for good: \(count)"
    }
  }

  static func text(_ message: KeepingMessage) -> String {
    switch message {
    case .acceptedRollback:
      "accepted; the diary goes on from this copy"
    case .acceptedElsewhere:
      "an older copy of the diary was accepted on another device: it goes on from there"
    case .nothingToAccept:
      "this is the newest the device knows of: there is nothing to accept"
    case .olderCopy(let entries, let remembered):
      "this copy holds \(counted(entries, "entry", "entries")); when this device last saw the diary there \(remembered == 1 ? "was" : "were") \(remembered)"
    case .olderCopyLacks(let count):
      "\(counted(count, "entry", "entries")) added since \(count == 1 ? "is" : "are") not in it, nor are edits made since"
    case .olderCopySlot(let kind, let created):
      "it holds a way in that was removed since, and stays removed: \(kind.text(in: .english)), of \(created)"
    case .olderCopyLost(let count):
      "\(counted(count, "way in", "ways in")) of today \(count == 1 ? "is" : "are") lost: neither this copy nor this device's spare has \(count == 1 ? "it" : "them")"
    case .waysInLost(let count):
      "\(counted(count, "way in", "ways in")) of today could not be taken over and \(count == 1 ? "does" : "do") not open the diary any more. See facediary keys, and add what you need: facediary keys add passphrase, facediary keys add recovery"
    case .notRemoved(let path):
      "\(path) could not be removed"
    case .copyOfLaterKey:
      "the diary's key was replaced after this device saw it last: the ways in are those that were made with the new key. Go on only if you replaced it"
    case .olderCopyPolicy:
      "the policy was changed since: the stricter of the two will apply"
    case .olderCopyFaces:
      "other faces were enrolled here when the copy was made: the present ones stay"
    case .olderCopyUnknown(let entries):
      "this device remembers nothing of the diary: all of this copy comes back, with its \(counted(entries, "entry", "entries")), its ways in and its policy"
    case .faceKeepsPassphrase(let id):
      "the way in by face and passphrase \(id) still goes with the passphrase it was made with; to end that: facediary keys remove \(id)"
    case .faceDropped(let id, let created):
      "a face on another device no longer opens the diary alone: slot \(id), of \(created)"
    case .notDirectory(let path):
      "\(path) is not a directory; it was not touched"
    case .notWholeKeptOlder:
      "the diary is not whole, so no older backup was removed"
    case .lookWithVerify:
      "look closer with: facediary verify"
    case .removedOlder(let count):
      "older backups removed: \(count)"
    case .backupMade(let path):
      "backup made: \(path)"
    case .restoreAsks:
      "restore-backup asks before it replaces the diary, but there is no terminal to ask on"
    case .giveYes:
      "give --yes"
    case .restored:
      "the diary now has the content of the backup"
    case .moveAway(let vault):
      "move \(vault) and its -wal away, then run this again: the backup becomes the diary"
    case .moveDeviceStoreAway(let path):
      "if you put it back yourself, move \(path) away, then run this again: the device begins anew"
    case .giveUpDeviceStore(let path):
      "if you cannot put back what was in \(path), move it away, then run this again: the device begins anew, and the diary opens with the secrets of the backup"
    case .moveFileAway(let path):
      "move \(path) away, then unlock with the passphrase or the recovery code"
    case .beginDeviceAnew(let path):
      "if the key is gone for good, move \(path) away, then run this again: the device begins anew"
    case .replaceKeyForDevices:
      "devices that are no longer used are forgotten when the key is replaced: facediary keys rotate"
    case .otherKey:
      "the backup was made with another key, and this does not open it"
    case .giveBackupPassphrase:
      "give the passphrase of that time with --backup-passphrase-file, in addition to the one that is valid today"
    case .replaces(let present, let entries, let made):
      "\(counted(present, "entry", "entries")) of the diary \(present == 1 ? "is" : "are") replaced by the \(entries) of the backup made \(made)"
    case .becomes(let made, let entries):
      "the backup made \(made), with \(counted(entries, "entry", "entries")), becomes the diary"
    case .backupLacks(let files):
      "the backup lacks \(counted(files, "photo or file", "photos and files")) of its entries"
    case .keyReplacedElsewhere:
      "the diary's key was replaced on another device"
    case .leftSpace(let device, let id):
      if id.isEmpty {
        "the diary shares with no other device any more, and which device it was cannot be read. Copies from before can still read and write as that device: come back with facediary sync join or facediary sync recover, then see facediary sync devices and take it out with facediary sync revoke"
      } else {
        "the diary shares with no other device any more. Copies from before can still read and write with them as the device \"\(device)\": come back with facediary sync join or facediary sync recover, then take that device out: facediary sync revoke \(id)"
      }
    case .willLeaveSpace:
      "the diary leaves the devices that it shares with, because copies from before hold the keys that it has there"
    case .goOn:
      "Go on?"
    case .lost(let what):
      "lost: \(what.text(in: .english))"
    case .othersLost(let count):
      "lost: \(count) more"
    case .otherProblems(let count):
      "\(counted(count, "more problem", "more problems")), not listed"
    case .onlyOlder(let count):
      "for \(counted(count, "entry", "entries")), only an older text could be opened"
    case .nameless(let count):
      "\(counted(count, "text lost its title, date and tags; it stands", "texts lost their title, date and tags; they stand")) under today"
    case .rescued(let entries, let attachments, let path):
      "rescued: \(counted(entries, "entry", "entries")), \(counted(attachments, "attachment", "attachments")), into \(path)"
    case .deviceKeyInFile:
      "a new device key is kept in a file; the old one opens nothing any more"
    case .deviceKeyByHelper:
      "a new device key is kept by the helper; the old one opens nothing any more"
    case .deviceKeyInChip:
      "a new device key is sealed by the TPM, without a PIN; the old one opens nothing any more"
    case .deviceKeyInChipWithPIN:
      "a new device key is sealed by the TPM, with a PIN; the old one opens nothing any more"
    case .deviceBegunAnew:
      "this device begins anew, with a key in a file. The face slot of its lost key is still in the vault; look with facediary keys, and remove what you do not recognise: facediary keys remove ID"
    case .deviceStore(let path):
      "device store: \(path)"
    case .keptBy(let helper):
      "device key: kept by \(helper)"
    case .keptInChip:
      "device key: sealed by the TPM"
    case .keptInFile:
      "device key: in a file there"
    case .deviceKeyMissing:
      "the device key cannot be read now; see: facediary device --help"
    case .slotRemoved:
      "removed; old copies of the vault still open with it"
    case .weakestFace:
      "the weakest way in is the face: somebody with this file and the device key's file needs no face; a helper, warm mode or face-passphrase mode prevents that"
    case .weakestHelper:
      "the weakest way in is the face, and what the helper that keeps the device key asks for"
    case .weakestPassphrase:
      "the weakest way in is the passphrase: it is as strong as it is long"
    case .passphraseAdded:
      "added; the other passphrases stay valid"
    case .codeAdded:
      "added; the other codes stay valid"
    case .facePassphraseAdded:
      "added; from now on this device's face opens the diary only together with that passphrase"
    case .noSuchKind(let name):
      "no such kind: \(name)"
    case .slotKinds:
      "passphrase, recovery or face-passphrase"
    case .rotateAsks:
      "keys rotate removes ways in and asks first, but there is no terminal to ask on"
    case .lookAtKeys:
      "look with: facediary keys; then give --yes"
    case .willBeDropped(let id, let kind, let created):
      "will be dropped: \(id) \(kind), of \(created)"
    case .rotated:
      "everything is sealed with a new key. Copies made before open with the old one for ever: delete those you do not need, and make a new backup"
    case .askToRotate:
      "Until you say yes the old recovery code is the right one. Is the new one written down, and shall the key be replaced?"
    case .oldCodeStays:
      "nothing was changed; the old recovery code is still the right one"
    case .passphraseChanged:
      "changed; old copies of the vault still open with the old one (see: facediary keys rotate)"
    case .ruleChanged(let rule, let old, let new): "\(rule) was \(old) and is \(new) now"
    case .closedByRule:
      "the diary was closed, so that the rule takes effect; open it with: facediary unlock"
    case .ruleIs(let rule, let value): "\(rule) is \(value), as before"
    case .ruleExpected(let rule, let value, let expected):
      "\(rule) \(value): expected \(expected.text(in: .english))"
    case .durationBetween(let least, let most):
      "a duration of \(least) to \(most)"
    case .cameraOrWarm:
      "camera and warm cannot both be on: a warm diary cannot tell which program a face came from"
    case .onOrOff:
      "on or off"
    case .off:
      "off"
    case .turnOnFacePassphrase:
      "turn it on with: facediary keys add face-passphrase"
    case .mended(let count):
      "mended: \(count)"
    case .whole(let entries, let revisions):
      "no problems found: checked \(counted(entries, "entry", "entries")) and \(counted(revisions, "revision", "revisions"))"
    case .notWhole(let problems, let entries):
      "found \(counted(problems, "problem", "problems")); \(counted(entries, "entry", "entries")) can be read"
    case .unfinished(let count):
      "\(counted(count, "attachment was never finished and takes room", "attachments were never finished and take room")); facediary purge removes them"
    case .restoreOrSalvage:
      "Restore a backup (facediary restore-backup), or rescue what still opens: facediary salvage OUT"
    case .repairForeign:
      "Everything you see is as it was written. facediary verify --repair removes what does not belong; find out what else writes to this file."
    case .repairSpare:
      "This is a redundant copy; facediary verify --repair writes it again."
    }
  }

  static func text(_ message: ExchangeMessage) -> String {
    switch message {
    case .markdownIsFolder:
      "markdown is a folder: name a new one with -o"
    case .attachmentsAreForJSON:
      "--attachments is for json; markdown and html do not need it"
    case .exportedUnsealed:
      "what is exported is no longer sealed"
    case .wroteEntries(let count, let path):
      "wrote \(counted(count, "entry", "entries")) to \(path)"
    case .filesLeft(let count):
      "\(counted(count, "photo or file is only named in it; add it", "photos or files are only named in it; add them")) with --attachments DIR"
    case .nameNewFolder:
      "name a new folder"
    case .diary:
      "Diary"
    case .isFolder(let path, let format):
      "\(path) is a folder, not \(format)"
    case .markdownWantsFolder(let path):
      "markdown is a folder, not \(path)"
    case .lost(.attachment, let name, let count):
      "left out: \(name), which \(counted(count, "entry names", "entries name")), is not there"
    case .lost(.field, let name, let count):
      "left out: the field \(name) of \(counted(count, "entry", "entries")), for which there is no place here"
    case .lost(.file, let path, _):
      "left out: \(path): nothing in it tells when it was written"
    case .lost(.folder, let path, _):
      "left out: everything in \(path), which cannot be opened or lies more than 16 folders deep"
    case .lost(.entry, let place, _): "left out: \(place)"
    case .lost(.trashed, let place, _):
      "left out: \(place), which was in the trash there"
    case .lost(.unread, let place, _): "left out: \(place), which no entry names"
    case .lost(.empty, let place, _): "left out: \(place), which is empty"
    case .moreLost(let count):
      "left out: \(counted(count, "other thing", "other things")); --json names everything"
    case .encrypted(let name): "\(name) is encrypted"
    case .noTextOrEncrypted(let name): "\(name) is not text; it may be encrypted"
    case .zipLocked(let name): "\(name) is protected by a password"
    case .notRecognised(let name): "\(name) is in none of the forms that can be imported"
    case .severalForms(let name, let formats):
      "\(name) holds the entries of several programs: \(formats.joined(separator: ", ")); say which"
    case .conflictChoices:
      "nothing was imported; --on-conflict update makes it a new revision, --on-conflict skip leaves it as it is here"
    case .exportDecrypted: "export it decrypted, import that and delete it"
    case .moreBad(let count, let places):
      "\(counted(count, "more cannot", "more cannot")) be imported either: \(places.joined(separator: ", ")); --skip-bad leaves them out and says which"
    case .jrnlEncrypted(let name): "\(name) is encrypted by jrnl"
    case .notUnpacked(let name, let says): "\(name) could not be unpacked into memory: \(says)"
    case .zipped(let name): "\(name) is a zip archive"
    case .unzipFirst: "unpack it into a folder of its own, and import that: unzip FILE -d FOLDER"
    case .decryptJrnl: "jrnl --decrypt makes it readable"
    case .wouldBring(let date, let title, let files):
      "\(date)  \(title)" + (files > 0 ? " (\(counted(files, "file", "files")))" : "")
    case .wouldImport(let imported, let duplicates):
      "would import \(imported); already here: \(duplicates)"
    case .imported(let imported, let duplicates):
      "imported \(imported); here already: \(duplicates)"
    case .updated(let count): "\(counted(count, "entry has", "entries have")) a new revision"
    case .leftAsItIs(let count):
      "\(counted(count, "entry is here with different content and stays", "entries are here with different content and stay"))"
    case .skipBadOnes:
      "nothing was imported; --skip-bad skips the entries that cannot be imported and lists them"
    case .skipped(let count): "\(counted(count, "entry was", "entries were")) left out"
    case .otherFormats:
      "other programs' JSON has a --format of its own: facediary help import lists them"
    case .onlyFiles(let name, let line):
      "\(name), line \(line): the entry holds nothing but files, and they are not here"
    case .sayWhereFiles:
      "say where they are with --attachments DIR"
    case .zone(let name):
      "zone \(name)"
    case .field(let name, let line, let field, let expected):
      "\(name), line \(line), field \"\(field)\": expected \(expected.text(in: .english))"
    case .jsonAt(let name, let line, let column, let expected):
      "\(name), line \(line), column \(column): expected \(expected.text(in: .english))"
    case .noJrnlEntry(let name):
      "\(name): there is no entry in it; one begins with [2026-03-01 09:30]"
    case .wantsJrnlHead(let name, let line):
      "\(name), line \(line): expected [2026-03-01 09:30] and a title"
    case .lineTooLong(let name, let line):
      "\(name), line \(line): longer than a text may be"
    case .lineNotDate(let name, let line, let date):
      "\(name), line \(line): not a date: \(date)"
    case .lineNotText(let name, let line):
      "\(name), line \(line): not UTF-8 text"
    case .noDayOne(let folder): "\(folder) holds no journal of Day One: no .json file"
    case .noMarkdown(let folder):
      "\(folder): there is no .md file in it"
    case .notText(let file):
      "\(file): not UTF-8 text"
    case .wantsID(let file):
      "\(file), field \"id\": expected 26 base32 characters"
    case .fileField(let file, let field, let expected):
      "\(file), field \"\(field)\": expected \(expected.text(in: .english))"
    case .wantsDateField(let file, let field):
      "\(file), field \"\(field)\": expected a date like 2026-03-01T09:30:00+09:00"
    case .wantsColon(let file, let line):
      "\(file), line \(line): expected a name, a colon and a value"
    case .frontMatterOpen(let file):
      "\(file): its front matter has no end; expected a line ---"
    case .wantsListEnd(let file, let line):
      "\(file), line \(line): expected a list that ends with ]"
    case .wantsTextEnd(let file, let line):
      "\(file), line \(line): expected a text that ends with \""
    }
  }

  static func text(_ message: SyncMessage) -> String {
    switch message {
    case .sharesNothing:
      "this diary has no other devices"
    case .setUpFirst:
      "facediary sync setup PLACE, or sync join PLACE CODE"
    case .noPlace:
      "no place is set where this diary's devices meet"
    case .nameOfPlace(let place):
      "\(place) does not name a place"
    case .placeForms:
      "folder:/PATH, rclone:REMOTE:PATH, postgres:SERVICE or cmd:PROGRAM"
    case .folderMissing(let place):
      "\(place) is not there"
    case .mountIt:
      "is the disk or network drive connected? Else make the folder"
    case .installProgram(let program):
      "\(program) is needed for this place and not installed"
    case .programFailed(let program, let says):
      "\(program) failed: \(says)"
    case .tooLarge(let place, let limit):
      "\(place) takes files of at most \(limit) bytes"
    case .placeFailed(let place, let says):
      "\(place): \(says)"
    case .begun(let place):
      "this diary now meets its other devices at \(place)"
    case .spaceCodeIs:
      "this recovery code restores the diary of all your devices from the place; it is shown only once, and is not the diary's own recovery code"
    case .pairingCodeIs:
      "the code for the other device; it works once, while this command waits"
    case .typeItThere(let place):
      "on the other device: facediary sync join \(place) CODE"
    case .nobodyCame:
      "no device answered; the code is no longer valid"
    case .seeAllTexts(let id):
      "facediary edit \(id) shows all of them in the editor; with --ends-conflict what you give replaces them"
    case .leaveFirst:
      "facediary sync leave forgets them and keeps the diary; then run this again"
    case .inviteAgain:
      "run facediary sync invite on the other device again, and facediary sync join here with the new code"
    case .doneLeaving:
      "this diary no longer syncs with other devices; all its entries are here"
    case .revokeThere:
      "to take this device out on the others, too, run this on one of them: facediary sync revoke NAME"
    case .askToLeave:
      "Stop syncing this diary with its other devices? The entries stay."
    case .moved(let pushed, let pulled):
      "\(pushed) sent, \(pulled) fetched"
    case .placeIsUnreliable(let place, let lists):
      lists
        ? "\(place) does not give back what was put there"
        : "\(place) does not list what was put there"
    case .silent(let program, let seconds):
      "\(program) sent and received nothing for \(seconds) seconds and was ended"
    case .otherSync:
      "another sync of this diary is running"
    case .asks(let name):
      "\(name) asks to come in"
    case .severalAsk(let count):
      "\(count) devices ask with this code, and only one of them can be yours: compare the symbols"
    case .joinAgainThere:
      "while the invitation stays open there, the same code works again"
    case .sameSymbols(let check):
      "Does it show \(check)?"
    case .letIn(let name):
      "\(name) has this diary now; facediary sync on both brings it up to date"
    case .refused(let name):
      "\(name) was not let in; the code stays valid for another try, and if that was not your device, press Ctrl-C and invite again"
    case .compare(let check):
      "the other device asks whether this one shows: \(check)"
    case .waiting:
      "waiting for its answer"
    case .badPairingCode:
      "that is not a pairing code, which has 40 letters and digits, as sync invite shows them"
    case .joined(let entries):
      "this device has the diary now: \(counted(entries, "entry", "entries")) came"
    case .recovered(let entries):
      "the diary is back: \(counted(entries, "entry", "entries")) came"
    case .spaceCodePrompt:
      "Recovery code of all devices: "
    case .needsSpaceCode:
      "this needs the recovery code that sync setup showed"
    case .giveSpaceCodeFile:
      "--space-code-file FILE"
    case .notASpaceCode:
      "that is not a recovery code, which has 28 letters and digits, as sync setup showed them"
    case .revoked(let name):
      "\(name) was taken out: nothing it writes from now on counts, and it cannot read anything written from now on"
    case .changeLocks:
      "the device keeps what it already downloaded; if it was stolen while unlocked, change any other passwords it could reach"
    case .done(let pushed, let pulled, let merged):
      "\(pushed) sent, \(pulled) fetched, \(counted(merged, "entry", "entries")) changed"
    case .nothingNew:
      "nothing new"
    case .onlyMoved(let pushed, let pulled):
      "\(pushed) sent, \(pulled) fetched; the diary is closed, so run facediary sync again while it is open to merge what was fetched"
    case .haveConflicts(let count):
      "\(counted(count, "entry has", "entries have")) more than one text: facediary conflicts"
    case .waits(let count):
      "\(counted(count, "piece waits", "pieces wait")) for others that have not arrived yet"
    case .filesMissing(let count):
      "\(counted(count, "photo or file has", "photos or files have")) not come yet"
    case .wouldRemove(let count):
      "another device removed \(counted(count, "entry", "entries")), or put them into the trash"
    case .askToRemove(let count):
      "Remove these \(count) here, too?"
    case .yesToRemove:
      "nothing was removed here; facediary sync --yes removes them"
    case .removalsWait:
      "nothing was removed here; facediary sync asks about it"
    case .lost(let count):
      "\(counted(count, "piece is", "pieces are")) missing from the place: it was rolled back or emptied, or it is a different place"
    case .repairPutsBack:
      "facediary sync repair puts them back; nothing here was deleted"
    case .goneHere(let count):
      "\(counted(count, "piece", "pieces")) that this device wrote are neither here nor at the place: the diary's sync folder was emptied"
    case .joinAnew:
      "all entries are here; run facediary sync leave, then join again by a code of facediary sync invite on another device"
    case .damaged(let count):
      "\(counted(count, "piece", "pieces")) at the place are damaged, or not whole yet; they are fetched again next time"
    case .repairElsewhere:
      "if they stay damaged: facediary sync repair on the device that wrote them, or on any that has them"
    case .wasRefused(let device):
      "a piece that claims to be from \(device.isEmpty ? "one of this diary's devices" : device) is forged or damaged, and was ignored"
    case .lookAtDevice:
      "anybody who can write to the place can cause this; if it happens again, check that device"
    case .wroteAfterRevocation(let device):
      "\(device) wrote after it was taken out; this was ignored, and entries of it that had come before are in the trash"
    case .copied:
      "something else wrote under this device's name: a copy of it, or this diary before a backup was restored; its entries were merged"
    case .oneCopy:
      "if there is a copy of this diary, run facediary sync leave in one of the two, and let it join again: facediary sync invite on another device"
    case .closed:
      "this device cannot read some pieces at the place: it was taken out, or somebody put pieces there that are no device's"
    case .joinAgain:
      "if sync status on another device does not list this one: facediary sync leave here, facediary sync invite there, facediary sync join here"
    case .newer:
      "something there was written by a later version of this program"
    case .update:
      "bring this program up to date"
    case .repaired(let count):
      "all \(counted(count, "piece", "pieces")) of this device were put there again"
    case .asking:
      "waits to be let in"
    case .place(let place):
      "place: \(place)"
    case .lastSettled(let when):
      "last brought up to date: \(when)"
    case .neverSettled:
      "never brought up to date"
    case .digest(let digest):
      "state: \(digest) (devices with the same content show the same state)"
    case .unpublished(let count):
      "\(counted(count, "piece of this device was", "pieces of this device were")) not seen at the place yet"
    case .thisDevice:
      "this device"
    case .heard(let when):
      "last heard of \(when)"
    case .neverHeard:
      "not heard of yet"
    case .isRevoked:
      "taken out"
    case .isAutomatic:
      "while the diary is open, it sends and fetches by itself"
    case .isNotAutomatic:
      "the diary sends and fetches only with: facediary sync"
    case .onOrOff:
      "say on or off"
    case .noSession:
      "the diary is not open; open it with: facediary unlock"
    case .movedTo(let place, let count):
      "the diary's devices meet at \(place) from now on; \(counted(count, "piece was", "pieces were")) sent there"
    case .moveOthers(let place):
      "on each other device, too: facediary sync move \(place)"
    case .placeReached(let when):
      "the place was last reached: \(when)"
    case .placeWorks(let place):
      "\(place) works: a test object was written, listed and removed"
    case .conflictHeading(let id, let count):
      "\(id): \(counted(count, "text", "texts"))"
    case .version(let revision, let device, let when):
      "— \(device), \(when), revision \(revision)"
    case .noConflicts:
      "no entry has more than one text"
    case .editEnds:
      "facediary edit ID shows all texts of an entry; what is saved is its text from then on"
    case .alsoWritten(let device, let when):
      "also written on \(device), \(when):"
    case .someDevice:
      "another device"
    case .hasOthers(let count):
      "\(counted(count, "other text of this entry counts", "other texts of this entry count")) as well: facediary conflicts"
    case .compacted(let packs, let removed):
      packs == 0 && removed == 0
        ? "nothing to compact: no pack contains purged entries, and few segments are outside packs"
        : "wrote \(counted(packs, "pack", "packs")), took \(counted(removed, "replaced object", "replaced objects")) from the place"
    case .packsDiffer:
      "the place did not return the packs as they were written, so nothing was removed from it"
    case .placeKeepsAll:
      "this place keeps everything; only its owner can take away what packs replaced"
    }
  }

  static func text(_ message: DemoMessage) -> String {
    switch message {
    case .noSamples:
      "the sample vectors are not here"
    case .nameSamples:
      "run it where Keys/ is, or name them: facediary demo --faces DIR"
    case .wrong(let what):
      "the demo went wrong: \(what.text(in: .english))"
    case .looking(let state):
      "1. Looking for a diary: \(state)"
    case .notOnboarding:
      "no vault, yet not onboarding"
    case .none(let state):
      "   none is there: \(state)"
    case .notAsked:
      "registered, yet not asked for the face"
    case .made(let shots, let state):
      "2. A vault with a passphrase, a recovery code and \(shots) shots of the owner's face: \(state)"
    case .noRecoveryCode:
      "no recovery code"
    case .strangerLetIn:
      "the demo went wrong: a stranger was let in"
    case .strangerRefused(let left, let state):
      "3. A stranger shows a face: refused, \(counted(left, "try", "tries")) left, \(state)"
    case .ownerRefused:
      "the demo went wrong: the owner was refused"
    case .ownerShown(let similarity, let threshold, let state):
      "4. The owner shows a face never enrolled: similarity \(similarity), threshold \(threshold), \(state)"
    case .written(let id):
      "5. Two entries, each durable when its id came back: \(id)"
    case .searchFailed:
      "search did not find the entry"
    case .found(let excerpt):
      "6. A search for かわせみ finds: \(excerpt)"
    case .notWhole:
      "the vault is not whole"
    case .verified(let entries):
      "7. Every record opened along its path: \(counted(entries, "entry", "entries")), no problem"
    case .stillOpen:
      "still open after logout"
    case .closed(let state):
      "8. Closed: \(state)"
    case .plaintext(let files):
      "plaintext in \(files)"
    case .scanned(let word, let files):
      "9. The word \"\(word)\" is in none of the \(counted(files, "file", "files")) written"
    case .yourOwn:
      "Your own diary: facediary init"
    }
  }

  static func text(_ message: FailureMessage) -> String {
    switch message {
    case .thereAlready(let path):
      "\(path) is there already; it was not touched"
    case .answerUnreadable:
      "the keeper's answer cannot be read"
    case .jsonAt(let line, let column, let expected):
      "line \(line), column \(column): expected \(expected)"
    case .noDiary(let path):
      "there is no diary at \(path)"
    case .makeOne:
      "make one with: facediary init"
    case .notAVault(let path, let detail):
      "\(path) is not a diary vault, or its beginning is damaged (\(detail.text(in: .english)))"
    case .nameRightFile:
      "name the right folder with --vault or FACEDIARY_VAULT"
    case .olderFormat(let path):
      "\(path) is a diary in the format before the first release"
    case .exportFirst:
      "export it with the program that wrote it, and import that"
    case .newerFormat(let path):
      "\(path) was written by a newer facediary"
    case .update:
      "update facediary"
    case .damaged(let subject, let detail):
      "damaged: \(subject.text(in: .english)) (\(detail.text(in: .english)))"
    case .one(let thing, let name):
      "\(thing.text(in: .english)) \(name)"
    case .acceptIfKnown:
      "if you know why: facediary accept-rollback"
    case .replaceLostSlots:
      "a device that still has them mends this with facediary verify --repair; new ones for all: facediary keys rotate"
    case .passphraseNotCause:
      "your passphrase is not the cause; look closer with: facediary verify"
    case .tryAgainOrRecover:
      "what opens the diary is damaged, so that a mistyped passphrase cannot be told apart: try it again, or the recovery code with --recovery-file"
    case .tampered(let subject, let detail):
      "\(subject.text(in: .english)) is not as it was written (\(detail.text(in: .english)))"
    case .rolledBack(let subject, let detail):
      "an older copy of the diary was put back (\(subject): \(detail.text(in: .english)))"
    case .salvageForeignKey:
      "if its key was replaced on two devices at once: facediary salvage takes its entries into a new diary"
    case .salvageOtherKey:
      "put the diary back as it was; to recover what only this copy has, run facediary salvage with a secret that was valid then"
    case .deviceStoreIsOld(let detail):
      "the device store is an older copy: \(detail.text(in: .english))"
    case .resetOldDevice:
      "put the newer one back, or give this device up and begin with a new key: facediary device reset"
    case .acceptIfYou:
      "if that was you: facediary accept-rollback"
    case .forked(let subject, let detail):
      "this copy of the diary was written somewhere else (\(subject): \(detail.text(in: .english)))"
    case .makeNamed(let command, let name):
      "to see those there are: facediary \(command); to make this one: facediary \(command) add '\(name)'"
    case .acceptToGoOn:
      "to go on from this copy: facediary accept-rollback"
    case .notTheRecoveryCode:
      "this is not the recovery code"
    case .notThePassphrase:
      "this is not the passphrase"
    case .replacedSince(let kind):
      "this \(kind.text(in: .english)) opens the copy, but was replaced since"
    case .giveTodays:
      "give one that is valid today; when the diary's key was replaced since, facediary salvage rescues the copy's entries"
    case .noWayIn(let kind):
      "the diary has no way in by \(kind.text(in: .english))"
    case .notFound(let thing, let name):
      "no \(thing.text(in: .english)) \(name)"
    case .ambiguous(let name, let thing):
      "\(name) could be more than one \(thing.text(in: .english))"
    case .because(let subject, let detail):
      "\(subject.text(in: .english)): \(detail.text(in: .english))"
    case .expected(let subject, let expected):
      "\(subject.text(in: .english)): expected \(expected.text(in: .english))"
    case .writerBusy:
      "another process is writing to the diary"
    case .tryAgain:
      "try again in a moment"
    case .cannotBeWritten(let path, let detail):
      "\(path) cannot be written (\(detail.text(in: .english)))"
    case .diskFull:
      "the disk is full"
    case .nothingChanged:
      "nothing was changed"
    case .cannotBeRead(let path, let detail):
      "\(path) cannot be read (\(detail.text(in: .english)))"
    case .copyToWritable:
      "copy the whole folder to a disk that can be written, and open the copy"
    case .noAccess(let path, let detail):
      "no access to \(path) (\(detail.text(in: .english)))"
    case .noMemory(let what):
      "cannot get \(what.text(in: .english))"
    case .raiseLimit:
      "raise the limit with: ulimit -l 1024 (kilobytes)"
    case .noFace:
      "no face is enrolled on this device"
    case .unlockThenEnroll:
      "unlock with the passphrase, then: facediary enroll FILE…"
    case .faceLockedOut:
      "the face is locked out after too many refusals"
    case .unlockOnce:
      "unlock once with the passphrase or the recovery code"
    case .deviceStoreDamaged(let path, let detail):
      "this device's store is damaged: \(path) (\(detail.text(in: .english)))"
    case .unlockThenEnrollAgain:
      "unlock with the passphrase or the recovery code, then enrol again"
    case .deviceStoreGone:
      "the diary was opened here before, and its device store is gone"
    case .unlockWithSecret:
      "unlock with the passphrase or the recovery code"
    case .faceNotEnough(let why):
      "a face is not enough now: \(why.text(in: .english))"
    case .unlockOnceSeePolicy:
      "unlock once with the passphrase or the recovery code; see: facediary policy"
    case .waiting(let seconds):
      "too many wrong passphrases; the next can be tried in \(seconds) s"
    case .recoveryWithoutWaiting:
      "the recovery code opens the diary without waiting"
    case .helperFailed(let program, let why):
      "the program that keeps the device key, \(program): \(why.text(in: .english))"
    case .resetIfGone:
      "if it is gone for good: facediary device reset"
    case .chmodPath(let path):
      "others could read or change it: chmod go= '\(path)'. A file with a second name (a hard link) is replaced by a copy: cp -p '\(path)' '\(path).new' && mv '\(path).new' '\(path)'"
    case .diaryBusy:
      "another process is using the diary"
    case .verifierFailed(let why):
      "the verifier failed: \(why.text(in: .english))"
    case .openAlready:
      "the diary is open already"
    case .needsSecretNow:
      "this needs the passphrase or the recovery code now"
    case .noLibsodium:
      "libsodium could not be started"
    case .passphraseSize:
      "a passphrase has 1 to 1024 bytes of UTF-8"
    case .damagedData(let what):
      "damaged data (\(what))"
    case .sessionEnded:
      "the session has ended"
    case .openAgain:
      "open it again with: facediary unlock"
    case .foreignSession:
      "the running session is of another version or user"
    case .lockThenUnlock:
      "end it with: facediary lock, then unlock again"
    case .sessionSilent:
      "the running session does not answer; it may still hold the diary open"
    case .endWithLock:
      "end it with: facediary lock"
    case .sessionOutdated:
      "the running session was of another version and was told to end"
    case .stillOpen(let processes):
      "the diary may still be open: process \(processes) could not be ended"
    case .killProcesses(let processes):
      "end it with: kill -9 \(processes)"
    case .chipFailed(let path, let why):
      "\(path): \(why.text(in: .english))"
    case .joinChipGroup(let path):
      "become a member of the group that \(path) belongs to, usually tss, and log in again"
    case .keepKeyElsewhere:
      "keep the device key in a file or with a helper: facediary device --help"
    case .waitOrReset:
      "wait, or give this device's key up: facediary device reset, with the passphrase or recovery code"
    case .pinentryFailed(let program, let why):
      "\(program) could not ask for the secret: \(why)"
    case .openElsewhere:
      "the diary is still open in a process that cannot be seen from here"
    case .lockThere:
      "run facediary lock in the container where it was opened, or quit the app that has it open"
    case .closedUnknown:
      "cannot tell whether the diary is closed: /proc cannot be read"
    case .endKeepersYourself:
      "end all processes whose names begin with fdk: yourself"
    case .socketFailed(let why):
      "the session's socket cannot be made: \(why)"
    case .diskFullAt(let path):
      "\(path): the disk is full"
    case .nameAnother:
      "name another with -o"
    case .notRegularFile(let path):
      "\(path) is not a regular file; it was not touched"
    case .largerThan(let path, let limit):
      "\(path): larger than \(limit) bytes"
    case .notOnPath(let program):
      "program \(program) is not on the PATH"
    case .cannotStart(let program, let why):
      "\(program) cannot be started: \(why)"
    case .noAnswer(let program, let seconds):
      "\(program) did not answer within \(seconds) seconds"
    case .printedTooMuch(let program, let limit):
      "\(program) printed more than \(limit) bytes"
    case .programEnded(let program, let code, let says):
      "\(program) ended with \(code)\(says)"
    case .notCommand(let words):
      "not a command: \(words)"
    }
  }

  static func text(_ message: VectorMessage) -> String {
    switch message {
    case .empty(let source):
      "\(source): there is no vector in it"
    case .notVectors(let source):
      "\(source): not a vector file"
    case .vectorForms:
      "npy, JSON, CSV, fvecs, or raw float32 named .f32"
    case .malformed(let source, let place, let expected):
      "\(source), \(place): expected \(expected)"
    case .notFinite(let source, let row, let component):
      "\(source), row \(row), component \(component): expected a finite float32 number"
    case .allZero(let source, let row):
      "\(source), row \(row): all components are zero"
    case .dimension(let source, let count):
      "\(source): \(count) components; expected 16 to 8192"
    case .unequalRows(let source, let row, let count, let expected):
      "\(source), row \(row): \(count) components; expected \(expected)"
    case .elementType(let source, let type):
      "\(source): elements of type \(type); expected float16, float32 or float64"
    case .pickled(let source):
      "\(source): a pickled Python object, which is never read"
    case .saveWithoutPickle:
      "save the array with numpy.save(…, allow_pickle=False)"
    case .fortranOrder(let source):
      "\(source): rows in Fortran order"
    case .saveContiguous:
      "save numpy.ascontiguousarray(…)"
    case .shape(let source, let shape):
      "\(source): shape \(shape); expected one vector, or rows of them"
    case .truncated(let source, let found, let expected):
      "\(source): ends at byte \(found); expected \(expected) bytes"
    case .trailingBytes(let source, let offset):
      "\(source): bytes after the data, from byte \(offset)"
    case .tooManyRows(let source, let limit):
      "\(source): more than \(limit) vectors"
    case .tooFewFrames(let source, let found, let wanted):
      "\(source): \(counted(found, "frame", "different frames")); this face was calibrated for \(wanted) at once (--face again)"
    case .otherDimension(let source, let found, let expected):
      "\(source): \(found) components; expected \(expected)"
    case .otherModel(let source, let found, let expected):
      "\(source): made by the model \(found); expected \(expected)"
    }
  }

  static func text(_ weekday: Weekday) -> String {
    let names = [
      "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    return switch weekday {
    case .name(let day): names[day]
    case .short(let day): String(names[day].prefix(3))
    }
  }

  static func text(_ expectation: ImportExpectation) -> String {
    switch expectation {
    case .end: "the end of the text"
    case .entries: "entries"
    case .anEntry: "an entry"
    case .anArrayOfEntries: "an array of entries"
    case .anEntryOrAnExport: "an entry or an export"
    case .anArrayOrAnObject: "an array or an object"
    case .anObject: "an object"
    case .anObjectALine: "one object per line"
    case .anArrayOf(let what): "an array of \(what)"
    case .formatOne: "format 1; this file is of a later one"
    case .field(let field): "the field \"\(field)\""
    case .text(let field): "text in the field \"\(field)\""
    case .texts(let field): "an array of texts in the field \"\(field)\""
    case .flag(let field): "true or false in the field \"\(field)\""
    case .array(let field): "an array in the field \"\(field)\""
    case .object(let field): "an object in the field \"\(field)\""
    case .date(let field): "a date like 2026-03-01T09:30:00+09:00 in the field \"\(field)\""
    case .day(let field): "a day like 2026-03-01 in the field \"\(field)\""
    case .id(let field): "26 base32 characters in the field \"\(field)\""
    case .atMost(let limit, let field): "at most \(limit) in the field \"\(field)\""
    case .entryOfAtMost(let limit): "an entry of at most \(limit) bytes"
    case .aValue: "a value"
    case .aDate: "a date"
    case .aDateAndTime: "a date like 2026-03-01 and a time like 09:30"
    case .aDateInUTC: "a date like 2026-03-01T00:30:00Z"
    }
  }

  static func text(_ purpose: InputPurpose) -> String {
    switch purpose {
    case .file: "the file"
    case .labels: "the labels"
    case .entries: "the entries"
    case .passphrase: "the passphrase"
    case .recoveryCode: "the recovery code"
    case .faceVector: "a face vector"
    case .entryText: "the entry's text"
    case .backupPassphrase: "the backup's passphrase"
    case .pairingCode: "the pairing code"
    case .pin: "the PIN"
    }
  }

  static func text(_ thing: VaultError.Thing) -> String { thing.rawValue }

  static func text(_ reason: VaultError.Reason) -> String { reason.description }

  static func text(_ part: DamagedPart) -> String { part.description }

  static func name(_ kind: Kind) -> String { kind.name }

  static func text(_ kind: SlotKind) -> String {
    switch kind {
    case .passphrase: "passphrase"
    case .recovery: "recovery"
    case .face: "face"
    case .facePassphrase: "face and passphrase"
    }
  }

  static func text(_ need: SecretNeed) -> String {
    switch need {
    case .restart: "the machine was restarted since it was last given"
    case .expired: "it was last given too long ago"
    case .unused: "the diary was not opened here for too long"
    case .warm: "no session is left that a face could open again"
    case .noSlot:
      "it opens the diary only together with a passphrase, and that way in was taken away"
    case .anotherPassphrase:
      "this face opens the diary together with another passphrase; remove that way in first"
    case .camera: "faces come from the camera program of the policy alone"
    case .facePassphrase: "this face opens the diary together with it"
    case .backup: "a backup opens without a face"
    case .never: "it was not given on this device before"
    }
  }

  /// `1 entry`, `2 entries`.
  private static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
