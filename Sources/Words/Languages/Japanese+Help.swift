internal import CommandLine

extension Japanese {
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
      --face で指定した顔や、--camera で撮影した顔は、その場で登録します。
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
      エラーになります。--ends-conflict を付けると、タイトルと本文の両方が一つになります。指定しな
      かったほうは先頭に表示されるものになり、ほかは履歴に残ります。
      """
    }
  }
}
