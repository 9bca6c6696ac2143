internal import CommandLine

extension English {
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
      Faces given with --face, or looked at with --camera, are enrolled at the same time.
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
      --ends-conflict. It ends the conflict of titles and of texts: if you do not give one of the
      two, the one that is shown first is kept, and the others stay in the history.
      """
    }
  }
}
