internal import Access
internal import Bytes
internal import CommandLine
internal import Entries

/// 日本語。
enum Japanese: Phrasebook {
  static let hint = "ヒント: "

  static func text(_ message: UsageMessage) -> String {
    switch message {
    case .unknownOption(let option):
      "\(option) というオプションはありません"
    case .textAfterDashes:
      "- で始まる言葉をオプションではなく文字列として渡すには、その前に -- を付けてください"
    case .didYouMean(let word):
      "\(word) のことですか？"
    case .takesNoValue(let option):
      "\(option) に値は指定できません"
    case .needsValue(let option, let value):
      "\(option) には値が必要です: \(option) \(value)"
    case .givenTwice(let option):
      "\(option) が二度指定されています"
    case .cannot(let command, let verb):
      "\(command) に \(verb) というサブコマンドはありません"
    case .usage(let words):
      "使い方: facediary \(words)"
    case .seeHelpOf(let command):
      "facediary \(command) --help"
    case .cannotBe(let option, let value):
      "\(option) に \(value) は指定できません"
    case .oneOf(let words):
      "次のどれか: \(words)"
    case .wantsNumberFrom(let option, let least, let value):
      "\(option) には \(least) 以上の数を指定してください（指定: \(value)）"
    case .wantsNumberBetween(let option, let least, let most, let value):
      "\(option) には \(least) から \(most) までの数を指定してください（指定: \(value)）"
    case .noTerminal:
      "ターミナルがないので、入力を求められません"
    case .secretEmpty:
      "パスフレーズまたはコードが空です（1 から 1024 バイトで入力してください）"
    case .secretTooLong:
      "パスフレーズまたはコードが長すぎます（1024 バイトまで）"
    case .passphraseNotText:
      "パスフレーズが UTF-8 ではありません"
    case .passphraseSize:
      "パスフレーズは 1 から 1024 バイトにしてください"
    case .twoReadStandardInput(let one, let other):
      "標準入力を\(one.text(in: .japanese))と\(other.text(in: .japanese))の両方には使えません"
    case .nameFileForOne:
      "どちらか一方はファイルで指定してください"
    case .homeNotSet:
      "HOME が設定されていないか、絶対パスではありません"
    case .nameVaultAndDevice:
      "--vault と --device で日記のフォルダと端末データの置き場所を指定してください"
    case .noSuchRule(let name):
      "\(name) というポリシーの項目はありません"
    case .emptyPath:
      "--vault か --device の値が空です"
    case .unsetVariable:
      "スクリプトの変数が未設定ではないか確かめてください"
    case .wantsRevision(let value):
      "版の番号は 1 以上で指定してください（指定: \(value)）"
    case .wantsDuration(let option, let value):
      "\(option) には 5m や 12h のような時間の長さを指定してください（指定: \(value)）"
    case .atMostTwelveHours(let option):
      "\(option) に指定できるのは 12h までです"
    case .wantsYear(let value):
      "--year には 2026 のような年を指定してください（指定: \(value)）"
    case .wantsRate(let option, let value):
      "\(option) には 0 と 1 の間の割合を指定してください（指定: \(value)）"
    case .noSuchWork(let level):
      "--kdf に \(level) は指定できません"
    case .worksKnown:
      "interactive、moderate、sensitive のどれかを指定してください"
    case .noHelpFor(let word): "\(word) の説明はありません"
    case .unknownCommand(let name):
      "\(name) というコマンドはありません"
    case .helpListsCommands:
      "一覧は facediary --help で見られます"
    case .needsYes(let command):
      "ターミナルで確認できないときは、\(command) に --yes が必要です"
    case .contradict(let one, let other):
      "\(one) と \(other) は同時に指定できません"
    case .starsContradict:
      "--star と --no-star は同時に指定できません"
    }
  }

  static func text(_ message: HelpPhrase) -> String {
    switch message {
    case .usage(let program, let command):
      "使い方: \(program) \(command)"
    case .anyOption:
      "[オプション]"
    case .usageOfProgram(let program):
      "使い方: \(program) コマンド [オプション]"
    case .options:
      "オプション:"
    case .optionsOfEveryCommand:
      "すべてのコマンドに共通のオプション:"
    case .optionsOfEveryCommandTitle:
      "すべてのコマンドに共通のオプション:"
    case .moreAboutEach(let program):
      """
      各コマンドの説明は \(program) コマンド --help で、共通の説明は \(program) help TOPIC で読めます。
      TOPIC は ids、dates、vectors、search、text、sync のどれかです。
      """
    }
  }

  static func text(_ message: CommandHelp) -> String {
    switch message {
    case .headline:
      "facediary: 持ち主の顔で開く日記"
    case .openingTitle:
      "開く:"
    case .facesTitle:
      "顔:"
    case .writingTitle:
      "書く:"
    case .readingTitle:
      "読む:"
    case .sortingTitle:
      "整理する:"
    case .trashTitle:
      "ごみ箱:"
    case .keepingTitle:
      "管理:"
    case .locksTitle:
      "鍵と開け方:"
    case .devicesTitle:
      "複数の端末:"
    case .sync:
      "日記をほかの端末と同期する"
    case .syncDetails:
      """
      PLACE は端末どうしがデータを受け渡す同期先です。folder:/パス（Syncthing、クラウドの同期フォルダ、
      ネットワークドライブ、USB メモリなど）、rclone:リモート:パス（rclone で使えるクラウドやサーバ）、
      postgres:サービス（psql で接続する PostgreSQL）、cmd:プログラム のどれかを指定します。同期先に
      知られるのは、暗号化されたデータの大きさと届いた時刻だけです。同期先では、内容を読むことも、
      書き換えることも、偽造することもできません。

        facediary sync setup PLACE       最初の端末で実行。同期用の復旧コードを一度だけ表示
        facediary sync invite            もう一方の端末のためのペアリングコードを表示
        facediary sync join PLACE CODE   もう一方の端末で実行。両方に出る 10 文字を見比べる
        facediary sync                   送受信し、日記が開いていれば統合する
        facediary sync leave             この端末で同期をやめる。日記は残る
        facediary sync move PLACE        同期先を変える
        facediary sync auto off          日記を開いている間の自動の送受信をやめる

      同期する前に二台の端末で同じ記録の本文を変えたときは、どちらの本文も残ります
      （facediary conflicts）。ほかの端末で記録が 20 件を超えて削除されたとき（三件以上で、全体の
      20 分の 1 を超えるときも）は、確認してからこの端末でも削除します。revoke はなくした端末を外し、
      recover は同期先のデータだけから日記を復旧します。どちらにも setup が表示した同期用の復旧コードが
      必要です。repair は同期先から失われたデータを置き直します。compact は完全に削除したものを除いて
      データをまとめ直し、置き換えた古いデータを同期先から削除します。同期先に異常があるときは
      終了コード 5 で終わり、この端末からは何も削除されません。
      """
    case .conflicts:
      "本文が二つ以上ある記録"
    case .conflictsDetails:
      "同期する前に複数の端末で変えた本文を、すべて表示します。edit で保存すると一つになり、それまではすべて残ります。"
    case .shellTitle:
      "シェル:"
    case .attach:
      "写真やファイルを記録に添付する"
    case .attachDetails:
      """
      ファイルの大きさに制限はなく、小分けにして暗号化します。同じ名前のファイルがすでにあれば、
      photo-2.jpg のように番号が付きます。元のファイルはそのまま残ります。
      """
    case .attachments:
      "記録の写真とファイル"
    case .extract:
      "写真やファイルを書き出す"
    case .extractDetails:
      """
      -o を省略すると、現在のディレクトリに同じ名前で書き出します。同じ名前のファイルがあれば
      上書きしません。-o を付けると上書きします。書き出したファイルは暗号化されていません。
      --revision を付けると、その版にあったものを、後から外していても書き出せます。
      """
    case .open:
      "写真やファイルを別のプログラムで開く"
    case .openDetails:
      """
      ファイルはディスクではなくメモリに置き、デスクトップの標準プログラムか --with のプログラムで開きます。\
      Enter を押すか、そのプログラムが終わると消えます。プログラム自身が残すもの（サムネイルや履歴）までは\
      消せません。ファイルが一つだけなら NAME は省略できます。
      """
    case .detach:
      "写真やファイルを記録から外す"
    case .detachDetails:
      "前の版には、記録を完全に削除するまで残ります。取り出すには: facediary extract ID NAME --revision N"
    case .browse:
      "日記を全画面のタイムラインで見る"
    case .browseDetails:
      """
      キー: ↑ ↓ PgUp PgDn Home End とマウスホイールで移動、: で日付へ移動、Enter で読む、← → か Tab で
      日記帳を切り替え、/ で入力しながら検索、# で一つのタグに絞り込み、* で星付きだけ、Esc ですべて表示、
      o で写真やファイルを開く、s で星、e で編集、n で新しい記録、d でごみ箱へ、u で元に戻す、? でキーの
      一覧、q で終了。セッションが終わると、画面を消して終了します。
      """
    case .calibrate:
      "手元の顔で誤りの割合を測り、しきい値を求める"
    case .calibrateDetails:
      """
      LABELS.csv には person,file の列を用意し、複数行のファイルを使うときは row（0 から始まる行番号）の
      列を加えます。ファイルは LABELS.csv からの相対パスで、標準入力から読むときは現在のディレクトリ
      からの相対パスで書きます。すべての組の類似度を測ります。
      FMR（他人受入率）は別人どうしの組を本人と認める割合、FNMR（本人拒否率）は同じ人の組を拒否する
      割合です。類似度がしきい値以上なら本人と認めます。登録済みの顔のしきい値は、
      facediary faces recalibrate を実行するまで変わりません。測るのはベクトルだけで、本人か写真かの区別は
      しません。
      """
    case .export:
      "記録を暗号化せずに書き出す"
    case .exportDetails:
      """
        json      ごみ箱以外のすべて。履歴は --history を付けたときだけ。取り込むと、履歴のほかは元どおりになる
        markdown  フォルダ。記録一件が一つのファイルで、項目はファイルの先頭に、写真やファイルは同じ
                  フォルダに入る。取り込むと元どおりになる
        jrnl      jrnl の JSON。終わり、タイムゾーン、日記帳、種類、ID、写真とファイルは入らない。
                  タイトルのない記録は、最初の行がタイトルになる
        html      単独で読めて印刷もできる 1 ページの HTML。写真は入るが、ほかのファイルは名前だけになる。
                  取り込むことはできない
        vjournal  カレンダーのファイル（.ics）。jtx Board や KOrganizer で読める。日記帳、種類、星、天気、
                  終わり、写真とファイルは入らない
      """
    case .importing:
      "ほかのアプリの記録を取り込む（一件でも取り込めなければ、何も取り込まない）"
    case .importDetails:
      """
        json      export で書き出したもの、記録の配列、または JSON Lines。date と body があればよい
        jrnl      jrnl の JSON かテキスト（[2026-03-01 09:30] タイトル）、または一日一ファイルのフォルダ。
                  @言葉 はタグになる
        dayone    Day One の JSON（同じフォルダに写真のフォルダを置く）、またはその両方を含むフォルダ。
                  ファイルの名前が日記帳の名前になる
        markdown  .md ファイルのフォルダ（サブフォルダも含む。Obsidian のものも可）。項目は --- の行で
                  囲んで書く。日付がなければファイル名から読む: 2026-03-01-name.md、2026_03_01.md、
                  2026/03/01.md。本文に表示される画像は添付になる
        org       .org ファイル、またはそのフォルダ。日付のある見出し、日付のツリー、org-journal や org-roam の
                  一日一ファイルに対応
        logseq    グラフのフォルダ。journals の日付が記録になる
        rednotebook
                  data フォルダ、またはその中のファイル（2026-03.txt）
        vjournal  カレンダーのファイル（.ics）の VJOURNAL。jtx Board や KOrganizer の日記
        mini-diary、mini-diarium、standard-notes（復号したもの）、daylio（CSV）
                  ファイル。本文の画像は添付に、Daylio の気分とアクティビティはタグになる
        keep、journey、diaro、diarium、apple-journal、dayone-classic、dailytxt
                  書き出したままのフォルダ（Takeout の Keep、Diaro のバックアップ、Diarium の JSON、
                  Journal.dayone、DailyTxT の復号したバックアップなど）。写真は同じフォルダかその中に置く

      --format を省略すると、中身から形式を判断します。取り込めないものは、すべて一覧で示します。
      zip ファイルはメモリに展開してから読みます。すでにある記録は取り込みません。同じ ID で内容の違う
      記録は衝突になります。--on-conflict update を付けると、ファイルのとおりの新しい版になります
      （ファイルにない項目は空になります）。記録にある日記帳と種類がまだなければ作ります。FILE を
      - にすると標準入力から読みます。JSON の写真とファイルは、隣の「FILE-files」という名前のフォルダ
      （ウィンドウの書き出しがこの名前です）か、--attachments で指定したフォルダから読みます。
      """
    case .enroll:
      "カメラ、写真、ベクトルのファイルから顔を登録する"
    case .enrollDetails:
      """
      ファイルには、ベクトルを一つでも、一行に一つずつ複数でも入れられ、それぞれが一枚の顔になります。
      明るさや日を変えて何枚か登録すると、しきい値を調整するよりも認識されやすくなります。日記が開いて
      いてもパスフレーズの入力を求めます。席を外したわずかな間に、ほかの人の顔を登録されないように
      するためです。
      """
    case .faces:
      "この端末に登録した顔を一覧表示、名前変更、削除する"
    case .facesDetails:
      "一覧にも変更にも、日記が開いていても、パスフレーズか復旧コードの入力を求めます。"
    case .models:
      "対応する顔モデルと、目安のしきい値"
    case .match:
      "二つの顔ベクトルを比べる（日記がなくても使える）"
    case .matchDetails:
      "終了コードは、本人と認めれば 0、拒否すれば 3、しきい値が分からなければ 2 です。"
    case .camera:
      "カメラのプログラムの一覧、設定、確認"
    case .cameraDetails:
      """
      camera setup NAME は小さな Python プログラムを作り、必要なパッケージとモデルのファイル、その置き
      場所を示します。動作を確かめたうえで、`unlock` が使うプログラムに設定します。NAME は
      opencv（YuNet と SFace）、dlib（face_recognition と同じ）、insightface（SCRFD と ArcFace。モデルは
      研究目的に限られます）のどれかです。パッケージは自動ではインストールしません。モデルのファイルは、
      確認に「はい」と答えるか --download を付けたときだけダウンロードし、SHA-256 が合えば使います。

      プログラムが確かめるのは顔が一つだけ写っているかどうかで、誰の顔かは判定しません。
      `enroll --camera` では一枚につき何コマか撮影し、ほかのコマに最も似たコマを使います。枚数は
      較正したときと同じで、較正していなければ三枚です。

      --challenge を付けると、日記を開くときに、顔を左、右、上のどれか（毎回変わります）へ少し動かすよう
      求めます。写真は、動かしたり傾けたりしても通りません。動画は通ることがあります。偽の顔を作る手間を
      増やすだけで、本人であることの証明にはなりません。
      """
    case .probe:
      "カメラのプログラムを動かし、その出力を表示する"
    case .probeDetails:
      "日記は開かず、顔の照合もしません。カメラのプログラムの動作を確かめるときに使います。"
    case .acceptRollback:
      "自分で戻した古いコピーから続ける"
    case .acceptRollbackDetails:
      """
      何が古い状態に戻るかを示し、現在有効なパスフレーズか復旧コードの入力を求めます。削除した開け方は
      削除されたまま、ポリシーは厳しいほうが有効になり、登録した顔は今のままです。ターミナルがないときは
      確認せずに受け入れます。
      """
    case .backup:
      "バックアップを作る（日記を使っている間でもよい）"
    case .backupDetails:
      """
      DIRECTORY に、作った日時を名前にしたフォルダを作ります。写真やファイルは objects に置き、同じ
      DIRECTORY のバックアップどうしで共有します。二回目からは新しいものだけをコピーします。
      facediary list --vault BACKUP のようにすると、同じパスフレーズで読めます（書き込みはできません）。
      restore-backup で日記に戻せます。DIRECTORY は日記と同じく暗号化されているので、どこへ
      コピーしてもかまいません。コピーが途中で終わったものは、使うときに検出されます。DIRECTORY を
      省略すると、config.json の "backup" にあるフォルダに作ります。
      """
    case .restoreBackup:
      "日記をバックアップから復元する"
    case .restoreBackupDetails:
      """
      パスフレーズか復旧コードの入力を求め、バックアップがすべて開けることを調べます。何が何に置き
      換わるかを示し、確認を求めたうえで、日記の内容を一度に置き換えます。開け方は今のまま変わりません。
      日記そのもの、または中のファイル vault がなくなっているときは、バックアップが日記になります。
      バックアップを入れたフォルダを指定すると、その中で最新のものを使います。

      同期している日記は置き換えません。バックアップの後に変更または削除した記録を、すべての端末で
      バックアップの内容に戻します。その後に書いた記録は残ります。
      """
    case .salvage:
      "壊れた日記から、まだ読めるものを新しい日記に救出する"
    case .salvageDetails:
      """
      ページや行を一つずつ調べるため、失われるのは壊れた箇所の内容だけです。
      ファイルの構造が壊れているときや末尾が欠けているときは、ファイル全体を調べます。
      壊れた日記は読むだけで、変更しません。新しい日記は、同じパスフレーズか、新しい復旧コードで開けます。
      前の版はコピーしません。失われたものは一覧で示します。
      """
    case .window:
      "日記をブラウザで開く"
    case .windowDetails:
      """
      日記をブラウザで表示し、記録を読んだり、検索したり、書いたり、写真や統計を見たりできます。ページは
      このプログラムがこの端末の中だけで配信し、ネットワークからは何も読み込みません。ブラウザには専用の
      プロファイルをメモリ上に用意します。履歴も拡張機能もなく、ウィンドウを閉じると削除されます。

      日記が閉じているときは、開くための画面が出ます。facediary camera setup で設定したカメラの
      プログラムか、パスフレーズで開きます。パスフレーズは、pinentry がインストールされ画面を使えるときは
      pinentry で、そうでなければページで入力します。復旧コードでも開けます。ページを閉じるか Ctrl-C を
      押すと終了し、このウィンドウで開いた日記は閉じます。セッションが終わるか facediary lock を
      実行すると、ページは内容をすべて消して最初の画面に戻ります。書きかけの本文は暗号化した下書きとして
      残り、次に日記を開いたときに保存できます。

      設定では、バックアップ、内容を確かめてからのインポート、エクスポート、顔の登録と削除ができます。持ち
      主だけに許される操作では、毎回パスフレーズの入力を求めます。復旧コードの表示と新しいパスフレーズの
      入力には、ページではなくターミナルを使います。ターミナルなしで起動したときは、pinentry の
      ダイアログを使います。

      Chromium、Chrome、Edge、Brave、Firefox を PATH から探します。snap のブラウザは、ページを開くための
      ファイルを読めないので使えません。
      """
    case .demo:
      "見本の顔で一通りの流れを試す（一時フォルダを使用）"
    case .device:
      "端末の鍵の保管先を表示、変更する"
    case .deviceDetails:
      """
      端末の鍵は、顔で日記を開くときに使い、登録した顔を暗号化します。鍵がファイルにあると、そのファイルと
      日記を読める人は、顔がなくても日記を開けます。--tpm を付けると、このコンピュータの TPM で鍵を
      保護します。TPM はセッションの数と試した回数を数えるので、日記と端末データがそろって古い状態に
      戻されても検出できます。--pin はさらに PIN を求めます。補助プログラムを使うと、Secret Service や
      キーチェーンに保管できます。補助プログラムは最後の引数に get、store、erase のどれかを付けて呼ばれ、
      標準入力から vault=…、key=…、store のときはさらに secret=… を読みます。get では secret=… を
      出力します。例はライブラリの文書の ThreatModel にあります。

      move は新しい鍵を作り、古い鍵を消去します。古い鍵のコピーでは何も開けなくなります。reset は、鍵を
      失ったときにこの端末の鍵を作り直します。顔は登録し直してください。どちらも、パスフレーズか
      復旧コードの入力を求めます。
      """
    case .initialize:
      "日記を作る"
    case .initDetails:
      """
      パスフレーズの入力を二度求め、復旧コードを一度だけ表示します。復旧コードは紙に書き留めてください。
      --face で指定した顔は、その場で登録します。
      """
    case .keys:
      "日記の開け方（パスフレーズ、復旧コード、顔）を一覧、追加、削除する"
    case .keysDetails:
      """
      KIND は passphrase、recovery（新しい復旧コード。前のものも削除するまで使えます）、
      face-passphrase（顔とパスフレーズの両方。以後、この端末では顔だけでは開けません）のどれかです。

      rotate は日記の鍵を作り直し、すべてを一度に暗号化し直します。パスフレーズやコードをその場で示せない
      開け方は、一覧を示してから削除します。新しい復旧コードを表示します。日記の古いコピーは、今後も古い
      鍵で開けます。

      list 以外では、日記が開いていても、パスフレーズか復旧コードの入力を求めます。
      """
    case .passphrase:
      "パスフレーズを変更する"
    case .passphraseDetails:
      """
      今のパスフレーズ（または復旧コード）を一度、新しいパスフレーズを二度入力します。総当たりにかかる
      手間も、現在の水準に上がります。パスフレーズを入力したときはそれだけを、復旧コードを入力したときは
      すべてのパスフレーズを、新しいものに置き換えます。日記の古いコピーは、今後も古いパスフレーズで
      開けます。パスフレーズを誰かに知られたときは、keys rotate を実行してください。
      """
    case .policy:
      "顔だけで開ける条件と、日記を開いておく長さ"
    case .policyDetails:
      """
      設定と初期値:

        passphrase-after 156h   最後にパスフレーズを入力してからこの時間が過ぎると、顔だけでは開けない
        unused-after 48h        この端末で日記を開かない時間がこれより長いと、顔だけでは開けない
        after-restart on        コンピュータを再起動した後は、顔だけでは開けない
        warm off                on: 顔による開け方をディスクに保存しない。パスフレーズで開いたセッションが
                                続いている間だけ、顔でまた開ける
        face-passphrase off     on（keys add face-passphrase で変える）: 顔とパスフレーズの両方で開く。
                                off にすると、enroll で顔だけの開け方をまた作れる
        camera off              on: 顔は、設定したカメラのプログラム（今の内容のもの）からだけ受け付け、
                                ファイルからは受け付けない
        idle 5m                 この時間使わないと、セッションが終わる
        life 12h                セッションの長さの上限

      変更するには、パスフレーズか復旧コードの入力が必要です。ポリシーは日記の中に暗号化して保存します。
      """
    case .verify:
      "すべてのデータを開き、欠落・古い状態・改変がないか調べる"
    case .rank:
      "多く書いたタグ、種類、日記帳、単語の順位と変化"
    case .rankDetails:
      "単語の順位は出現回数で決まります。対象は三文字以上の単語です（漢字とカタカナは二文字以上）。"
    case .stats:
      "記録数、語数、連続日数、一年のカレンダー"
    case .onThisDay:
      "過去の同じ日に書いた記録"
    case .journals:
      "日記帳（旅行など）を一覧、追加、変更する"
    case .journalsDetails:
      """
        facediary journals add 京都 --from 2026-03-01 --to 2026-03-04
        facediary journals move 京都 --before 仕事
        facediary journals remove 京都 --to 仕事     記録はそちらへ移る
        facediary journals remove 京都 --trash       記録はごみ箱へ
      """
    case .kinds:
      "記録の種類を一覧、追加、変更する"
    case .kindsDetails:
      """
      どの日記にも move 🚗（移動）、meal 🍽（ごはん）、sight 🏞（観光）、stay 🏨（ホテル）があり、これらは
      変更できません。種類は、名前、絵文字、その両方のどれでも指定できます。
      """
    case .tags:
      "タグを一覧表示、名前変更、統合する"
    case .tagsDetails:
      """
        facediary tags rename 本 読書                 タグ「本」の記録が、すべてタグ「読書」になる
        facediary tags merge 散歩 散策 ウォーキング   「散歩」と「散策」の記録が、タグ「ウォーキング」になる

      変わった記録にはそれぞれ新しい版ができます。ごみ箱の記録のタグは変わりません。
      """
    case .lock:
      "日記を閉じる"
    case .status:
      "日記の状態を表示する（日記は開かない）"
    case .unlock:
      "日記を開き、しばらく開いたままにする"
    case .unlockDetails:
      """
      顔（--face か、設定したカメラのプログラム）またはパスフレーズで日記を開き、セッションを始めます。
      セッションが終わるまで、ほとんどのコマンドを認証なしで使えます。セッションは、facediary lock を
      実行したとき、しばらく使わなかったとき、上限の時間になったとき、コンピュータがスリープしたときに
      終わります。
      """
    case .help:
      "コマンドや ids・dates・vectors・search・text・sync の説明"
    case .helpDetails: "TOPIC を省略すると、コマンドの一覧を表示します。"
    case .config:
      "言語、タグ、バックアップ、補助プログラムなどの設定を表示、変更する"
    case .configDetails:
      """
      設定は設定フォルダの config.json に保存します。日記の保護に関わる設定はここにはありません
      （`facediary policy` で変えられます）。例:

        facediary config set backup ~/backups
        facediary config set environment DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK
        facediary config unset backup

        language      en か ja（指定しなければシステムの言語）
        inlineTags    on にすると、書くときも取り込むときも、本文の #言葉 をタグにする（初期値は off）
        backup        バックアップのフォルダ
        probe         カメラのプログラム（`camera setup` が設定する）
        environment   起動するプログラムに追加で渡す環境変数の名前
        pinentry      パスフレーズを尋ねるプログラム（フルパス）
        tpm           端末の鍵を保管する TPM のデバイスかソケット
      """
    case .completion:
      "コマンド、日記帳、タグ、ID を補完するシェルスクリプト"
    case .completionDetails:
      """
        bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
        zsh:  facediary completion zsh > "${fpath[1]}/_facediary"
        fish: facediary completion fish > ~/.config/fish/completions/facediary.fish

      日記帳、タグ、ID は、セッションが続いている間だけ補完されます。
      """
    case .man:
      "マニュアル（リダイレクトすると man ページの形式で出力）"
    case .manDetails:
      "facediary man > ~/.local/share/man/man1/facediary.1"
    case .list:
      "記録を新しい順に一覧表示する"
    case .search:
      "すべての言葉を含む記録を探す"
    case .searchDetails:
      """
      タイトル、本文、タグ、場所、日記帳、種類、天気、添付ファイルの名前を、言葉の途中も含めて検索し、
      すべての言葉を含む記録を表示します。"引用符で囲む" とその語句を含む記録、言葉の間に OR を置くと
      どちらかを含む記録、-言葉 はその言葉を含まない記録、#タグ はそのタグの付いた記録を探します。
      日記帳:、場所:、種類:、天気:、添付:、タグ: を言葉の前に付けると、そこだけを探します。日付
      （2026年3月、3月14日、昨日、先週）なら、その日の記録も見つかります。大文字と小文字、全角と半角、
      アクセント記号、ひらがなとカタカナは区別しません。シェルが # 以降をコメントとみなす場合は、#タグ を
      引用符で囲んでください。
      """
    case .show:
      "記録を表示する"
    case .history:
      "記録のすべての版を新しい順に"
    case .historyDetails: "`show ID --revision N` でその版を表示し、`revert ID N` でその版に戻せます。"
    case .revert:
      "記録を以前の版に戻す"
    case .revertDetails:
      "写真とファイル以外をその版のとおりに戻します。今の内容は履歴に残ります。複数の端末で本文が書かれた記録では、--ends-conflict を付けると、そのすべてがこの版に置き換わります。"
    case .templates:
      "書き始めのテンプレートを一覧、追加、変更する（暗号化して保存）"
    case .templatesDetails:
      """
      TEXT が本文になります。TEXT を省略すると、標準入力がターミナルでないときは標準入力から読み、
      ターミナルのときはエディタが開きます。使うには: facediary write --template NAME
      """
    case .delete:
      "記録をごみ箱に移す"
    case .restore:
      "記録をごみ箱から戻す"
    case .trash:
      "ごみ箱の記録を一覧表示する"
    case .purge:
      "ごみ箱の記録を、すべての版とともに完全に削除する"
    case .purgeDetails:
      "ID を省略すると、ごみ箱を空にします。前に作ったコピーやバックアップには残ります。"
    case .write:
      "記録を書く"
    case .writeDetails:
      """
      TEXT が本文になります。TEXT を省略すると、標準入力がターミナルでないときは標準入力から読み、
      ターミナルのときはエディタ（$VISUAL、$EDITOR）が開きます。コマンドラインに書いた TEXT はシェルの
      履歴に残り、実行中はプロセスの一覧にも表示されます。残したくない内容は、エディタで書くか、パイプで
      渡してください。
      """
    case .edit:
      "記録を編集する（前の本文は履歴に残る）"
    case .editDetails:
      """
      オプションだけを指定すると、本文は変わりません。TEXT は新しい本文です（- を指定すると標準入力から
      読みます）。どちらも省略するとエディタが開きます。

      複数の端末でタイトルや本文が書かれた記録では、エディタにそのすべてが表示され、保存した内容に置き
      換わります。この場合、コマンドラインのタイトルや TEXT は、--ends-conflict を付けないと
      エラーになります。--ends-conflict だけを付けると、先頭に表示されるものが残ります。
      """
    }
  }

  static func text(_ message: OptionHelp) -> String {
    switch message {
    case .vault:
      "日記のフォルダ"
    case .device:
      "端末データ（この端末の鍵、登録した顔など）を置くフォルダ"
    case .json:
      "JSON で出力する"
    case .quiet:
      "結果とエラー以外は表示しない"
    case .language:
      "表示する言語"
    case .face:
      "照合する顔ベクトル: ファイル、-（標準入力）、または cmd:PROGRAM。複数なら同じ時に撮ったコマとして扱う"
    case .passphraseFile:
      "パスフレーズをファイルから読む（- は標準入力）"
    case .recoveryFile:
      "復旧コードをファイルから読む（- は標準入力。ターミナルでは入力を求める）"
    case .help:
      "この説明を表示する"
    case .version:
      "バージョンを表示する"
    case .life:
      "日記を開いておく時間の上限（省略するとポリシーの life。それより長くはできない）"
    case .idle:
      "使わないときに閉じるまでの時間（省略するとポリシーの idle。それより長くはできない）"
    case .look:
      "パスフレーズを入力できないときも、設定済みのカメラで顔を確かめる"
    case .noFace:
      "カメラを設定してあっても、パスフレーズで開く"
    case .demoWindow:
      "続けて、見本の顔をカメラの代わりに使い、日記をブラウザで表示する"
    case .windowWrites:
      "新しい記録を書く画面から始める"
    case .codeDialog:
      "復旧コードを出力せず、pinentry のダイアログに表示する"
    case .browser:
      "ページを表示する PROGRAM（ブラウザ、または開くファイルのパスを受け取るコマンド）"
    case .wholeTrash:
      "ごみ箱の記録をすべて戻す"
    case .lockAll:
      "開いている自分の日記をすべて閉じる"
    case .newPassphraseFile:
      "新しいパスフレーズをファイルから読む"
    case .samePassphraseFile:
      "このコマンドでは --passphrase-file と同じ"
    case .noPassphrase:
      "パスフレーズを作らず、復旧コードと顔だけで開くようにする"
    case .noPassphraseKept:
      "rotate: パスフレーズを廃止し、新しい復旧コードだけにする"
    case .kdf:
      "パスフレーズを一度試すのに必要なメモリの量: interactive（64 MiB）、moderate（256 MiB）、sensitive（1 GiB）"
    case .model:
      "ベクトルを作った顔モデル"
    case .threshold:
      "本人と認めるコサイン類似度の下限（-1 から 1。高いほど厳しい）"
    case .label:
      "この顔に付ける名前"
    case .force:
      "登録済みの顔に似ていない顔や、信頼できないしきい値でも受け付ける"
    case .replaceSamples:
      "登録してある見本の顔を、先に削除する"
    case .probeCommand:
      "設定したプログラムの代わりに使うプログラム"
    case .calibratedModel:
      "ベクトルを作った顔モデル。--save に必要"
    case .enrolledShots:
      "K 枚を登録したものとして類似度を測る"
    case .shownFrames:
      "P コマを照合したものとして類似度を測る"
    case .plot:
      "類似度の分布と DET 曲線を描く"
    case .targetFMR:
      "しきい値の推奨に使う他人受入率（省略すると 1e-3）"
    case .targetChosen:
      "なりすまし用ベクトルで日記が 5 回以内に開く割合の上限（省略すると 0.01）"
    case .noAttack:
      "なりすまし用ベクトルを試さない（しきい値で防げるのは、他人の顔だけになる）"
    case .save:
      "このモデルで match と enroll が使う既定のしきい値にする"
    case .title:
      "タイトル"
    case .date:
      "日時: 2026-03-01、2026-03-01T09:30、昨日 など"
    case .until:
      "終わりの日時: +90m、18:30、または日付"
    case .journal:
      "記録を入れる日記帳"
    case .kind:
      "種類（名前か絵文字）"
    case .tag:
      "タグを付ける（複数指定できる）"
    case .star:
      "星を付ける"
    case .editorOnDisk:
      "エディタの一時ファイルをディスクに書くことを許可する"
    case .attach:
      "写真やファイルを添付する（複数指定できる）"
    case .template:
      "このテンプレートを入れてエディタを開く"
    case .recover:
      "セッションが終わって保存できなかった下書きを保存する"
    case .untag:
      "タグを外す（複数指定できる）"
    case .noStar:
      "星を外す"
    case .noTitle:
      "タイトルを削除する"
    case .noJournal:
      "日記帳から出す"
    case .endsConflict: "ほかの端末で書かれたタイトルや本文も、これで置き換える"
    case .noKind:
      "種類を外す"
    case .noUntil:
      "終わりの日時を削除する"
    case .expectedRevision:
      "N が最新の版でなければ、変更しない"
    case .from:
      "この日以降の記録"
    case .to:
      "この日以前の記録（この日を含む）"
    case .on:
      "この日の記録"
    case .filterTag:
      "このタグの記録（複数ならすべてのタグが付いた記録）"
    case .filterJournal:
      "この日記帳の記録"
    case .filterKind:
      "この種類の記録（名前か絵文字）"
    case .starred:
      "星付きの記録"
    case .hasAttachment:
      "写真やファイルのある記録"
    case .limit:
      "最大 N 件を表示する"
    case .reverse:
      "古い順に表示する"
    case .bodies:
      "本文も表示する"
    case .emptyDays:
      "記録のない日も表示する"
    case .revision:
      "表示する版の番号"
    case .extractedRevision:
      "記録の第 N 版にあるものを書き出す"
    case .inTrash:
      "ごみ箱の記録"
    case .raw:
      "一件の本文だけを、元のまま出力する"
    case .onDate:
      "今日の代わりに使う日付"
    case .year:
      "この年だけ（省略すると、すべての年と今年のカレンダー）"
    case .period:
      "期間: 2026、2026-03、2026-03-01..2026-03-14、all のどれか（省略すると今年）"
    case .versus:
      "比べる期間（省略すると前の年または月）"
    case .everyRank:
      "上位 10 件だけでなく、すべて表示する"
    case .tripFrom:
      "旅行の初日"
    case .tripTo:
      "旅行の最終日。remove では記録の移動先の日記帳"
    case .journalEmoji:
      "日記帳の絵文字"
    case .kindEmoji:
      "新しい種類の絵文字"
    case .before:
      "move: この日記帳の前に移す（省略すると最後）"
    case .entriesToTrash:
      "remove: 記録をごみ箱に移す"
    case .yes:
      "確認を省く"
    case .importFormat:
      "形式（省略すると中身から判断する）"
    case .attachmentsFrom:
      "json: 写真やファイルのある場所"
    case .dryRun:
      "取り込まずに、取り込まれる内容と件数を表示する"
    case .exportFormat:
      "形式（省略すると json）"
    case .exportOutput:
      "書き出し先のファイル（自分だけが読める。すでにあれば上書きする）。markdown では新しいフォルダ"
    case .extractOutput:
      "書き出し先（すでにあれば上書きする。省略すると現在のディレクトリに同じ名前）。- は標準出力"
    case .attachmentsTo:
      "json: 写真やファイルを書き出す新しいフォルダ"
    case .showsDifference: "版ごとに変わったところを表示する"
    case .location: "場所"
    case .weather: "天気"
    case .noLocation: "場所を削除する"
    case .noWeather: "天気を削除する"
    case .fromPhoto: "指定がなければ、最初の写真に記録された日時と場所を使う"
    case .onConflict: "同じ ID で内容の違う記録があるとき: 何も取り込まない（refuse）、今のまま残す（skip）、新しい版にする（update）"
    case .skipBad: "取り込めない記録を飛ばし、一覧で示す"
    case .withHistory: "json: 変更する前の版も書き出す"
    case .challenge: "最後のコマの前に、顔を少し動かすよう求める"
    case .download: "足りないモデルのファイルを、確認せずにダウンロードする"
    case .cameraSource: "最初のカメラ以外を使う: 番号、デバイス、または動画ファイル"
    case .camera: "設定したカメラで撮影する"
    case .viewer: "ファイルを開くプログラム（終了すると、ファイルをメモリから消す）"
    case .photoMetadata:
      "html: カメラが写真に書き込んだ日時・場所・機種を残す"
    case .repair:
      "壊れていないデータから直せるものを直し、もう一度調べる"
    case .keep:
      "DIRECTORY のバックアップを新しいほうから N 個だけ残し、ほかを削除する"
    case .backupPassphraseFile:
      "keys rotate より前に作ったバックアップのパスフレーズ"
    case .helper:
      "move: 鍵を保管する補助プログラム（get、store、erase）"
    case .chip:
      "move: このコンピュータの TPM で保護する"
    case .pin:
      "move: PIN も付ける（TPM が PIN を求め、間違いの回数を制限する）"
    case .newPINFile:
      "move: 新しい PIN をファイルから読む"
    case .pinFile:
      "TPM の PIN をファイルから読む"
    case .backToFile:
      "move: ファイルに戻す"
    case .sampleFaces:
      "見本の顔ベクトルのフォルダ（Keys/faces）"
    case .deviceName:
      "この端末の名前（省略するとコンピュータの名前）"
    case .spaceCodeFile:
      "sync setup が表示した同期用の復旧コードを、ファイル、標準入力（-）、ファイル記述子から読む"
    }
  }

  static func text(_ topic: HelpTopic) -> String {
    switch topic {
    case .ids:
      """
      記録の指定のしかた

        @1、@2、…        `facediary list` の順番。@1 は日付がいちばん新しい記録
        @last            日付にかかわらず、最後に追加した記録
        3dnr14vq         一覧に表示される ID。ほかの記録と重ならなければ、先頭の 4 文字以上でよい

      ID は 0-9 と a-z（i、l、o、u を除く）の 26 文字です。--json を付けると、ID 全体が出力されます。
      """
    case .dates:
      """
      日付と時刻

        2026-03-01、2026年3月1日、20260301       日
        3月1日、March 1                          日。年を省略すると、今日以前のいちばん近い日
        2026-03-01T09:30、昨日 18:00             その日の時刻
        2026-03-01T09:30+09:00                   UTC との時差を付けた時刻
        今、今日、昨日、一昨日、明日
        3日前、2週間前、1か月前、2時間前、10分前
        金曜日、先週の金曜日                     今日より前のいちばん近い金曜日、先週の金曜日
        令和8年3月1日、2026.3.1、3/1             3/1 は 3 月 1 日（ロケールによっては 1 月 3 日）
        9:30、9時半、18時30分、午後6時、正午     今日の時刻
        今朝、昨夜、昨日の20時、金曜日の夕方     朝は 8:00、昼 12:00、夕方 17:00、夜 21:00

      時刻のない日付は、今日なら現在の時刻、それ以外は 12:00 になります。期間を指定するところ
      （--from、--to、--on、--period）では、2026 は一年、2026-03 は一か月を指します。--from、--to、--on では
      先週（月曜から）、今月、去年なども使えます。

      終わり（--until）: +90m、+1h30m、18:30（始まりより早い時刻は翌日。12 時間後まで）、または日付。
      時間の長さ（--for、--idle）: 45s、5m、12h、1h30m。

      記録には書いたときのタイムゾーンが残り、日付はそのタイムゾーンでの日付になります。
      """
    case .vectors:
      """
      顔ベクトル

      顔ベクトルは、顔モデルが写真から計算した 16〜8,192 個（ふつうは 128 か 512 個）の数の並びです。
      --face、enroll、match には次のように指定します。

        ファイル名       ファイルから
        -                標準入力から
        cmd:PROGRAM …    プログラムの出力から（カメラで撮影するプログラムなど）

      形式は中身で見分けます。

        NumPy .npy       float16・float32・float64。一次元、または一枚ごとに一行
        JSON             [0.1, …] または {"embedding": [0.1, …], "model": "sface"}
        CSV・テキスト    一行にすべて、または一行に一つ
        FAISS .fvecs     FAISS の形式。名前が .f32 で終わるファイルなら、生の float32 も可

      --face では、複数のファイルや行を、同じ時に撮った複数のコマとして扱います。enroll では、それぞれを
      一枚の顔として登録します。顔モデルは、ファイル、--model、登録済みの顔のどれかで決まります。二つ以上
      で指定されているときは、一致していなければなりません。`facediary models` は対応する顔モデルと
      しきい値の一覧を表示し、`facediary calibrate` は手元の顔ベクトルからしきい値を求めます。
      """
    case .search:
      """
      検索

        抹茶 散歩        両方を含む記録（どこにあってもよい。言葉の途中でもよい）
        抹茶 OR 紅茶     どちらかを含む記録
        -牛乳            この言葉を含まない記録
        "川のほとり"     この語句をそのまま含む記録
        #旅              このタグの付いた記録
        場所:京都        そこで書いた記録。日記帳: 種類: 天気: 添付: タグ: も使える
        三月             その月の記録か、この言葉を含む記録。2026年3月、3月14日、昨日、先週も同じ

      大文字と小文字、アクセント記号、全角と半角、ひらがなとカタカナは区別しません。濁点（か・が）は
      区別します。結果は新しい順に並びます。--reverse、--limit と、`list` の絞り込みのオプションも
      使えます。`browse` では / を押して検索します。

      すべてのオプション: facediary search --help
      """
    case .sync:
      """
      複数の端末、一つの日記

        facediary sync setup PLACE       最初の端末で実行。全端末共通の同期用の復旧コードを一度だけ表示
        facediary sync invite            もう一方の端末のためのペアリングコードを表示して待つ
        facediary sync join PLACE CODE   もう一方の端末で実行。両方に出る 10 文字を、最初の端末で確認する
        facediary sync                   送受信し、日記が開いていれば統合する
        facediary sync status、devices   送受信を待っているデータと、各端末の最終同期
        facediary conflicts              本文が二つ以上ある記録

      PLACE（同期先）は folder:/パス（Syncthing、クラウドの同期フォルダ、ネットワークドライブ、
      USB メモリ）、rclone:リモート:パス、postgres:サービス、cmd:プログラム のどれかです。使うために
      足りないものは sync doctor で分かります。同期先に知られるのは、暗号化されたデータの大きさと届いた
      時刻だけです。パスフレーズ、顔、日記の復旧コードは端末の外に出ません。

      一つの記録に二つの本文ができたときは、edit（すべての本文を表示します）で保存するまで、どちらも
      残ります。一方の端末で削除した記録も、もう一方で本文や写真を加えていれば元に戻ります。ほかの端末で
      記録が 20 件を超えて削除されたとき（三件以上で、全体の 20 分の 1 を超えるときも）は、確認してから
      この端末でも削除します。

      同期先に異常があるときは終了コード 5、同期先に接続できないときは 1 で終わります。どちらの場合も、
      この端末からは何も削除されません。sync repair は同期先から失われたデータを置き直します。
      sync compact は、すべての端末が同期した後に、完全に削除したものを同期先からも削除します。
      sync revoke DEVICE はなくした端末を外し、sync recover PLACE は新しい端末に日記を復旧します。
      どちらにも setup が表示した同期用の復旧コードが必要です。

      すべてのオプション: facediary sync --help
      """
    case .text:
      """
      本文の読み書き

      本文は一バイトも変えずに保存します。ターミナルでの `show`、`browse`、ウィンドウ、
      `export --format html` では Markdown として表示します。# 見出し、*強調*、**太字**、リスト、
      > 引用、`コード`、| 表 |、[リンク](https://…)、その記録の ![写真](name.jpg) が使え、改行は
      そのまま改行になります。`show --raw` は元の文字をそのまま表示します。

      エディタでは、本文の上に項目が並びます。

        ---
        title: 竹林にて
        date: 2026-03-02 09:30
        until: +90m
        journal: 京都
        kind: 移動
        tags: 友だち, 抹茶
        location: 嵐山 (35.01, 135.67)
        weather: 小雨
        starred: yes
        ---

        本文

      自由に書き換えてください。行を削除するとその項目は元のまま残り、値だけを削除すると空になります。
      読み取れない行があれば、理由を表示してもう一度エディタが開きます。
      """
    }
  }

  static func text(_ message: ManualText) -> String {
    switch message {
    case .done:
      "正常に終了"
    case .systemFailed:
      "システムのエラー（ディスクの空きがない、権限がない、読めないなど）"
    case .usageWrong:
      "コマンドラインの誤り、または --yes の不足"
    case .notAuthenticated:
      "認証に失敗した、または認証が必要"
    case .lockedOut:
      "顔では開けない（失敗が続いたため）、または待ち時間中"
    case .integrity:
      "データが壊れているか、書き換えられたか、古いコピーに戻されている"
    case .notFound:
      "見つからない"
    case .conflict:
      "衝突: すでにある、途中で変更された、一つに決まらない"
    case .invalid:
      "正しくないデータ"
    case .declined:
      "ユーザによる中止、エディタの失敗、または空の本文"
    case .runtimeDirectory:
      "セッションのソケットのディレクトリ"
    case .configurationFile:
      "設定ファイル"
    case .editor:
      "エディタ"
    case .pager:
      "ターミナルで長い出力を表示するプログラム（空か cat なら使わない）"
    case .noColors:
      "設定すると色を付けない"
    }
  }

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

  private static func pose(_ number: Int) -> String {
    ["カメラをまっすぐ見て", "顔を少し左に向けて", "顔を少し右に向けて", "部屋を夜の明るさにして", "眼鏡があれば、掛けるか外して"][(number - 1) % 5]
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
    case .editTemplate:
      "編集するには: facediary templates edit"
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
    case .tagged(let name, let count): "タグ \(name) の付いた記録は \(count) 件になりました"
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

  static func text(_ message: SyncMessage) -> String {
    switch message {
    case .sharesNothing:
      "この日記はほかの端末と同期していません"
    case .setUpFirst:
      "同期を始めるには: facediary sync setup PLACE、または facediary sync join PLACE CODE"
    case .comeBack(let place):
      "この日記は以前 \(place) で同期していました。同じ端末とまた同期するには、そのうちの一台で facediary sync invite を、この端末で facediary sync join \(place) CODE を実行してください"
    case .recoverFrom(let place):
      "この端末の日記は \(place) で同期していました。その日記を取り戻すには: facediary sync recover \(place)。新しく作るには: facediary init"
    case .checkPlaceAndCode:
      "同期先がほかの端末と同じことと、入力したコードがこの日記の同期用の復旧コードであることを確かめてください"
    case .nameOfPlace(let place):
      "\(place) は同期先として指定できません"
    case .placeForms:
      "folder:/パス、rclone:リモート:パス、postgres:サービス、cmd:プログラム のどれかを指定してください"
    case .notAFolder(let place):
      "\(place) はフォルダではなく、ファイルです"
    case .folderMissing(let place):
      "\(place) のフォルダが見つかりません"
    case .mountIt:
      "ディスクやネットワークドライブが接続されているか確かめてください。新しい同期先なら、フォルダを作ってください"
    case .installProgram(let program):
      "この同期先を使うには \(program) をインストールしてください"
    case .programFailed(let program, let says):
      "\(program) が失敗しました: \(says)"
    case .tooLarge(let place, let limit):
      "\(place) に置けるファイルは \(limit) バイトまでです"
    case .placeFull(let place):
      "\(place) に空きがありません"
    case .makeRoom:
      "空きを作ってから、もう一度 facediary sync を実行してください。facediary sync compact を実行すると同期先が小さくなります"
    case .placeReadOnly(let place):
      "\(place) は読み取り専用なので、何も送信できません"
    case .placeNeeds(let place):
      "\(place) はまだ使えません。次を実行してから、もう一度 facediary sync doctor を実行してください:"
    case .placeFailed(let place, let says):
      "\(place): \(says)"
    case .begun(let place):
      "\(place) を同期先に設定しました"
    case .spaceCodeIs:
      "これは同期用の復旧コードです。すべての端末を失っても、このコードがあれば同期先から日記を復旧できます。二度と表示されないので、紙に書き留めてください。日記の復旧コードとは別のものです"
    case .pairingCodeIs:
      "もう一方の端末のためのペアリングコードです。このコマンドが待っている間に、一度だけ使えます"
    case .typeItThere(let place):
      "もう一方の端末で実行: facediary sync join \(place) CODE"
    case .nobodyCame:
      "参加した端末がなかったので、コードは無効になりました"
    case .nobodyAnswered:
      "このコードに応答した端末はありません"
    case .runInvite:
      "もう一方の端末で facediary sync invite を実行し、実行している間に、表示された新しいコードで参加してください"
    case .alreadyThere(let place):
      "この日記はすでに \(place) で同期しています"
    case .unlockNext:
      "日記を開くには: facediary unlock。開いている間は、自動で送受信します"
    case .oneText(let id):
      "記録 \(id) の本文は一つだけです"
    case .seeAllTexts(let id):
      "facediary edit \(id) を実行すると、エディタにすべて表示されます。--ends-conflict を付けると、指定した内容に置き換わります"
    case .leaveFirst:
      "今の同期を続けるには facediary sync を実行してください。この端末では同期を設定していないときや、別の端末と同期したいときは、facediary sync leave で今の同期をやめてから（日記は残ります）、もう一度実行してください"
    case .inviteAgain:
      "もう一方の端末でもう一度 facediary sync invite を実行し、この端末で新しいコードを使って facediary sync join を実行してください"
    case .doneLeaving:
      "この日記はもうほかの端末と同期しません。記録はすべて残っています"
    case .revokeThere(let id):
      "ほかの端末の一覧からもこの端末を外すには、ほかの端末の一台で実行: facediary sync revoke \(id)"
    case .askToLeave:
      "この日記とほかの端末との同期をやめますか？ 記録は残ります。"
    case .moved(let pushed, let pulled):
      "送信 \(pushed) 個、受信 \(pulled) 個"
    case .placeIsUnreliable(let place, let lists):
      lists ? "\(place) から、書き込んだデータを読み出せません" : "\(place) の一覧に、書き込んだデータが出ません"
    case .silent(let program, let seconds):
      "\(program) は \(seconds) 秒間何も送受信しなかったため、終了させました"
    case .otherSync:
      "この日記の別の同期が実行中です"
    case .asks(let name):
      "\(name) が参加を求めています"
    case .severalAsk(let count):
      "このコードで \(count) 台の端末が参加を求めています。自分の端末は一台だけのはずなので、10 文字を見比べてください"
    case .joinAgainThere:
      "もう一方の端末が招待を続けている間は、同じコードをもう一度使えます"
    case .sameSymbols(let check):
      "もう一方の端末に \(check) と表示されていますか？"
    case .letIn(let name):
      "\(name) が参加しました。両方の端末で facediary sync を実行すると、同じ内容になります"
    case .refused(let name):
      "\(name) の参加を拒否しました。コードはまだ使えます。心当たりのない端末なら、Ctrl-C で終了し、招待をやり直してください"
    case .compare(let check):
      "もう一方の端末に、次の文字と同じかどうかの確認が表示されます: \(check)"
    case .waiting:
      "もう一方の端末の応答を最長 15 分待ちます。その間、もう一方の端末では facediary sync invite を終了しないでください。待つのをやめるには Ctrl-C を押してください"
    case .badPairingCode:
      "ペアリングコードではありません。sync invite が表示した 40 文字の英数字を入力してください"
    case .joined(let entries):
      "参加しました。この端末に記録 \(entries) 件を取り込みました"
    case .recovered(let entries):
      "日記を復旧しました。記録 \(entries) 件を取り込みました"
    case .needsSpaceCode:
      "sync setup が表示した同期用の復旧コードが必要です"
    case .giveSpaceCodeFile:
      "--space-code-file FILE で指定してください"
    case .notASpaceCode:
      "同期用の復旧コードではありません。sync setup が表示した 28 文字の英数字を入力してください"
    case .revoked(let name):
      "\(name) を外しました。今後、その端末で書かれた記録は、ほかの端末に取り込まれません。ほかの端末でこれから書く記録を、その端末で読むこともできません"
    case .changeLocks:
      "その端末がすでに受け取っていた記録は残ります。日記を開いたまま盗まれた場合は、その端末から使えるほかのパスワードも変更してください"
    case .done(let pushed, let pulled, let merged):
      "送信 \(pushed) 個、受信 \(pulled) 個、変わった記録 \(merged) 件"
    case .nothingNew:
      "新しいものはありません"
    case .onlyMoved(let pushed, let pulled):
      "送信 \(pushed) 個、受信 \(pulled) 個。日記が閉じているので、まだ統合していません。日記を開いて、もう一度 facediary sync を実行してください"
    case .haveConflicts(let count):
      "本文が二つ以上ある記録が \(count) 件あります: facediary conflicts"
    case .waits(let count):
      "データ \(count) 個は、まだ届いていないほかのデータを待っています"
    case .filesMissing(let count):
      "写真やファイル \(count) 件がまだ届いていません"
    case .wouldRemove(let count):
      "ほかの端末で記録 \(count) 件が完全に削除されたか、ごみ箱に移されました"
    case .askToRemove(let count):
      "この \(count) 件を、この端末からも削除しますか？"
    case .yesToRemove:
      "この端末からは、まだ何も削除していません。削除するには: facediary sync --yes"
    case .yesToRemoveAll:
      "この端末からは、まだ何も削除していません。この後にも変更が待っています。一つずつ確認するには、ターミナルで facediary sync を実行してください。すべて受け入れるには: facediary sync --yes"
    case .removalsWait:
      "この端末からは、まだ何も削除していません。facediary sync を実行すると、削除するかどうかを選べます"
    case .lost(let count):
      "同期先のデータ \(count) 個がなくなっています。同期先が古い状態に戻されたか、空にされたか、別のものに替わっています"
    case .repairPutsBack:
      "facediary sync repair で置き直せます。この端末からは何も削除されていません"
    case .goneHere(let count):
      "この端末が書いたデータ \(count) 個が、この端末にも同期先にもありません。日記の sync フォルダが空にされています"
    case .joinAnew:
      "記録はすべてこの端末にあります。facediary sync leave を実行してから、ほかの端末で facediary sync invite を実行し、表示されたコードで参加し直してください"
    case .damaged(let count):
      "同期先のデータ \(count) 個が壊れているか、まだ書き込みの途中です。次の同期でもう一度受信します"
    case .repairElsewhere:
      "何度も続く場合は、そのデータを書いた端末か、持っている端末で実行してください: facediary sync repair"
    case .wasRefused(let device):
      "\(device.isEmpty ? "この日記の端末" : device) のものとされるデータが、偽造されているか壊れているので、無視しました"
    case .placeHasOthers(let count):
      "この同期先には、すでに別の日記が \(count) 件あります。その中に、ほかの端末で使っているこの日記があるなら、この端末で facediary sync leave を実行してから facediary sync join を実行してください"
    case .hadLetIn(let name, let devices):
      "\(name) が招待した端末 \(devices.joined(separator: "、")) は、まだ読み書きできます。心当たりのない端末があれば、それも facediary sync revoke で外してください"
    case .filesNotExported(let count):
      "写真やファイル \(count) 件は、ほかの端末からまだ届いていないため、含まれていません"
    case .unreadable(let count):
      "同期先に、この端末では読めないデータが \(count) 個あります。この日記のものではないか、読むために必要なデータがまだ届いていません"
    case .syncOthersFirst:
      "ほかの端末で facediary sync を実行してから、ここでもう一度実行してください"
    case .deleteThere(let names):
      "すべての端末で同期した後にも残っている場合は、同期先から削除してください: \(names.joined(separator: "、"))"
    case .lookAtDevice:
      "これは、同期先に書き込める人なら誰でも起こせます。また起きる場合は、その端末を調べてください"
    case .survived(let count, let entries):
      "ほかの端末で完全に削除した記録のうち \(count) 件は、この端末で変更していたか、この端末が参加したときに残っていたため、そのままです（\(list(entries, of: count))）"
    case .cameBack(let count, let entries):
      "この端末で完全に削除した記録のうち \(count) 件は、ほかの端末で変更していたか、その端末が参加したときに残っていたため、また表示されます（\(list(entries, of: count))）"
    case .removeAgain:
      "不要な記録は、もう一度削除してください: facediary delete、続いて facediary purge"
    case .wroteAfterRevocation(let device):
      "\(device) は外された後にもデータを書き込みました。このデータは無視し、先に届いていた記録はごみ箱に移しました"
    case .copied:
      "この端末の名前で、ほかからデータが書き込まれました。この日記のコピーか、バックアップから復元する前のこの日記によるものです。その記録も統合しました"
    case .oneCopy:
      "この日記のコピーがある場合は、どちらか一方で facediary sync leave を実行し、ほかの端末の facediary sync invite で参加し直してください"
    case .closed:
      "この端末では読めないデータが同期先にあります。この端末が外されたか、どの端末のものでもないデータが置かれています"
    case .joinAgain:
      "この端末で facediary sync leave を実行してください。次に、ほかの端末で facediary sync invite を、この端末で facediary sync join を実行してください。ほかの端末の facediary sync status にこの端末が参加中と表示される場合は、代わりにこの端末で facediary sync recover を、同期用の復旧コードを使って実行してください"
    case .newer:
      "同期先に、より新しいバージョンの facediary が書いたデータがあります"
    case .update:
      "facediary を更新してください"
    case .repaired(let count):
      "この端末のデータ \(count) 個すべてを同期先に置き直しました"
    case .asking:
      "参加の承認を待っています"
    case .place(let place):
      "同期先: \(place)"
    case .lastSettled(let when):
      "最後の統合: \(when)"
    case .neverSettled:
      "まだ一度も統合していません"
    case .digest(let digest):
      "状態: \(digest)（同じデータを統合した端末では同じ文字になります）"
    case .unpublished(let count):
      "この端末のデータ \(count) 個が同期先に届いたかどうかは、まだ確認できていません"
    case .thisDevice:
      "この端末"
    case .heard(let when):
      "最終同期 \(when)"
    case .neverHeard:
      "まだ何も書いていません"
    case .isRevoked:
      "外した端末"
    case .isAutomatic:
      "日記が開いている間は、自動で送受信します"
    case .isNotAutomatic:
      "自動では送受信しません。送受信するには: facediary sync"
    case .onOrOff:
      "on か off を指定してください"
    case .noSession:
      "日記は開いていません。facediary unlock で開いてください"
    case .movedTo(let place, let count):
      "同期先を \(place) に変更し、データ \(count) 個を送信しました"
    case .moveOthers(let place):
      "ほかの端末は、まだ前の同期先を使っています。それぞれの端末で実行してください: facediary sync move \(place)"
    case .placeReached(let when):
      "同期先との最後の接続: \(when)"
    case .placeWorks(let place):
      "\(place) は使えます。テスト用のデータを書き込み、一覧に出ることと読み出せることを確かめ、削除しました"
    case .conflictHeading(let id, let count):
      "\(id): 本文 \(count) 件"
    case .version(let revision, let device, let when):
      "— \(device)、\(when)、第 \(revision) 版"
    case .noConflicts:
      "本文が二つ以上ある記録はありません"
    case .editEnds:
      "facediary edit ID を実行すると、すべての本文が表示されます。保存した内容が新しい本文になります"
    case .alsoWritten(let device, let when):
      "\(device) で書かれた本文（\(when)）:"
    case .someDevice:
      "ほかの端末"
    case .hasOthers(let count):
      "この記録にはほかに本文が \(count) 件あります: facediary conflicts"
    case .compacted(let packs, let removed):
      packs == 0 && removed == 0
        ? "まとめ直すデータはありません"
        : "データを \(packs) 個にまとめ直し、置き換えた古いデータ \(removed) 個を同期先から削除しました"
    case .packsDiffer:
      "まとめ直したデータを同期先から正しく読み出せなかったので、何も削除しませんでした"
    case .placeKeepsAll:
      "この同期先からはデータを削除できません。置き換えた古いデータを削除できるのは、同期先の所有者だけです"
    }
  }

  static func text(_ message: DemoMessage) -> String {
    switch message {
    case .noSamples:
      "見本の顔ベクトルが見つかりません"
    case .nameSamples:
      "Keys/ のあるフォルダで実行するか、顔ベクトルの場所を指定してください: facediary demo --faces DIR"
    case .wrong(let what):
      "デモに失敗しました: \(what.text(in: .japanese))"
    case .looking(let state):
      "1. 日記を探す: \(state)"
    case .notOnboarding:
      "日記がないのに、状態が onboarding になりません"
    case .none(let state):
      "   ありません: \(state)"
    case .notAsked:
      "登録したのに、顔の照合を求められません"
    case .made(let shots, let state):
      "2. パスフレーズ、復旧コード、持ち主の顔 \(shots) 枚で日記を作る: \(state)"
    case .noRecoveryCode:
      "復旧コードがありません"
    case .strangerLetIn:
      "デモに失敗しました: 他人を本人と認めました"
    case .strangerRefused(let left, let state):
      "3. 他人の顔で試す: 拒否しました（あと \(left) 回試せます）、\(state)"
    case .ownerRefused:
      "デモに失敗しました: 本人を拒否しました"
    case .ownerShown(let similarity, let threshold, let state):
      "4. 持ち主の、登録していない顔ベクトルで試す: 類似度 \(similarity)、しきい値 \(threshold)、\(state)"
    case .written(let id):
      "5. 記録を二件書く（ID が返った時点で、確実に保存されています）: \(id)"
    case .searchFailed:
      "検索で記録が見つかりません"
    case .found(let excerpt):
      "6. 「かわせみ」を検索: \(excerpt)"
    case .notWhole:
      "日記に異常があります"
    case .verified(let entries):
      "7. すべてのデータを開いて調べる: 記録 \(entries) 件、異常なし"
    case .stillOpen:
      "閉じたのにまだ開いています"
    case .closed(let state):
      "8. 日記を閉じる: \(state)"
    case .plaintext(let files):
      "平文が見つかりました: \(files)"
    case .scanned(let word, let files):
      "9. 「\(word)」という言葉は、書き込まれた \(files) 個のファイルのどれにも現れません"
    case .yourOwn:
      "自分の日記を作るには: facediary init"
    }
  }

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

  static func text(_ weekday: Weekday) -> String {
    let names = ["日", "月", "火", "水", "木", "金", "土"]
    return switch weekday {
    case .name(let day): names[day] + "曜日"
    case .short(let day): names[day]
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

  static func text(_ purpose: InputPurpose) -> String {
    switch purpose {
    case .file: "ファイル"
    case .labels: "ラベルの一覧"
    case .entries: "記録"
    case .passphrase: "パスフレーズ"
    case .recoveryCode: "復旧コード"
    case .faceVector: "顔ベクトル"
    case .entryText: "本文"
    case .backupPassphrase: "バックアップのパスフレーズ"
    case .pairingCode: "ペアリングコード"
    case .spaceCode: "同期用の復旧コード"
    case .pin: "PIN"
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
    case .sharesAlready: "この日記はすでにほかの端末と同期しています"
    case .sharesNothing: "この日記はほかの端末と同期していません"
    case .noSuchSpace: "この同期用の復旧コードで開けるデータが見つかりません"
    case .isThisDevice: "この端末です。この端末を外すには: facediary sync leave"
    case .isRevokedAlready: "すでに外されています"
    case .wasRevoked: "この端末は同期から外されています"
    case .letsInNoMore:
      "この端末から追加できる台数の上限に達しました。ほかの端末から招待するか、追加する端末で facediary sync recover を実行してください"
    case .otherSync: "この日記の別の同期が実行中です"
    case .wasNotLetIn: "もう一方の端末で「いいえ」が選ばれたので、参加できませんでした"
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

  static func name(_ kind: Kind) -> String { kind.otherNames[0] }

  static func text(_ kind: SlotKind) -> String {
    switch kind {
    case .passphrase: "パスフレーズ"
    case .recovery: "復旧コード"
    case .face: "顔"
    case .facePassphrase: "顔とパスフレーズ"
    }
  }

  static func text(_ need: SecretNeed) -> String {
    switch need {
    case .restart: "最後にパスフレーズを入力した後に、コンピュータが再起動されました"
    case .expired: "最後にパスフレーズを入力してから時間がたっています"
    case .unused: "この端末で長い間、日記を開いていません"
    case .warm: "顔でまた開けるセッションが残っていません"
    case .noSlot: "この顔はパスフレーズと一緒に使う必要がありますが、その開け方は削除されています"
    case .anotherPassphrase: "この顔は別のパスフレーズと一緒に使います。先にその開け方を削除してください"
    case .camera: "顔は、ポリシーで決めたカメラのプログラムからだけ受け付けます"
    case .facePassphrase: "この顔はパスフレーズと一緒に使います"
    case .backup: "バックアップは顔では開けません"
    case .never: "この端末でまだパスフレーズを入力していません"
    }
  }

  /// Some of so many things.
  private static func list(_ first: [String], of count: Int) -> String {
    first.joined(separator: "、") + (first.count < count ? "…" : "")
  }

  /// - Parameter during: what stands behind minutes that something lasts; hours have it already.
  private static func span(_ minutes: Int, during: String = "") -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if minutes < 120 { return "\(minutes) 分\(during)" }
    return rest == 0 ? "\(hours) 時間" : "\(hours) 時間 \(rest) 分\(during)"
  }
}
