internal import CommandLine

extension English {
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
    case .inPlaceOfAnother(let path):
      "until now, another diary was at \(path). If you did not put this one there, do not write in it"
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
    case .policyAllowsLess(let name):
      "the policy allows no more; to change it: facediary policy set \(name) TIME"
    case .nothingGiven: "no face and no passphrase was given, and nobody can be asked here"
    case .wordsOfWindow(let words):
      "The window shows the same words; otherwise close this dialog: \(words)"
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
    case .savedFor(let model):
      "saved for the model \(model): unlock and match use it from now on"
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

  private static func span(_ minutes: Int) -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if minutes < 120 { return counted(minutes, "minute", "minutes") }
    return counted(hours, "hour", "hours")
      + (rest == 0 ? "" : " and " + counted(rest, "minute", "minutes"))
  }
}
