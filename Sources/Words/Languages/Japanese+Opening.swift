internal import CommandLine

extension Japanese {
  static func text(_ message: OpeningMessage) -> String {
    switch message {
    case .codeIsVoid:
      "処理に失敗したため、先ほど表示したコードは無効です。破棄してください"
    case .codeMayCount:
      "先ほど表示したコードが有効かどうか分かりません。確認するには: facediary keys"
    case .thisIsRecoveryCode:
      "これが復旧コードです。ほかの開け方をすべて失ったときに、このコードで日記を開けます。二度と表示されないので、紙に書き留めてください"
    case .needsNewPassphrase(let command):
      "\(command) には新しいパスフレーズが必要ですが、入力を求めるターミナルがありません"
    case .givePassphraseOrNone:
      "--passphrase-file で指定するか、--no-passphrase を付けてください"
    case .giveNewPassphraseFile:
      "--new-passphrase-file で指定してください"
    case .asksInWindow(let command, let vault):
      "facediary \(command): \(vault) の日記"
    case .noPinentry(let path):
      "設定の \"pinentry\" には、実行できるプログラムのフルパスを指定してください（指定: \(path)）"
    case .dialogOrJSON:
      "--code-dialog と --json は同時に指定できません"
    case .noDialog:
      "ダイアログを表示するプログラムがありません"
    case .installPinentry:
      "pinentry（pinentry-gnome3 または pinentry-qt）をインストールするか、設定の \"pinentry\" でプログラムを指定してください"
    case .codeIsWritten:
      "書き留めました"
    case .codeIsNotWritten:
      "キャンセル"
    case .pinPrompt:
      "TPM の PIN: "
    case .newPINPrompt:
      "新しい PIN: "
    case .pinsDiffer:
      "二つの PIN が一致しません"
    case .givePINFile:
      "--pin-file FILE で指定するか、ターミナルで実行してください。PIN が分からなければ、パスフレーズか復旧コードで端末の鍵を作り直せます（facediary device reset）。日記が壊れているか、なくなっている場合は、--device に新しいフォルダを指定してもう一度実行してください"
    case .giveNewPINFile:
      "--new-pin-file FILE で指定するか、ターミナルで実行してください"
    case .needsNewPIN:
      "device move --pin には新しい PIN が必要です"
    case .newPassphrasePrompt:
      "新しいパスフレーズ: "
    case .sameAgainPrompt:
      "もう一度: "
    case .passphrasesDiffer:
      "二つのパスフレーズが一致しません。何も変更していません"
    case .askToUseIt: "それでも使いますか？"
    case .passphraseIsCode:
      "このパスフレーズは復旧コードと同じ形なので、復旧コードとして扱われてしまいます。別のものにしてください"
    case .shortPassphrase:
      "このパスフレーズは短いので、日記のフォルダをコピーした人にすぐ破られるおそれがあります。いくつかの言葉をつなげてください"
    case .locked:
      "日記は閉じています"
    case .showFaceOrGivePassphrase:
      "--face FILE で顔ベクトルを、または --passphrase-file FILE でパスフレーズを指定してください"
    case .openWithUnlock:
      "開くには: facediary unlock"
    case .needsSecretNow(let command):
      "\(command) には、日記が開いていても、パスフレーズか復旧コードの入力が必要です"
    case .giveSecretFile:
      "--passphrase-file か --recovery-file で指定してください"
    case .faceOrPassphraseWrong(let triesLeft):
      "顔かパスフレーズが違います。あと \(triesLeft) 回試せます"
    case .givePassphraseBesideFace:
      "--face と一緒に --passphrase-file も指定してください"
    case .notTheFace(let triesLeft):
      "登録された顔と一致しません。あと \(triesLeft) 回試せます"
    case .severalFramesOrPassphrase:
      "--face を繰り返して何コマか一度に指定すると、認識されやすくなります。パスフレーズでも開けます"
    case .orUsePassphrase:
      "パスフレーズでも開けます"
    case .passphrasePrompt:
      "パスフレーズ: "
    case .pairingCodePrompt:
      "ペアリングコード: "
    case .spaceCodePrompt:
      "同期用の復旧コード: "
    case .recoveryCodePrompt:
      "復旧コード: "
    case .oneSecretOnly:
      "パスフレーズと復旧コードは、どちらか一方だけを指定してください"
    case .notARecoveryCode:
      "復旧コードではありません"
    case .recoveryCodeForm:
      "復旧コードは、4 文字ずつに区切った 28 文字の英数字です。打ち間違いがないか確かめてください"
    case .logRestored:
      "日記のファイルが別のプログラムに変更され、バックアップのように見えていました。元に戻しました"
    case .faceStaysLocked(let why):
      "試した回数を数えられないため、顔では開けません（\(why.text(in: .japanese))）。端末の鍵を別の場所に保管してください: facediary device move --file"
    case .keepsFormerState:
      "ほかのプロセスが日記を読んでいたため、日記のファイルのコピーは、置き換えたり削除したりした開け方でまだ開けてしまいます。これを防ぐには、facediary lock、facediary verify の順に実行してください"
    case .inPlaceOfAnother(let path):
      "\(path) にはこれまで別の日記がありました。自分で置き換えた覚えがない場合は、この日記に書き込まないでください"
    case .deviceStoreBehind(let what, let why):
      "端末データを更新できませんでした（\(what): \(why.text(in: .japanese))）。原因を取り除いた後に、一度パスフレーズで開いてください"
    case .isBackup(let made):
      "これは \(made) に作ったバックアップなので、読むことしかできません。日記に戻すには: facediary restore-backup"
    case .deviceStoreRemade:
      "端末データがなくなっていたので作り直しました。顔をもう一度登録してください。今回は、日記が古い状態に戻されていても検出できません"
    case .deviceMemoryGone:
      "この端末に残しておいた日記の情報が失われました。このコピーの後に鍵や開け方を変えたかどうかを確かめられません。変えていた場合は、もう一度鍵を交換してください: facediary keys rotate"
    case .vaultWasReadable(let path):
      "\(path) はほかのユーザも読める状態でした。自分だけが読めるようにしました"
    case .vaultIsReadable(let path):
      "\(path) はほかのユーザも読める状態です。権限を変更できませんでした"
    case .folderIsWritable(let folder):
      "\(folder) はほかのユーザも書き込めるので、日記を置き換えられるおそれがあります。防ぐには: chmod go-w \(folder)"
    case .firstOpeningHere:
      "この端末で日記を開くのは初めてです"
    case .deviceStorePutAside(let path):
      "端末データを読めないので \(path) に移しました。顔をもう一度登録してください。今回は、日記が古い状態に戻されていても検出できません"
    case .keySlotCopyBroken(let problems):
      "開け方の一覧の控えの一つが壊れています（\(problems.text(in: .japanese))）。詳しくは: facediary verify"
    case .cameraChanged(let file):
      "カメラのプログラムが、ポリシーに登録したときから変わっています: \(file)"
    case .confirmCamera:
      "自分で変えた場合は、登録し直してください: facediary policy set camera on"
    case .closed:
      "日記を閉じました"
    case .vault(let path):
      "日記: \(path)"
    case .noDiaryYet:
      "まだ日記がありません。作るには: facediary init"
    case .open(let by, let idle, let life):
      "開いています（開け方: \(by.text(in: .japanese))）。\(span(idle, during: "間"))使わないか、あと \(span(life))たつと閉じます。それまでは、自分が実行しているどのプログラムからも読めます。閉じるには: facediary lock"
    case .closedOpensBy(let ways):
      "閉じています。次のどれかで開けます: \(ways.map { $0.text(in: .japanese) }.joined(separator: "、"))"
    case .way(let name):
      ["face": "顔", "face+passphrase": "顔とパスフレーズ", "passphrase": "パスフレーズ", "recovery": "復旧コード"][
        name] ?? name
    case .facesEnrolled(let count, let triesLeft):
      "この端末に登録した顔: \(count) 枚（あと \(triesLeft) 回試せます）"
    case .faceLockedOut:
      "顔では開けなくなっています。パスフレーズか復旧コードで開くと、また顔を使えます"
    case .openElsewhere:
      "このコマンドから使えない別のプロセスが日記を開いています。閉じるには: facediary lock"
    case .unsavedTexts(let count):
      "保存できず、暗号化した下書きとして残っている本文: \(count) 件。保存するには: facediary write --recover"
    case .noFaceHere:
      "この端末に顔は登録されていません。登録するには: facediary enroll --camera または facediary enroll FILE…（顔なしで開くには: facediary unlock）"
    case .faceDataUnreadable:
      "この端末に登録した顔を読み取れません。パスフレーズで開き、顔をもう一度登録してください"
    case .recognised(let similarity, let threshold):
      "本人と認めました（類似度 \(similarity)、しきい値 \(threshold)）"
    case .openUntil(let time, let isTomorrow, let idle):
      "日記は\(isTomorrow ? "明日" : "") \(time) まで開いています（\(span(idle, during: "間"))使わないと閉じます）。閉じるには: facediary lock"
    case .policyAllowsLess(let name):
      "ポリシーで許される時間はここまでです。変えるには: facediary policy set \(name) 時間"
    case .nothingGiven: "顔もパスフレーズも指定されておらず、ここでは入力を求められません"
    case .wordsOfWindow(let words):
      "ウィンドウにも同じ言葉が表示されます。違うときはこのダイアログを閉じてください: \(words)"
    case .askToMakeDiary:
      "まだ日記がありません。作成しますか？"
    case .nothingMade:
      "何も作りませんでした"
    case .noPassphraseContradicts(let option):
      "--no-passphrase と \(option) は同時に指定できません"
    case .made(let vault):
      "\(vault) を作りました"
    case .nextEnroll:
      "次に、facediary enroll --camera か facediary enroll FILE… で顔を登録するか、facediary unlock で開いてください"
    case .chipIsThere:
      "このコンピュータには TPM があり、端末の鍵を保護できます: facediary device move --tpm"
    case .nextUnlock:
      "次に: facediary unlock --face FILE、それから facediary write"
    }
  }

  static func text(_ message: FaceMessage) -> String {
    switch message {
    case .threeShots:
      "別の日に三枚以上登録すると、認識されやすくなります"
    case .registered(let count, let threshold):
      "\(count) 枚の顔を登録しました。類似度 \(threshold) 以上で本人と認めます。試すには: facediary unlock。カメラがなければ: facediary unlock --face FILE"
    case .enrolledAlready(let shot):
      "\(shot) 枚目は登録済みなので飛ばしました"
    case .shotsUnlike(let one, let other, let similarity, let threshold):
      "\(one) 枚目と \(other) 枚目の類似度が低すぎます（\(similarity)、しきい値 \(threshold)）。どちらも自分の顔なら登録する枚数を増やし、違う場合は削除してください: facediary faces remove ID"
    case .constantDirection(let shot, let share):
      "\(shot) 枚目: ベクトルの向きの \(share) が、全成分に共通の定数で占められています。他人の類似度も高くなるおそれがあるので、しきい値を測ってください: facediary calibrate"
    case .samplesArePublic:
      "プログラムに付属する見本の顔です。この顔を使えば誰でも日記を開けるので、この日記は試用だけに使ってください"
    case .sampleAmongOwn(let shot):
      "\(shot) 枚目はプログラムに付属する見本の顔です。登録すると、誰でもこの顔で日記を開けてしまいます"
    case .trySamplesApart:
      "見本は別の日記で試してください: facediary init --vault /tmp/try.facediary --device /tmp/try"
    case .samplesEnrolled(let count):
      "見本の顔が \(count) 枚登録されています。この顔を使えば、誰でも日記を開けます"
    case .replaceThem:
      "--replace-samples を付けると、見本の顔を削除して自分の顔を登録します"
    case .askToReplaceSamples(let count):
      "公開されている見本の顔が \(count) 枚登録されています。削除して自分の顔を登録しますか？"
    case .registeredUnlike(let shot, let similarity, let threshold):
      "\(shot) 枚目はほかの顔との類似度が低い（\(similarity)、しきい値 \(threshold)）ものの、登録しました"
    case .calibrated(let shots, let frames, let scoring, let threshold):
      "\(shots) 枚を登録した場合は、新しいほうの \(shots) 枚と最初の \(frames) コマの類似度を \(scoring) で求め、しきい値 \(threshold) で判定します"
    case .calibrationWantsShots(let shots, let more):
      "較正は \(shots) 枚の登録で測ったものです。あと \(more) 枚登録すると有効になります"
    case .removed(let left):
      "削除しました。残りの顔: \(left) 枚"
    case .accepted(let threshold):
      "今後は、類似度 \(threshold) 以上で本人と認めます"
    case .modelThresholds(let source):
      "しきい値は \(sources[source] ?? source)。コサイン類似度で表し、高いほど厳しくなります。目安であり、精度を保証するものではありません"
    case .similarity(let value):
      "類似度 \(value)（-1 から 1。高いほど似ている）"
    case .noThresholdKnown:
      "このモデルのしきい値が分からないので、判定しません"
    case .nameModelOrThreshold:
      "--model でモデルを、または --threshold でしきい値を指定してください"
    case .given:
      "指定された値"
    case .calibratedFor(let model):
      "\(model) で較正した値"
    case .publishedFor(let model):
      "\(model) で公表された値"
    case .matchAccepted(let above, let threshold, let source):
      "本人と認めます: しきい値 \(threshold)（\(source)）より \(above) 高い類似度です"
    case .matchRefused(let below, let threshold, let source):
      "拒否します: しきい値 \(threshold)（\(source)）より \(below) 低い類似度です"
    case .thresholdComesFrom(let threshold, let origin):
      "しきい値は \(threshold): \(origin)"
    case .measuredRates(let fmr, let fnmr, let chosen):
      "較正で測った値: 他人受入率 \(fmr) %、本人拒否率 \(fnmr) %、なりすまし用ベクトルで日記が開く割合 \(chosen) %"
    case .publishedMeasured(
      let model, let fmr, let fnmr, let chosen, let fewerRefused, let fewerChosen):
      "\(model) で公表された値（三枚登録し、一コマで照合した場合）: 他人受入率 \(fmr) %、本人拒否率 \(fnmr) %、なりすまし用ベクトルで日記が開く割合 \(chosen) %。較正して三コマで照合すると、本人拒否率 \(fewerRefused) %、なりすまし用ベクトルで日記が開く割合 \(fewerChosen) %"
    case .notMeasured:
      "このしきい値の精度は測定されていません"
    case .doubtfulThreshold(let threshold):
      "しきい値 \(threshold) は公表された値より低いか、測定されていません。他人を本人と認めるおそれがあります"
    case .askDoubtfulThreshold(let threshold):
      "しきい値 \(threshold) は公表された値より低いか、測定されていません。他人を本人と認めるおそれがあります。使いますか？"
    case .forceIfMeasured:
      "しきい値を測るには: facediary calibrate。それでもこの値を使うには、--force を付けてください"
    case .notOneFace(let shot):
      "\(shot) 枚目は、一人の顔としてはモデルの平均の顔に近すぎます。何人かの顔を平均したベクトルと思われます"
    case .belowThreshold:
      "類似度がしきい値に届きません"
    case .noProbeProgram:
      "カメラのプログラムが設定されていません"
    case .nameProbeProgram:
      "--command か、設定の \"probe\" で指定してください"
    case .frames(let count, let components, let length, let model):
      "\(count) コマ、\(components) 成分、長さ \(length)、モデル \(model ?? "不明")"
    case .thresholdOutside(let value):
      "しきい値 \(value) は -1 から 1 の範囲にありません"
    case .thresholdIsCosine:
      "しきい値はコサイン類似度（-1 から 1。高いほど似ている）で指定してください"
    case .modelNeeded:
      "どの顔モデルのベクトルか、ファイルにもオプションにも書かれていません"
    case .nameModel:
      "--model で指定してください。対応するモデルの一覧は: facediary models"
    case .noThresholdOf(let model):
      "モデル \(model) のしきい値が分かりません。推測で決めると、誰でも日記を開けるおそれがあります"
    case .giveThreshold:
      "自分の顔で測った値を --threshold で指定してください"
    case .otherThreshold(let enrolled, let given):
      "登録した顔のしきい値は \(enrolled) で、\(given) ではありません"
    case .oneThreshold:
      "一つの日記で使えるしきい値は一つです。--threshold を省略してください"
    case .shotUnlike(let shot, let similarity, let threshold):
      "\(shot) 枚目は登録済みの顔との類似度が \(similarity) で、しきい値 \(threshold) に届きません"
    case .forceIfYou:
      "本当に自分の顔なら、--force を付けてください"
    case .atMostFaces(let limit):
      "一つの日記に登録できる顔は \(limit) 枚までです"
    case .closeCallMoreShots:
      "ぎりぎりで認めました。別の日に三枚以上登録すると、認識されやすくなります: facediary enroll FILE…"
    case .closeCallMoreFrames:
      "ぎりぎりで認めました。--face を繰り返して何コマか一度に指定すると、認識されやすくなります"
    case .cameraSetUp: "設定済み"
    case .cameraNotSetUp(let name): "未設定: facediary camera setup \(name)"
    case .noReadyCamera(let name): "\(name) というカメラのプログラムはありません"
    case .libraryMissing(let name): "\(name) のライブラリがインストールされていません"
    case .askToDownload(let size, let hosts):
      "\(hosts) から \(size) をダウンロードしますか？"
    case .downloadFailed(let source, let code):
      "curl で \(source) をダウンロードできません（終了コード \(code)）"
    case .downloadGoesOn:
      "同じコマンドをもう一度実行してください。ダウンロードは途中から続きます"
    case .weightsMissing(let files):
      "モデルのファイルがありません。--download を付けるとダウンロードします: \(files.joined(separator: "、"))"
    case .weightsOther(let path, let found, let expected):
      "\(path) は想定したファイルではありません: SHA-256 が \(found) で、\(expected) と一致しません"
    case .weights(let name, let size, let licence, let sha256):
      "\(name)（\(size)、ライセンス: \(licence)、SHA-256 \(sha256)）"
    case .cameraSees(let frames, let model, let components):
      "カメラに顔が一つ写っています: \(model)、\(frames) コマ、\(components) 成分。次に: facediary enroll --camera"
    case .cameraRefused(let refusal, let says):
      switch refusal {
      case .noFace: "顔が写っていません。カメラの前に座ってください"
      case .several: "顔が二つ以上写っています"
      case .light: "暗すぎるか明るすぎます。顔に光が当たるところに座ってください"
      case .small: "顔が遠すぎます。近づいてください"
      case .blurred: "ぶれています。動かないでください"
      case .noCamera, .noModel, .noPicture: says
      case .noTurn: "指示どおりに顔が動きませんでした。少し動かしてから、正面に戻してください"
      }
    case .photoNeedsReadyCamera(let file):
      "\(file) は写真ですが、設定されているプログラムは写真を読めません"
    case .framesUnlike: "コマどうしが別人のように違っています。もう一度撮影してください"
    case .shotPrompt(let number, let count):
      pose(number) + "、Enter を押してください（\(number)/\(count) 枚目）: "
    case .shotComes(let number, let count):
      "\(pose(number))ください（\(number)/\(count) 枚目）"
    case .filesOrCamera: "ファイルか --camera のどちらか一方を指定してください"
    case .nothingNew:
      "どれも登録済みです"
    }
  }

  static func text(_ message: CalibrationMessage) -> String {
    switch message {
    case .savedFor(let model):
      "モデル \(model) の設定として保存しました。これからは unlock と match で使われます"
    case .saveNeedsModel:
      "--save には --model が必要です"
    case .tooFewPersons(let shots):
      "\(shots) 枚以上ある人が少なすぎるので、この条件では較正できません"
    case .moreShots:
      "一人の枚数を増やすか、--enroll と --frames を小さくしてください"
    case .morePairs:
      "人数と一人あたりの写真を増やすか、--target-fmr でより高い値を指定してください"
    case .sameVector(let file, let line, let other):
      "\(file)、\(line) 行目: \(other) 行目と同じベクトルですが、人が違います"
    case .labelOnce:
      "どちらか一人の名前に直すか、両方の行を削除してください"
    case .vectorsTwice(let count):
      "同じ人に同じベクトルが二度以上書かれています（\(count) 件）。必ず自分自身と一致するため、FNMR が実際より低く見えます"
    case .tooFewPairs:
      "組が少なすぎるので、しきい値を保存できるだけの精度が得られません"
    case .notText(let path):
      "\(path) は UTF-8 のテキストではありません"
    case .quoteOpen(let file, let line): "\(file)、\(line) 行目: 引用符が閉じられていません"
    case .severalRows(let path, let line, let file, let rows):
      "\(path)、\(line) 行目: \(file) には \(rows) 行あります。row の列で行を指定してください"
    case .twoPersons(let path):
      "\(path): 較正には二人以上の顔が必要で、そのうち少なくとも一人は二枚必要です"
    case .cannotShow(let pairs, let rate, let least):
      "別人どうしの組が \(pairs) 組しかないので、他人受入率 \(rate) を確かめられません。およそ \(least) % より小さい率は測れません"
    case .sharedDirection(let length):
      "どのベクトルも同じ向きに偏っている（平均ベクトルの長さ \(length)、最大 1）ので、他人どうしでも類似度が高くなります。このようなベクトルで測ったしきい値だけを使ってください"
    case .worstPerson(let person, let rate):
      "推奨するしきい値では、\(person) が \(rate) % の組で拒否されます。この人の登録枚数を増やすと改善します"
    case .pairs(let genuine, let impostor):
      "同じ人の組: \(genuine) 組、別人どうしの組: \(impostor) 組"
    case .equalErrorRate(let rate, let threshold):
      "EER \(rate) %（類似度 \(threshold)）"
    case .atRate(let rate, let threshold, let low, let high, let fnmr):
      "FMR \(rate): しきい値 \(threshold)（95 % 区間 \(low) から \(high)）、FNMR \(fnmr) %"
    case .byPerson(let threshold, let best, let bestRate, let median, let worst, let worstRate):
      "しきい値 \(threshold) での人ごとの FNMR: 最良 \(best) \(bestRate) %、中央値 \(median) %、最悪 \(worst) \(worstRate) %"
    case .chosen(let rate, let low, let high, let owners, let open, let threshold):
      "しきい値 \(threshold) では、なりすまし用ベクトルで日記が 5 回以内に開く割合は \(rate) % です（95 % 区間 \(low) から \(high)、持ち主 \(owners) 人で測定）。平均の顔の検査がなければ \(open) %"
    case .published(let threshold, let fmr, let fnmr, let chosen, let open):
      "公表されたしきい値 \(threshold)（較正なし）: FMR \(fmr) %、FNMR \(fnmr) %、なりすまし用ベクトルで日記が開く割合 \(chosen) %（平均の顔の検査がなければ \(open) %）"
    case .chosenTooMany(let rate, let target):
      "なりすまし用ベクトルで日記が開く割合を \(target) % 以下にするしきい値は見つかりませんでした。推奨するしきい値では \(rate) % です"
    case .chosenUnshown(let owners, let rate, let most):
      "持ち主が \(owners) 人では、なりすまし用ベクトルで日記が開く割合が \(rate) % 以下であることを確かめられません。およそ \(most) % より小さい率は測れません"
    case .suggested(let threshold, let fmr, let fnmr):
      "推奨するしきい値: \(threshold)（FMR \(fmr) %、FNMR \(fnmr) %）"
    case .empty(let file):
      "\(file): 中身がありません"
    case .wantsColumns(let file, let line, let found):
      "\(file)、\(line) 行目: person と file の列が必要です（あるのは \(found)）"
    case .wantsPersonAndFile(let file, let line):
      "\(file)、\(line) 行目: person と file の値が必要です"
    case .wantsRow(let file, let line):
      "\(file)、\(line) 行目: row には 0 から始まる行番号が必要です"
    }
  }

  private static func pose(_ number: Int) -> String {
    ["カメラをまっすぐ見て", "顔を少し左に向けて", "顔を少し右に向けて", "部屋を夜の明るさにして", "眼鏡があれば、掛けるか外して"][(number - 1) % 5]
  }

  /// - Parameter during: what stands behind minutes that something lasts; hours have it already.
  private static func span(_ minutes: Int, during: String = "") -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if minutes < 120 { return "\(minutes) 分\(during)" }
    return rest == 0 ? "\(hours) 時間" : "\(hours) 時間 \(rest) 分\(during)"
  }
}
