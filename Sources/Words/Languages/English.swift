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
    case .textAfterDashes:
      "to use a word that begins with - as text, put -- before it"
    case .didYouMean(let word):
      "did you mean \(word)?"
    case .takesNoValue(let option):
      "\(option) takes no value"
    case .needsValue(let option, let value):
      "\(option) needs a value: \(option) \(value)"
    case .givenTwice(let option):
      "\(option) can be given only once"
    case .cannot(let command, let verb):
      "unknown subcommand: \(command) \(verb)"
    case .usage(let words):
      "usage: facediary \(words)"
    case .seeHelpOf(let command):
      "see: facediary \(command) --help"
    case .cannotBe(let option, let value):
      "unknown value for \(option): \(value)"
    case .oneOf(let words):
      "use one of: \(words)"
    case .wantsNumberFrom(let option, let least, let value):
      "\(option) must be a number of at least \(least), not \(value)"
    case .wantsNumberBetween(let option, let least, let most, let value):
      "\(option) must be a number from \(least) to \(most), not \(value)"
    case .noTerminal:
      "cannot ask: there is no terminal"
    case .secretEmpty:
      "the passphrase or code is empty"
    case .secretTooLong:
      "the secret is too long; it can have at most 1024 bytes"
    case .passphraseNotText:
      "the passphrase is not UTF-8"
    case .passphraseSize:
      "the passphrase is too long; it can have at most 1024 bytes"
    case .twoReadStandardInput(let one, let other):
      "standard input cannot be both \(one.text(in: .english)) and \(other.text(in: .english))"
    case .nameFileForOne:
      "give a file for one of them"
    case .homeNotSet:
      "HOME is not set, or is not an absolute path"
    case .nameVaultAndDevice:
      "give --vault and --device"
    case .noSuchRule(let name):
      "unknown policy setting: \(name)"
    case .emptyPath:
      "--vault or --device is empty"
    case .unsetVariable:
      "is a variable in your script unset?"
    case .wantsRevision(let value):
      "a revision must be a number of at least 1, not \(value)"
    case .wantsDuration(let option, let value):
      "\(option) must be a duration such as 5m or 12h, not \(value)"
    case .atMostTwelveHours(let option):
      "\(option) must be at most 12h"
    case .wantsYear(let value):
      "--year must be a year such as 2026, not \(value)"
    case .wantsRate(let option, let value):
      "\(option) must be a rate between 0 and 1, not \(value)"
    case .noSuchWork(let level):
      "unknown value for --kdf: \(level)"
    case .worksKnown:
      "use one of: interactive, moderate, sensitive"
    case .noHelpFor(let word): "there is no help for \(word)"
    case .unknownCommand(let name):
      "unknown command \(name)"
    case .helpListsCommands:
      "for a list of commands: facediary --help"
    case .needsYes(let command):
      "without a terminal, \(command) needs --yes"
    case .contradict(let one, let other):
      "\(one) and \(other) cannot be used together"
    case .starsContradict:
      "--star and --no-star cannot be used together"
    }
  }

  static func text(_ message: HelpPhrase) -> String {
    switch message {
    case .usage(let program, let command):
      "usage: \(program) \(command)"
    case .anyOption:
      "[options]"
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
      For one command: \(program) COMMAND --help
      For a topic that concerns several commands: \(program) help TOPIC
      The topics are ids, dates, vectors, search, text and sync.
      """
    }
  }

  static func text(_ message: CommandHelp) -> String {
    switch message {
    case .headline:
      "facediary: a diary that opens for its owner's face"
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
      "Several devices:"
    case .sync:
      "sync the diary with your other devices"
    case .syncDetails:
      """
      Your devices exchange encrypted pieces of the diary through a PLACE:

        folder:/PATH           a folder that Syncthing, a cloud client, a network drive or a
                               USB stick carries from one device to the other
        rclone:REMOTE:PATH     any cloud or server that rclone reaches
        postgres:SERVICE       a PostgreSQL service, through psql
        cmd:PROGRAM            a program of your own

      The place sees the sizes of the pieces and when they arrive. It cannot read, change or
      forge them.

        facediary sync setup PLACE         on the first device; shows a sync recovery code once
        facediary sync invite              shows a code for another device
        facediary sync join PLACE CODE     on that device; both show ten symbols to compare
        facediary sync                     sends and fetches; merges if the diary is open
        facediary sync leave               stops syncing on this device; the diary stays
        facediary sync move PLACE          continues through another place
        facediary sync auto off            stops an open diary from syncing automatically

      If two devices change the same text before they sync, the entry keeps both texts: see
      facediary conflicts. If another device deleted more than 20 entries, or at least three and
      more than 5 % of all, sync deletes them here only after you confirm. revoke
      removes a lost device; recover restores the diary from the place. Both ask for the sync
      recovery code. repair puts back what the place has lost. compact removes purged entries
      from the place. If the place has lost or altered something, the exit code is 5, and nothing on
      this device is deleted.
      """
    case .conflicts:
      "list entries that have more than one text"
    case .conflictsDetails:
      """
      Shows every text of an entry that several devices changed before they synced. To end a
      conflict, save the entry with facediary edit. Until then, all its texts are kept.
      """
    case .shellTitle:
      "The shell:"
    case .attach:
      "add photos and files to an entry"
    case .attachDetails:
      """
      The files are encrypted and copied into the diary, whatever their size. If the entry
      already has a file of that name, the new one gets a number: photo-2.jpg. The original
      stays where it is.
      """
    case .attachments:
      "list the photos and files of an entry"
    case .extract:
      "save a copy of a photo or file, not encrypted"
    case .extractDetails:
      """
      Without -o, the copy is written to the current directory under its own name; an existing file
      is not replaced. With -o, an existing file is replaced. The copy is not encrypted.
      With --revision, the file is taken from an earlier revision of the entry, also one that has
      been removed since.
      """
    case .open:
      "open a photo or file with another program"
    case .openDetails:
      """
      The file is copied into memory, never to a disk, and opened with the desktop's
      default program or with the one that --with names. It is removed when you press Enter, or
      when the --with program ends. FaceDiary cannot remove what the program itself saves
      (thumbnails, a list of recent files). If the entry has only one file, you do not have to
      name it.
      """
    case .detach:
      "remove a photo or file from an entry"
    case .detachDetails:
      "Earlier revisions of the entry keep the file until the entry is purged. To get it back, run facediary extract ID NAME --revision N."
    case .browse:
      "browse the diary as a full-screen timeline"
    case .browseDetails:
      """
      ↑ ↓ PgUp PgDn Home End, mouse wheel     move
      :          go to a date                 Enter      read the entry
      ← → Tab    change the journal           /          search as you type
      #          show one tag                 *          show starred entries
      Esc        show everything again        o          open a photo or file
      s          star                         e          edit
      n          write a new entry            d          move to the trash
      u          undo the last delete         ?          show the keys
      q          quit

      When the session ends, browse clears the screen and quits.
      """
    case .calibrate:
      "measure error rates on labelled faces and find a threshold"
    case .calibrateDetails:
      """
      LABELS.csv has the columns person and file, and optionally row: the row number, from 0, in a
      file with several rows. Paths are relative to LABELS.csv, or to the current directory if the
      labels come from standard input. Every pair of vectors is compared; a similarity at or above the
      threshold is accepted. FMR is the share of pairs of different people that a threshold accepts.
      FNMR is the share of pairs of the same person that it refuses. To use a saved calibration for
      faces already enrolled: facediary faces recalibrate. It measures vectors, and does not tell a
      living person from a photo.
      """
    case .export:
      "export entries, not encrypted"
    case .exportDetails:
      """
        json      everything except the trash; earlier revisions only with --history. Can be imported
                  again unchanged, except for earlier revisions
        markdown  a folder with one file per entry, its fields as front matter, photos and files
                  beside it; can be imported again unchanged
        jrnl      jrnl's JSON, without end times, time zones, journals, kinds, ids, photos and files;
                  the first line of an entry without a title becomes its title
        html      one page for reading and printing, with photos in it; it names other files but does
                  not contain them, and cannot be imported
        vjournal  a calendar file (.ics) for jtx Board, KOrganizer and others, without journals,
                  kinds, stars, weather, end times, photos and files
      """
    case .importing:
      "import entries from another program: all of them, or none"
    case .importDetails:
      """
        json      what export wrote, an array of entries, or JSON Lines; date and body are enough
        jrnl      jrnl's JSON export, its text file ([2026-03-01 09:30] Title), or its folder with one
                  file per day; @words become tags
        dayone    Day One's JSON with its photos folder beside it, or the folder that contains both;
                  the file's name becomes the journal
        markdown  a folder of .md files, at any depth, as Obsidian keeps them, with front matter
                  between --- lines; the date is in the front matter or the name: 2026-03-01-name.md,
                  2026_03_01.md, 2026/03/01.md; pictures that the text shows are attached
        org       an .org file or a folder of them: headings with a date or a time stamp, a tree of
                  dates, org-journal's and org-roam's files of a day
        logseq    the folder of a graph; the days in journals become entries
        rednotebook
                  its data folder, or one of its files (2026-03.txt)
        vjournal  the journal entries of a calendar file (.ics), as jtx Board and KOrganizer keep them
        mini-diary, mini-diarium, standard-notes (decrypted), daylio (its CSV)
                  a file; pictures in the text are attached, and Daylio's moods and activities
                  become tags
        keep, journey, diaro, diarium, apple-journal, dayone-classic, dailytxt
                  a folder as it was exported (Takeout's Keep, Diaro's backup, Diarium's JSON, a
                  Journal.dayone package, DailyTxT's decrypted backup), with photos beside the texts
                  or in subfolders

      Without --format, the format is detected. Everything that cannot be imported is listed. A zip
      archive is unpacked into memory first. An entry that already exists is skipped. An entry that
      exists with different content is a conflict: --on-conflict update replaces it with the content
      of the file, and clears fields that the file leaves out. Journals and kinds that do not exist
      yet are created. FILE can be - for standard input. Photos and files of a JSON export are read
      from the folder FILE-files beside it, as the window writes it, or from --attachments.
      """
    case .enroll:
      "enrol your face: from the camera, photos or vector files"
    case .enrollDetails:
      """
      A file can contain one vector or several rows; each one becomes an enrolled face.
      Several shots, in different light and on different days, improve recognition more than
      any threshold. The command asks for the passphrase even while the diary is open, so that
      nobody who finds it open can give themselves permanent access.
      """
    case .faces:
      "list, rename or remove the faces enrolled on this device"
    case .facesDetails:
      "This command always asks for the passphrase or the recovery code, even while the diary is open."
    case .models:
      "list the known face models and their starting thresholds"
    case .match:
      "compare two face vectors; needs no diary"
    case .matchDetails:
      "The exit code is 0 if accepted, 3 if refused, and 2 if no threshold is known."
    case .camera:
      "set up and test a webcam"
    case .cameraDetails:
      """
      camera setup NAME writes a small Python program, tells you which packages and weight files it
      needs and where to put them, tests it, and makes it the program that `unlock` runs. NAME is
      opencv (YuNet and SFace), dlib (as in face_recognition) or insightface (SCRFD and ArcFace; its
      weights are for research only). It installs no packages, and downloads the weight files only
      if you agree to it or give --download. It accepts a weight file only if the file has the
      expected SHA-256.

      The program checks that exactly one face is visible, not whose face it is. `enroll --camera`
      takes as many shots as your calibration used, or three. Each shot is several frames; the frame
      most like the others is used.

      With --challenge, the program asks for a small turn of the head when the diary is opened: to the
      left, to the right, or up, chosen at random. A photo that is held, moved or tilted does not
      pass, but a video of you may. The challenge makes deception harder; it cannot rule it out.
      """
    case .probe:
      "run the configured camera program and show what it prints"
    case .probeDetails:
      "Use this to try out a camera program. It does not open the diary or compare faces."
    case .acceptRollback:
      "accept an older copy of the diary that you put back on purpose"
    case .acceptRollbackDetails:
      """
      Shows what comes back, and asks for a passphrase or recovery code that is currently
      valid. Ways in that were removed stay removed, the stricter policy applies, and the
      current faces stay. Without a terminal, it does not ask for confirmation.
      """
    case .backup:
      "make a backup; the diary can stay in use"
    case .backupDetails:
      """
      Creates a folder in DIRECTORY, named after the time. All backups in DIRECTORY share their
      photos and files, in the folder objects, so the next backup copies only what is new. To
      read a backup, with the same passphrase: facediary list --vault BACKUP. A backup is
      read-only; restore-backup makes it the diary again. You can copy DIRECTORY anywhere: it
      is encrypted like the diary. An incomplete copy of a backup is detected. Without
      DIRECTORY, the backup goes to the folder that "backup" in config.json names.
      """
    case .restoreBackup:
      "replace the diary with a backup"
    case .restoreBackupDetails:
      """
      Asks for the passphrase or the recovery code, checks the whole backup, shows what will be
      replaced, and asks for confirmation. The diary is changed in one step. The current ways in
      stay. If the diary, or the file vault in it, is missing, the backup becomes the diary. If
      BACKUP is a directory that contains backups, the newest one is used.

      A diary that syncs is not replaced: on all devices, entries that were changed or removed
      since the backup come back as they were then, and what was written since stays.
      """
    case .salvage:
      "copy everything that can still be read from a damaged vault into a new one"
    case .salvageDetails:
      """
      Each part is read separately, so a damaged part loses only what it contained. Where the
      structure of the file itself is damaged, or its end is missing, the whole file is
      searched. The damaged vault is not changed. The new vault gets the same passphrase and a
      new recovery code. Older revisions are not copied. Everything that was lost is listed.
      """
    case .window:
      "show the diary in a browser window"
    case .windowDetails:
      """
      You can read, search and write entries, and look at photos and statistics. This program serves
      the page on this machine only; nothing is loaded from a network. The browser gets its own
      profile in memory, without history or extensions, which is removed when you close the window.

      While the diary is closed, the page asks for your face, through the camera set up with
      `facediary camera setup`, or for the passphrase or recovery code. If `pinentry` is
      installed and there is a display, it asks for the passphrase; otherwise you type it on
      the page. To end the window, close the page or press Ctrl-C; this also closes the diary
      if the window opened it. When the session ends, or after `facediary lock`, the page
      forgets everything and asks again. What you were writing is kept as an encrypted draft
      and offered when the diary is open again.

      In the settings, you can make backups, import with a preview, export, and add or remove
      faces. Actions that only the owner may take ask for the passphrase each time. Recovery
      codes are shown, and new passphrases are typed, in the terminal or, without one, in
      dialogs of pinentry, never on the page.

      Chromium, Chrome, Edge, Brave and Firefox are looked for on the PATH. Browsers from snap
      packages do not work, because they cannot read the file that opens the page.
      """
    case .demo:
      "show every step with sample faces and a temporary diary"
    case .device:
      "show or change where the device key is kept"
    case .deviceDetails:
      """
      The device key is what your face unlocks; it also encrypts the enrolled faces. If it is
      kept in a file, anyone who can read that file and the vault can open the diary without a
      face. With --tpm, the TPM of this machine seals the key. The TPM also counts sessions
      and tries, so that putting back older copies of the vault and the device store together
      is noticed. --pin adds a PIN. With --helper, a program keeps the key, for example in a
      Secret Service or a keychain. The program is run with get, store or erase as its last
      argument. It reads vault=…, key=… and, for store, secret=… from standard input; for get, it
      prints secret=…. The page ThreatModel of the documentation has examples.

      move creates a new key and erases the old one, so that copies of the old key open
      nothing. reset creates a new key when the old one is lost; you must then enrol your face
      again. Both ask for the passphrase or the recovery code, even while the diary is open.
      """
    case .initialize:
      "create a diary"
    case .initDetails:
      """
      Asks for a passphrase twice, and shows a recovery code once: write it down on paper.
      Faces given with --face are enrolled at the same time.
      """
    case .keys:
      "list, add or remove the ways to open the diary"
    case .keysDetails:
      """
      KIND is one of:

        passphrase         another passphrase
        recovery           a new recovery code; the old one stays valid until you remove it
        face-passphrase    a face and a passphrase together; the face alone then no longer opens the
                           diary on this device

      rotate replaces the key of the diary and encrypts everything again, in one step. It
      first lists the ways in that it will remove because you did not give their secret, and shows
      a new recovery code. Older copies of the vault still open with the old key.

      All of these except list ask for the passphrase or the recovery code, even while the diary is
      open.
      """
    case .passphrase:
      "change the passphrase"
    case .passphraseDetails:
      """
      Asks for the passphrase (or the recovery code), then twice for the new passphrase. The new
      one gets the current Argon2id cost. If you give a passphrase, the new one replaces only that
      one. If you give the recovery code, the new one replaces every passphrase of the diary.
      Older copies of the vault still open with the old passphrase; if somebody has seen it, also
      run facediary keys rotate.
      """
    case .policy:
      "set when a face is not enough, and how long the diary stays open"
    case .policyDetails:
      """
      The settings, with their defaults:

        passphrase-after 156h   a face is not enough if the passphrase was given longer ago than this
        unused-after 48h        … or if the diary was not opened on this device for this long
        after-restart on        … or if the machine was restarted since the passphrase was given
        warm off                on: no way in by face is kept on disk; a face only reopens a diary
                                that a passphrase opened, while that session still runs
        face-passphrase off     on (set by keys add face-passphrase): a face opens the diary only
                                together with a passphrase; off: after you enrol your face again,
                                it opens the diary alone
        camera off              on: faces are accepted only from the camera program as it is now,
                                never from a file
        idle 5m                 a session ends after this long without use
        life 12h                a session lasts at most this long

      Changing a setting asks for the passphrase or the recovery code, even while the diary is open.
      The policy is stored encrypted in the vault.
      """
    case .verify:
      "check the whole diary for missing, outdated or altered data"
    case .rank:
      "show what you wrote about most, and how that changed"
    case .rankDetails:
      """
      Words are ranked by how often they occur. A word counts if it has at least three
      letters, or at least two Chinese characters or katakana.
      """
    case .stats:
      "show the number of entries and words, streaks, and a calendar of a year"
    case .onThisDay:
      "show what you wrote on this day in earlier years"
    case .journals:
      "list and change journals; a journal can be a trip"
    case .journalsDetails:
      """
        facediary journals add "Kyoto" --from 2026-03-01 --to 2026-03-04
        facediary journals move Kyoto --before Work
        facediary journals remove Kyoto --to Work     its entries move there
        facediary journals remove Kyoto --trash       its entries go to the trash
      """
    case .kinds:
      "list and change kinds of entries"
    case .kindsDetails:
      """
      Every diary has move 🚗, meal 🍽, sight 🏞 and stay 🏨; you cannot
      change these. You can name a kind by its name, its emoji, or both.
      """
    case .tags:
      "list, rename and merge tags"
    case .tagsDetails:
      """
        facediary tags rename diary journal           changes the tag diary to journal
        facediary tags merge walk walks hike          changes the tags walk and walks to hike

      Each changed entry gets a new revision. Entries in the trash keep their tags.
      """
    case .lock:
      "close the diary"
    case .status:
      "show the diary's state, without opening it"
    case .unlock:
      "open the diary and keep it open for a while"
    case .unlockDetails:
      """
      Checks your face (from --face or the camera program) or asks for the passphrase, and starts a
      session: until it ends, most commands do not ask again. The session ends with facediary lock,
      after some time without use, when its time limit is reached, or when the machine is suspended.
      """
    case .help:
      "explain a command, or a topic: ids, dates, vectors, search, text, sync"
    case .helpDetails: "Without a topic, it lists the commands."
    case .config:
      "show and change settings: language, tags, backups and the programs to run"
    case .configDetails:
      """
      Settings are kept in config.json in your configuration folder. None of them protects the
      diary or makes it easier to open; for that, see facediary policy. Examples:

        facediary config set backup ~/backups
        facediary config set environment DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK
        facediary config unset backup

        language      en or ja (default: that of your system)
        inlineTags    on: #word in a text is a tag, when you write and when you import (default: off)
        backup        the folder for backups
        probe         the program that shows your face; `camera setup` sets it
        environment   variables that are also passed to the programs FaceDiary starts
        pinentry      the program that asks for secrets, by its full path
        tpm           the device or socket of the TPM that keeps device keys
      """
    case .completion:
      "print a completion script for your shell"
    case .completionDetails:
      """
        bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
        zsh:  facediary completion zsh > "${fpath[1]}/_facediary"
        fish: facediary completion fish > ~/.config/fish/completions/facediary.fish

      Journals, tags and ids are offered while the diary is open.
      """
    case .man:
      "show the manual; if redirected, print a man page"
    case .manDetails:
      "facediary man > ~/.local/share/man/man1/facediary.1"
    case .list:
      "list entries, newest first"
    case .search:
      "find entries that contain every word"
    case .searchDetails:
      """
      Searches everything you see of an entry: title, text, tags, location, journal, kind,
      weather and the names of files, also inside words. "Quoted words" are a phrase. OR
      between two words finds entries with either of them, -word excludes a word, and #tag
      finds a whole tag. journal:, place:, kind:, weather:, file: and tag: before a word look only
      there. A date (March 2026, 14 March, yesterday, last week) also finds the entries of those
      days. Case, width, accents, and hiragana or katakana make no difference.
      Put #tag in quotes if your shell treats # as the start of a comment.
      """
    case .show:
      "show entries"
    case .history:
      "list the revisions of an entry, newest first"
    case .historyDetails:
      "`facediary show ID --revision N` shows one revision in full; `facediary revert ID N` makes it the newest."
    case .revert:
      "make an old revision of an entry the newest"
    case .revertDetails:
      """
      Restores the text and all fields; photos and files stay as they are. The current text stays in
      the history. If the entry has texts from several devices, add --ends-conflict to replace them
      all.
      """
    case .templates:
      "list and change templates: texts to start an entry from"
    case .templatesDetails:
      """
      Give the text on the command line or on standard input, or write it in the editor that opens
      otherwise. To start an entry from a template: facediary write --template NAME
      """
    case .delete:
      "move entries to the trash"
    case .restore:
      "restore entries from the trash"
    case .trash:
      "list the entries in the trash"
    case .purge:
      "permanently delete entries that are in the trash, with all their revisions"
    case .purgeDetails:
      "Without an ID, it empties the trash. Backups and other copies made earlier still contain the entries."
    case .write:
      "write an entry"
    case .writeDetails:
      """
      TEXT is the text of the entry. Without it, the text is read from standard input, or your
      editor opens ($VISUAL, $EDITOR) if standard input is a terminal. Text on the command
      line is stored in your shell's history and is visible in process lists while the command
      runs. For private text, use the editor or a pipe.
      """
    case .edit:
      "change an entry; the older text stays in its history"
    case .editDetails:
      """
      TEXT is the new text; - reads it from standard input. If you give only options, the text stays
      as it is. If you give neither, your editor opens.

      If an entry has titles or texts from several devices, your editor shows all of them, and
      what you save replaces them. To replace them with a --title or TEXT given here, add
      --ends-conflict. --ends-conflict alone keeps the title and text that are shown first.
      """
    }
  }

  static func text(_ message: OptionHelp) -> String {
    switch message {
    case .vault:
      "where the diary is kept"
    case .device:
      "the directory with this device's keys and enrolled faces"
    case .json:
      "answer in JSON"
    case .quiet:
      "print only results and errors"
    case .language:
      "the language of messages"
    case .face:
      "use this face vector: a file, - (standard input) or cmd:PROGRAM; repeat it to give several frames"
    case .passphraseFile:
      "read the passphrase from a file (- is standard input)"
    case .recoveryFile:
      "read the recovery code from a file (- is standard input, or asks for it at a terminal)"
    case .help:
      "show this help"
    case .version:
      "show the version"
    case .life:
      "the session lasts at most this long (default and limit: the policy's life)"
    case .idle:
      "the session ends after this long without use (default and limit: the policy's idle)"
    case .look:
      "use the camera that is set up even if there is no terminal or dialog for a passphrase"
    case .noFace:
      "ask for the passphrase, even if a camera is set up"
    case .demoWindow:
      "then show the demo diary in a browser; a sample face replaces the camera"
    case .windowWrites:
      "begin with a new entry"
    case .codeDialog:
      "show the recovery code in a dialog of pinentry instead of printing it"
    case .browser:
      "show the page with PROGRAM: a browser, or a command that opens the file it is given"
    case .wholeTrash:
      "restore everything in the trash"
    case .lockAll:
      "close all your open diaries"
    case .newPassphraseFile:
      "read the new passphrase from a file"
    case .samePassphraseFile:
      "the same as --passphrase-file here"
    case .noPassphrase:
      "set no passphrase: only the face and the recovery code open the diary"
    case .noPassphraseKept:
      "for rotate: keep no passphrase, only the new recovery code"
    case .kdf:
      "the memory that each guess of the passphrase needs: interactive (64 MiB), moderate (256 MiB), sensitive (1 GiB)"
    case .model:
      "the face model that made the vectors"
    case .threshold:
      "accept a face if its cosine similarity is at least X, from -1 to 1; higher is stricter"
    case .label:
      "a name for these shots"
    case .force:
      "enrol shots that do not resemble the enrolled faces, or use a doubtful threshold"
    case .replaceSamples:
      "remove enrolled sample faces first"
    case .probeCommand:
      "run this program instead of the configured one"
    case .calibratedModel:
      "the face model that made the vectors; needed for --save"
    case .enrolledShots:
      "compute the rates as if K shots were enrolled"
    case .shownFrames:
      "compute the rates as if P frames were shown"
    case .plot:
      "draw histograms of the similarities, and the DET curve"
    case .targetFMR:
      "suggest a threshold for this false match rate (default: 1e-3)"
    case .targetChosen:
      "the share of diaries that crafted vectors may open within five tries (default: 0.01)"
    case .noAttack:
      "do not test crafted vectors; the threshold then takes only strangers into account"
    case .save:
      "make the result the default of match and enroll for this model"
    case .title:
      "the title of the entry"
    case .date:
      "when it was: 2026-03-01, 2026-03-01T09:30, yesterday, …"
    case .until:
      "when it ended: +90m, 18:30 or a date"
    case .journal:
      "the journal it belongs to"
    case .kind:
      "the kind of entry, by name or emoji"
    case .tag:
      "add a tag (repeatable)"
    case .star:
      "star it"
    case .editorOnDisk:
      "allow the editor's temporary file to be written to disk"
    case .attach:
      "attach a photo or file (repeatable)"
    case .template:
      "start the editor with this template"
    case .recover:
      "save drafts that were kept because the session had ended"
    case .untag:
      "remove a tag (repeatable)"
    case .noStar:
      "unstar it"
    case .noTitle:
      "remove the title"
    case .noJournal:
      "remove it from its journal"
    case .endsConflict: "replace the titles and texts from other devices, too"
    case .noKind:
      "remove its kind"
    case .noUntil:
      "remove its end time"
    case .expectedRevision:
      "refuse if N is not the newest revision"
    case .from:
      "entries from this day on"
    case .to:
      "entries up to and including this day"
    case .on:
      "entries of this day"
    case .filterTag:
      "entries with this tag; repeat it for entries with all of the tags"
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
      "show the full text of each entry"
    case .emptyDays:
      "also show days without entries"
    case .revision:
      "show revision N"
    case .extractedRevision:
      "take it from revision N of the entry"
    case .inTrash:
      "show an entry that is in the trash"
    case .raw:
      "only the text of one entry, byte for byte"
    case .onDate:
      "use this day instead of today"
    case .year:
      "show only this year (default: all years, and the current year's calendar)"
    case .period:
      "2026, 2026-03, 2026-03-01..2026-03-14 or all (default: this year)"
    case .versus:
      "the period to compare with (default: the year or month before)"
    case .everyRank:
      "show all, not only the first ten"
    case .tripFrom:
      "the first day of a trip"
    case .tripTo:
      "the last day of a trip; for remove: the journal that gets the entries"
    case .journalEmoji:
      "an emoji for the journal"
    case .kindEmoji:
      "the emoji of a new kind"
    case .before:
      "for move: put it before this journal (default: last)"
    case .entriesToTrash:
      "for remove: move its entries to the trash"
    case .yes:
      "skip confirmation"
    case .importFormat:
      "the format, if it cannot be detected"
    case .attachmentsFrom:
      "json only: the folder of its photos and files"
    case .dryRun:
      "show what would be imported, and import nothing"
    case .exportFormat:
      "the format (default: json)"
    case .exportOutput:
      "write to this file, replacing it if it exists; only you can read it. For markdown: a new folder"
    case .extractOutput:
      "where to write it; an existing file is replaced (default: its own name, in the current directory); - is standard output"
    case .attachmentsTo:
      "json only: write photos and files into this new folder"
    case .showsDifference: "show what changed from each revision to the next"
    case .location: "the location of the entry"
    case .weather: "what the weather was like"
    case .noLocation: "remove the location"
    case .noWeather: "remove the weather"
    case .fromPhoto:
      "take the date and location from the first attached photo; other options override them"
    case .onConflict:
      "if an entry exists with different content: import nothing, skip it, or update it"
    case .skipBad: "skip entries that cannot be imported, and list them"
    case .withHistory: "json only: also write the earlier revisions of entries"
    case .challenge: "before the last frame, ask for a small turn of the head"
    case .download: "download the weight files that are missing, without asking"
    case .cameraSource: "use another camera: its number, its device or a video file"
    case .camera: "take the shots with the camera that is set up"
    case .viewer: "open it with this program; the file is removed when the program ends"
    case .photoMetadata:
      "html only: keep the time, location and camera model in photos"
    case .repair:
      "rebuild what can be rebuilt from undamaged records, then verify again"
    case .keep:
      "keep only the newest N backups in DIRECTORY"
    case .backupPassphraseFile:
      "read from a file the passphrase that was valid when the backup was made; needed if the key was replaced since"
    case .helper:
      "for move: a program that keeps the key (get, store, erase)"
    case .chip:
      "for move: seal the key with this machine's TPM"
    case .pin:
      "for move: set a PIN; the TPM requires it and limits wrong tries"
    case .newPINFile:
      "for move: read the new PIN from a file"
    case .pinFile:
      "read the PIN of the TPM from a file"
    case .backToFile:
      "for move: keep the key in a file again"
    case .sampleFaces:
      "the folder of the sample vectors (Keys/faces)"
    case .deviceName:
      "the name of this device (default: the machine's name)"
    case .spaceCodeFile:
      "read the sync recovery code, which sync setup showed, from a file (- is standard input, or asks for it at a terminal)"
    }
  }

  static func text(_ topic: HelpTopic) -> String {
    switch topic {
    case .ids:
      """
      Naming an entry

        @1, @2, …        as `facediary list` shows them: @1 is the newest by date
        @last            the most recently added entry, whatever its date
        3dnr14vq         its id, as lists show it; the first four or more characters are enough
                         if no other id begins with them

      An id has 26 characters: 0-9 and a-z without i, l, o and u. --json gives the whole id.
      """
    case .dates:
      """
      Dates and times

        2026-03-01  2026/3/1  20260301           a day
        March 1 2026  1 March  Mar 1  the 3rd    a day; without a year, the most recent one
        1.3.2026                                 day, month, year
        3/1  3/1/2026                            in the order your locale uses
        2026-03-01T09:30  2026-03-01 9:30        a time on that day, in your time zone
        2026-03-01T09:30+09:00                   a time with its offset from UTC
        now  today  yesterday  tomorrow          relative to now
        3 days ago  a week ago  1 month ago  2 hours ago  10 min ago
        friday  last friday                      the last one before today
        9:30  6pm  6:30pm  half past nine  noon  midnight
                                                 today
        yesterday 18:00  friday 6pm  noon yesterday
                                                 a day and a time
        this morning  friday evening  last night
                                                 morning is 8:00, afternoon 15:00,
                                                 evening 19:00, night 21:00

      A day without a time means the current time if it is today, otherwise 12:00. Where a
      period is expected (--from, --to, --on, --period), 2026 is a whole year and 2026-03 a
      whole month. --from, --to and --on also accept "last week" (weeks begin on Monday),
      "this month", "last year" and similar.

      An end time, for --until: +90m, +1h30m, 18:30 or a date. If 18:30 is earlier than the
      start, it means the next day, at most twelve hours after the start. A duration, for
      --for and --idle: 45s, 5m, 12h, 1h30m.

      An entry keeps the time zone it was written in; its day is the day in that zone.
      """
    case .vectors:
      """
      Faces as vectors

      A face is a vector of 16 to 8,192 numbers that a face model computes from a picture; 128 and 512
      are usual. --face, enroll and match read vectors from

        FILE             a file
        -                standard input
        cmd:PROGRAM …    the output of a program, for example your own camera program

      in any of these formats, which are detected from the content:

        NumPy .npy       float16, float32 or float64; one dimension, or a row for each shot
        JSON             [0.1, …], or {"embedding": [0.1, …], "model": "sface"}
        CSV or text      one line, or one number per line
        FAISS .fvecs     also raw float32, in a file named .f32

      For --face, several files or rows are several frames of one face. For enroll, each is a
      face to enrol. The face model can be named in the file, by --model or by the enrolled
      faces; if more than one names it, they must agree. `facediary models` lists the known
      models with their thresholds. `facediary calibrate` finds a threshold from your own
      vectors.
      """
    case .search:
      """
      Searching

        tea river        entries that contain both words, anywhere; also inside words
        tea OR coffee    entries that contain one of the words
        -milk            entries without this word
        "by the river"   exactly this phrase
        #friends         entries with this tag
        place:kyoto      entries written there; also journal: kind: weather: file: tag:
        march 2026       entries of that month, or with these words; also 14 march, last week

      Case, accents, width and hiragana or katakana make no difference; ß is ss. か and が are
      different letters, and so are и and й. The newest entries come first; --reverse, --limit and the
      filters of `list` apply.
      In `browse`, press /.

      For all options: facediary search --help
      """
    case .sync:
      """
      Several devices, one diary

        facediary sync setup PLACE         on the first device; shows the sync recovery code once
        facediary sync invite              shows a code for one other device, and waits for it
        facediary sync join PLACE CODE     on the other device; compare the ten symbols both show
        facediary sync                     sends and fetches; merges if the diary is open
        facediary sync status, devices     what is waiting, and when each device was last seen
        facediary conflicts                lists entries that have more than one text

      A PLACE is folder:/PATH (Syncthing, a cloud client, a network drive, a USB stick),
      rclone:REMOTE:PATH, postgres:SERVICE or cmd:PROGRAM. sync doctor says what a place still
      needs. The place sees only encrypted pieces, their sizes and when they arrive.
      Passphrases, faces and the diary's own recovery code stay on each device.

      If an entry has two texts, both stay until you save the entry with edit, which shows
      them all. An entry that one device deletes comes back if another device gave it a new text
      or photo. If another device deleted more than 20 entries, or at least three and more than 5 %
      of all, sync deletes them here only after you confirm.

      A problem with the place ends with exit code 5; a place that cannot be reached, with
      exit code 1. Neither deletes anything on this device. sync repair puts back what the
      place lost. sync compact removes purged entries from the place. sync revoke DEVICE
      removes a lost device. sync recover PLACE restores the diary on a new device. revoke and
      recover ask for the sync recovery code.

      For all options: facediary sync --help
      """
    case .text:
      """
      How texts are read and written

      A text is stored byte for byte. `show` on a terminal, `browse`, the window and `export
      --format html` display it as Markdown: # headings, *emphasis*, **strong**, lists, >
      quotes, `code`, | tables |, [links](https://…), and ![pictures](name.jpg) that are
      attached to the entry. Each line stays a line. `show --raw` prints the stored bytes.

      In the editor, the fields of the entry are above the text:

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

      You can change any field. If you remove a line, its field stays as it was. If you leave a line
      without a value, its field is cleared. If a line cannot be understood, the editor opens again
      and shows what is wrong.
      """
    }
  }

  static func text(_ message: ManualText) -> String {
    switch message {
    case .done:
      "done"
    case .systemFailed:
      "a system error (disk full, no permission, unreadable file)"
    case .usageWrong:
      "the command line is wrong, or a needed --yes is missing"
    case .notAuthenticated:
      "the diary is closed, or a face, passphrase or recovery code was refused"
    case .lockedOut:
      "locked out or waiting after too many attempts"
    case .integrity:
      "the data is damaged or altered, or an older copy was put back"
    case .notFound:
      "not found"
    case .conflict:
      "conflict: exists already, changed meanwhile, ambiguous"
    case .invalid:
      "invalid data"
    case .declined:
      "declined, or the editor failed or saved nothing"
    case .runtimeDirectory:
      "the directory of the session's socket"
    case .configurationFile:
      "the configuration file"
    case .editor:
      "your editor"
    case .pager:
      "the program that shows long output on a terminal; empty or cat for none"
    case .noColors:
      "no colours"
    }
  }

  static func text(_ message: OpeningMessage) -> String {
    switch message {
    case .codeIsVoid:
      "the code that was just shown is not valid, because the command failed; throw it away"
    case .codeMayCount:
      "it is not known whether the code that was just shown is valid; keep it until you have checked: facediary unlock --recovery-file -, or, if it is a sync recovery code, facediary sync status"
    case .thisIsRecoveryCode:
      "this is your recovery code. It opens the diary if you lose everything else. It is shown only once: write it down on paper"
    case .needsNewPassphrase(let command):
      "\(command) needs a new passphrase, and there is no terminal to type it in"
    case .givePassphraseOrNone:
      "give it with --passphrase-file, or choose --no-passphrase"
    case .giveNewPassphraseFile:
      "give it with --new-passphrase-file"
    case .asksInWindow(let command, let vault):
      "facediary \(command): the diary in \(vault)"
    case .noPinentry(let path):
      "\"pinentry\" in the configuration must be the full path of a program that can be run, not \(path)"
    case .dialogOrJSON:
      "--code-dialog and --json cannot be used together"
    case .noDialog:
      "no program that can show a dialog was found"
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
      "give it with --pin-file FILE, or run the command on a terminal; without it: facediary device reset, with the passphrase or recovery code, or, if the diary is damaged or missing, run this again with --device and the name of a new folder"
    case .giveNewPINFile:
      "give it with --new-pin-file FILE, or run the command on a terminal"
    case .needsNewPIN:
      "device move --pin needs a new PIN"
    case .newPassphrasePrompt:
      "New passphrase: "
    case .sameAgainPrompt:
      "Repeat it: "
    case .passphrasesDiffer:
      "the two passphrases differ; nothing was changed"
    case .askToUseIt: "Use it anyway?"
    case .passphraseIsCode:
      "this passphrase has the form of a recovery code and would be taken for one; choose another"
    case .shortPassphrase:
      "this passphrase is short: anyone who copies the vault can soon guess it; use several words"
    case .locked:
      "the diary is closed"
    case .showFaceOrGivePassphrase:
      "show a face with --face FILE, or give --passphrase-file FILE"
    case .openWithUnlock:
      "open it with: facediary unlock"
    case .needsSecretNow(let command):
      "\(command) needs the passphrase or the recovery code, even while the diary is open"
    case .giveSecretFile:
      "give it with --passphrase-file or --recovery-file"
    case .faceOrPassphraseWrong(let triesLeft):
      "the face or the passphrase is wrong; tries left: \(triesLeft)"
    case .givePassphraseBesideFace:
      "give --passphrase-file together with --face"
    case .notTheFace(let triesLeft):
      "this face does not match the enrolled faces; tries left: \(triesLeft)"
    case .severalFramesOrPassphrase:
      "give several frames (repeat --face), which are recognised more reliably, or use the passphrase"
    case .orUsePassphrase:
      "try again, or use the passphrase"
    case .passphrasePrompt:
      "Passphrase: "
    case .pairingCodePrompt:
      "Pairing code: "
    case .spaceCodePrompt:
      "Sync recovery code: "
    case .recoveryCodePrompt:
      "Recovery code: "
    case .oneSecretOnly:
      "give a passphrase or a recovery code, not both"
    case .notARecoveryCode:
      "this is not a recovery code"
    case .recoveryCodeForm:
      "a recovery code has 28 letters and digits in groups of four; check what you typed"
    case .logRestored:
      "another program had changed the diary's file so that it looked like a backup; this was corrected"
    case .faceStaysLocked(let why):
      "\(why.text(in: .english)), so it cannot count tries and no face opens the diary; keep the device key elsewhere: facediary device move --file"
    case .keepsFormerState:
      "another process was reading the diary, so anyone who copies its file vault now can open that copy with the key or way in that was replaced or removed. To prevent that, run facediary lock, then facediary verify"
    case .deviceStoreBehind(let what, let why):
      "this device's store could not be updated (\(what): \(why.text(in: .english))); when that is fixed, open the diary once with the passphrase"
    case .isBackup(let made):
      "this is a backup made on \(made); it is read-only. To make it the diary: facediary restore-backup"
    case .deviceStoreRemade:
      "this device's store was missing, so a new one was created. Enrol your face again. This time, an older copy of the diary would not have been noticed"
    case .deviceMemoryGone:
      "this device has lost its record of the diary, so it cannot tell whether the key or the ways in were replaced after this copy was made. If they were, replace the key again: facediary keys rotate"
    case .vaultWasReadable(let path):
      "other users could read \(path); now only you can"
    case .vaultIsReadable(let path):
      "other users can read \(path), and this could not be changed"
    case .folderIsWritable(let folder):
      "other users can write to \(folder) and could replace the diary in it. To prevent that: chmod go-w '\(folder)'"
    case .firstOpeningHere:
      "this device opens the diary for the first time"
    case .deviceStorePutAside(let path):
      "this device's store could not be read and was moved to \(path). Enrol your face again. This time, an older copy of the diary would not have been noticed"
    case .keySlotCopyBroken(let problems):
      "a copy of the list of ways in is damaged (\(problems.text(in: .english))); for details: facediary verify"
    case .cameraChanged(let file):
      "the camera program was changed after the policy was set: \(file)"
    case .confirmCamera:
      "if you changed it yourself, accept it with: facediary policy set camera on"
    case .closed:
      "the diary is closed"
    case .vault(let path):
      "vault: \(path)"
    case .noDiaryYet:
      "There is no diary yet. Create one with: facediary init"
    case .open(let by, let idle, let life):
      "Open (by \(by.text(in: .english))). It closes in \(span(idle)) if unused, and in \(span(life)) at the latest. Until then, every program you run can read it. Close it with: facediary lock"
    case .closedOpensBy(let ways):
      "Closed. You can open it with: \(ways.map { $0.text(in: .english) }.joined(separator: ", "))."
    case .way(let name): name == "recovery" ? "recovery code" : name.replacing("+", with: " and ")
    case .facesEnrolled(let count, let triesLeft):
      "Faces enrolled here: \(count); tries left: \(triesLeft)"
    case .faceLockedOut:
      "The face is locked out until you unlock with the passphrase or the recovery code."
    case .openElsewhere:
      "Open in another process, which this command cannot use. To close it there: facediary lock"
    case .unsavedTexts(let count):
      "Typed texts that could not be saved and are kept as encrypted drafts: \(count). To save them: facediary write --recover"
    case .noFaceHere:
      "No face is enrolled on this device. To enrol yours, run facediary enroll --camera or facediary enroll FILE… (to open the diary without a face: facediary unlock)"
    case .faceDataUnreadable:
      "This device's face data cannot be read; unlock with the passphrase and enrol again."
    case .recognised(let similarity, let threshold):
      "recognised (similarity \(similarity), threshold \(threshold))"
    case .openUntil(let time, let isTomorrow, let idle):
      "the diary is open until \(isTomorrow ? "tomorrow " : "")\(time), or until it has not been used for \(span(idle)); close it with: facediary lock"
    case .askToMakeDiary:
      "There is no diary yet. Create one now?"
    case .nothingMade:
      "no diary was created"
    case .noPassphraseContradicts(let option):
      "--no-passphrase and \(option) cannot be used together"
    case .made(let vault):
      "created the diary in \(vault)"
    case .nextEnroll:
      "next: enrol your face with facediary enroll --camera or facediary enroll FILE…, or open the diary with facediary unlock"
    case .chipIsThere:
      "this machine has a TPM, which can protect the device key: facediary device move --tpm"
    case .nextUnlock:
      "next: facediary unlock --face FILE, then facediary write"
    }
  }

  static func text(_ message: FaceMessage) -> String {
    switch message {
    case .threeShots:
      "enrol three or more shots from different days: you will be recognised more reliably"
    case .registered(let count, let threshold):
      "enrolled \(counted(count, "face", "faces")); a face is accepted if its similarity is at least \(threshold). Try it: facediary unlock, or without a camera: facediary unlock --face FILE"
    case .enrolledAlready(let shot):
      "shot \(shot) is already enrolled and was skipped"
    case .shotsUnlike(let one, let other, let similarity, let threshold):
      "shots \(one) and \(other) have a similarity of only \(similarity) (threshold \(threshold)). If both show you, enrol more shots; otherwise remove one: facediary faces remove ID"
    case .constantDirection(let shot, let share):
      "shot \(shot): all components of its vector share a constant, which makes up \(share) of the vector, so strangers may reach a high similarity, too. Measure a threshold with: facediary calibrate"
    case .samplesArePublic:
      "these are the sample faces that come with the program; anybody can open this diary with them, so use it only to try things out"
    case .sampleAmongOwn(let shot):
      "shot \(shot) is one of the sample faces that come with the program; anybody could open your diary with it"
    case .trySamplesApart:
      "try the samples in a diary of their own: facediary init --vault /tmp/try.facediary --device /tmp/try"
    case .samplesEnrolled(let count):
      "\(counted(count, "sample face is", "sample faces are")) enrolled. The samples are public, so anybody can open this diary"
    case .replaceThem:
      "to remove them and enrol your face, add --replace-samples"
    case .askToReplaceSamples(let count):
      "\(counted(count, "public sample face is", "public sample faces are")) enrolled. Remove the samples and enrol your face?"
    case .registeredUnlike(let shot, let similarity, let threshold):
      "shot \(shot) was enrolled although its similarity to the others is only \(similarity) (threshold \(threshold))"
    case .calibrated(let shots, let frames, let scoring, let threshold):
      "when \(shots) shots are enrolled, the newest \(shots) are compared with the first \(frames) frames by the method \(scoring), with the threshold \(threshold)"
    case .calibrationWantsShots(let shots, let more):
      "your calibration was measured with \(shots) shots and applies only when that many are enrolled; enrol \(more) more"
    case .removed(let left):
      "removed; faces left: \(left)"
    case .accepted(let threshold):
      "a face is now accepted if its similarity is at least \(threshold)"
    case .modelThresholds(let source):
      "thresholds are cosine similarities (higher is closer) from \(source): starting points, not guarantees"
    case .similarity(let value):
      "similarity \(value) (-1 to 1, higher is closer)"
    case .noThresholdKnown:
      "no threshold is known for this model, so the vectors were neither accepted nor refused"
    case .nameModelOrThreshold:
      "give the model with --model, or a threshold with --threshold"
    case .given:
      "given"
    case .calibratedFor(let model):
      "calibrated for \(model)"
    case .publishedFor(let model):
      "published for \(model)"
    case .matchAccepted(let above, let threshold, let source):
      "accepted: \(above) above the threshold \(threshold) (\(source))"
    case .matchRefused(let below, let threshold, let source):
      "refused: \(below) below the threshold \(threshold) (\(source))"
    case .thresholdComesFrom(let threshold, let origin):
      "the threshold is \(threshold): \(origin)"
    case .measuredRates(let fmr, let fnmr, let chosen):
      "measured in your calibration: strangers pass in \(fmr) % of comparisons, the owner is refused in \(fnmr) %, and crafted vectors open \(chosen) % of diaries"
    case .publishedMeasured(
      let model, let fmr, let fnmr, let chosen, let fewerRefused, let fewerChosen):
      "published for \(model). With three shots and one frame, strangers pass in \(fmr) % of comparisons, the owner is refused in \(fnmr) %, and crafted vectors open \(chosen) % of diaries. With three frames and a calibration, the owner is refused in \(fewerRefused) %, and crafted vectors open \(fewerChosen) %"
    case .notMeasured:
      "its error rates have not been measured"
    case .doubtfulThreshold(let threshold):
      "a threshold of \(threshold) is lower than the published one or was not measured, and could accept other people"
    case .askDoubtfulThreshold(let threshold):
      "A threshold of \(threshold) is lower than the published one or was not measured, and could accept other people. Use it?"
    case .forceIfMeasured:
      "measure it with facediary calibrate, or use it anyway with --force"
    case .notOneFace(let shot):
      "shot \(shot) is closer to the model's average face than any real face is, so it is not one person's face"
    case .belowThreshold:
      "the similarity is below the threshold"
    case .noProbeProgram:
      "no camera program is configured"
    case .nameProbeProgram:
      "set one up with facediary camera setup NAME (for a list: facediary camera), or use your own: facediary config set probe PROGRAM"
    case .frames(let count, let components, let length, let model):
      "\(counted(count, "frame", "frames")) of \(components) components, length \(length), model \(model ?? "not named")"
    case .thresholdOutside(let value):
      "threshold \(value) is outside [-1, 1]"
    case .thresholdIsCosine:
      "a threshold is a cosine similarity; higher is closer"
    case .modelNeeded:
      "neither the file nor --model says which face model made this vector"
    case .nameModel:
      "give it with --model; for a list of the known models: facediary models"
    case .noThresholdOf(let model):
      "no threshold is known for the model \(model), and a guessed one could accept anybody"
    case .giveThreshold:
      "give one with --threshold, measured on your own faces"
    case .otherThreshold(let enrolled, let given):
      "the enrolled faces have the threshold \(enrolled), not \(given)"
    case .oneThreshold:
      "one diary has one threshold; leave out --threshold"
    case .shotUnlike(let shot, let similarity, let threshold):
      "the similarity of shot \(shot) to the enrolled faces is only \(similarity); the threshold is \(threshold)"
    case .forceIfYou:
      "if it is really you, add --force"
    case .atMostFaces(let limit):
      "a diary can have at most \(limit) enrolled faces"
    case .closeCallMoreShots:
      "that was close. With three or more shots from different days, you will be recognised more reliably: facediary enroll"
    case .closeCallMoreFrames:
      "that was close. With several frames, you will be recognised more reliably: repeat --face"
    case .cameraSetUp: "set up"
    case .cameraNotSetUp(let name): "not set up: facediary camera setup \(name)"
    case .noReadyCamera(let name): "unknown camera program: \(name)"
    case .libraryMissing(let name): "the library for \(name) is not installed"
    case .askToDownload(let size, let hosts):
      "Download \(size) from \(hosts)?"
    case .downloadFailed(let source, let code):
      "curl could not download \(source) (exit code \(code))"
    case .downloadGoesOn:
      "run the same command again; the download continues where it stopped"
    case .weightsMissing(let files):
      "these weight files are missing; --download fetches them: \(files.joined(separator: "; "))"
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
      case .noTurn:
        "you did not turn your head as asked: turn it a little, then look straight again"
      }
    case .photoNeedsReadyCamera(let file):
      "\(file) is a photo, and the configured program cannot read photos"
    case .framesUnlike: "the frames of this shot look like two different people; try again"
    case .shotPrompt(let number, let count):
      text(FaceMessage.shotComes(number, of: count)) + ", then press Enter: "
    case .shotComes(let number, let count):
      [
        "look straight into the camera", "turn your head a little to the left",
        "turn your head a little to the right", "sit as you do in the evening",
        "put on or take off your glasses, if you have any",
      ][(number - 1) % 5] + " (shot \(number) of \(count))"
    case .filesOrCamera: "give files or --camera, not both"
    case .nothingNew:
      "all of these shots are already enrolled"
    }
  }

  static func text(_ message: CalibrationMessage) -> String {
    switch message {
    case .saveNeedsModel:
      "--save needs --model"
    case .tooFewPersons(let shots):
      "too few people have \(shots) shots, which this calibration needs"
    case .moreShots:
      "add more shots per person, or lower --enroll and --frames"
    case .morePairs:
      "add more people and more pictures of each, or ask for a higher rate with --target-fmr"
    case .sameVector(let file, let line, let other):
      "\(file), line \(line): this is the vector of line \(other), which names another person"
    case .labelOnce:
      "name one person for it, or remove both lines"
    case .vectorsTwice(let count):
      count == 1
        ? "one vector is listed twice for the same person; it always matches itself, so the FNMR looks lower than it is"
        : "\(count) vectors are listed twice for the same person; each always matches itself, so the FNMR looks lower than it is"
    case .tooFewPairs:
      "there are too few pairs to save a threshold"
    case .notText(let path):
      "\(path) is not UTF-8 text"
    case .quoteOpen(let file, let line): "\(file), line \(line): a quote is opened and not closed"
    case .severalRows(let path, let line, let file, let rows):
      "\(path), line \(line): \(file) has \(rows) rows; give the number of one in the column row"
    case .twoPersons(let path):
      "\(path): calibrating needs at least two people, one of them with two shots"
    case .cannotShow(let pairs, let rate, let least):
      "\(pairs) pairs of different people are too few to show a false match rate of \(rate); they cannot show a rate below about \(least) %"
    case .sharedDirection(let length):
      "all vectors point in a similar direction (the length of their mean is \(length), out of 1), so strangers reach a high similarity; use only a threshold measured on such vectors"
    case .worstPerson(let person, let rate):
      "the suggested threshold refuses \(person) in \(rate) % of pairs; enrol more shots of that person"
    case .pairs(let genuine, let impostor):
      "\(genuine) pairs of the same person, \(impostor) pairs of different people"
    case .equalErrorRate(let rate, let threshold):
      "EER \(rate) % at similarity \(threshold)"
    case .atRate(let rate, let threshold, let low, let high, let fnmr):
      "FMR \(rate): threshold \(threshold) (95 % interval: \(low) to \(high)), FNMR \(fnmr) %"
    case .byPerson(let threshold, let best, let bestRate, let median, let worst, let worstRate):
      "FNMR by person at threshold \(threshold): best \(best) \(bestRate) %, median \(median) %, worst \(worst) \(worstRate) %"
    case .chosen(let rate, let low, let high, let owners, let open, let threshold):
      "at threshold \(threshold), crafted vectors open \(rate) % of diaries within five tries (95 % interval: \(low) to \(high), measured on \(counted(owners, "owner", "owners"))); without the check for average faces, \(open) %"
    case .published(let threshold, let fmr, let fnmr, let chosen, let open):
      "at the published threshold \(threshold), not calibrated: FMR \(fmr) %, FNMR \(fnmr) %; crafted vectors open \(chosen) % of diaries, without the check for average faces \(open) %"
    case .chosenTooMany(let rate, let target):
      "no threshold limits crafted vectors to \(target) % of diaries; at the suggested threshold, they open \(rate) %"
    case .chosenUnshown(let owners, let rate, let most):
      "\(counted(owners, "owner is", "owners are")) too few to show that crafted vectors open at most \(rate) % of diaries; they cannot show a share below about \(most) %"
    case .suggested(let threshold, let fmr, let fnmr):
      "suggested threshold: \(threshold) (FMR \(fmr) %, FNMR \(fnmr) %)"
    case .empty(let file):
      "\(file) is empty"
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
    case .editTemplate:
      "change it with: facediary templates edit"
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
      "\(counted(count, "entry has", "entries have")) the tag \(name) now"
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

  static func text(_ message: KeepingMessage) -> String {
    switch message {
    case .acceptedRollback:
      "accepted; the diary continues from this copy"
    case .acceptedElsewhere:
      "an older copy of the diary was accepted on another device; the diary continues from that copy"
    case .newestBackup(let path):
      "using the newest backup in that directory: \(path)"
    case .setBackupFolder:
      "name a directory, or set one for every backup: facediary config set backup DIRECTORY"
    case .nothingToAccept:
      "this is the newest copy that this device knows; there is nothing to accept"
    case .olderCopy(let entries, let remembered):
      "this copy has \(counted(entries, "entry", "entries")); when this device last saw the diary, it had \(remembered)"
    case .olderCopyLacks(let count):
      "this copy lacks \(counted(count, "entry", "entries")) added since, and all edits made since"
    case .olderCopySlot(let kind, let created):
      "this copy has a way in that has since been removed; it stays removed: \(kind.text(in: .english)), created \(created)"
    case .olderCopyLost(let count):
      "\(counted(count, "current way in is", "current ways in are")) lost: neither this copy nor this device has \(count == 1 ? "it" : "them")"
    case .waysInLost(let count):
      "\(counted(count, "current way in", "current ways in")) could not be kept and no longer \(count == 1 ? "opens" : "open") the diary. Check them with facediary keys, and add what you need: facediary keys add passphrase, facediary keys add recovery"
    case .notRemoved(let path):
      "\(path) could not be removed"
    case .copyOfLaterKey:
      "the diary's key was replaced after this device last saw the diary. The ways in are those made with the new key. Continue only if you replaced the key"
    case .olderCopyPolicy:
      "the policy has been changed since then; the stricter of the two applies"
    case .olderCopyFaces:
      "other faces were enrolled on this device when the copy was made; the current faces stay"
    case .olderCopyUnknown(let entries):
      "this device has no record of the diary: everything in this copy comes back (\(counted(entries, "entry", "entries")), its ways in and its policy)"
    case .faceKeepsPassphrase(let id):
      "the way in \(id) (face and passphrase) still uses the passphrase it was created with; to remove it: facediary keys remove \(id)"
    case .faceDropped(let id, let created):
      "a face on another device no longer opens the diary by itself: way in \(id), created \(created)"
    case .notDirectory(let path):
      "\(path) is not a directory; it was not touched"
    case .notWholeKeptOlder:
      "the diary is damaged, so no older backup was removed"
    case .lookWithVerify:
      "for details: facediary verify"
    case .removedOlder(let count):
      "older backups removed: \(count)"
    case .backupMade(let path):
      "backup made: \(path)"
    case .backupLacksFiles(let count):
      "photos or files that are missing from the diary, and from this backup: \(count). To see which: facediary verify. An earlier backup may have them"
    case .restoreAsks:
      "restore-backup asks for confirmation, but there is no terminal"
    case .giveYes:
      "to confirm, add --yes"
    case .restored:
      "the diary now has the content of the backup"
    case .notByPolicy(let rule):
      "\(rule) cannot be turned on with policy set"
    case .noBackupIn(let path):
      "there is no backup in \(path)"
    case .bringsBack(let made, let entries):
      "this diary syncs with other devices, so it is not replaced: the \(counted(entries, "entry", "entries")) of the backup made on \(made) will be restored as they were then, on all devices; what was written since stays"
    case .broughtBack(let count):
      "\(counted(count, "entry was", "entries were")) restored from the backup"
    case .moveAway(let vault):
      "move \(vault) to another folder, then run this again: the backup then becomes the diary"
    case .readOtherBackup(let backup):
      "read it with: facediary list --vault '\(backup)'; to restore it as a separate diary, give --vault a path that does not exist yet"
    case .moveDeviceStoreAway(let path):
      "if you put it back yourself, move \(path) to another folder and run this again: the device then starts with a new store"
    case .giveUpDeviceStore(let path):
      "if you cannot restore what was in \(path), move it to another folder and run this again: the device then starts with a new store, and the diary opens with the passphrase or recovery code of the backup"
    case .moveFileAway(let path):
      "move \(path) to another folder, then unlock with the passphrase or the recovery code"
    case .beginDeviceAnew(let path):
      "if the key is permanently lost, move \(path) to another folder and run this again: the device then starts with a new store"
    case .replaceKeyForDevices:
      "to forget devices that are no longer used, replace the key: facediary keys rotate"
    case .otherKey:
      "the backup was made with another key, and this passphrase or code does not open it"
    case .giveBackupPassphrase:
      "if the passphrase has been replaced since the backup was made, give the one that was valid then with --backup-passphrase-file, and the current one, too"
    case .replaces(let present, let entries, let made):
      "the diary now has \(counted(present, "entry", "entries")); it will be replaced by the backup made on \(made), with \(counted(entries, "entry", "entries"))"
    case .becomes(let made, let entries):
      "the backup made on \(made), with \(counted(entries, "entry", "entries")), will become the diary"
    case .backupLacks(let files):
      "\(counted(files, "photo or file is", "photos and files are")) missing from the backup"
    case .keyReplacedElsewhere:
      "the diary's key was replaced on another device"
    case .leftSpace(let device, let id):
      if id.isEmpty {
        "the diary no longer syncs with other devices. Copies made before can still sync as this device, whose old name cannot be read. To sync again, use facediary sync join or facediary sync recover; then find the old device with facediary sync devices and revoke it with facediary sync revoke"
      } else {
        "the diary no longer syncs with other devices. Copies made before can still sync as the device \"\(device)\". To sync again, use facediary sync join or facediary sync recover; then revoke the old device: facediary sync revoke \(id)"
      }
    case .willLeaveSpace:
      "this diary will stop syncing with its other devices, because copies made before contain its sync keys"
    case .goOn:
      "Continue?"
    case .lost(let what):
      "lost: \(what.text(in: .english))"
    case .othersLost(let count):
      "lost: \(count) more"
    case .otherProblems(let count):
      "\(counted(count, "more problem", "more problems")), not listed"
    case .onlyOlder(let count):
      "for \(counted(count, "entry", "entries")), only an older text could be opened"
    case .nameless(let count):
      "\(counted(count, "text lost its title, date and tags; it was saved", "texts lost their title, date and tags; they were saved")) with today's date"
    case .rescued(let entries, let attachments, let path):
      "rescued: \(counted(entries, "entry", "entries")), \(counted(attachments, "attachment", "attachments")), into \(path)"
    case .deviceKeyInFile:
      "the device key was replaced; the new key is in a file, and the old key no longer works"
    case .deviceKeyByHelper:
      "the device key was replaced; the helper keeps the new key, and the old key no longer works"
    case .deviceKeyInChip:
      "the device key was replaced; the TPM seals the new key, without a PIN, and the old key no longer works"
    case .deviceKeyInChipWithPIN:
      "the device key was replaced; the TPM seals the new key, with a PIN, and the old key no longer works"
    case .deviceBegunAnew:
      "this device now has a new key, kept in a file. The way in by face that used the lost key is still in the vault: find it with facediary keys, and remove what you do not recognise with facediary keys remove ID"
    case .deviceStore(let path):
      "device store: \(path)"
    case .keptBy(let helper):
      "device key: kept by \(helper)"
    case .keptInChip:
      "device key: sealed by the TPM"
    case .keptInFile:
      "device key: in a file in the device store"
    case .deviceKeyMissing:
      "the device key cannot be read now; see: facediary device --help"
    case .askToRemoveLastCode:
      "This is the only recovery code. Without one, nobody can recover the diary if you forget the passphrase. Remove it?"
    case .slotRemoved:
      "removed; older copies of the vault still open with it"
    case .weakestFace:
      "the weakest way in is the face: anyone who has the vault and the file of the device key can open the diary without a face. A TPM, a helper, warm mode or face-passphrase mode prevents that"
    case .weakestHelper:
      "the weakest way in is the face, together with what the TPM or helper that keeps the device key asks for"
    case .weakestPassphrase:
      "the weakest way in is the passphrase; a longer passphrase is harder to guess"
    case .passphraseAdded:
      "added; the other passphrases stay valid"
    case .codeAdded:
      "added; the other recovery codes stay valid"
    case .facePassphraseAdded:
      "added; from now on this device's face opens the diary only together with that passphrase"
    case .noSuchKind(let name):
      "unknown kind of way in: \(name)"
    case .slotKinds:
      "use one of: passphrase, recovery, face-passphrase"
    case .rotateAsks:
      "keys rotate removes ways in and asks for confirmation, but there is no terminal"
    case .lookAtKeys:
      "check the ways in with facediary keys, then add --yes"
    case .willBeDropped(let id, let kind, let created):
      "will be removed: \(id) \(kind), created \(created)"
    case .rotated:
      "everything is now encrypted with a new key. Copies made before still open with the old key: delete those you do not need, and make a new backup"
    case .askToRotate:
      "The old recovery code stays valid until you answer yes. Have you written down the new code, and do you want to replace the key now?"
    case .oldCodeStays:
      "nothing was changed; the old recovery code is still valid"
    case .passphraseChanged(let replaced):
      (replaced > 1
        ? "the new passphrase replaces all \(replaced) that the diary had"
        : "the passphrase was changed")
        + "; older copies of the vault still open with a passphrase that was replaced (see: facediary keys rotate)"
    case .ruleChanged(let rule, let old, let new): "changed \(rule) from \(old) to \(new)"
    case .closedByRule:
      "the diary was closed so that the new setting takes effect; open it with: facediary unlock"
    case .ruleIs(let rule, let value): "\(rule) is already \(value)"
    case .ruleExpected(let rule, let value, let expected):
      "\(rule) must be \(expected.text(in: .english)), not \(value)"
    case .durationBetween(let least, let most):
      "a duration with a unit, from \(least) to \(most)"
    case .cameraOrWarm:
      "camera and warm cannot both be on: in warm mode, FaceDiary cannot tell which program a face came from"
    case .onOrOff:
      "on or off"
    case .turnOnFacePassphrase:
      "turn it on with: facediary keys add face-passphrase"
    case .mended(let count):
      "repaired: \(count)"
    case .problem(let severity, let what, let why, let next):
      "\(severity.rawValue): \(what): \(why); \(next)"
    case .whole(let entries, let revisions):
      "no problems found: checked \(counted(entries, "entry", "entries")) and \(counted(revisions, "revision", "revisions"))"
    case .notWhole(let problems, let entries):
      "found \(counted(problems, "problem", "problems")); \(counted(entries, "entry", "entries")) can be read"
    case .unfinished(let count):
      "\(counted(count, "incomplete attachment takes", "incomplete attachments take")) up space; to remove them, together with everything in the trash: facediary purge"
    case .keptFiles(let count):
      "\(counted(count, "attachment belongs", "attachments belong")) to a text that is not saved yet; save it where you write it, or with: facediary write --recover"
    case .restoreOrSalvage:
      "restore a backup (facediary restore-backup BACKUP), or copy what can still be read (facediary salvage OUT)"
    case .repairForeign:
      "your entries are unchanged. facediary verify --repair removes the foreign data, or rewrites the file. Find out what else writes to this vault"
    case .repairSpare:
      "this is a redundant copy, and your entries are unchanged; facediary verify --repair writes it again"
    }
  }

  static func text(_ message: ExchangeMessage) -> String {
    switch message {
    case .markdownIsFolder:
      "markdown writes a folder: name a new one with -o"
    case .attachmentsAreForJSON:
      "--attachments is for json; markdown and html do not need it"
    case .exportedUnsealed:
      "the export is not encrypted"
    case .wroteEntries(let count, let path):
      "wrote \(counted(count, "entry", "entries")) to \(path)"
    case .filesLeft(let count):
      "\(counted(count, "photo or file is named but not included; add it", "photos or files are named but not included; add them")) with --attachments DIR"
    case .nameNewFolder:
      "name a new folder"
    case .diary:
      "Diary"
    case .contents: "Contents"
    case .historyIsForJSON: "only the json format can contain the history"
    case .isFolder(let path, let format):
      "\(path) is a folder, but the format \(format) is a file"
    case .markdownWantsFolder(let path):
      "\(path) is a file, but this format is a folder"
    case .lost(.attachment, let name, let count):
      "not imported: \(name), which \(counted(count, "entry names", "entries name")), is missing"
    case .lost(.field, let name, let count):
      "not imported: the field \(name) of \(counted(count, "entry", "entries")), which is not supported"
    case .lost(.file, let path, _):
      "not imported: \(path), because it has no date"
    case .lost(.folder, let path, _):
      "not imported: everything in \(path), which cannot be opened or is more than 16 folders deep"
    case .lost(.entry, let place, _): "not imported: \(place)"
    case .lost(.trashed, let place, _):
      "not imported: \(place), which was in the trash"
    case .lost(.unread, let place, _): "not imported: \(place), which no entry refers to"
    case .lost(.empty, let place, _): "not imported: \(place), which is empty"
    case .moreLost(let count):
      "not imported: \(counted(count, "other item", "other items")); --json lists everything"
    case .encrypted(let name): "\(name) is encrypted"
    case .noTextOrEncrypted(let name): "\(name) is not text; it may be encrypted"
    case .emptyFile(let name): "\(name) is empty"
    case .utf16(let name): "\(name) is UTF-16 text; FaceDiary imports UTF-8"
    case .convertToUTF8(let name): "convert it first: iconv -f UTF-16 -t UTF-8 '\(name)' > NEW-FILE"
    case .noExport(let name, let type): "\(name) is a single file (\(type)), not an export"
    case .zipDamaged(let name): "\(name) is a damaged or incomplete zip file"
    case .zipLocked(let name): "\(name) is protected by a password"
    case .notRecognised(let name): "the format of \(name) is not recognised"
    case .severalForms(let name, let formats):
      "\(name) contains entries of several programs: \(formats.joined(separator: ", ")); choose one with --format"
    case .conflictChoices:
      "nothing was imported; to update such entries, add --on-conflict update; to skip them, add --on-conflict skip"
    case .attachIt(let name): "to keep it, attach it to an entry: facediary attach ID '\(name)'"
    case .exportDecrypted: "export it without encryption, import that, then delete the export"
    case .moreBad(let count, let places):
      "\(counted(count, "more cannot", "more cannot")) be imported either: \(places.joined(separator: ", ")); to skip and list them, add --skip-bad"
    case .jrnlEncrypted(let name): "\(name) is encrypted by jrnl"
    case .notUnpacked(let name, let says): "\(name) could not be unpacked into memory: \(says)"
    case .tooLargeUnpacked(let name, let limit):
      "\(name) is larger than \(limit >> 20) MiB when unpacked, which is too much to unpack into memory"
    case .zipped(let name): "\(name) is a zip archive"
    case .unzipFirst: "unpack it into a new folder, and import that: unzip FILE -d FOLDER"
    case .decryptJrnl: "decrypt it first: jrnl --decrypt"
    case .wouldBring(let date, let title, let files):
      "\(date)  \(title)" + (files > 0 ? " (\(counted(files, "file", "files")))" : "")
    case .wouldBringMore(let count): "… and \(count) more"
    case .wouldImport(let imported, let duplicates):
      "would import \(counted(imported, "entry", "entries")); already in the diary: \(duplicates)"
    case .isOwnFolder(let path):
      "\(path) is in the diary's own folder, where only the diary writes"
    case .nameOtherPlace:
      "name a file or folder outside of it"
    case .nothingImported:
      "nothing was imported"
    case .noEntries:
      "the input contains no entries"
    case .wordsStay(let count):
      "\(counted(count, "entry has", "entries have")) #words in the text, which stay text; to import them as tags, first run: facediary config set inlineTags on"
    case .wordsStayed(let count):
      "\(counted(count, "entry has", "entries have")) #words in the text, which were imported as text. In later imports, they become tags after: facediary config set inlineTags on"
    case .imported(let imported, let duplicates):
      "imported \(counted(imported, "entry", "entries")); already in the diary: \(duplicates)"
    case .updated(let count): "updated \(counted(count, "entry", "entries"))"
    case .leftAsItIs(let count):
      "\(counted(count, "entry exists with different content and was", "entries exist with different content and were")) not changed"
    case .skipBadOnes:
      "nothing was imported; to skip and list the entries that cannot be imported, add --skip-bad"
    case .skipped(let count): "skipped \(counted(count, "entry", "entries"))"
    case .otherFormats:
      "JSON of another program needs its own --format; for a list: facediary help import"
    case .onlyFiles(let name, let line):
      "\(name), line \(line): the entry contains only files, and they are missing"
    case .sayWhereFiles:
      "give their folder with --attachments DIR"
    case .zone(let name):
      "unknown time zone: \(name)"
    case .field(let name, let line, let field, let expected):
      "\(name), line \(line), field \"\(field)\": expected \(expected.text(in: .english))"
    case .jsonAt(let name, let line, let column, let expected):
      "\(name), line \(line), column \(column): expected \(expected.text(in: .english))"
    case .noJrnlEntry(let name):
      "\(name) contains no entry; an entry begins with a date such as [2026-03-01 09:30]"
    case .wantsJrnlHead(let name, let line):
      "\(name), line \(line): expected [2026-03-01 09:30] and a title"
    case .lineTooLong(let name, let line):
      "\(name), line \(line): the text is too long"
    case .calendarCut(let name, let component):
      "\(name) ends in the middle of a \(component): it is not complete"
    case .lineNotDate(let name, let line, let date):
      "\(name), line \(line): not a date: \(date)"
    case .lineNotText(let name, let line):
      "\(name), line \(line): not UTF-8 text"
    case .noDayOne(let folder): "\(folder) contains no Day One journal (no .json file)"
    case .noMarkdown(let folder):
      "\(folder) contains no .md file, and nothing that another diary program exports"
    case .notText(let file):
      "\(file): not UTF-8 text"
    case .wantsID(let file):
      "\(file), field \"id\": expected 26 base32 characters"
    case .fileField(let file, let field, let expected):
      "\(file), field \"\(field)\": expected \(expected.text(in: .english))"
    case .wantsDateField(let file, let field, let value):
      "\(file), field \"\(field)\": \"\(value)\" is not a date; expected one like 2026-03-01T09:30:00+09:00"
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
      "sync is not set up for this diary"
    case .setUpFirst:
      "set up sync with: facediary sync setup PLACE, or join the diary of another device with: facediary sync join PLACE CODE"
    case .comeBack(let place):
      "this diary used to sync through \(place). To sync with the same devices again, run facediary sync invite on one of them, then facediary sync join \(place) CODE here"
    case .recoverFrom(let place):
      "a diary of this device synced through \(place); to get it back: facediary sync recover \(place). To make a new one: facediary init"
    case .checkPlaceAndCode:
      "check that this is the place the other devices use, and that the code is the sync recovery code of this diary"
    case .nameOfPlace(let place):
      "not a place: \(place)"
    case .placeForms:
      "use one of: folder:/PATH, rclone:REMOTE:PATH, postgres:SERVICE, cmd:PROGRAM"
    case .notAFolder(let place):
      "\(place): there is a file there, not a folder"
    case .folderMissing(let place):
      "\(place) does not exist"
    case .mountIt:
      "connect the disk or network drive, or create the folder"
    case .installProgram(let program):
      "this place needs \(program), which is not installed"
    case .programFailed(let program, let says):
      "\(program) failed: \(says)"
    case .tooLarge(let place, let limit):
      "\(place) takes files of at most \(limit) bytes"
    case .placeFull(let place):
      "there is no room left in \(place)"
    case .makeRoom:
      "make room, then run facediary sync again; facediary sync compact makes the place smaller"
    case .placeReadOnly(let place):
      "\(place) is read-only: nothing can be sent"
    case .placeNeeds(let place):
      "\(place) is not ready yet. Do the following, then run facediary sync doctor again:"
    case .placeFailed(let place, let says):
      "\(place): \(says)"
    case .begun(let place):
      "this diary now syncs through \(place)"
    case .spaceCodeIs:
      "this is the sync recovery code. It restores the diary from the place if you lose all your devices. It is shown only once: write it down. It is not the diary's own recovery code"
    case .pairingCodeIs:
      "this is the pairing code for the other device. It works once; keep this command running"
    case .typeItThere(let place):
      "on the other device, run: facediary sync join \(place) CODE"
    case .nobodyCame:
      "no device joined; the code is no longer valid"
    case .nobodyAnswered:
      "no device answered this code"
    case .runInvite:
      "run facediary sync invite on the other device, and join with the code that it shows now while it is running"
    case .alreadyThere(let place):
      "this diary already syncs through \(place)"
    case .unlockNext:
      "open the diary with: facediary unlock. While it is open, it syncs automatically"
    case .oneText(let id):
      "entry \(id) has only one text"
    case .seeAllTexts(let id):
      "facediary edit \(id) shows all of them in the editor; to replace them with a given text, add --ends-conflict"
    case .leaveFirst:
      "to exchange entries with them, run facediary sync. If sync is not set up on this machine, or to join other devices instead, run facediary sync leave, which keeps the diary, then this again"
    case .inviteAgain:
      "run facediary sync invite on the other device again, and facediary sync join here with the new code"
    case .doneLeaving:
      "this diary no longer syncs with other devices; all its entries are here"
    case .revokeThere(let id):
      "to revoke this device, run this on one of the others: facediary sync revoke \(id)"
    case .askToLeave:
      "Stop syncing this diary with its other devices? The entries stay."
    case .moved(let pushed, let pulled):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled)"
    case .placeIsUnreliable(let place, let lists):
      lists
        ? "\(place) does not give back what was put there"
        : "\(place) does not list what was put there"
    case .silent(let program, let seconds):
      "\(program) sent and received nothing for \(seconds) seconds and was stopped"
    case .otherSync:
      "another sync of this diary is running"
    case .asks(let name):
      "\(name) wants to join"
    case .severalAsk(let count):
      "\(count) devices want to join with this code, but only one of them can be yours: compare the symbols"
    case .joinAgainThere:
      "while sync invite still runs on the other device, you can use the same code again"
    case .sameSymbols(let check):
      "Does the other device show \(check)?"
    case .letIn(let name):
      "\(name) has joined; to bring both devices up to date, run facediary sync on each"
    case .refused(let name):
      "\(name) was refused. You can try again with the same code. If that was not your device, press Ctrl-C and invite again"
    case .compare(let check):
      "check that the other device shows the same symbols: \(check)"
    case .waiting:
      "waiting up to 15 minutes for the other device, where facediary sync invite must still be running; press Ctrl-C to stop waiting"
    case .badPairingCode:
      "this is not a pairing code; a pairing code has 40 letters and digits, as sync invite shows it"
    case .joined(let entries):
      "this device now has the diary, with \(counted(entries, "entry", "entries"))"
    case .recovered(let entries):
      "the diary was recovered, with \(counted(entries, "entry", "entries"))"
    case .needsSpaceCode:
      "this needs the sync recovery code, which sync setup showed"
    case .giveSpaceCodeFile:
      "give it with --space-code-file FILE"
    case .notASpaceCode:
      "this is not a sync recovery code; it has 28 letters and digits, as sync setup showed it"
    case .revoked(let name):
      "\(name) was revoked: your other devices ignore what it writes from now on, and it cannot read what they write from now on"
    case .changeLocks:
      "the device keeps what it already downloaded; if it was stolen while the diary was open, also change your other passwords that were stored on it"
    case .done(let pushed, let pulled, let merged):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled), changed \(counted(merged, "entry", "entries"))"
    case .nothingNew:
      "already up to date"
    case .onlyMoved(let pushed, let pulled):
      "sent \(counted(pushed, "piece", "pieces")), fetched \(pulled). The diary is closed; to merge what was fetched, open it and run facediary sync again"
    case .haveConflicts(let count):
      "\(counted(count, "entry has", "entries have")) more than one text; see: facediary conflicts"
    case .waits(let count):
      "\(counted(count, "piece waits", "pieces wait")) for other pieces that have not arrived yet"
    case .filesMissing(let count):
      "\(counted(count, "photo or file has", "photos or files have")) not arrived yet"
    case .filesNotExported(let count):
      "\(counted(count, "photo or file", "photos or files")) could not be included: not here yet from the other devices"
    case .wouldRemove(let count):
      count == 1
        ? "another device deleted 1 entry or moved it to the trash"
        : "another device deleted \(count) entries or moved them to the trash"
    case .askToRemove(let count):
      "Remove \(counted(count, "entry", "entries")) on this device, too?"
    case .yesToRemove:
      "nothing was removed on this device yet; to agree: facediary sync --yes"
    case .yesToRemoveAll:
      "nothing was removed on this device yet, and more changes wait behind this one. To be asked about each: facediary sync in a terminal; to agree to all: facediary sync --yes"
    case .removalsWait:
      "nothing was removed on this device yet; to decide, run facediary sync"
    case .lost(let count):
      "\(counted(count, "piece is", "pieces are")) missing from the place: it was emptied, an older copy of it was put back, or it is a different place"
    case .repairPutsBack:
      "nothing on this device was deleted; to put the pieces back: facediary sync repair"
    case .goneHere(let count):
      "\(counted(count, "piece that this device wrote is", "pieces that this device wrote are")) neither here nor at the place: the diary's sync folder was emptied"
    case .joinAnew:
      "no entries are lost; run facediary sync leave, then join again with a code from facediary sync invite on another device"
    case .damaged(let count):
      "\(counted(count, "piece at the place is", "pieces at the place are")) damaged or incomplete; the next sync fetches them again"
    case .repairElsewhere:
      "if they stay damaged, run facediary sync repair on the device that wrote them, or on any device that has them"
    case .wasRefused(let device):
      "a piece that claims to be from \(device.isEmpty ? "one of this diary's devices" : device) is forged or damaged, and was ignored"
    case .lookAtDevice:
      "anybody who can write to the place can cause this; if it happens again, check that device"
    case .survived(let count, let entries):
      count == 1
        ? "another device permanently deleted entry \(list(entries, of: count)), but it stays: this device had changed it, or still had it when it joined"
        : "other devices permanently deleted \(count) entries, but they stay: this device had changed them, or still had them when it joined (\(list(entries, of: count)))"
    case .cameBack(let count, let entries):
      count == 1
        ? "entry \(list(entries, of: count)), permanently deleted on this device, is back: another device had changed it, or still had it when it joined"
        : "\(count) entries that were permanently deleted on this device are back: another device had changed them, or still had them when it joined (\(list(entries, of: count)))"
    case .removeAgain:
      "to delete an entry again: facediary delete, then facediary purge"
    case .wroteAfterRevocation(let device):
      "\(device) wrote after it was revoked; this was ignored, and its entries that had already arrived are in the trash"
    case .copied:
      "something else wrote as this device: a copy of this diary, or this diary before a backup was restored. Its entries were merged"
    case .oneCopy:
      "if there is a copy of this diary, run facediary sync leave in one of the two, then let it join again with facediary sync invite on another device"
    case .closed:
      "this device was revoked: it cannot read what the others write now"
    case .placeHasOthers(let count):
      "the place already held \(counted(count, "other diary", "other diaries")); if one of them is this diary on another device, run facediary sync leave here, then facediary sync join"
    case .hadLetIn(let name, let devices):
      "\(name) had invited \(devices.joined(separator: ", ")), which can still read and write; if you do not recognise one of them, run facediary sync revoke for it, too"
    case .unreadable(let count):
      "this device cannot read \(counted(count, "piece", "pieces")) at the place: they are not from this diary, or their keys have not arrived yet"
    case .syncOthersFirst:
      "run facediary sync on the other devices, then here again"
    case .deleteThere(let names):
      "if they are still there after every device has synced, delete them from the place: \(names.joined(separator: ", "))"
    case .joinAgain:
      "run facediary sync leave here. Then run facediary sync invite on another device and facediary sync join here; if facediary sync status there lists this device as a member, run facediary sync recover here instead, with the sync recovery code"
    case .newer:
      "some pieces at the place were written by a newer version of facediary"
    case .update:
      "update facediary"
    case .repaired(let count):
      "sent all pieces that this device has again: \(count)"
    case .asking:
      "waiting to join"
    case .place(let place):
      "place: \(place)"
    case .lastSettled(let when):
      "last brought up to date: \(when)"
    case .neverSettled:
      "never brought up to date"
    case .digest(let digest):
      "state: \(digest) (devices that have merged the same pieces show the same state)"
    case .unpublished(let count):
      "\(counted(count, "piece of this device has", "pieces of this device have")) not been seen at the place yet"
    case .thisDevice:
      "this device"
    case .heard(let when):
      "last seen \(when)"
    case .neverHeard:
      "nothing written yet"
    case .isRevoked:
      "revoked"
    case .isAutomatic:
      "while the diary is open, it syncs automatically"
    case .isNotAutomatic:
      "the diary syncs only when you run: facediary sync"
    case .onOrOff:
      "use on or off"
    case .noSession:
      "the diary is not open; open it with: facediary unlock"
    case .movedTo(let place, let count):
      "this diary now syncs through \(place); \(counted(count, "piece was", "pieces were")) sent there"
    case .moveOthers(let place):
      "the other devices still use the old place; on each of them, run: facediary sync move \(place)"
    case .placeReached(let when):
      "the place was last reached: \(when)"
    case .placeWorks(let place):
      "\(place) works: a test piece was written, listed and read back"
    case .conflictHeading(let id, let count):
      "\(id): \(counted(count, "text", "texts"))"
    case .version(let revision, let device, let when):
      "— \(device), \(when), revision \(revision)"
    case .noConflicts:
      "no entry has more than one text"
    case .editEnds:
      "facediary edit ID shows all texts of an entry; what you save replaces them"
    case .alsoWritten(let device, let when):
      "also written on \(device), \(when):"
    case .someDevice:
      "another device"
    case .hasOthers(let count):
      "this entry has \(counted(count, "other text", "other texts")) from other devices; see: facediary conflicts"
    case .compacted(let packs, let removed):
      packs == 0 && removed == 0
        ? "there is nothing to compact"
        : "wrote \(counted(packs, "pack", "packs")), removed \(counted(removed, "replaced piece", "replaced pieces")) from the place"
    case .packsDiffer:
      "the place did not return the packs as they were written, so nothing was removed from it"
    case .placeKeepsAll:
      "this place keeps everything; only its owner can remove the replaced pieces"
    }
  }

  static func text(_ message: DemoMessage) -> String {
    switch message {
    case .noSamples:
      "the sample vectors were not found"
    case .nameSamples:
      "run the demo in the folder that contains Keys/, or give their folder: facediary demo --faces DIR"
    case .wrong(let what):
      "the demo went wrong: \(what.text(in: .english))"
    case .looking(let state):
      "1. Looking for a diary: \(state)"
    case .notOnboarding:
      "there is no diary, but the state is not onboarding"
    case .none(let state):
      "   there is none: \(state)"
    case .notAsked:
      "a face is enrolled, but it was not asked for"
    case .made(let shots, let state):
      "2. Creating a diary with a passphrase, a recovery code and \(shots) shots of the owner's face: \(state)"
    case .noRecoveryCode:
      "no recovery code"
    case .strangerLetIn:
      "the demo went wrong: a stranger was accepted"
    case .strangerRefused(let left, let state):
      "3. A stranger shows a face: refused, \(counted(left, "try", "tries")) left, \(state)"
    case .ownerRefused:
      "the demo went wrong: the owner was refused"
    case .ownerShown(let similarity, let threshold, let state):
      "4. The owner shows a new picture of their face: similarity \(similarity), threshold \(threshold), \(state)"
    case .written(let id):
      "5. Writing two entries; each is safely on disk before its id is returned: \(id)"
    case .searchFailed:
      "search did not find the entry"
    case .found(let excerpt):
      "6. A search for かわせみ finds: \(excerpt)"
    case .notWhole:
      "the vault is damaged"
    case .verified(let entries):
      "7. Checking the diary: \(counted(entries, "entry", "entries")), no problems found"
    case .stillOpen:
      "the diary is still open after it was closed"
    case .closed(let state):
      "8. Closed: \(state)"
    case .plaintext(let files):
      "found unencrypted text in \(files)"
    case .scanned(let word, let files):
      "9. Searching the \(counted(files, "file", "files")) on disk for the word \"\(word)\": not found"
    case .yourOwn:
      "To create your own diary: facediary init"
    }
  }

  static func text(_ message: FailureMessage) -> String {
    switch message {
    case .thereAlready(let path):
      "\(path) already exists and was not changed"
    case .answerUnreadable:
      "the session's answer cannot be read"
    case .jsonAt(let line, let column, let expected):
      "line \(line), column \(column): expected \(expected)"
    case .noDiary(let path):
      "there is no diary at \(path)"
    case .withOptions(let advice, let options):
      "\(advice.text(in: .english)) (with \(options))"
    case .makeOne:
      "to create one: facediary init; if there was one before, check that its disk is connected, or restore a backup: facediary restore-backup BACKUP"
    case .notAVault(let path, let detail):
      "\(path) is not a diary vault, or its beginning is damaged (\(detail.text(in: .english)))"
    case .nameRightFile:
      "name the right folder with --vault or FACEDIARY_VAULT; if this is the right one, restore a backup (facediary restore-backup BACKUP), or copy what can still be read (facediary salvage OUT)"
    case .olderFormat(let path):
      "\(path) has a format from before the first release"
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
      "if you know why, continue with: facediary accept-rollback"
    case .replaceLostSlots:
      "on a device that still has them, run facediary verify --repair; or replace all of them with facediary keys rotate"
    case .copyObjectsToo(let path):
      "this copy needs the folder objects that is next to the original backup: copy that folder into the directory that contains this copy; or copy what can still be read: facediary salvage OUT --vault '\(path)'"
    case .passphraseNotCause:
      "your passphrase is not the cause; for details: facediary verify"
    case .tryAgainOrRecover:
      "because of this damage, a mistyped passphrase cannot be recognised: try it again, or give the recovery code with --recovery-file"
    case .tampered(let subject, let detail):
      "\(subject.text(in: .english)) was altered (\(detail.text(in: .english)))"
    case .rolledBack(let subject, let detail):
      "an older copy of the diary was put back (\(subject.text(in: .english)): \(detail.text(in: .english)))"
    case .salvageForeignKey:
      "if its key was replaced on two devices at once, copy its entries into a new diary: facediary salvage OUT"
    case .salvageOtherKey:
      "put the newer diary back; to copy what only this copy has, run facediary salvage with a passphrase or recovery code that was valid then"
    case .deviceStoreIsOld(let detail):
      "the device store is an older copy: \(detail.text(in: .english))"
    case .resetOldDevice:
      "put the newer copy back, or create a new device key: facediary device reset"
    case .acceptIfYou:
      "if that was you, continue with: facediary accept-rollback"
    case .forked(let subject, let detail):
      "this copy of the diary was changed somewhere else (\(subject.text(in: .english)): \(detail.text(in: .english)))"
    case .makeNamed(let command, let name):
      "for a list: facediary \(command); to create it: facediary \(command) add '\(name)'"
    case .acceptToGoOn:
      "to continue from this copy: facediary accept-rollback"
    case .notTheRecoveryCode:
      "wrong recovery code"
    case .notThePassphrase:
      "wrong passphrase"
    case .copyOfItsOwn(let path):
      "close the diary and give it a file of its own: cp -p '\(path)' '\(path).copy' && mv '\(path).copy' '\(path)'"
    case .moveFileAway(let path):
      "no entry is in it; move it away: mv '\(path)' '\(path).moved'"
    case .perhapsExchanged(let path):
      "this device has opened other diaries, but never the one in \(path). If this should be your diary, its file was exchanged for another diary's: restore a backup with facediary restore-backup"
    case .lostPassphrase:
      "if you have forgotten it, open the diary with the recovery code: facediary unlock --recovery-file -"
    case .replacedSince(let kind):
      "this \(kind.text(in: .english)) opens the copy, but was replaced after the copy was made"
    case .giveTodays:
      "give one that is valid now; if the diary's key was replaced after the copy was made, copy the entries with: facediary salvage OUT"
    case .noWayIn(let kind):
      "the diary has no way in by \(kind.text(in: .english))"
    case .notFound(let thing, let name):
      "no \(thing.text(in: .english)) \(name)"
    case .ambiguous(let name, let thing):
      "\(name) matches more than one \(thing.text(in: .english))"
    case .because(let subject, let detail):
      because(subject.text(in: .english), detail.text(in: .english))
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
    case .makeItTheDiary:
      "if it is in the folder where the diary should be, move it to another folder; then make it the diary: facediary restore-backup FOLDER"
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
      "open the diary once with the passphrase or the recovery code"
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
      "open the diary once with the passphrase or the recovery code; see: facediary policy"
    case .waiting(let seconds):
      "too many wrong or interrupted attempts; try again in \(counted(seconds, "second", "seconds"))"
    case .recoveryWithoutWaiting:
      "the recovery code opens the diary without waiting"
    case .helperFailed(let program, let why):
      "the helper that keeps the device key failed (\(program): \(why.text(in: .english)))"
    case .resetIfGone:
      "if the device key is permanently lost, or its TPM does not count any more: facediary device reset; if the diary is damaged or missing as well, run this again with --device and the name of a new folder, or copy what can still be read: facediary salvage OUT"
    case .chmodPath(let path):
      "other users could read or change it; to prevent that: chmod go= '\(path)'. If the file has a second name (a hard link), replace it with a copy: cp -p '\(path)' '\(path).new' && mv '\(path).new' '\(path)'"
    case .chmodDirectory(let path):
      "if it is a directory of your own that others may use: chmod go= '\(path)'; otherwise, name another directory"
    case .allowPath(let path):
      "to let yourself, and nobody else, read and write it: chmod -R u=rwX,go= '\(path)'"
    case .diaryBusy:
      "another process is using the diary"
    case .verifierFailed(let why):
      "the verifier failed: \(why.text(in: .english))"
    case .openAlready:
      "the diary is already open"
    case .needsSecretNow:
      "this needs the passphrase or the recovery code, even while the diary is open"
    case .noLibsodium:
      "libsodium could not be started"
    case .passphraseSize:
      "a passphrase must have 1 to 1024 bytes of UTF-8"
    case .damagedData(let what):
      "damaged data (\(what))"
    case .sessionEnded:
      "the session has ended"
    case .openAgain:
      "open it again with: facediary unlock"
    case .foreignSession:
      "the running session belongs to another version or user"
    case .lockThenUnlock:
      "end it with: facediary lock, then unlock again"
    case .sessionFull:
      "the diary is open, but too many programs are using it"
    case .sessionSilent:
      "the running session does not answer; the diary may still be open"
    case .endWithLock:
      "end it with: facediary lock"
    case .sessionOutdated:
      "the running session belonged to another version and was told to end"
    case .stillOpen(let processes):
      "the diary may still be open: process \(processes) could not be ended"
    case .killProcesses(let processes):
      "end it with: kill -9 \(processes.replacing(",", with: ""))"
    case .chipFailed(let path, let why):
      "\(path): \(why.text(in: .english))"
    case .joinChipGroup(let path):
      "add your user to the group that \(path) belongs to, usually tss, and log in again"
    case .keepKeyElsewhere:
      "keep the device key in a file or with a helper (facediary device --help); if it is in the TPM already and the diary does not open: facediary device reset"
    case .waitOrReset:
      "wait, or create a new device key with the passphrase or recovery code: facediary device reset; if the diary is damaged or missing, run this again with --device and the name of a new folder"
    case .pinentryFailed(let program, let why):
      "\(program) could not ask for the secret: \(why)"
    case .openElsewhere:
      "the diary is still open in a process that cannot be seen from here"
    case .lockThere:
      "run facediary lock in the container where it was opened, or quit the app that has it open"
    case .closedUnknown:
      "cannot tell whether the diary is closed: /proc cannot be read"
    case .endKeepersYourself:
      "end all processes whose names begin with \"fdk:\""
    case .socketFailed(let why):
      "the session's socket cannot be created: \(why)"
    case .diskFullAt(let path):
      "\(path): the disk is full"
    case .nameAnother:
      "give another name with -o"
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
      "\(program) failed with exit code \(code)\(says)"
    case .notCommand(let words):
      "not a command: \(words)"
    }
  }

  static func text(_ message: VectorMessage) -> String {
    switch message {
    case .empty(let source):
      "\(source) contains no vector"
    case .notVectors(let source):
      "\(source) is not a vector file"
    case .vectorForms:
      "the formats are npy, JSON, CSV, fvecs, and raw float32 in a file named .f32"
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
      "\(source): pickled Python objects are not supported"
    case .saveWithoutPickle:
      "save the array with numpy.save(…, allow_pickle=False)"
    case .fortranOrder(let source):
      "\(source): rows in Fortran order are not supported"
    case .saveContiguous:
      "save numpy.ascontiguousarray(…) instead"
    case .shape(let source, let shape):
      "\(source): shape \(shape); expected one vector, or rows of them"
    case .truncated(let source, let found, let expected):
      "\(source): ends at byte \(found); expected \(expected) bytes"
    case .trailingBytes(let source, let offset):
      "\(source): unexpected bytes after the data, from byte \(offset)"
    case .tooManyRows(let source, let limit):
      "\(source): more than \(limit) vectors"
    case .tooFewFrames(let source, let found, let wanted):
      "\(source): \(counted(found, "frame", "different frames")); this face was calibrated for \(wanted) frames (repeat --face)"
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
    case .formatOne: "format 1; this file has a later format"
    case .field(let field): "the field \"\(field)\""
    case .text(let field): "text in the field \"\(field)\""
    case .texts(let field): "an array of strings in the field \"\(field)\""
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
    case .aMonthOfDays: "the days of a month, as RedNotebook writes them"
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
    case .spaceCode: "the sync recovery code"
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
    case .recovery: "recovery code"
    case .face: "face"
    case .facePassphrase: "face and passphrase"
    }
  }

  static func text(_ need: SecretNeed) -> String {
    switch need {
    case .restart: "the machine has been restarted since the passphrase was last given"
    case .expired: "the passphrase was last given too long ago"
    case .unused: "the diary has not been opened here for too long"
    case .warm: "no session is running that a face could reopen"
    case .noSlot:
      "it opens the diary only together with a passphrase, and that way in was removed"
    case .anotherPassphrase:
      "this face opens the diary together with another passphrase; remove that way in first"
    case .camera: "the policy accepts faces only from its camera program"
    case .facePassphrase: "this face opens the diary only together with the passphrase"
    case .backup: "a backup cannot be opened with a face"
    case .never: "the passphrase has never been given on this device"
    }
  }

  static func text(_ message: Quoted) -> String {
    switch message {
    case .failed(let path, let why): "\(path): \(why)"
    case .wanted(let expected): expected
    }
  }

  /// `entry 96g2j511 is in the trash`, `/path: no space left`.
  private static func because(_ subject: String, _ detail: String) -> String {
    let isPredicate = ["is", "was", "has", "cannot", "already", "does", "belongs", "opens"]
      .contains { detail.hasPrefix($0 + " ") }
    return subject + (isPredicate ? " " : ": ") + detail
  }

  /// `1 entry`, `2 entries`.
  private static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  /// Some of so many things.
  private static func list(_ first: [String], of count: Int) -> String {
    first.joined(separator: ", ") + (first.count < count ? ", …" : "")
  }

  private static func span(_ minutes: Int) -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if minutes < 120 { return counted(minutes, "minute", "minutes") }
    return counted(hours, "hour", "hours")
      + (rest == 0 ? "" : " and " + counted(rest, "minute", "minutes"))
  }
}
