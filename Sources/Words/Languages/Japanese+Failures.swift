internal import CommandLine
internal import Entries

extension Japanese {
  static func text(_ message: FailureMessage) -> String {
    switch message {
    case .thereAlready(let path):
      "\(path) はすでにあります。変更していません"
    case .answerUnreadable:
      "セッションの応答を読み取れません"
    case .jsonAt(let line, let column, let expected):
      "\(line) 行目 \(column) 列目: \(wanted(expected))が必要です"
    case .noDiary(let path):
      "\(path) に日記はありません"
    case .withOptions(let advice, let options):
      "\(advice.text(in: .japanese))（\(options) も付けてください）"
    case .makeOne:
      "作るには: facediary init。以前ここにあった場合は、バックアップから復元してください: facediary restore-backup BACKUP"
    case .notAVault(let path, let detail):
      "\(path) は日記ではないか、先頭が壊れています（\(detail.text(in: .japanese))）"
    case .nameRightFile:
      "--vault か FACEDIARY_VAULT で正しいフォルダを指定してください。これが正しいフォルダなら、バックアップから復元するか（facediary restore-backup BACKUP）、まだ読める内容を救出できます（facediary salvage OUT）"
    case .olderFormat(let path):
      "\(path) は最初の公開版より前の形式の日記です"
    case .exportFirst:
      "その日記を書いたプログラムで書き出し、それを取り込んでください"
    case .newerFormat(let path):
      "\(path) は、より新しいバージョンの facediary で書かれています"
    case .update:
      "facediary を更新してください"
    case .damaged(let subject, let detail):
      "壊れています: \(subject.text(in: .japanese))（\(detail.text(in: .japanese))）"
    case .one(let thing, let name):
      "\(thing.text(in: .japanese)) \(name)"
    case .acceptIfKnown:
      "心当たりがあれば: facediary accept-rollback"
    case .replaceLostSlots:
      "失われた開け方がまだ残っている端末では facediary verify --repair で修復できます。すべての開け方を作り直すには: facediary keys rotate"
    case .copyObjectsToo(let path):
      "元のバックアップと同じ場所にある objects フォルダも、コピーしたバックアップの隣に置いてください。または、まだ読める内容を救出してください: facediary salvage OUT --vault '\(path)'"
    case .passphraseNotCause:
      "パスフレーズの間違いではありません。詳しくは: facediary verify"
    case .tryAgainOrRecover:
      "開け方のデータが壊れているので、パスフレーズの打ち間違いかどうか分かりません。もう一度試すか、--recovery-file で復旧コードを指定してください"
    case .tampered(let subject, let detail):
      "書いたときの状態と違います: \(subject.text(in: .japanese))（\(detail.text(in: .japanese))）"
    case .rolledBack(let subject, let detail):
      "日記が古い状態に戻されています（\(subject.text(in: .japanese)): \(detail.text(in: .japanese))）"
    case .salvageForeignKey:
      "二台の端末で同時に鍵を交換した場合は、facediary salvage で記録を新しい日記に移せます"
    case .salvageOtherKey:
      "新しいほうの日記に戻してください。このコピーだけにある記録は、当時のパスフレーズか復旧コードを使い、facediary salvage で救出できます"
    case .deviceStoreIsOld(let detail):
      "端末データが古い状態に戻されています: \(detail.text(in: .japanese))"
    case .resetOldDevice:
      "新しいほうの端末データに戻すか、この端末の鍵を作り直してください: facediary device reset"
    case .acceptIfYou:
      "自分で戻した場合は: facediary accept-rollback"
    case .forked(let subject, let detail):
      "この日記のコピーには、別の場所で書き込みがありました（\(subject.text(in: .japanese)): \(detail.text(in: .japanese))）"
    case .makeNamed(let command, let name):
      "一覧: facediary \(command)、作るには: facediary \(command) add '\(name)'"
    case .acceptToGoOn:
      "このコピーから続けるには: facediary accept-rollback"
    case .notTheRecoveryCode:
      "復旧コードが違います"
    case .notThePassphrase:
      "パスフレーズが違います"
    case .copyOfItsOwn(let path):
      "日記を閉じてから、独立したファイルにしてください: cp -p '\(path)' '\(path).copy' && mv '\(path).copy' '\(path)'"
    case .moveFileAway(let path):
      "記録は入っていません。別の場所に移してください: mv '\(path)' '\(path).moved'"
    case .perhapsExchanged(let path):
      "この端末は別の日記を開いたことがありますが、\(path) の日記を開いたことはありません。これが自分の日記のはずなら、ファイルがほかの日記のものと入れ替えられています。バックアップから戻すには: facediary restore-backup"
    case .lostPassphrase:
      "パスフレーズが分からない場合は、復旧コードで開けます: facediary unlock --recovery-file -（入力を求められます）"
    case .replacedSince(let kind):
      "この\(kind.text(in: .japanese))でこのコピーは開けますが、その後に変更されています"
    case .giveTodays:
      "現在有効なものを入力してください。その後に日記の鍵を交換した場合は、facediary salvage でこのコピーの記録を救出できます"
    case .noWayIn(let kind):
      "この日記には、\(kind.text(in: .japanese))による開け方がありません"
    case .notFound(let thing, let name):
      "\(name) という\(thing.text(in: .japanese))はありません"
    case .ambiguous(let name, let thing):
      "\(name) に当てはまる\(thing.text(in: .japanese))が二つ以上あります"
    case .because(let subject, let detail):
      "\(subject.text(in: .japanese)): \(detail.text(in: .japanese))"
    case .expected(let subject, let expected):
      "\(subject.text(in: .japanese)): \(expected.text(in: .japanese))が必要です"
    case .writerBusy:
      "別のプロセスが日記に書き込んでいます"
    case .tryAgain:
      "少し待ってから、もう一度実行してください"
    case .cannotBeWritten(let path, let detail):
      "\(path) に書き込めません（\(detail.text(in: .japanese))）"
    case .diskFull:
      "ディスクの空き容量がありません"
    case .readFromReadOnly:
      "書き込めないディスクの日記を読むには、この端末の情報を置く別のフォルダを指定し、パスフレーズで開いてください: --device フォルダ"
    case .nothingChanged:
      "何も変更していません"
    case .cannotBeRead(let path, let detail):
      "\(path) を読めません（\(detail.text(in: .japanese))）"
    case .copyToWritable:
      "フォルダ全体を、書き込めるディスクにコピーし、そのコピーを開いてください"
    case .makeItTheDiary:
      "このバックアップが日記の場所にある場合は、別のフォルダに移してください。日記にするには: facediary restore-backup FOLDER"
    case .noAccess(let path, let detail):
      "\(path) にアクセスする権限がありません（\(detail.text(in: .japanese))）"
    case .noMemory(let what):
      "\(what.text(in: .japanese))を確保できません"
    case .raiseLimit:
      "上限を上げるには: ulimit -l 1024（キロバイト）"
    case .noFace:
      "この端末に顔は登録されていません"
    case .unlockThenEnroll:
      "パスフレーズで開いてから登録してください: facediary enroll FILE…"
    case .faceLockedOut:
      "顔が何度も拒否されたので、顔では開けなくなっています"
    case .unlockOnce:
      "一度パスフレーズか復旧コードで開いてください"
    case .deviceStoreDamaged(let path, let detail):
      "端末データが壊れています: \(path)（\(detail.text(in: .japanese))）"
    case .unlockThenEnrollAgain:
      "パスフレーズか復旧コードで開き、顔をもう一度登録してください"
    case .deviceStoreGone:
      "この日記はこの端末で開いたことがありますが、端末データがなくなっています"
    case .unlockWithSecret:
      "パスフレーズか復旧コードで開いてください"
    case .faceNotEnough(let why):
      "今は顔だけでは開けません: \(why.text(in: .japanese))"
    case .unlockOnceSeePolicy:
      "一度パスフレーズか復旧コードで開いてください。条件を見るには: facediary policy"
    case .waiting(let seconds):
      "誤りや中断が多すぎます。次に試せるのは \(seconds) 秒後です"
    case .recoveryWithoutWaiting:
      "復旧コードを使えば、待たずに開けます"
    case .helperFailed(let program, let why):
      "端末の鍵を保管する補助プログラムを使えません（\(program): \(why.text(in: .japanese))）"
    case .resetIfGone:
      "端末の鍵を取り戻せない場合や、TPM のカウンタが働かなくなった場合は: facediary device reset。日記も壊れているか、なくなっている場合は、--device に新しいフォルダを指定してもう一度実行するか、読めるものを救出してください: facediary salvage OUT"
    case .chmodPath(let path):
      "ほかのユーザが読んだり変更したりできる状態です。直すには: chmod go= '\(path)'。ファイルに別の名前（ハードリンク）があるときは、コピーと入れ替えてください: cp -p '\(path)' '\(path).new' && mv '\(path).new' '\(path)'"
    case .chmodDirectory(let path):
      "自分のフォルダで、ほかのユーザも使える状態になっているときは: chmod go= '\(path)'。そうでなければ、別のフォルダを指定してください"
    case .allowPath(let path):
      "自分だけが読み書きできるようにするには: chmod -R u=rwX,go= '\(path)'"
    case .diaryBusy:
      "別のプロセスが日記を使っています"
    case .verifierFailed(let why):
      "顔の判定に失敗しました: \(why.text(in: .japanese))"
    case .openAlready:
      "日記はすでに開いています"
    case .needsSecretNow:
      "パスフレーズか復旧コードの入力が必要です"
    case .noLibsodium:
      "libsodium を開始できません"
    case .passphraseSize:
      "パスフレーズは UTF-8 で 1 から 1024 バイトにしてください"
    case .damagedData(let what):
      "データが壊れています（\(what)）"
    case .sessionEnded:
      "セッションは終わりました"
    case .openAgain:
      "もう一度開くには: facediary unlock"
    case .foreignSession:
      "動いているセッションは、別のバージョンか別のユーザのものです"
    case .lockThenUnlock:
      "facediary lock で終了し、もう一度開いてください"
    case .sessionFull:
      "日記は開いていますが、使っているプログラムが多すぎます"
    case .sessionSilent:
      "動いているセッションから応答がありません。日記がまだ開いているかもしれません"
    case .endWithLock:
      "終了するには: facediary lock"
    case .sessionOutdated:
      "動いていたセッションは別のバージョンだったので、終了させました"
    case .stillOpen(let processes):
      "日記はまだ開いているかもしれません: プロセス \(processes) を終了できませんでした"
    case .killProcesses(let processes):
      "終了するには: kill -9 \(processes.replacing(",", with: ""))"
    case .chipFailed(let path, let why):
      "TPM を使えません（\(path): \(why.text(in: .japanese))）"
    case .joinChipGroup(let path):
      "\(path) の属するグループ（たいてい tss）に自分のユーザを追加し、ログインし直してください"
    case .keepKeyElsewhere:
      "端末の鍵をファイルか補助プログラムで保管してください（facediary device --help）。鍵がすでに TPM にあって日記を開けない場合は: facediary device reset"
    case .waitOrReset:
      "しばらく待つか、パスフレーズか復旧コードで端末の鍵を作り直してください: facediary device reset。日記が壊れているか、なくなっている場合は、--device に新しいフォルダを指定してもう一度実行してください"
    case .pinentryFailed(let program, let why):
      "\(program) で入力を求めることができませんでした: \(why)"
    case .openElsewhere:
      "ここからは確認できないプロセスが、まだ日記を開いています"
    case .lockThere:
      "日記を開いたコンテナの中で facediary lock を実行するか、日記を開いているアプリを終了してください"
    case .closedUnknown:
      "日記が閉じているかどうか確認できません: /proc を読めません"
    case .endKeepersYourself:
      "fdk:… という名前のプロセスをすべて終了してください"
    case .socketFailed(let why):
      "セッションのソケットを作れません: \(reason(ofSystem: why))"
    case .diskFullAt(let path):
      "\(path): ディスクの空き容量がありません"
    case .nameAnother:
      "-o で別の名前を指定してください"
    case .notRegularFile(let path):
      "\(path) は通常のファイルではありません。変更していません"
    case .largerThan(let path, let limit):
      "\(path): \(limit) バイトを超えています"
    case .notOnPath(let program):
      "プログラム \(program) が PATH にありません"
    case .cannotStart(let program, let why):
      "\(program) を起動できません: \(why)"
    case .noAnswer(let program, let seconds):
      "\(program) が \(seconds) 秒以内に応答しませんでした"
    case .printedTooMuch(let program, let limit):
      "\(program) の出力が \(limit) バイトを超えました"
    case .programEnded(let program, let code, let says):
      "\(program) が終了コード \(code) で終わりました\(says)"
    case .notCommand(let words):
      "コマンドとして実行できません: \(words)"
    }
  }

  static func text(_ message: VectorMessage) -> String {
    switch message {
    case .empty(let source):
      "\(named(source)): ベクトルが入っていません"
    case .notVectors(let source):
      "\(named(source)): ベクトルのファイルではありません"
    case .vectorForms:
      "npy、JSON、CSV、fvecs、または名前が .f32 で終わる生の float32 を指定してください"
    case .malformed(let source, let place, let expected):
      "\(named(source))、\(vectorPlace(place)): \(vectorExpectation(expected))"
    case .notFinite(let source, let row, let component):
      "\(named(source))、\(row) 行目、成分 \(component): 有限の float32 の数が必要です"
    case .allZero(let source, let row):
      "\(named(source))、\(row) 行目: すべての成分が 0 です"
    case .dimension(let source, let count):
      "\(named(source)): 成分が \(count) 個です。16 から 8192 個が必要です"
    case .unequalRows(let source, let row, let count, let expected):
      "\(named(source))、\(row) 行目: 成分が \(count) 個です。\(expected) 個が必要です"
    case .elementType(let source, let type):
      "\(named(source)): 要素が \(type) です。float16、float32、float64 のどれかが必要です"
    case .pickled(let source):
      "\(named(source)): pickle された Python オブジェクトは読み込みません"
    case .saveWithoutPickle:
      "numpy.save(…, allow_pickle=False) で保存してください"
    case .fortranOrder(let source):
      "\(named(source)): 行が Fortran 順（列優先）で並んでいるので、読み込めません"
    case .saveContiguous:
      "numpy.ascontiguousarray(…) を保存してください"
    case .shape(let source, let shape):
      "\(named(source)): 配列の形が \(shape) です。一つのベクトルか、一行に一つのベクトルが必要です"
    case .truncated(let source, let found, let expected):
      "\(named(source)): \(found) バイトで終わっています。\(expected) バイトが必要です"
    case .trailingBytes(let source, let offset):
      "\(named(source)): データの後、\(offset) バイト目から余分なバイトがあります"
    case .tooManyRows(let source, let limit):
      "\(named(source)): ベクトルが \(limit) 個を超えています"
    case .tooFewFrames(let source, let found, let wanted):
      "\(named(source)): 異なるコマが \(found) 個しかありません。この顔は \(wanted) コマで較正してあるので、--face を繰り返して指定してください"
    case .otherDimension(let source, let found, let expected):
      "\(named(source)): 成分が \(found) 個です。\(expected) 個が必要です"
    case .otherModel(let source, let found, let expected):
      "\(named(source)): 顔モデル \(found) のベクトルです。\(expected) のものが必要です"
    }
  }

  static func text(_ expectation: ImportExpectation) -> String {
    switch expectation {
    case .end: "データの終わり"
    case .entries: "記録"
    case .anEntry: "記録"
    case .anArrayOfEntries: "記録の配列"
    case .anEntryOrAnExport: "記録か、export で書き出したデータ"
    case .anArrayOrAnObject: "配列かオブジェクト"
    case .anObject: "オブジェクト"
    case .anObjectALine: "一行に一つのオブジェクト"
    case .anArrayOf(let what): "\(what) の配列"
    case .formatOne: "形式 1（このファイルはより新しい形式です）"
    case .field(let field): "項目 \"\(field)\""
    case .text(let field): "項目 \"\(field)\" に文字列"
    case .texts(let field): "項目 \"\(field)\" に文字列の配列"
    case .flag(let field): "項目 \"\(field)\" に true か false"
    case .array(let field): "項目 \"\(field)\" に配列"
    case .object(let field): "項目 \"\(field)\" にオブジェクト"
    case .date(let field): "項目 \"\(field)\" に 2026-03-01T09:30:00+09:00 のような日時"
    case .day(let field): "項目 \"\(field)\" に 2026-03-01 のような日付"
    case .id(let field): "項目 \"\(field)\" に base32 の 26 文字"
    case .atMost(let limit, let field): "項目 \"\(field)\" が \(limit) 個以下であること"
    case .entryOfAtMost(let limit): "\(limit) バイト以下の記録"
    case .aValue: "値"
    case .aDate: "日付"
    case .aDateAndTime: "2026-03-01 のような日付と 09:30 のような時刻"
    case .aMonthOfDays: "RedNotebook が書き出す一か月分の日記"
    case .aDateInUTC: "2026-03-01T00:30:00Z のような日時"
    }
  }

  static func text(_ thing: VaultError.Thing) -> String {
    switch thing {
    case .entry, .entries: "記録"
    case .revision: "版"
    case .journal, .journals: "日記帳"
    case .kind, .kinds: "種類"
    case .template, .templates: "テンプレート"
    case .attachment, .attachments: "添付ファイル"
    case .face: "顔"
    case .slot, .keySlots: "開け方"
    case .title: "タイトル"
    case .location: "場所"
    case .weather: "天気"
    case .body: "本文"
    case .tag, .tags: "タグ"
    case .date: "日付"
    case .until: "終わり"
    case .zone: "タイムゾーン"
    case .emoji: "絵文字"
    case .label: "顔の名前"
    case .policy: "ポリシー"
    case .device: "端末"
    case .entryID: "記録の ID"
    case .attachmentName: "添付ファイルの名前"
    case .attachmentType: "添付ファイルの種類"
    case .deviceKey: "端末の鍵"
    case .passphrase: "パスフレーズ"
    case .record: "データ"
    case .message: "要求"
    case .search: "検索の語"
    case .stateRecord: "状態データ"
    case .directorySection: "目次"
    case .headerPage: "見出しのページ"
    case .header: "見出し"
    case .register: "日記帳と種類の名前"
    case .history: "履歴"
    case .entryRow, .entryRows: "記録の行"
    case .row: "行"
    case .database: "データベース"
    case .keyring: "開け方の一覧"
    case .keySlot: "開け方"
    case .vaultKey: "日記の鍵"
    case .draftKey: "下書きの鍵"
    case .object: "ファイルの中身"
    case .searchIndex: "検索の索引"
    case .keptText: "下書き"
    case .enrolledFaces: "登録した顔"
    case .session: "セッション"
    case .segment: "ほかの端末の変更データ"
    case .pack: "まとめ直した変更データ"
    case .roster: "端末の一覧"
    case .space: "同期の設定"
    case .ownKeys: "この端末の同期用の鍵"
    case .otherDevices: "ほかの端末の情報"
    case .foreignEntry: "ほかの端末の記録"
    case .foreignName: "ほかの端末の名前"
    case .pairingCode: "ペアリングコード"
    case .pairingRequest: "参加の申し込み"
    case .recoveryCode: "復旧コード"
    }
  }

  static func text(_ part: DamagedPart) -> String {
    switch part {
    case .thing(let thing): text(thing)
    case .names: "日記帳と種類の名前"
    case .entry(let id): "記録 \(id)"
    case .entries(let count, let thing): "\(text(thing))にある記録 \(count) 件"
    case .table(let name): "表 \(name) の一部（失われたとは限りません）"
    case .textOfEntry(let id): "記録 \(id) の本文"
    case .attachment(let name, let entry): "記録 \(entry) の \(name)"
    case .text(let row): "本文（データベースの \(row) 行目）"
    case .missing(let count): "何も見つからなかった記録 \(count) 件"
    case .page(let row): "タイトル、日付、タグのまとまり（データベースの \(row) 行目）"
    }
  }

  private static func text(_ problem: KeyringProblem) -> String {
    switch problem {
    case .missing(let copy): "\(copy) 番目の控えがない"
    case .damaged(let copy): "\(copy) 番目の控えが壊れている"
    case .unreadable(let copy): "\(copy) 番目の控えが読めない"
    case .copiesDiffer: "二つの控えが一致しない"
    case .notTheKnownSlots: "日記に登録された開け方と違う"
    case .slotsMissing(let count): "開け方が \(count) 個ない"
    }
  }

  static func text(_ reason: VaultError.Reason) -> String {
    switch reason {
    case .none, .said: self.reason(ofSystem: reason.description)
    case .atMost(let limit): "\(limit) 個以下であること"
    case .atMostWords(let limit): "\(limit) 語以下であること"
    case .atMostAtOnce(let limit): "一度に \(limit) 個以下であること"
    case .atMostPerEntry(let limit): "一つの記録に \(limit) 個以下であること"
    case .atMostBytes(let limit): "\(limit) バイト以下であること"
    case .atMostBytesWithoutSpaces(let limit): "空白を含まない \(limit) バイト以下であること"
    case .atMostBytesWithoutNUL(let limit): "NUL を含まない \(limit) バイト以下であること"
    case .bytes(let range): "\(range.lowerBound) から \(range.upperBound) バイトであること"
    case .oneLine: "一行の文字列"
    case .oneLineOfBytes(let limit): "1 から \(limit) バイトの一行"
    case .nameOfBytes(let limit): "1 から \(limit) バイトで一行の名前"
    case .fileNameOfBytes(let limit): "/ と制御文字を含まない 1 から \(limit) バイトの名前"
    case .mediaType: "image/jpeg のようなメディアタイプ"
    case .oneTebibyte: "1 TiB 以下であること"
    case .atMostWithOtherNames(let limit, let names): "\(limit) 個以下、別名は \(names) 個以下であること"
    case .noNUL: "NUL を含まない文字列"
    case .notBlank: "空でない文字列"
    case .oneEmoji: "一文字の絵文字"
    case .ianaName: "Asia/Tokyo のような IANA のタイムゾーンの名前"
    case .textTitleOrAttachment: "本文、タイトル、添付のどれか"
    case .notBeforeDate: "記録の日時以降の日時"
    case .startNotAfterEnd: "初日が最終日以前であること"
    case .yearsAndOffset: "1 年から 9999 年で、時差が 18 時間以内の日時"
    case .daysOfYears: "1 年から 9999 年の日付"
    case .idOrPosition: "4 から 26 文字の ID、@last、@N のどれか"
    case .idOf26: "26 文字の ID"
    case .withinBounds: "範囲内の値"
    case .passphraseOfBytes(let range):
      "UTF-8 で \(range.lowerBound) から \(range.upperBound) バイト"
    case .noItems: "項目のない要求"
    case .wasEditedMeanwhile: "その間に編集されました"
    case .isThereAlready: "すでにあります"
    case .hasEmojiAlready: "この絵文字はすでに使われています"
    case .isBuiltIn: "どの日記にもあるもので、変更できません"
    case .inheritsItself: "記録を同じ日記帳には移せません"
    case .hasOtherContent: "同じ ID で内容の違う記録がすでにあります"
    case .hasOtherTexts(let count): "ほかの端末で書かれた内容があと \(count) 個あり、どれも残っています"
    case .revisionIsNewer(let number): "最新は第 \(number) 版です"
    case .isBackupOfAnotherDiary: "別の日記のバックアップです"
    case .isNoBackup: "バックアップではありません"
    case .logNeedsWriting: "最後の変更がログに残っているため、書き込めるフォルダに置かないと読めない"
    case .storageFailed(let detail):
      "ファイルの読み書き中に、ファイルシステムがエラーを返しました（\(detail)）"
    case .backupIsOnlyRead: "バックアップには書き込めない"
    case .opensByThisAlready: "このパスフレーズはすでに使われています。別のパスフレーズを選んでください"
    case .isLastWayIn: "顔を使わない最後の開け方なので、削除できません"
    case .sharesAlready: "この日記では、同期がすでに設定されています"
    case .sharesNothing: "この日記はほかの端末と同期していません"
    case .noSuchSpace: "この同期用の復旧コードで開けるデータが見つかりません"
    case .isThisDevice: "この端末です。この端末を外すには: facediary sync leave"
    case .isRevokedAlready: "すでに外されています"
    case .wasRevoked: "この端末は同期から外されています"
    case .changesWait(let count):
      "ほかの端末が削除した \(count) 件を、この端末からも削除するかどうかが決まっていません。その端末を今外すと、削除の後にその端末で書かれたものが失われます"
    case .letsInNoMore:
      "この端末から追加できる台数の上限に達しました。ほかの端末から招待するか、追加する端末で facediary sync recover を実行してください"
    case .otherSync: "この日記の別の同期が実行中です"
    case .wasNotLetIn: "もう一方の端末が、この端末の参加を認めませんでした"
    case .codeOfAnotherSpace: "別の日記の端末が表示したペアリングコードです"
    case .wasChangedMeanwhile: "その間に変更されました。もう一度試してください"
    case .wasReplacedWhileOpen: "開いている間に、置き換えられたか移動されました"
    case .keyWasReplaced: "その間に鍵が交換されました。閉じてもう一度開いてください"
    case .deviceKeyWasReplaced: "その間に作り直されました。もう一度試してください"
    case .deviceKeyIsOutOfReach(let holder): "\(holder) から鍵を取り出せません"
    case .nothingSaysWhatOpens: "日記を最後に何で開いたかを示すデータが、この端末に残っていません"
    case .deviceKeyIsAtHand: "使える状態なので、作り直す必要はありません"
    case .pinKeepsNothingWarm: "端末の鍵に PIN が必要なときは、warm を使えません"
    case .otherLogIsThere: "別の日記のログが残っています。別の場所に移してください"
    case .hasSecondName: "このファイルには別の名前（ハードリンク）があります。ここで変更や削除をしても、前の内容がそちらに残ります"
    case .isInTrash: "ごみ箱にあります"
    case .isNotInTrash: "ごみ箱にはありません"
    case .hasNotArrived: "ほかの端末からまだ届いていません"
    case .isNotOfTheDiary: "日記が作ったファイルではありません"
    case .isNotStaged: "日記の objects フォルダにありません"
    case .isNotWhole: "一部が欠けています。最後までコピーされたか確かめてください"
    case .missing: "ない"
    case .notTheOneItsParentKnows: "上位のデータが示すものと違う"
    case .notThoseTheVaultKnows: "日記に登録されたものと違う"
    case .olderThanSession: "このセッションで読んだものより古い"
    case .olderThanDevice: "この端末で最後に読んだものより古い"
    case .notAContinuation: "この端末で最後に読んだものの続きではない"
    case .keyWasRetired: "その後に鍵が交換されています"
    case .deviceWasReplaced: "この端末の鍵は、その後に作り直されています"
    case .isOfEarlierKey: "このバックアップを作る前に鍵が交換されています"
    case .keyIsForeign: "この端末が知っている鍵の後継ではない鍵です"
    case .lockedMemory: "ロックされたメモリ"
    case .memoryForArgon2id: "Argon2id 用のメモリ"
    case .slotsMissing(let count): "日記に登録された開け方が \(count) 個ありません"
    case .slotWasRemoved: "削除したものが戻されています"
    case .isNoLongerValid: "このコピーの後に変更されました"
    case .isNoSpaceCode: "この日記の同期用の復旧コードではありません"
    case .wasNeverOpenedHere: "この端末で開いたことがありません"
    case .tooMuchWork: "合計が Argon2id の 10 GiB 分を超えないパスフレーズ"
    case .keyring(let problems): problems.map(text).joined(separator: "、")
    case .sealDoesNotFit: "復号できない"
    case .malformed: "形式が正しくない"
    case .limitsRefused: "受け入れられる範囲の外"
    case .laterVersion: "新しいバージョンのデータ"
    case .tooLarge: "大きすぎる"
    case .isCut: "途中で切れている"
    case .notUTF8: "UTF-8 ではない"
    case .notAFile: "ファイルではありません"
    case .notAFolder: "フォルダではない"
    case .folderWithoutVault: "日記の入っていないフォルダ"
    case .linkToNothing: "リンク先がありません。ディスクが接続されているか確かめてください"
    case .wasMoved: "別のフォルダがこの名前になっています。上のフォルダにほかの人が書き込めるようです。別の場所を選んでください"
    case .isNoDiarysFolder: "日記のものではありません。別の場所に移すか、別のフォルダを選んでください"
    case .insideDiary(let path): "別の日記のフォルダ（\(path)）の中にあります"
    case .stillOpen: "まだ開いています"
    case .cannotBeMovedAside: "別の場所に移せません"
    case .objectMissing(let name): "objects/\(name) がない"
    case .objectHasOtherLength(let name): "objects/\(name) の長さが違う"
    case .objectIsAnother(let name): "objects/\(name) は別のファイル"
    case .countsDoNotFit: "数が合わない"
    case .sizeDoesNotFit: "大きさが合わない"
    case .fileHasTwoSizes: "ファイルの大きさが二通りある"
    case .isThereTwice: "重複している"
    case .rowMissing: "行がない"
    case .rowNamesOtherPage: "行が別のページを指している"
    case .rowNamesNoPage: "行が指すページがない"
    case .belongsToNothing: "どこにも属さない"
    case .rowsMissing(let found, let known): "欠けている行が \(known) 個ではなく \(found) 個ある"
    case .knownTextMissing: "ほかの端末にある本文がない"
    case .revisionsOutOfOrder: "版の順が正しくない"
    case .ofAnotherEntry: "別の記録のもの"
    case .notOfThisDiary: "この日記の下書きではない"
    case .notTheOpenDiary: "開いている日記ではない"
    case .vaultKnowsNone: "日記に一つも登録されていない"
    case .templatesGone: "登録した顔がない"
    case .missingOrUnreadable: "ないか、開けない"
    case .noLibsodium: "libsodium"
    case .program(let trouble): text(trouble)
    case .chip(let trouble): text(trouble)
    case .chipIsAhead: "日記と端末データが、TPM のカウンタより古い"
    case .chipIsBehind: "TPM のカウンタが、端末データより遅れている"
    case .chipHasNoCounter: "TPM にこの日記のカウンタがない"
    }
  }

  private static func text(_ trouble: ChipError.Trouble) -> String {
    switch trouble {
    case .noChip: "TPM がない"
    case .noRight: "このユーザは TPM を使えない"
    case .unreachable(let why): "TPM に接続できない: \(why)"
    case .silent: "TPM が応答しない"
    case .nonsense: "応答したのは TPM 2.0 ではない"
    case .needsPIN: "TPM にある端末の鍵には PIN が必要"
    case .wrongPIN: "PIN が違う"
    case .lockedOut: "PIN の間違いが多すぎたので、TPM がしばらく PIN を受け付けない"
    case .ownerAuthorisation: "TPM が所有者の認証を求めている"
    case .otherChip: "端末の鍵を保護した TPM とは別の TPM か、消去された TPM"
    case .noCounter: "この日記のカウンタが TPM から失われている"
    case .noteDamaged: "端末データにある TPM の情報が壊れている"
    case .full: "TPM のメモリに空きがない"
    case .isTaken: "TPM のその場所にはすでにカウンタがある"
    case .busy(let code): "TPM が使用中（0x\(String(code, radix: 16))）"
    case .refused(let code): "TPM が 0x\(String(code, radix: 16)) で拒否した"
    case .noMemory: "ロックされたメモリを確保できない"
    }
  }

  private static func text(_ trouble: VaultError.ProgramTrouble) -> String {
    switch trouble {
    case .noCommand: "コマンドがない"
    case .wordsWithoutLineBreaks: "コマンドに改行が含まれている"
    case .notOnPath: "PATH にない"
    case .wordsOf(let range):
      "コマンドが \(range.lowerBound) から \(range.upperBound) 語ではない"
    case .commandOfBytes(let limit): "コマンドが \(limit) バイトを超えている"
    case .cannotStart(let why): "起動できない: \(why)"
    case .noAnswerWithin(let seconds): "\(seconds) 秒以内に応答しなかった"
    case .printedMoreThan(let limit): "\(limit) バイトより多く出力した"
    case .ended(let operation, let code, let says):
      "\(operation) が終了コード \(code) で終わった" + (says.isEmpty ? "" : ": \(says)")
    case .noSecretLine: "secret=… を出力しなかった"
    case .notHexadecimal: "16 進数 64 桁を出力しなかった"
    case .gaveUnknownKey: "保管させたものとは違う鍵を出力した"
    case .didNotKeepKey: "端末の鍵を保管しなかった"
    case .hasNoKey: "この日記の鍵を保管していない"
    }
  }

  /// `line 1, column 2`, `byte 6`.
  private static func vectorPlace(_ place: String) -> String {
    let numbers = place.split(whereSeparator: { !$0.isNumber }).map(String.init)
    if place.hasPrefix("line "), numbers.count == 2 { return "\(numbers[0]) 行目 \(numbers[1]) 列目" }
    if place.hasPrefix("byte "), numbers.count == 1 { return "\(numbers[0]) バイト目" }
    return place
  }

  /// Where vectors come from, if that is no file: what is being enrolled.
  private static func named(_ source: String) -> String {
    if source == "enrolment" { return "登録する顔" }
    return source.hasPrefix("shot ") ? "\(source.dropFirst(5)) 枚目" : source
  }

  /// `a number, not "hello"`.
  private static func vectorExpectation(_ expected: String) -> String {
    let number = "a number, not "
    if expected.hasPrefix(number) { return "数ではなく \(expected.dropFirst(number.count)) があります" }
    return wanted(expected) + "が必要です"
  }
}
