internal import CommandLine

extension Japanese {
  static func text(_ message: KeepingMessage) -> String {
    switch message {
    case .acceptedRollback:
      "受け入れました。今後はこのコピーの内容から続けます"
    case .acceptedElsewhere:
      "別の端末で、日記の古いコピーが受け入れられました。今後はその内容から続けます"
    case .newestBackup(let path):
      "その中で最新のバックアップ: \(path)"
    case .setBackupFolder:
      "保存先を指定するか、facediary config set backup DIRECTORY で設定してください"
    case .nothingToAccept:
      "この日記は、この端末が知っている最新の状態です。受け入れる必要はありません"
    case .olderCopy(let entries, let remembered):
      "このコピーにある記録は \(entries) 件です。この端末で最後に開いたときは \(remembered) 件でした"
    case .olderCopyLacks(let count):
      "その後に書いた \(count) 件と、その後の編集は含まれていません"
    case .olderCopySlot(let kind, let created):
      "その後に削除した開け方が含まれていますが、削除したままにします: \(kind.text(in: .japanese))（\(created) 作成）"
    case .olderCopyLost(let count):
      "現在の開け方のうち \(count) 個が失われます。このコピーにも、この端末の控えにもありません"
    case .waysInLost(let count):
      "現在の開け方のうち \(count) 個は引き継げなかったので、もう使えません。facediary keys で確かめ、必要なものを追加してください: facediary keys add passphrase、facediary keys add recovery"
    case .notRemoved(let path):
      "\(path) を削除できませんでした"
    case .copyOfLaterKey:
      "この端末で最後に開いた後に、日記の鍵が交換されています。開け方は、新しい鍵と一緒に作られたものになります。自分で交換した場合だけ続けてください"
    case .olderCopyPolicy:
      "ポリシーがその後に変更されています。厳しいほうが有効になります"
    case .olderCopyFaces:
      "このコピーを作ったときは別の顔が登録されていました。今登録されている顔を使います"
    case .olderCopyUnknown(let entries):
      "この端末には、この日記の情報が残っていません。記録（\(entries) 件）、開け方、ポリシーは、すべてこのコピーのものになります"
    case .faceKeepsPassphrase(let id):
      "顔とパスフレーズによる開け方 \(id) は、作ったときのパスフレーズのままです。削除するには: facediary keys remove \(id)"
    case .faceDropped(let id, let created):
      "別の端末では、顔だけで開けなくなりました: 開け方 \(id)（\(created) 作成）"
    case .notDirectory(let path):
      "\(path) はフォルダではありません。何も変更していません"
    case .notWholeKeptOlder:
      "日記に異常があるので、古いバックアップを削除しませんでした"
    case .lookWithVerify:
      "詳しくは: facediary verify"
    case .removedOlder(let count):
      "古いバックアップを削除しました: \(count) 個"
    case .backupMade(let path):
      "バックアップを作りました: \(path)"
    case .backupLacksFiles(let count):
      "写真またはファイル \(count) 件が日記から失われていて、このバックアップにもありません。どのファイルかを調べるには: facediary verify。古いバックアップには残っているかもしれません"
    case .restoreAsks:
      "restore-backup は日記を置き換える前に確認を求めますが、ターミナルがありません"
    case .giveYes:
      "--yes を付けてください"
    case .restored:
      "日記をバックアップから復元しました"
    case .notByPolicy(let rule):
      "\(rule) は policy set では on にできません"
    case .noBackupIn(let path):
      "\(path) にバックアップはありません"
    case .bringsBack(let made, let entries):
      "この日記はほかの端末と同期しているので、置き換えません。\(made) に作ったバックアップの記録 \(entries) 件を、すべての端末でその時の内容に戻します。その後に書いた記録は残ります"
    case .broughtBack(let count):
      "記録 \(count) 件をバックアップの内容に戻しました"
    case .moveAway(let vault):
      "\(vault) を別の場所に移してから、もう一度実行してください。バックアップが日記になります"
    case .readOtherBackup(let backup):
      "読むには: facediary list --vault '\(backup)'。別の日記として復元するには、--vault にまだ何もない場所を指定してください"
    case .moveDeviceStoreAway(let path):
      "自分で古い状態に戻した場合は、\(path) を別の場所に移してから、もう一度実行してください。この端末は新しい端末として始まります"
    case .giveUpDeviceStore(let path):
      "\(path) を元の内容に戻せないときは、別の場所に移してから、もう一度実行してください。この端末は新しい端末として始まり、日記はバックアップを作ったときのパスフレーズや復旧コードで開きます"
    case .moveFileAway(let path):
      "\(path) を別の場所に移してから、パスフレーズか復旧コードで開いてください"
    case .beginDeviceAnew(let path):
      "鍵を取り戻せない場合は、\(path) を別の場所に移してから、もう一度実行してください。この端末は新しい端末として始まります"
    case .replaceKeyForDevices:
      "使わなくなった端末の情報は、鍵を交換すると消えます: facediary keys rotate"
    case .otherKey:
      "バックアップは別の鍵で作られていて、入力されたパスフレーズやコードでは開けません"
    case .giveBackupPassphrase:
      "バックアップを作った後にパスフレーズを変えたときは、作ったときのパスフレーズを --backup-passphrase-file で、今のパスフレーズとともに指定してください"
    case .replaces(let present, let entries, let made):
      "日記の記録 \(present) 件が、\(made) に作ったバックアップの \(entries) 件に置き換わります"
    case .becomes(let made, let entries):
      "\(made) に作った、記録 \(entries) 件のバックアップが日記になります"
    case .backupLacks(let files):
      "このバックアップには、記録の写真やファイル \(files) 件がありません"
    case .keyReplacedElsewhere:
      "別の端末で日記の鍵が交換されました"
    case .leftSpace(let device, let id):
      if id.isEmpty {
        "この日記は、ほかの端末との同期をやめました。古いコピーがあると、前の端末としてまだ同期できてしまいますが、その端末の名前は読み取れません。facediary sync join か facediary sync recover で同期を再開し、facediary sync devices で確かめて、前の端末を外してください: facediary sync revoke"
      } else {
        "この日記は、ほかの端末との同期をやめました。古いコピーがあると、端末「\(device)」としてまだ同期できてしまいます。facediary sync join か facediary sync recover で同期を再開し、その端末を外してください: facediary sync revoke \(id)"
      }
    case .willLeaveSpace:
      "古いコピーに同期用の鍵が含まれているので、この日記はほかの端末との同期をやめます"
    case .goOn:
      "続けますか？"
    case .lost(let what):
      "失われたもの: \(what.text(in: .japanese))"
    case .othersLost(let count):
      "失われたもの: ほかに \(count) 件"
    case .otherProblems(let count):
      "ほかに問題 \(count) 件"
    case .onlyOlder(let count):
      "\(count) 件の記録は、古い本文しか読めませんでした"
    case .nameless(let count):
      "\(count) 件の本文はタイトル、日付、タグが失われたので、今日の日付の記録として保存しました"
    case .openRescued(let path): "開くには: facediary unlock --vault \(path)"
    case .rescued(let entries, let attachments, let path):
      "記録 \(entries) 件、添付 \(attachments) 件を \(path) に救出しました"
    case .deviceKeyInFile:
      "端末の鍵を作り直し、ファイルに保管しました。古い鍵では何も開けなくなりました"
    case .deviceKeyByHelper:
      "端末の鍵を作り直し、補助プログラムで保管しました。古い鍵では何も開けなくなりました"
    case .deviceKeyInChip:
      "端末の鍵を作り直し、TPM で保護しました（PIN なし）。古い鍵では何も開けなくなりました"
    case .deviceKeyInChipWithPIN:
      "端末の鍵を作り直し、TPM と PIN で保護しました。古い鍵では何も開けなくなりました"
    case .deviceBegunAnew:
      "端末の鍵を新しく作り、ファイルに保管しました。失った鍵で作った顔による開け方は、日記に残っています。facediary keys で確かめ、心当たりのないものは削除してください: facediary keys remove ID"
    case .deviceStore(let path):
      "端末データ: \(path)"
    case .keptBy(let helper):
      "端末の鍵: \(helper) で保管"
    case .keptInChip:
      "端末の鍵: TPM で保護"
    case .keptInFile:
      "端末の鍵: 端末データの中のファイルに保管"
    case .deviceKeyMissing:
      "端末の鍵を読み出せません。詳しくは: facediary device --help"
    case .askToRemoveLastCode:
      "最後の復旧コードです。これがないと、パスフレーズを忘れたときに日記を開けなくなります。削除しますか？"
    case .slotRemoved:
      "削除しました。日記の古いコピーは、まだこの開け方で開けます"
    case .weakestFace:
      "最も弱い開け方は顔です。日記と端末の鍵のファイルの両方を手に入れた人は、顔がなくても開けます。補助プログラム、TPM、warm、face-passphrase のどれかで防げます"
    case .weakestHelper:
      "最も弱い開け方は顔です。ただし、端末の鍵を保管する補助プログラムか TPM の認証も必要です"
    case .weakestPassphrase:
      "最も弱い開け方はパスフレーズです。長いほど強くなります"
    case .passphraseAdded:
      "追加しました。前からあるパスフレーズも使えます"
    case .codeAdded:
      "追加しました。前からある復旧コードも使えます"
    case .facePassphraseAdded:
      "追加しました。今後、この端末では、顔とこのパスフレーズの両方で日記を開きます"
    case .noSuchKind(let name):
      "\(name) という KIND はありません"
    case .slotKinds:
      "passphrase、recovery、face-passphrase のどれかを指定してください"
    case .rotateAsks:
      "keys rotate は開け方を削除する前に確認を求めますが、ターミナルがありません"
    case .lookAtKeys:
      "facediary keys で確かめてから、--yes を付けてください"
    case .willBeDropped(let id, let kind, let created):
      "削除される開け方: \(id) \(kind)（\(created) 作成）"
    case .rotated:
      "すべてを新しい鍵で暗号化し直しました。前に作ったコピーは、今後も古い鍵で開けます。不要なコピーは削除し、新しいバックアップを作ってください"
    case .askToRotate:
      "新しい復旧コードを書き留めてから答えてください。「はい」と答えるまでは、前の復旧コードが有効です。鍵を交換しますか？"
    case .oldCodeStays:
      "何も変更していません。復旧コードは前のまま使えます"
    case .passphraseChanged(let replaced):
      (replaced > 1 ? "これまでの \(replaced) 個のパスフレーズを、すべて新しいものに置き換えました。" : "パスフレーズを変更しました。")
        + "日記の古いコピーは、まだ古いパスフレーズで開けます（参照: facediary keys rotate）"
    case .ruleChanged(let rule, let old, let new): "\(rule) を \(old) から \(new) に変更しました"
    case .closedByRule: "新しいポリシーを有効にするため、日記を閉じました。開くには: facediary unlock"
    case .ruleIs(let rule, let value): "\(rule) は前と同じ \(value) です"
    case .ruleExpected(let rule, let value, let expected):
      "\(rule) に \(value) は指定できません。指定できる値: \(expected.text(in: .japanese))"
    case .durationBetween(let least, let most):
      "\(least) から \(most) までの時間の長さ（5m や 12h のように単位を付ける）"
    case .cameraOrWarm:
      "camera と warm を同時に on にはできません。warm では、顔がどのプログラムから届いたかを確かめられません"
    case .backupsAreWritable(let folder):
      "\(folder) はほかのユーザも書き込めるので、バックアップを消されたり置き換えられたりするおそれがあります。防ぐには: chmod go-w \(folder)"
    case .cameraSeals(let files):
      "次のファイルが変更されると、顔を使うときに検出されます: \(files.joined(separator: "、"))"
    case .cameraReadsFolder(let folder):
      "\(folder) の中のファイルは検査されません。中のファイルを変更できる人は、プログラムの出力も変えられます"
    case .onOrOff:
      "on か off"
    case .turnOnFacePassphrase:
      "on にするには: facediary keys add face-passphrase"
    case .mended(let count):
      "修復した数: \(count)"
    case .problem(let severity, let what, let why, let next):
      "【\(word(severity))】\(what): \(why)。\(next)"
    case .whole(let entries, let revisions):
      "異常はありません: 記録 \(entries) 件、\(revisions) 版を調べました"
    case .notWhole(let problems, let entries):
      "異常があります: 問題 \(problems) 件。読める記録は \(entries) 件です"
    case .unfinished(let count):
      "途中で終わった添付 \(count) 件が容量を使っています。facediary purge で削除できます"
    case .keptFiles(let count):
      "まだ保存していない本文の添付ファイルが \(count) 件あります。書いている画面で保存するか、facediary write --recover で保存してください"
    case .fetchRestoreOrSalvage:
      "同期先から取得してください（facediary sync repair）。そこにもなければ、バックアップから復元するか（facediary restore-backup）、まだ読めるものを救出してください: facediary salvage OUT"
    case .restoreOrSalvage:
      "バックアップから復元するか（facediary restore-backup）、まだ読めるものを救出してください: facediary salvage OUT"
    case .repairForeign:
      "表示される内容は、すべて書いたときのままです。facediary verify --repair を実行すると、余分なデータを取り除くか、ファイルを書き直します。このファイルに書き込むほかのプログラムがないか調べてください。"
    case .repairSpare:
      "予備のデータなので、失われた内容はありません。facediary verify --repair で書き直せます。"
    }
  }

  static func text(_ message: ExchangeMessage) -> String {
    switch message {
    case .markdownIsFolder:
      "markdown の書き出し先はフォルダです。-o で新しいフォルダの名前を指定してください"
    case .attachmentsAreForJSON:
      "--attachments は json で使います。markdown と html では必要ありません"
    case .exportedUnsealed:
      "書き出したファイルは暗号化されていません"
    case .wroteEntries(let count, let path):
      "\(path) に \(count) 件を書き出しました"
    case .filesNotTaken(let count):
      "写真とファイル \(count) 件は、この形式には入りません。markdown、html、json なら入れられます"
    case .filesLeft(let count):
      "写真やファイル \(count) 件は名前だけを書き出しました。--attachments DIR を付けると、ファイルも書き出せます"
    case .nameNewFolder:
      "新しいフォルダを指定してください"
    case .diary:
      "日記"
    case .contents: "目次"
    case .historyIsForJSON: "変更の履歴を書き出せるのは json だけです"
    case .isFolder(let path, let format):
      "\(path) はフォルダですが、形式 \(format) はファイルから取り込みます"
    case .markdownWantsFolder(let path):
      "この形式はフォルダから取り込みます。\(path) はフォルダではありません"
    case .lost(.attachment, let name, let count):
      "取り込まなかったもの: \(name)（記録 \(count) 件で使われていますが、見つかりません）"
    case .lost(.field, let name, let count):
      "取り込まなかったもの: 項目 \(name)（記録 \(count) 件にありますが、対応していません）"
    case .lost(.file, let path, _):
      "取り込まなかったもの: \(path)（いつ書かれたか分かりません）"
    case .lost(.folder, let path, _):
      "取り込まなかったもの: フォルダ \(path) の中身（開けないか、16 階層より深い場所にあります）"
    case .lost(.trashed, let place, _): "取り込まなかったもの: \(place)（元のアプリでごみ箱にありました）"
    case .lost(.unread, let place, _): "取り込まなかったもの: \(place)（どの記録からも参照されていません）"
    case .lost(.empty, let place, _): "取り込まなかったもの: \(place)（中身がありません）"
    case .lost(.entry, let place, _): "取り込まなかったもの: \(place)"
    case .moreLost(let count):
      "取り込まなかったもの: ほかに \(count) 件（--json を付けるとすべて表示します）"
    case .encrypted(let name): "\(name) は暗号化されています"
    case .noTextOrEncrypted(let name): "\(name) はテキストではありません。暗号化されているかもしれません"
    case .emptyFile(let name): "\(name) は空です"
    case .utf16(let name): "\(name) は UTF-16 のテキストです。取り込めるのは UTF-8 だけです"
    case .convertFrom(let name):
      "別の文字コードのテキストなら、先に変換してください: iconv -f SHIFT_JIS -t UTF-8 '\(name)' > 新しいファイル"
    case .convertToUTF8(let name): "先に変換してください: iconv -f UTF-16 -t UTF-8 \(name) > NEW-FILE"
    case .noExport(let name, let type): "\(name) は書き出したデータではなく、単独のファイル（\(type)）です"
    case .zipDamaged(let name): "\(name) は壊れているか、途中で切れた zip ファイルです"
    case .zipLocked(let name): "\(name) はパスワードで保護されています"
    case .notRecognised(let name): "\(name) は取り込める形式ではありません"
    case .severalForms(let name, let formats):
      "\(name) には複数のアプリの記録があります: \(formats.joined(separator: "、"))。どれを取り込むか --format で指定してください"
    case .conflictChoices:
      "何も取り込んでいません。新しい版にするなら --on-conflict update、今のまま残すなら --on-conflict skip を付けてください"
    case .attachIt(let name): "保存するには、記録に添付してください: facediary attach ID \(name)"
    case .exportDecrypted: "元のアプリで暗号化せずに書き出し、それを取り込んだ後に削除してください"
    case .moreBad(let count, let places):
      "ほかにも \(count) 件が取り込めません: \(places.joined(separator: "、"))。--skip-bad を付けると、これらを飛ばして一覧で示します"
    case .jrnlEncrypted(let name): "\(name) は jrnl で暗号化されています"
    case .notUnpacked(let name, let says): "\(name) をメモリに展開できませんでした: \(says)"
    case .tooLargeUnpacked(let name, let limit):
      "\(name) をメモリに展開すると \(limit >> 20) MiB を超えます"
    case .zipped(let name): "\(name) は zip ファイルです"
    case .unzipFirst: "専用のフォルダに展開して、そのフォルダを取り込んでください: unzip FILE -d FOLDER"
    case .decryptJrnl: "jrnl --decrypt で読めるようになります"
    case .wouldBring(let date, let title, let files):
      "\(date)  \(title)" + (files > 0 ? "（ファイル \(files) 件）" : "")
    case .wouldBringMore(let count): "…ほか \(count) 件"
    case .entriesRead(let count): "\(count) 件を読み込みました"
    case .wouldImport(let imported, let duplicates):
      "取り込む記録: \(imported) 件、すでにある記録: \(duplicates) 件"
    case .isOwnFolder(let path):
      "\(path) は日記のフォルダの中なので、ここには書き出せません"
    case .nameOtherPlace:
      "日記のフォルダの外にあるファイルかフォルダを指定してください"
    case .nothingImported:
      "何も取り込みませんでした"
    case .noEntries:
      "記録がありませんでした"
    case .wordsStayed(let count):
      "本文に #言葉 のある記録が \(count) 件あり、本文として取り込みました。次の取り込みからタグにするには: facediary config set inlineTags on"
    case .wordsStay(let count):
      "本文に #言葉 のある記録が \(count) 件あり、本文のまま残ります。タグにするには、取り込みの前に実行: facediary config set inlineTags on"
    case .imported(let imported, let duplicates):
      "\(imported) 件を取り込みました（すでにあった記録: \(duplicates) 件）"
    case .updated(let count): "\(count) 件を新しい版にしました"
    case .leftAsItIs(let count): "内容の異なる \(count) 件はそのまま残しました"
    case .skipBadOnes: "何も取り込んでいません。--skip-bad を付けると、取り込めない記録だけを飛ばして一覧で示します"
    case .skipped(let count): "\(count) 件は取り込みませんでした"
    case .otherFormats:
      "ほかのアプリの JSON なら、--format で形式を指定してください（一覧: facediary help import）"
    case .onlyFiles(let name, let line):
      "\(name)、\(line) 行目: この記録にはファイルしかなく、そのファイルが見つかりません"
    case .sayWhereFiles:
      "--attachments DIR でファイルのあるフォルダを指定してください"
    case .zone(let name):
      "\(name) というタイムゾーンはありません"
    case .field(let name, let line, let field, let expected):
      "\(name)、\(line) 行目、項目 \"\(field)\": \(expected.text(in: .japanese))が必要です"
    case .jsonAt(let name, let line, let column, let expected):
      "\(name)、\(line) 行目 \(column) 列目: \(expected.text(in: .japanese))が必要です"
    case .noJrnlEntry(let name):
      "\(name): 記録がありません。記録は [2026-03-01 09:30] で始まります"
    case .wantsJrnlHead(let name, let line):
      "\(name)、\(line) 行目: [2026-03-01 09:30] とタイトルが必要です"
    case .lineTooLong(let name, let line):
      "\(name)、\(line) 行目: 本文が長すぎます"
    case .calendarCut(let name, let component):
      "\(name) は \(component) の途中で終わっています。ファイルの続きがありません"
    case .lineNotDate(let name, let line, let date):
      "\(name)、\(line) 行目: 日付として読めません: \(date)"
    case .lineNotText(let name, let line):
      "\(name)、\(line) 行目: UTF-8 のテキストではありません"
    case .noDayOne(let folder): "\(folder) に Day One の日記帳（.json ファイル）がありません"
    case .noMarkdown(let folder):
      "\(folder): .md ファイルも、ほかの日記アプリが書き出したファイルもありません"
    case .notText(let file):
      "\(file): UTF-8 のテキストではありません"
    case .wantsID(let file):
      "\(file)、項目 \"id\": base32 の 26 文字が必要です"
    case .fileField(let file, let field, let expected):
      "\(file)、項目 \"\(field)\": \(expected.text(in: .japanese))が必要です"
    case .wantsDateField(let file, let field, let value):
      "\(file)、項目 \"\(field)\": \"\(value)\" は日付として読めません。2026-03-01T09:30:00+09:00 のように書いてください"
    case .wantsColon(let file, let line):
      "\(file)、\(line) 行目: 名前とコロンと値が必要です"
    case .frontMatterOpen(let file):
      "\(file): 先頭の項目の終わりに --- の行が必要です"
    case .wantsListEnd(let file, let line):
      "\(file)、\(line) 行目: ] で終わるリストが必要です"
    case .wantsTextEnd(let file, let line):
      "\(file)、\(line) 行目: \" で終わる文字列が必要です"
    }
  }
}
