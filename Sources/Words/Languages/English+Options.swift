extension English {
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
    case .maxDelete:
      "agree that at most N entries are removed as other devices did; ask about more"
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
        3 days ago  a week ago  1 month ago  2 hours ago  10 min ago  in 2 hours
        a week ago tuesday  end of march
        friday  last friday                      the last one before today
        9:30  6pm  6:30pm  half past nine  noon  midnight
                                                 today
        yesterday 18:00  friday 6pm  noon yesterday
                                                 a day and a time
        this morning  friday evening  last night  last night 11pm
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
        facediary sync status, devices     what is waiting, and when each device was last heard from
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
}
