extension Japanese {
  static func text(_ message: WritingMessage) -> String {
    switch message {
    case .attachedAs(let name):
      "記録に同じ名前の別のファイルがあるため、新しいファイルの名前は \(name) になりました"
    case .attached(let count, let entry):
      "\(entry) に \(count) 件添付しました"
    case .fieldTwice(let field): "\(field) が二度書かれています。一つだけ残してください"
    case .photoSaysNothing: "--from-photo: 撮影した日時や場所の分かる写真がありません"
    case .noFiles: "写真やファイルはありません"
    case .trashEmpty: "ごみ箱は空です"
    case .noMemories: "過去の同じ日の記録はありません"
    case .noTags: "タグの付いた記録はまだありません"
    case .noEntriesYet:
      "まだ記録がありません。書くには: facediary write"
    case .quotesArePhrase:
      "引用符で囲むと一つの語句として探します。囲まなければ、言葉ごとに探します"
    case .textsStay(let count):
      "何も変更しなかったので、記録にはほかの本文が \(count) 件残っています。残す本文だけにして保存すると解決します"
    case .nothingFound:
      "見つかりませんでした"
    case .wroteFile(let path):
      "\(path) に書き出しました。暗号化されていません"
    case .tookAway(let name, let entry):
      "\(entry) から \(name) を外しました"
    case .couldBeChanged(let path):
      "\(path) はほかのユーザが変更できる状態です"
    case .chmodOthers(let path):
      "chmod go-w '\(path)'"
    case .unreadable(let path):
      "\(path) を読めません"
    case .notConfiguration(let path):
      "\(path) は設定ファイルとして正しくありません"
    case .configurationForm:
      "JSON のオブジェクトを書いてください。設定の表示と変更は: facediary config"
    case .settingSaved(let key):
      "設定 \(key) を保存しました"
    case .settingRemoved(let key):
      "設定 \(key) を削除しました"
    case .noSuchSetting(let key):
      "\(key) という設定はありません"
    case .settingsStandIn(let path):
      "\(path) の設定"
    case .settingUnset:
      "未設定"
    case .unknownConfigurationKey(let path, let key, let nearest):
      "\(path): \(key) という設定はありません" + (nearest.map { "（\($0) のことですか？）" } ?? "")
    case .badConfigurationKey(let path, let key):
      "\(path): \(key) に指定できない値です"
    case .noPlaceForConfiguration:
      "設定ファイルの置き場所が決まりません: HOME が設定されていません"
    case .notDateCut(let text):
      "日付として読めません: \(text)…"
    case .dateForms:
      "例: 2026-03-01、2026年3月1日、2026-03-01T09:30、昨日 18:00、3日前、2時間前（詳しくは facediary help dates）"
    case .notDate(let text):
      "日付として読めません: \(text)"
    case .liesAhead(let time): "記録の日時が未来です: \(time)"
    case .dateUnclear(let text):
      "\(text) は、どちらが月でどちらが日か分かりません"
    case .dateEither(let one, let other): "\(one) か \(other) と書いてください"
    case .notDuration(let text):
      "時間の長さとして読めません: \(text)"
    case .durationForms:
      "例: +30m、+2h、+1h30m"
    case .notEnd(let text):
      "終わりの日時として読めません: \(text)"
    case .endForms:
      "例: +90m、18:30、または日付"
    case .endBeforeStart(let end, let start):
      "終わり（\(end)）が始まり（\(start)）より前です"
    case .noSuchDay(let text):
      "\(text) という日はありません"
    case .dateYears:
      "日付は 1 年から 9999 年までです"
    case .headBroken: "項目の前に --- の行がありません"
    case .recovered(let entry, let revision, let other):
      if let other {
        "新しい記録 \(entry) として保存しました（元の記録 \(other) がその後に変更されたか、鍵が交換されたため）"
      } else if revision == 1 {
        "新しい記録 \(entry) として保存しました"
      } else {
        "\(entry): 第 \(revision) 版として保存しました"
      }
    case .filesNotThere(let names):
      "下書きのファイルのうち、もうないものがあります。もう一度追加してください: \(names.joined(separator: "、"))"
    case .noSuchField(let name, let known):
      "\(name) という項目はありません。使えるのは \(known.joined(separator: "、")) です"
    case .yesOrNo(let field, let text): "\(field) には yes か no を指定してください（指定: \(text)）"
    case .noEditor:
      "使えるエディタが見つかりません"
    case .editorElsewhere(let editor):
      "\(editor) は本文をこのターミナルの外のプログラムに渡します。そのプログラムに本文が残ることを、FaceDiary は防げません"
    case .editorElsewhereHint:
      "VISUAL に vim、nano、emacs、micro、hx のどれかを指定してください。それでも使うなら --editor-on-disk を付けてください"
    case .editorUnknown(let editor):
      "\(editor) がほかの場所に何を残すか（バックアップ、取り消しの履歴など）は、FaceDiary には分かりません。エディタの設定によります"
    case .swapInClear(let places):
      "このコンピュータは、メモリの内容を暗号化せずにディスクへスワップします（\(places)）。書いた内容がそこに残ることがあります"
    case .nameEditor:
      "VISUAL か EDITOR で指定してください"
    case .noMemoryDirectory:
      "エディタの一時ファイルを置くメモリ上のディレクトリがありません"
    case .editorOnDiskHint:
      "--editor-on-disk を付けるとディスクに置けますが、内容の跡が残ることがあります"
    case .editorFailed(let editor, let status):
      "エディタ \(editor) が終了コード \(status) で終わりました。何も変更していません"
    case .editorLeftNoFile:
      "エディタがファイルを保存しませんでした。何も変更していません"
    case .editorLeftTooMuch(let mebibytes):
      "エディタの残したファイルが \(mebibytes) MiB を超えています。保存できないので、何も変更していません"
    case .editorLeftNoText:
      "エディタが保存したファイルは UTF-8 のテキストではありません。Latin-1 として読み、下書きに残しました"
    case .keptInMemory(let path):
      "本文は \(path)（メモリ上）に残してあります"
    case .toBeforeFrom:
      "--to が --from より前です"
    case .noTemplates:
      "テンプレートはありません。作るには: facediary templates add NAME"
    case .templateExists(let name):
      "\(name) というテンプレートはすでにあります"
    case .editTemplate(let name):
      "編集するには: facediary templates edit \(name)"
    case .templateNeedsText:
      "テンプレートには本文が必要です"
    case .keptTemplate(let name):
      "テンプレート \(name) を保存しました"
    case .askToRemoveTemplate(let name):
      "テンプレート \(name) を削除しますか？"
    case .removedTemplate(let name):
      "テンプレート \(name) を削除しました"
    case .nothingToRecover:
      "保存を待っている下書きはありません"
    case .fromWhichPhoto: "--from-photo は写真の日時と場所を使います。--attach FILE で写真を添付してください"
    case .templateInEditor:
      "--template はエディタで書くときに使います。TEXT を省略してください"
    case .entryNeedsSomething:
      "記録には、本文、タイトル、添付のどれかが必要です"
    case .nothingWritten:
      "何も書かれなかったので、保存しませんでした"
    case .templateLeft:
      "テンプレートから変更がないので、保存しませんでした"
    case .typeThenEnd:
      "本文を入力してください。行頭で Ctrl-D を押すと終わります"
    case .nothingToChange:
      "変更する内容がありません。TEXT、オプション、または -（標準入力から読む）を指定してください"
    case .nothingLeft:
      "ファイルが空なので、記録は変更しませんでした"
    case .unchanged:
      "変更がないので、保存しませんでした"
    case .keptAt(let path):
      "本文を保存できませんでした。\(path) に残してあります（メモリ上なので、再起動すると消えます）"
    case .attachTakesOne(let file):
      "--attach に指定できるファイルは一つです。\(file) は記録の本文の位置にあります"
    case .oneTagWanted(let text):
      "\(text) は一つのタグではありません。コンマを含むタグは引用符で囲んでください: '\"a, b\"'"
    case .newTagEmpty: "新しい名前が空です"
    case .keptSealedInMemory:
      "本文を記録として保存できず、ディスクにも書き込めません。暗号化した下書きはメモリにだけあり、再起動すると失われます。空きを作ってから保存してください: facediary write --recover"
    case .keptSealed:
      "本文を保存できませんでした。暗号化した下書きとして残してあります。保存するには: facediary write --recover"
    case .sessionEndedMeanwhile:
      "書いている間にセッションが終わりました。本文は、保存するまで暗号化した下書きとして残ります"
    case .textTooLong(let limit):
      "本文が \(limit) バイトを超えています"
    case .attachAsFile:
      "ファイルとして添付してください"
    case .inputNotText:
      "標準入力が UTF-8 のテキストではありません"
    case .lineCut(let limit):
      "\(limit) バイトを超える行があります。ターミナルからは、その先の部分を受け取れません"
    case .useEditorOrFile:
      "facediary write でエディタを開いて貼り付けるか、ファイルに保存して渡してください: facediary write - < FILE"
    }
  }

  static func text(_ message: ReadingMessage) -> String {
    switch message {
    case .browseNeedsTerminal:
      "browse にはターミナルが必要です"
    case .movedMeanwhile:
      "この記録は、その間に移動または削除されました"
    case .askToTrash:
      "ごみ箱に移しますか？ [y/N]"
    case .entryCount(let count):
      "\(count) 件"
    case .wordCount(let count):
      "\(count) 語"
    case .journalEmpty:
      "この日記帳はまだ空です"
    case .nothingYet:
      "まだ何もありません。n で書けます"
    case .all:
      "すべて"
    case .searchKeys:
      "Esc ですべて表示"
    case .listKeys:
      "? キー · q 終了 · Enter 読む · / 検索 · : 日付 · n 書く · e 編集 · d ごみ箱"
    case .entryKeys:
      "q 戻る · → 次へ · e 編集 · s 星 · o ファイルを開く"
    case .movedToTrashUndo: "ごみ箱に移しました。u で元に戻せます"
    case .broughtBack: "元に戻しました"
    case .browseKeys:
      """
      移動
      ↑ ↓  k j\t前後の記録へ
      PgUp PgDn Space\t一画面ずつ
      g G\t最新・最古へ
      :\t日付へ移動（2026-03-01、先週の金曜日、2024 など）
      ← →  h l\t日記帳の切り替え
      絞り込み
      /\t検索（#タグ、-除外する語 も使える）
      #\t一つのタグだけ
      *\t星付きだけ
      Esc\tすべて表示
      記録
      Enter\t読む
      o\t写真やファイルを開く
      e s d\t編集・星・ごみ箱へ移す
      u\t最後の削除を元に戻す
      n\t新しく書く
      q\t終了
      """
    case .anyKeyBack: "どのキーでも戻ります"
    case .moveOrBack: "↓ ↑ とスペースで移動し、ほかのキーで戻ります"
    case .noSuchKey: "そのキーは使われていません。? でキーの一覧を表示します"
    case .nothingDeleted: "元に戻せる削除はありません"
    case .goToDate: "移動する日付:"
    case .filterByTag: "タグ:"
    case .whichFile: "どのファイルですか？ 番号を押してください（ほかのキーで戻ります）"
    case .sameLines(let count): "変わらない \(count) 行"
    case .openNeedsTerminal: "open にはターミナルが必要です（見終わったら Enter を押してファイルを消すため）"
    case .severalFiles(let entry, let count): "\(entry) にはファイルが \(count) 個あります。名前を指定してください"
    case .viewerFailed(let program, let status): "\(program) で開けませんでした（終了コード \(status)）"
    case .noViewer: "ファイルを開くプログラムを選ぶ xdg-open がインストールされていません"
    case .pressEnterWhenSeen(let name): "\(name) を開きました。Enter を押すとメモリから消えます"
    case .terminalGone:
      "ターミナルが閉じられました"
    case .moreWithAll(let count):
      "ほかに \(count) 件（--all ですべて表示）"
    case .new:
      "新"
    case .periodBackwards(let period):
      "期間 \(period) の終わりが始まりより前です"
    case .notPeriod(let text):
      "期間として読めません: \(text)"
    case .periodForms:
      "次の形で指定してください: 2026、2026-03、2026-03-01..2026-03-14、all"
    case .figures(let entries, let words, let days):
      "記録 \(entries) 件、\(words) 語（和文は文字数）、\(days) 日"
    case .span(let from, let to):
      "\(from) から \(to) まで"
    case .streaks(let current, let longest):
      "連続して書いた日数: 現在 \(current) 日、最長 \(longest) 日"
    case .emptyDays(let count):
      "… 記録のない日が \(count) 日"
    case .day(let year, let month, let day, let weekday):
      "\(Int(year) ?? 0)年\(Int(month) ?? 0)月\(Int(day) ?? 0)日（\(weekday.prefix(1))）"
    case .rankHeads: "順位\t変動\t件数\t名前"
    case .longDay(let year, let month, let day, let weekday):
      "\(year)年\(month)月\(day)日（\(weekday.prefix(1))）"
    case .month(let year, let month): "\(year)年\(month)月"
    case .revision(let number):
      "第 \(number) 版"
    }
  }

  static func text(_ message: NamesMessage) -> String {
    switch message {
    case .madeJournal(let name):
      "日記帳 \(name) を作りました"
    case .changedJournal(let name):
      "日記帳 \(name) を変更しました"
    case .noTag(let name): "タグ \(name) の付いた記録はありません"
    case .tagIsThere(let name): "タグ \(name) はすでにあります"
    case .mergeTags(let old, let new):
      "両方の記録を同じタグにするには: facediary tags merge \(old) \(new)"
    case .tagged(let name, let count): "記録 \(count) 件のタグを \(name) に変更しました"
    case .renamed(let old, let new):
      "\(old) の名前を \(new) に変更しました"
    case .moved(let name):
      "\(name) を移動しました"
    case .noJournals:
      "日記帳はありません。作るには: facediary journals add NAME"
    case .sayWhereEntriesGo:
      "記録の移動先を --to J（日記帳）か --trash で指定してください"
    case .askToRemoveJournalInto(let name, let entries, let heir):
      "日記帳 \(name) を削除しますか？ 記録 \(entries) 件は \(heir) に移ります。"
    case .askToRemoveJournal(let name, let entries):
      "日記帳 \(name) を削除しますか？ 記録 \(entries) 件はごみ箱に移ります。"
    case .removedJournal(let name):
      "日記帳 \(name) を削除しました"
    case .madeKind(let name):
      "種類 \(name) を作りました"
    case .askToRemoveKind(let name):
      "種類 \(name) を削除しますか？ 記録は種類なしで残ります。"
    case .removedKind(let name):
      "種類 \(name) を削除しました"
    case .askToTrash(let count):
      "記録 \(count) 件をごみ箱に移しますか？"
    case .trashed(let count):
      "記録 \(count) 件をごみ箱に移しました"
    case .restored(let count):
      "記録 \(count) 件をごみ箱から戻しました"
    case .askToPurge(let count):
      "記録 \(count) 件を完全に削除しますか？"
    case .purged(let count):
      "記録 \(count) 件を完全に削除しました"
    }
  }
}
