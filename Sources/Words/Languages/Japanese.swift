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
    case .didYouMean(let word):
      "\(word) のことですか？"
    case .takesNoValue(let option):
      "\(option) に値はつきません"
    case .needsValue(let option, let value):
      "\(option) には値が必要です: \(option) \(value)"
    case .givenTwice(let option):
      "\(option) が二度指定されています"
    case .cannot(let command, let verb):
      "\(command) に \(verb) はありません"
    case .usage(let words):
      "使い方: facediary \(words)"
    case .seeHelpOf(let command):
      "facediary \(command) --help"
    case .cannotBe(let option, let value):
      "\(option) に \(value) は指定できません"
    case .oneOf(let words):
      "次のどれか: \(words)"
    case .wantsNumberFrom(let option, let least, let value):
      "\(option) には \(least) 以上の数が必要です (\(value) ではなく)"
    case .wantsNumberBetween(let option, let least, let most, let value):
      "\(option) には \(least) から \(most) までの数が必要です (\(value) ではなく)"
    case .noTerminal:
      "尋ねる端末がありません"
    case .secretEmpty:
      "秘密は 1 から 1024 バイトです（空でした）"
    case .secretTooLong:
      "秘密は 1 から 1024 バイトです（長すぎます）"
    case .passphraseNotText:
      "パスフレーズが UTF-8 ではありません"
    case .passphraseSize:
      "パスフレーズは 1 から 1024 バイトです"
    case .twoReadStandardInput(let one, let other):
      "標準入力を \(one.text(in: .japanese)) と \(other.text(in: .japanese)) の両方には使えません"
    case .nameFileForOne:
      "どちらかにはファイルを指定してください"
    case .homeNotSet:
      "HOME が設定されていません"
    case .nameVaultAndDevice:
      "--vault と --device で場所を指定してください"
    case .noSuchRule(let name):
      "設定項目が見つかりません: \(name)"
    case .emptyPath:
      "--vault か --device が空です"
    case .unsetVariable:
      "スクリプトで変数が空のままではありませんか？"
    case .wantsRevision(let value):
      "版の番号は 1 以上で指定してください（指定: \(value)）"
    case .wantsDuration(let option, let value):
      "\(option) には 5m や 12h のような長さを。\(value) は使えません"
    case .atMostTwelveHours(let option):
      "\(option) は長くても 12h です"
    case .wantsYear(let value):
      "--year には 2026 のような年を。\(value) は使えません"
    case .wantsRate(let option, let value):
      "\(option) には 0 と 1 の間の割合を。\(value) は使えません"
    case .noSuchWork(let level):
      "そのような強さはありません: --kdf \(level)"
    case .worksKnown:
      "interactive、moderate、sensitive のどれか"
    case .noHelpFor(let word): "\(word) の説明はありません"
    case .unknownCommand(let name):
      "\(name) というコマンドはありません"
    case .helpListsCommands:
      "一覧は facediary --help で見られます"
    case .needsYes(let command):
      "端末で確認できないときは、\(command) に --yes が必要です"
    case .contradict(let one, let other):
      "\(one) と \(other) は両立しません"
    case .starsContradict:
      "--star と --no-star は両立しません"
    }
  }

  static func text(_ message: HelpPhrase) -> String {
    switch message {
    case .usage(let program, let command):
      "使い方: \(program) \(command)"
    case .usageOfProgram(let program):
      "使い方: \(program) コマンド [オプション]"
    case .options:
      "オプション:"
    case .optionsOfEveryCommand:
      "どのコマンドにも使えるオプション:"
    case .optionsOfEveryCommandTitle:
      "どのコマンドにも使えるオプション:"
    case .moreAboutEach(let program):
      """
      \(program) コマンド --help で詳しい説明が出ます。共通することがらは \(program) help ids・dates・vectors・search・text
      で読めます。
      """
    }
  }

  static func text(_ message: CommandHelp) -> String {
    switch message {
    case .headline:
      "facediary: 持ち主の顔でだけ開く日記"
    case .openingTitle:
      "開く:"
    case .facesTitle:
      "顔:"
    case .writingTitle:
      "書く:"
    case .readingTitle:
      "読む:"
    case .sortingTitle:
      "まとめる:"
    case .trashTitle:
      "ごみ箱:"
    case .keepingTitle:
      "保管と点検:"
    case .locksTitle:
      "鍵:"
    case .devicesTitle:
      "複数の端末"
    case .sync:
      "ほかの端末と日記をそろえます"
    case .syncDetails:
      """
      場所は端末が出会うところです。folder:/パス(Syncthing、クラウドの同期、ネットワークドライブ、USB メモリーが運ぶ)、
      rclone:リモート:パス(rclone が届くクラウドやサーバー)、postgres:サービス(psql による PostgreSQL)、
      cmd:プログラム。場所に見えるのは封をしたものといつ届いたかだけで、読むことも変えることも作り出すこともできません。

        facediary sync setup 場所         最初の端末で。リカバリーコードを一度だけ示します
        facediary sync invite             もう一つの端末のためのコードを示します
        facediary sync join 場所 コード   あちらで。両方に出る 10 文字を比べます
        facediary sync                    送り、受け取ります。日記が開いていれば合わせます
        facediary sync leave              この端末で共有をやめます。日記は残ります
        facediary sync move 場所          別の場所で続けます
        facediary sync auto off           開いている日記が自動で送受信しなくなります

      互いを知らずに書かれた二つの本文は、どちらも残ります(conflicts)。20 件より多い、または 20 件に 1 件より多い
      削除は、確かめてからにします。revoke はなくした端末を外し、recover は場所だけから日記を取り戻します。どちらも
      setup が示したリカバリーコードが要ります。repair は場所がなくしたものを置き直します。compact はすべてを、
      完全に消したものを除いてまとめ直します。置き換えられたものは場所から消えます。場所がおかしいときは 5 で
      終わり、ここでは何も消えません。
      """
    case .conflicts:
      "本文が二つ以上ある記録"
    case .conflictsDetails:
      "端末が互いを知らずに書いた本文をすべて示します。edit で保存すると終わり、それまではどれも数えられます。"
    case .shellTitle:
      "シェル:"
    case .attach:
      "写真やファイルを記録につける"
    case .attachDetails:
      """
      大きさを問わず、小分けにして暗号化します。同じ名前がもうあれば photo-2.jpg のように番号がつきます。
      もとのファイルはそのまま残ります。
      """
    case .attachments:
      "記録の写真とファイル"
    case .extract:
      "写真やファイルを書き出す"
    case .extractDetails:
      """
      -o がなければここに同じ名前で書き出し、もうあるファイルには触れません。書き出したものは
      暗号化されていません。
      """
    case .open:
      "写真やファイルを別のプログラムで開く"
    case .openDetails:
      """
      ファイルはディスクではなくメモリに置き、デスクトップの標準プログラムか --with のプログラムで開きます。\
      Enter を押すか、そのプログラムが終わると消えます。プログラム自身が残すもの（サムネイルや履歴）までは\
      消せません。ファイルが一つだけなら名前は要りません。
      """
    case .detach:
      "写真やファイルを記録から外す"
    case .detachDetails:
      "前の版には、完全に消すまで残ります。"
    case .browse:
      "日記を全画面のタイムラインで見る"
    case .browseDetails:
      """
      キー: ↑ ↓ PgUp PgDn Home End とホイールで動く。: で日付へ。Enter で読む。← → か Tab で日記帳を替える。
      / で打ちながら探す。# でタグ一つ、* で星だけ、Esc で全部に戻す。o で写真やファイルを開く。s は星、e は編集、
      n は新しい記録、d はごみ箱へ、u は戻す。? でキーの一覧、q で終わる。
      セッションが終わると画面を消して終わります。
      """
    case .calibrate:
      "手元の顔で、しきい値の性能を測る"
    case .calibrateDetails:
      """
      LABELS.csv には person,file の列と、何行もあるファイルなら row（0 から）の列があります。ファイルは
      その場所から数えます。すべての組を採点します。FMR は違う人どうしの組のうち認めてしまう割合、
      FNMR は同じ人どうしの組のうち断ってしまう割合です。得点がしきい値以上なら認めます。登録した顔の
      しきい値は facediary faces recalibrate まで変わりません。
      """
    case .export:
      "記録を平文で書き出す"
    case .exportDetails:
      """
      json      履歴、ごみ箱、ひな形のほかすべて。取り込むと同じになる
      markdown  フォルダ: 一件が一つのファイルで、項目を頭に置く。写真やファイルは隣に。取り込むと同じになる
      jrnl      jrnl の JSON。失うもの: 終わり、時間帯、日記帳、種類、ID、写真とファイル。題のない記録は
                最初の行が題になる
      html      単独で読めて印刷もできる 1 ページの HTML。写真も入る。取り込めない: ほかのファイルは名前だけ
      """
    case .importing:
      "ほかから記録を取り込む（全部取り込むか、まったく取り込まないか）"
    case .importDetails:
      """
      json      export が書いたもの、記録の配列、または JSON Lines。date と body があれば足りる
      jrnl      jrnl の JSON か本文（[2026-03-01 09:30] 題）、または一日一ファイルのフォルダ。@言葉 はタグになる
      dayone    Day One の JSON（写真のフォルダを隣に）、または両方を含むフォルダ。ファイルの名前が日記帳になる
      markdown  .md ファイルのフォルダ（下のフォルダも）。Obsidian のものも。--- の間に項目を書く。日付がなければ
                名前から読む: 2026-03-01-name.md、2026_03_01.md、2026/03/01.md。本文に出てくる画像は添付する
      mini-diary、mini-diarium、standard-notes（復号したもの）、daylio（CSV）
                ファイル。本文の中の画像は添付になり、Daylio の気分と行動はタグになる
      keep、journey、diaro、apple-journal
                書き出したままのフォルダ（Takeout の Keep、Diaro のバックアップなど）。写真はその中に
      --format がなければ中身から判断します。入れる場所のないものは、その名前を示します。
      zip ファイルはメモリに展開してから読みます。もうある記録は飛ばします。同じ ID で内容の違うものは衝突です。
      --on-conflict update はファイルのとおりの新しい版にします（ファイルにない項目は空になります）。
      記録が指す日記帳と種類は作ります。
      FILE が - なら標準入力です。
      """
    case .enroll:
      "ベクトルのファイルから顔を登録する"
    case .enrollDetails:
      """
      ファイルには一つのベクトルでも、何行でも入れられ、それぞれがひな形になります。明かりや日を変えた
      何枚かは、どんなしきい値より役に立ちます。日記が開いていてもパスフレーズを尋ねます。席を外した
      わずかな間に、他人が自分の顔を登録できないようにするためです。
      """
    case .faces:
      "この端末に登録した顔"
    case .facesDetails:
      "一覧にも変更にも、いまパスフレーズか復旧コードを尋ねます。"
    case .models:
      "対応する顔モデルと、はじめのしきい値"
    case .match:
      "二つの顔ベクトルを比べる。日記は要らない"
    case .matchDetails:
      "認めれば 0、断れば 3、しきい値がわからなければ 2 で終わります。"
    case .camera:
      "ウェブカメラを見るプログラムの一覧・設定・確認"
    case .cameraDetails:
      """
      camera setup NAME は小さな Python プログラムを書き、必要なパッケージとモデルのファイル、その置き場所を示し、
      試したうえで、`unlock` が使うプログラムにします。NAME は opencv（YuNet と SFace）、dlib（face_recognition と同じ）、
      insightface（SCRFD と ArcFace。モデルは研究目的に限られます）のどれかです。何も自動ではダウンロードしません。
      モデルは SHA-256 が一致するときだけ使います。プログラムが見るのは「顔が一つ写っているか」だけで、誰かは判定しません。
      `enroll --camera` の一枚は何コマか撮ったうちの、ほかのコマに最も似たものです。枚数は較正したときの枚数、なければ
      三枚です。
      """
    case .probe:
      "カメラのプログラムを動かし、その出力を表示する"
    case .probeDetails:
      "何も開かず、何も比べません。カメラのプログラムを試すためのものです。"
    case .acceptRollback:
      "わざと戻した古い写しから続ける"
    case .acceptRollbackDetails:
      """
      何が戻るかを示し、今日有効なパスフレーズか復旧コードを尋ねます。取り除いた開け方は取り除いたまま、決まりは厳しいほうが
      有効で、今の顔もそのままです。端末がない場合は、実行した時点で同意したものとみなします。
      """
    case .backup:
      "使っている最中でも整った写しを作る"
    case .backupDetails:
      """
      DIRECTORY に、時刻を名前にしたフォルダを作ります。写真やファイルは objects に置かれ、同じ場所のバックアップが
      共有します。どれも一つだけで、次からは新しいものだけが複写されます。facediary --vault BACKUP で同じ
      パスフレーズで読め、書き込みはできません。restore-backup でふたたび日記になります。DIRECTORY はどこへ写しても
      かまいません。秘密の度合いは日記そのものと同じです。途中までしか写されていないものは見分けられます。
      DIRECTORY を省くと、config.json の "backup" が指すフォルダに作ります。
      """
    case .restoreBackup:
      "バックアップを日記の代わりに置く"
    case .restoreBackupDetails:
      """
      いまパスフレーズか復旧コードを尋ね、バックアップのすべてを開いてみて、何が何に置き換わるかを述べ、確かめます。
      日記はその場で、一度に変わります。開け方はいまのままです。
      日記のファイルがなければ、バックアップが日記になります。
      """
    case .salvage:
      "壊れた日記からまだ開くものを新しい日記に救い出す"
    case .salvageDetails:
      """
      ページや行を一つずつ調べるため、失われるのは壊れた箇所の内容だけです。
      壊れた日記は読むだけです。新しい日記には同じパスフレーズと新しい復旧コードが付きます。
      最新より前の版は移りません。失われたものは一覧で示します。
      """
    case .window:
      "日記をブラウザーのページで開く"
    case .windowDetails:
      """
      日記をブラウザーで表示します。読む、検索する、書く、写真を見る、統計を見ることができます。ページはこのプログラムがこの端末の中だけで
      配信し、ネットワークからは何も読み込みません。ブラウザーには専用のプロファイルをメモリー上に用意します。履歴や拡張機能はなく、
      ウィンドウを閉じると削除されます。

      日記が閉じていれば入口が表示されます。facediary camera setup で設定したカメラのプログラムか、パスフレーズで開きます。pinentry があり
      画面を使えるときは pinentry がパスフレーズを尋ね、なければページが尋ねます。復旧コードでも開きます。ページを閉じるか Ctrl-C で
      終了し、このウィンドウで開いた日記は閉じられます。セッションが終わるか
      facediary lock を実行すると、ページはすべてを忘れて入口に戻ります。書きかけの文章は暗号化して控えられ、次に開いたときに保存できます。

      設定では、バックアップ、内容を確かめてからのインポート、エクスポート、顔の登録と削除ができます。持ち主だけができることは、毎回
      パスフレーズを尋ねます。復旧コードと新しいパスフレーズはページには出ません。ターミナルで、ターミナルなしで起動したときは pinentry の
      ダイアログで扱います。

      Chromium、Chrome、Edge、Brave、Firefox を PATH から探します。snap のブラウザーは、ページへ導くファイルを読めないため使えません。
      """
    case .demo:
      "見本の顔を使って、一通りの流れを試す（一時フォルダを使用）"
    case .device:
      "端末の鍵をどこに置くか"
    case .deviceDetails:
      """
      端末の鍵は顔での解錠に使い、登録した顔に封をします。ファイルにあると、それと日記を読める人には顔が要りません。
      --tpm ならこの機械の TPM が封じ、セッションと顔の試みを数えるので、日記と端末の記録が一緒に戻されると分かります。
      --pin は PIN を足します。補助プログラムなら Secret Service やキーチェーンにしまえます。最後の語が get、store、erase のどれかで呼ばれ、
      標準入力から vault=…、key=…、しまうときは secret=… を読みます。get は secret=… を出力します。
      手本はライブラリの文書の ThreatModel の頁にあります。

      move は新しい鍵を作るので、古い鍵の写しは何も開きません。古い鍵は消します。reset は鍵がなくなったときに
      この端末をあきらめます。顔は登録し直します。どちらもいまパスフレーズか復旧コードを尋ねます。
      """
    case .initialize:
      "日記を作る"
    case .initDetails:
      """
      パスフレーズを二度尋ね、復旧コードを一度だけ表示します。紙に書き留めてください。
      --face で渡した顔はその場で登録されます。
      """
    case .keys:
      "日記の開け方"
    case .keysDetails:
      """
      KIND は passphrase、recovery（新しいコード。古いものは消すまで残ります）、face-passphrase (顔とパスフレーズの
      両方。以後この端末では顔だけでは何も開きません) のどれかです。

      rotate は日記の鍵を作り直し、すべてを一度に封じ直します。秘密が手元にない解錠方法は消え、先に名を挙げます。
      新しい復旧コードを示します。ファイルの古い写しは古い鍵で開くままで、取り戻せません。

      list のほかは、いまパスフレーズか復旧コードを尋ねます。
      """
    case .passphrase:
      "パスフレーズを変える"
    case .passphraseDetails:
      """
      いまパスフレーズ（か復旧コード）を、次に新しいものを二度尋ねます。一回の推測にかかる手間は今日の水準に上がります。
      日記の古い写しは古いパスフレーズで開くままです。誰かに見られたあとに効くのは keys rotate です。
      """
    case .policy:
      "顔だけでは足りないときと、日記を開いておく長さ"
    case .policyDetails:
      """
      passphrase-after 156h   最後にパスフレーズを入れてからこれより経つと、顔では開かない
      unused-after 48h        この端末で日記を開かない間がこれより長いと、顔では開かない
      after-restart on        コンピュータを再起動したあとは、顔では開かない
      warm off                on: 顔での解錠をディスクに置かない。パスフレーズで開いてまだ動いている
                              セッションだけを、顔がまた開く
      face-passphrase off     keys add face-passphrase で on: 顔はパスフレーズと一緒でだけ日記を開く。
                              off にすると、enroll がまた顔だけの解錠方法を作れる
      camera off              on: 顔を、設定したプログラム（いまのまま）からだけ受けつけ、ファイルからは受けない
      idle 5m                 使わないままこれだけ経つとセッションが終わる
      life 12h                セッションの長さの上限

      変えるときは、いまパスフレーズか復旧コードを尋ねます。決まりは日記の中に封じてあります。
      """
    case .verify:
      "すべてを開き、欠け、古さ、異常を調べる"
    case .rank:
      "よく書いたものの順位と変動"
    case .rankDetails:
      "単語は出現回数を数えます。三文字以上が対象で、漢字とカタカナは二文字以上です。"
    case .stats:
      "記録数、語数、連続日数、一年のカレンダー"
    case .onThisDay:
      "過去の同じ日に書いた記録"
    case .journals:
      "日記帳（旅行も可）と、その記録の数"
    case .journalsDetails:
      """
      facediary journals add 京都 --from 2026-03-01 --to 2026-03-04
      facediary journals move 京都 --before 仕事
      facediary journals remove 京都 --to 仕事     記録はそちらへ移る
      facediary journals remove 京都 --trash       記録はごみ箱へ
      """
    case .kinds:
      "記録の種類と数"
    case .kindsDetails:
      """
      どの日記にも move 🚗（移動）、meal 🍽（ごはん）、sight 🏞（観光）、stay 🏨（ホテル）があり、これらは変わり
      ません。種類は名前でも絵文字でもその両方でも、どう打っても見つかります。
      """
    case .tags:
      "すべてのタグと記録の数。タグの名前の変更"
    case .tagsDetails:
      """
      facediary tags rename 日記 ジャーナル         日記のタグの記録が、すべてジャーナルのタグになる
      facediary tags merge 散歩 散策 ウォーキング   散歩と散策の記録が、ウォーキングのタグになる

      記録ごとに新しい版ができます。ごみ箱の記録のタグは変わりません。
      """
    case .lock:
      "日記を閉じる"
    case .status:
      "現在の状態を表示する（何も尋ねない）"
    case .unlock:
      "日記を開き、しばらく開いたままにする"
    case .unlockDetails:
      """
      顔を見せる（--face か設定したプログラム）か、パスフレーズを尋ね、セッションを残します。
      終わるまで、ほかのコマンドには何も要りません。facediary lock、使わない時間、寿命、
      スリープで終わります。
      """
    case .help:
      "コマンドや ids・dates・vectors・search・text の説明"
    case .helpDetails: "語を指定しなければコマンドの一覧を表示します。"
    case .completion:
      "コマンド、日記帳、タグ、ID を補うスクリプト"
    case .completionDetails:
      """
      bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
      zsh:  facediary completion zsh > $fpath のどこかに _facediary として
      fish: facediary completion fish > ~/.config/fish/completions/facediary.fish
      日記帳、タグ、ID は、セッションが開いている間だけ出ます。
      """
    case .man:
      "マニュアル。リダイレクトすれば man ページの形式で出力"
    case .manDetails:
      "facediary man > ~/.local/share/man/man1/facediary.1"
    case .list:
      "記録を新しい順に並べる"
    case .search:
      "すべての言葉を含む記録を探す"
    case .searchDetails:
      """
      題、本文、タグを、言葉の途中も含めて探し、すべての言葉を含む記録を示します。"引用符で囲む" とひと続きの句に、
      言葉の間の OR はどちらかに、-言葉 は除外に、#タグ はそのタグになります。大文字と小文字、全角と半角、アクセント、
      ひらがなとカタカナの違いは問いません。
      """
    case .show:
      "記録を表示する"
    case .history:
      "記録のすべての版を新しい順に"
    case .historyDetails: "`show ID --revision N` でひとつの版を読み、`revert ID N` でその版に戻せます。"
    case .revert:
      "記録を前の版に戻す"
    case .revertDetails:
      "写真とファイル以外をその版のとおりに戻します。今の内容は履歴に残ります。いくつかの端末が本文を書いた記録では、--ends-conflict を付けるとこの版に替わります。"
    case .templates:
      "書き始めのひな形（暗号化して保存）"
    case .templatesDetails:
      """
      並べた言葉が本文になります。言葉がなければ、標準入力が端末でないときはそこから読み、端末ならエディタで
      書きます。使うには: facediary write --template 名前
      """
    case .delete:
      "記録をごみ箱に移す"
    case .restore:
      "記録をごみ箱から戻す"
    case .trash:
      "ごみ箱の中身"
    case .purge:
      "ごみ箱の記録を、すべての版とともに完全に消す"
    case .purgeDetails:
      "ID がなければごみ箱を空にします。前に作った写しには残ります。"
    case .write:
      "記録を書く"
    case .writeDetails:
      """
      並べた言葉が記録になります。言葉がなければ、標準入力が端末でないときはそこから読み、端末ならエディタ
      ($VISUAL、$EDITOR) が開きます。コマンドラインの言葉はシェルの履歴に残り、動いている間はプロセスの一覧にも
      見えます。履歴に残したくない内容は、エディタで書くか、パイプで渡してください。
      """
    case .edit:
      "記録を変える。前の本文は履歴に残る"
    case .editDetails:
      """
      オプションだけなら本文は変わりません。TEXT が新しい本文で、- なら標準入力から読みます。
      どちらもなければエディタが開きます。

      いくつかの端末がタイトルや本文を書いた記録では、エディタにそのすべてが出て、保存したものに替わります。
      ここで渡したタイトルや TEXT は、--ends-conflict を付けない限り断られます。--ends-conflict だけなら、
      先に表示されているものが残ります。
      """
    }
  }

  static func text(_ message: OptionHelp) -> String {
    switch message {
    case .vault:
      "日記のファイル"
    case .device:
      "この端末の保管場所のディレクトリ"
    case .json:
      "JSON で答える"
    case .quiet:
      "結果とエラー以外は表示しない"
    case .language:
      "表示する言語"
    case .face:
      "この顔ベクトルを見せる: ファイル、-、または cmd:プログラム。複数は同じ瞬間のコマになる"
    case .passphraseFile:
      "パスフレーズをファイルから読む（- は標準入力）"
    case .recoveryFile:
      "復旧コードをファイルから読む"
    case .help:
      "この説明を表示する"
    case .version:
      "バージョンを表示する"
    case .life:
      "長くてもこの時間まで (12h)"
    case .idle:
      "何もしないまま開いておく時間 (5m)"
    case .look:
      "パスフレーズを尋ねられない場所でも、設定済みのカメラで顔を見る"
    case .noFace:
      "カメラが設定されていてもパスフレーズを尋ねる"
    case .demoWindow:
      "続けて、見本の顔をカメラの代わりにして日記をブラウザーで表示する"
    case .windowWrites:
      "新しい項目から始める"
    case .codeDialog:
      "復旧コードを出力せず、pinentry のダイアログに表示する"
    case .browser:
      "PROGRAM (ブラウザー、または開くファイルのパスを受け取るコマンド) でページを表示する"
    case .lockAll:
      "開いている自分の日記をすべて"
    case .newPassphraseFile:
      "新しいパスフレーズをファイルから読む"
    case .samePassphraseFile:
      "ここでは --passphrase-file と同じ"
    case .noPassphrase:
      "パスフレーズなし: 復旧コードと顔でだけ開く"
    case .noPassphraseKept:
      "rotate: パスフレーズを残さず、新しい復旧コードだけにする"
    case .kdf:
      "パスフレーズを一度試すのにかかる手間: interactive (64 MiB)、moderate (256 MiB)、sensitive (1 GiB)"
    case .model:
      "ベクトルを作った顔モデル"
    case .threshold:
      "本人と認めるコサイン類似度の下限、[-1, 1]。高いほど近い"
    case .label:
      "この顔の名前"
    case .force:
      "登録済みのものに似ていない写真も登録する"
    case .replaceSamples:
      "登録されている見本の顔を先に外す"
    case .probeCommand:
      "設定したものの代わりのプログラム"
    case .calibratedModel:
      "それを作った顔モデル。--save に必要"
    case .enrolledShots:
      "K 枚を登録したとして採点する"
    case .shownFrames:
      "P コマを見せたとして採点する"
    case .plot:
      "得点の分布と DET 曲線を描く"
    case .targetFMR:
      "しきい値を推奨しきい値の基準とする他人受入率 (1e-3)"
    case .targetChosen:
      "通るように作ったベクトルが 5 回のうちに開いてよい持ち主の割合 (0.01)"
    case .noAttack:
      "通るように作ったベクトルを試さない。しきい値は他人にだけ効く"
    case .save:
      "このモデルの match と enroll の既定にする"
    case .title:
      "タイトル"
    case .date:
      "いつのことか: 2026-03-01、2026-03-01T09:30、昨日 など"
    case .until:
      "いつ終わったか: +90m、18:30、または日付"
    case .journal:
      "入れる日記帳"
    case .kind:
      "種類（名前か絵文字）"
    case .tag:
      "タグをつける（くり返し可）"
    case .star:
      "星をつける"
    case .editorOnDisk:
      "エディタの一時ファイルをディスクに書くことを許す"
    case .attach:
      "写真やファイルをつける"
    case .template:
      "このひな形からエディタを始める"
    case .recover:
      "セッションが終わっていて保存できなかったものを保存する"
    case .untag:
      "タグを外す"
    case .noStar:
      "星を外す"
    case .noTitle:
      "題を消す"
    case .noJournal:
      "日記帳から出す"
    case .endsConflict: "ほかの端末の書いたタイトルや本文を、ここで終わりにする"
    case .noKind:
      "種類を外す"
    case .noUntil:
      "終わりの時刻を消す"
    case .expectedRevision:
      "N が最新の版でなければやめる"
    case .from:
      "この日からの記録"
    case .to:
      "この日までの記録（この日を含む）"
    case .on:
      "この日の記録"
    case .filterTag:
      "このタグの記録。複数ならすべてを持つもの"
    case .filterJournal:
      "この日記帳の記録"
    case .filterKind:
      "この種類の記録（名前か絵文字）"
    case .starred:
      "星つきの記録"
    case .hasAttachment:
      "写真やファイルつきの記録"
    case .limit:
      "最大 N 件を表示する"
    case .reverse:
      "古い順"
    case .bodies:
      "本文も"
    case .emptyDays:
      "記録のない日も見せる"
    case .revision:
      "前の版"
    case .inTrash:
      "ごみ箱の記録"
    case .raw:
      "一件の本文のバイトだけ"
    case .onDate:
      "今日以外の日付"
    case .year:
      "この年だけ。なければすべてと、今年の暦"
    case .period:
      "2026、2026-03、2026-03-01..2026-03-14 か all。なければ今年"
    case .versus:
      "比べる期間（前の年か月）"
    case .everyRank:
      "上位十だけでなくすべて"
    case .tripFrom:
      "旅の初日"
    case .tripTo:
      "旅の最終日。remove では記録を引き取る日記帳"
    case .journalEmoji:
      "絵文字"
    case .kindEmoji:
      "新しい種類の絵文字"
    case .before:
      "move: この日記帳の前に。なければ最後に"
    case .entriesToTrash:
      "remove: 記録はごみ箱へ"
    case .yes:
      "確認を省く"
    case .importFormat:
      "形式（なければ中身から判断する）"
    case .attachmentsFrom:
      "json: 写真やファイルのある場所"
    case .dryRun:
      "取り込まずに件数だけ表示する"
    case .exportFormat:
      "json"
    case .exportOutput:
      "自分だけが読めるファイル。markdown なら新しいフォルダ"
    case .extractOutput:
      "書き出す先（なければここに同じ名前で）。- は標準出力"
    case .attachmentsTo:
      "json: 写真やファイルをこの新しいフォルダに書く"
    case .showsDifference: "版ごとに変わったところを表示"
    case .location: "場所"
    case .weather: "天気"
    case .noLocation: "場所を外す"
    case .noWeather: "天気を外す"
    case .fromPhoto: "指定がなければ、最初の写真に記録された日時と場所を使う"
    case .onConflict: "内容の違う同じ記録があるとき: 何も取り込まない・そのまま残す・新しい版にする"
    case .skipBad: "取り込めない記録を飛ばし、どれかを知らせる"
    case .cameraSource: "最初のカメラ以外を使う: 番号、デバイス、または動画"
    case .camera: "設定したカメラで撮影する"
    case .viewer: "このプログラムで開く（終了すると消える）"
    case .photoMetadata:
      "html: カメラが写真に書き込んだ日時・場所・機種を残す"
    case .repair:
      "確かなものから直せるものを直し、もう一度調べる"
    case .keep:
      "DIR に時刻の名で一つ作り、新しい N 個を残す"
    case .backupPassphraseFile:
      "keys rotate より前のバックアップのパスフレーズ"
    case .helper:
      "move: 鍵をしまうプログラム (get、store、erase)"
    case .chip:
      "move: この機械の TPM で封じる"
    case .pin:
      "move: PIN つき。TPM が求め、間違いを数える"
    case .newPINFile:
      "move: 新しい PIN をファイルから読む"
    case .pinFile:
      "TPM の PIN をファイルから読む"
    case .backToFile:
      "move: ファイルに戻す"
    case .sampleFaces:
      "見本のベクトル (Keys/faces)"
    case .deviceName:
      "この端末の呼び名。なければマシンの名前"
    case .spaceCodeFile:
      "sync setup が示したリカバリーコードのファイル"
    }
  }

  static func text(_ topic: HelpTopic) -> String {
    switch topic {
    case .ids:
      """
      記録の指定のしかた

        @1, @2, …        `facediary list` の順。@1 は日付がいちばん新しい記録
        @last            日付にかかわらず、最後に追加した記録
        3dnr14vq         一覧に出る ID。ほかの記録と重ならなければ、先頭の 4 文字以上で足ります

      ID は 0-9 と a-z（i, l, o, u を除く）の 26 文字です。スクリプトには --json で全体が渡ります。
      """
    case .dates:
      """
      日付と時刻

        2026-03-01  2026年3月1日  20260301       日
        3月1日  March 1                          日。年がなければいちばん近い過去
        2026-03-01T09:30  昨日 18:00             その日の時刻
        2026-03-01T09:30+09:00                   時差を指定した時刻
        今  今日  昨日  一昨日  明日
        3日前  2週間前  1か月前  2時間前  10分前
        金曜日  先週の金曜日                     今日より前のいちばん近い金曜日、先週の金曜日
        令和8年3月1日  2026.3.1  3/1             3/1 は 3 月 1 日（言語の設定によっては 1 月 3 日）
        9:30  9時半  18時30分  午後6時  正午     今日の時刻
        今朝  昨夜  昨日の20時  金曜日の夕方     朝は 8:00、昼 12:00、夕方 17:00、夜 21:00

      時刻のない日付は、今日なら現在の時刻、それ以外は 12:00 になります。期間を指定するところ
      （--from、--to、--on、--period）では、2026 は一年、2026-03 は一か月を指します。--from、--to、--on では
      先週（月曜から）、今月、去年なども使えます。

      終わり（--until）: +90m、+1h30m、18:30（始まりより早ければ翌日、12 時間まで）、または日付。
      長さ（--for、--idle）: 45s、5m、12h、1h30m。

      記録は書いた場所の時間帯を保ち、その土地の日付に並びます。
      """
    case .vectors:
      """
      顔のベクトル

      顔は、顔認識モデルが写真から計算した 16〜8,192 個の数（ふつうは 128 か 512 個）のベクトルです。
      --face、enroll、match には次のように渡します。

        ファイル名       ファイルから
        -                標準入力から
        cmd:PROGRAM …    プログラムの出力から（カメラを見るプログラムなど）

      形式は中身で見分けます。

        NumPy .npy       float16・float32・float64。一次元、または一枚ごとに一行
        JSON             [0.1, …] または {"embedding": [0.1, …], "model": "sface"}
        CSV・テキスト    一行にすべて、または一行に一つ
        FAISS .fvecs     名前が .f32 なら生の float32 も可

      複数のファイルや行は、一度に見せた複数枚として扱います。モデルはファイル・オプション・登録済みの顔の
      もので、一致していなければなりません。`facediary models` は対応する顔モデルとしきい値の一覧、
      `facediary calibrate` は手元のモデルのしきい値を求めます。
      """
    case .search:
      """
      検索

        抹茶 散歩        両方を含む記録（タイトル・本文・タグ。語の途中でも見つかります）
        抹茶 OR 紅茶     どちらか
        -牛乳            含まないもの
        "川のほとり"     そのままの並び
        #旅              そのタグの付いた記録

      大文字と小文字、アクセント記号、全角と半角、ひらがなとカタカナは区別しません。濁点（か・が）は
      区別します。新しい順に並び、--reverse、--limit と `list` の絞り込みも使えます。
      `browse` では / を押します。
      """
    case .sync:
      """
      複数の端末、一つの日記

        facediary sync setup 場所         最初の端末で。全端末のリカバリーコードを一度だけ示します
        facediary sync invite             もう一つの端末のためのコードを示し、待ちます
        facediary sync join 場所 コード   あちらで。両方に 10 文字が出て、最初の端末が尋ねます
        facediary sync                    送り、受け取ります。日記が開いていれば合わせます
        facediary sync status、devices    待っているもの、各端末の最後の便り
        facediary conflicts               本文が二つ以上ある記録

      場所は folder:/パス(Syncthing、クラウドの同期、ネットワークドライブ、USB メモリー)、rclone:リモート:パス、
      postgres:サービス、cmd:プログラム のどれかです。足りないものは sync doctor が言います。場所に見えるのは、
      封をしたものとその大きさ、届いた時だけです。パスフレーズ、顔、日記そのもののリカバリーコードは端末の外に出ません。

      一つの記録の二つの本文は、edit(すべてが出ます)で保存するまで、どちらも残ります。あちらで消され、こちらで
      書き足された記録は戻ります。20 件より多い、または 20 件に 1 件より多い削除は、確かめてからにします。

      場所の異常は名指しして 5 で、届かない場所は 1 で終わります。どちらでも、ここでは何も消えません。sync repair は
      場所がなくしたものを置き直します。sync compact は、すべての端末が同期したあと、完全に消したものを場所からも消します。sync revoke 端末 はなくした端末を外し、sync recover 場所 は新しい端末に日記を
      取り戻します。どちらも setup が示したリカバリーコードが要ります。
      """
    case .text:
      """
      本文の読み書き

      本文は一バイトも変えずに保存します。端末での `show`、`browse`、`export --format html` では Markdown
      として表示します。# 見出し、*強調*、**太字**、リスト、> 引用、`コード`、| 表 |、[リンク](https://…)、
      その記録の ![写真](name.jpg) が使え、改行はそのまま改行になります。`show --raw` は元の文字のままです。

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

      自由に書き換えてください。行を消すとその項目は元のまま、値だけ消すと空になります。
      読み取れないところがあれば、その理由を添えてもう一度エディタが開きます。
      """
    }
  }

  static func text(_ message: ManualText) -> String {
    switch message {
    case .done:
      "できました"
    case .systemFailed:
      "システムの失敗（ディスクがいっぱい、権限、読めない）"
    case .usageWrong:
      "コマンドラインの誤り、または必要な --yes がない"
    case .notAuthenticated:
      "認証されていない"
    case .lockedOut:
      "試しすぎで締め出されたか、待ち時間中"
    case .integrity:
      "完全性: 破損、改ざん、または巻き戻し"
    case .notFound:
      "見つからない"
    case .conflict:
      "衝突: もうある、その間に変わった、一つに決まらない"
    case .invalid:
      "正しくないデータ"
    case .declined:
      "断られた、またはエディタが失敗したか何も残さなかった"
    case .runtimeDirectory:
      "セッションのソケットのディレクトリ"
    case .configurationFile:
      "設定ファイル"
    case .editor:
      "エディタ"
    case .pager:
      "端末で長い出力を見せるもの。空か cat で使わない"
    case .noColors:
      "色なし"
    }
  }

  static func text(_ message: OpeningMessage) -> String {
    switch message {
    case .thisIsRecoveryCode:
      "これが復旧コードです。ほかをすべて失ったときに日記を開きます。二度と表示されないので、紙に書き留めてください"
    case .needsNewPassphrase(let command):
      "\(command) には新しいパスフレーズが必要ですが、尋ねる相手がいません"
    case .givePassphraseOrNone:
      "--passphrase-file で渡すか、--no-passphrase を選んでください"
    case .giveNewPassphraseFile:
      "--new-passphrase-file で渡してください"
    case .asksInWindow(let command, let vault):
      "facediary \(command): \(vault) の日記"
    case .noPinentry(let path):
      "設定の \"pinentry\" にある \(path) は、完全なパスで書かれたプログラムではありません"
    case .dialogOrJSON:
      "--code-dialog と --json は同時に指定できません。ダイアログは人に復旧コードを見せるためのものです"
    case .noDialog:
      "ダイアログを表示するプログラムがありません"
    case .installPinentry:
      "pinentry (pinentry-gnome3 または pinentry-qt) をインストールするか、設定の \"pinentry\" でプログラムを指定してください"
    case .codeIsWritten:
      "書き留めました"
    case .codeIsNotWritten:
      "キャンセル"
    case .pinPrompt:
      "TPM の PIN: "
    case .newPINPrompt:
      "新しい PIN: "
    case .pinsDiffer:
      "二つの PIN が違います"
    case .givePINFile:
      "--pin-file FILE で渡すか、端末で実行してください。PIN がなければ、パスフレーズか復旧コードで facediary device reset"
    case .giveNewPINFile:
      "--new-pin-file FILE で渡すか、端末で実行してください"
    case .needsNewPIN:
      "device move --pin には新しい PIN が必要です"
    case .newPassphrasePrompt:
      "新しいパスフレーズ: "
    case .sameAgainPrompt:
      "もう一度: "
    case .passphrasesDiffer:
      "二つのパスフレーズが違います。何も変えていません"
    case .askToUseIt: "それでも使いますか？"
    case .shortPassphrase:
      "短いパスフレーズは、ファイルを写した人にすぐ当てられます。いくつかの言葉をつなげるほうが安全です"
    case .locked:
      "日記は閉じています"
    case .showFaceOrGivePassphrase:
      "--face FILE で顔を見せるか、--passphrase-file FILE を渡してください"
    case .openWithUnlock:
      "開くには: facediary unlock"
    case .needsSecretNow(let command):
      "\(command) には、いまパスフレーズか復旧コードが必要です"
    case .giveSecretFile:
      "--passphrase-file か --recovery-file で渡してください"
    case .faceOrPassphraseWrong(let triesLeft):
      "顔かパスフレーズが違います。残り \(triesLeft) 回"
    case .givePassphraseBesideFace:
      "--face に --passphrase-file を添えてください"
    case .notTheFace(let triesLeft):
      "登録された顔ではありません。残り \(triesLeft) 回"
    case .severalFramesOrPassphrase:
      "何コマか一度に見せる（--face を重ねる）と断られにくくなります。パスフレーズでも開きます"
    case .orUsePassphrase:
      "またはパスフレーズで"
    case .passphrasePrompt:
      "パスフレーズ: "
    case .pairingCodePrompt:
      "ペアリングコード: "
    case .recoveryCodePrompt:
      "復旧コード: "
    case .oneSecretOnly:
      "パスフレーズか復旧コードの一方だけを渡してください"
    case .notARecoveryCode:
      "復旧コードの形ではありません"
    case .recoveryCodeForm:
      "四つずつ区切った 28 文字です。どれかが打ち間違いです"
    case .deviceStoreBehind(let what, let why):
      "できました。この端末の保管場所だけが追いついていません (\(what): \(why.text(in: .japanese)))。一度パスフレーズで開いてください"
    case .isBackup(let made):
      "これは \(made) に作ったバックアップで、読むだけです。facediary restore-backup で日記になります"
    case .deviceStoreRemade:
      "この端末の保管場所がなくなっていたので作り直しました。顔をもう一度登録してください。今回は、日記が古い写しに替わっていても気づけません"
    case .deviceMemoryGone:
      "この端末は日記について覚えていたことを失いました。この写しの後に鍵や開け方が替わっていても気づけません。替えていた場合は、facediary keys rotate でもう一度鍵を交換してください"
    case .vaultWasReadable(let path):
      "\(path) はほかの利用者にも読めましたが、今は自分だけが読めます"
    case .vaultIsReadable(let path):
      "\(path) はほかの利用者にも読めます。変えられませんでした"
    case .folderIsWritable(let folder):
      "\(folder) はほかの利用者にも書けるので、日記を置き換えられるおそれがあります: chmod go-w \(folder)"
    case .firstOpeningHere:
      "この端末で日記を開くのは初めてです"
    case .deviceStorePutAside(let path):
      "この端末の保管場所が読めないので \(path) によけました。顔をもう一度登録してください。今回は、日記が古い写しに替わっていても気づけません"
    case .keySlotCopyBroken(let problems):
      "鍵の枠の写しの一つが壊れています (\(problems.text(in: .japanese)))。詳しくは: facediary verify"
    case .cameraChanged(let file):
      "カメラのプログラムが、封じたときのものと違います: \(file)"
    case .confirmCamera:
      "自分で変えたのなら: facediary policy set camera on"
    case .closed:
      "日記を閉じました"
    case .vault(let path):
      "日記: \(path)"
    case .noDiaryYet:
      "まだ日記がありません。作るには: facediary init"
    case .vaultUnreadable(let reason):
      "日記が読めません (\(reason))。確かめるには: facediary verify"
    case .open(let by, let idle, let life):
      "開いています（\(by.text(in: .japanese))）。使わなければ \(idle) 分、長くて \(life) 分で閉じます。それまでは、あなたが動かすどのプログラムも読めます。閉じるには: facediary lock"
    case .closedOpensBy(let ways):
      "閉じています。\(ways.map { $0.text(in: .japanese) }.joined(separator: "・"))で開きます"
    case .way(let name):
      ["face": "顔", "passphrase": "パスフレーズ", "recovery": "復旧コード"][name] ?? name
    case .facesEnrolled(let count, let triesLeft):
      "ここに登録した顔: \(count)。残り \(triesLeft) 回"
    case .faceLockedOut:
      "顔では開けなくなっています。パスフレーズか復旧コードで解けます。"
    case .noFaceHere:
      "この端末に顔は登録されていません。登録するには: facediary enroll FILE…（顔なしで開くには: facediary unlock）"
    case .faceDataUnreadable:
      "この端末の顔のデータが読めません。パスフレーズで開き、もう一度登録してください。"
    case .recognised(let similarity, let threshold):
      "本人と認めました (類似度 \(similarity)、しきい値 \(threshold))"
    case .openUntil(let time, let isTomorrow, let idle):
      "日記は\(isTomorrow ? "明日" : "") \(time) まで開いています（\(idle) 分間使わないと閉じます）。閉じるには: facediary lock"
    case .askToMakeDiary:
      "まだ日記がありません。いま作りますか？"
    case .nothingMade:
      "何も作りませんでした"
    case .noPassphraseContradicts(let option):
      "--no-passphrase と \(option) は両立しません"
    case .made(let vault):
      "\(vault) を作りました"
    case .nextEnroll:
      "次に: facediary enroll FILE… で顔を登録するか、facediary unlock で開いてください"
    case .chipIsThere:
      "この機械には TPM があり、端末の鍵を封じられます: facediary device move --tpm"
    case .nextUnlock:
      "次に: facediary unlock --face FILE、それから facediary write"
    }
  }

  private static func pose(_ number: Int) -> String {
    ["カメラをまっすぐ見て", "顔を少し左に向けて", "顔を少し右に向けて", "夜の明かりで", "眼鏡を掛けて、または外して"][(number - 1) % 5]
  }

  static func text(_ message: FaceMessage) -> String {
    switch message {
    case .threeShots:
      "日を変えた三枚以上があると、断られることがずっと減ります"
    case .registered(let count, let threshold):
      "\(count) 件を登録しました。類似度 \(threshold) から認めます。試すには: facediary unlock --face FILE"
    case .enrolledAlready(let shot):
      "\(shot) 枚目は登録済みなので飛ばしました"
    case .shotsUnlike(let one, let other, let similarity, let threshold):
      "\(one) 枚目と \(other) 枚目は \(similarity) しか似ていません (しきい値 \(threshold))。どちらもあなたなら枚数を増やし、そうでなければ facediary faces remove ID で消してください"
    case .constantDirection(let shot, let share):
      "\(shot) 枚目: 向きの \(share) がどの成分にも同じ値です。他人も高い点になりうるので、しきい値を測ってください: facediary calibrate"
    case .samplesArePublic:
      "プログラムに付属する見本の顔です。だれでもこれで日記を開けるので、試用だけに使ってください"
    case .sampleAmongOwn(let shot):
      "\(shot) 枚目はプログラムに付属する見本の顔です。だれでもこれで日記を開けてしまいます"
    case .trySamplesApart:
      "見本は別の日記で試してください: facediary init --vault /tmp/try.facediary --device /tmp/try"
    case .samplesEnrolled(let count):
      "見本の顔が \(count) 枚登録されています。だれでもこの日記を開けます"
    case .replaceThem:
      "--replace-samples で見本を外し、あなたの顔を登録します"
    case .askToReplaceSamples(let count):
      "公開されている見本の顔が \(count) 枚登録されています。外してあなたの顔を登録しますか。"
    case .registeredUnlike(let shot, let similarity, let threshold):
      "\(shot) 枚目は \(similarity) しか似ていませんが登録しました (しきい値 \(threshold))"
    case .calibrated(let shots, let frames, let scoring, let threshold):
      "\(shots) 枚を登録すると、新しい \(shots) 枚と最初の \(frames) コマで採点します: \(scoring) で \(threshold) から"
    case .calibrationWantsShots(let shots, let more):
      "較正は \(shots) 枚で測ったものです。あと \(more) 枚登録すると効きます"
    case .removed(let left):
      "消しました。残りの顔: \(left)"
    case .accepted(let threshold):
      "これからは類似度 \(threshold) から認めます"
    case .modelThresholds(let source):
      "しきい値は \(source) のコサイン類似度（高いほど近い）です。出発点であって約束ではありません"
    case .similarity(let value):
      "類似度 \(value)（-1 から 1、高いほど近い）"
    case .noThresholdKnown:
      "このモデルのしきい値がわからないので、判断しません"
    case .nameModelOrThreshold:
      "--model でモデルを、または --threshold でしきい値を指定してください"
    case .given:
      "指定された値"
    case .calibratedFor(let model):
      "\(model) で較正した値"
    case .publishedFor(let model):
      "\(model) で公表された値"
    case .matchAccepted(let above, let threshold, let source):
      "認めます: しきい値 \(threshold) (\(source)) より \(above) 高い"
    case .matchRefused(let below, let threshold, let source):
      "断ります: しきい値 \(threshold) (\(source)) より \(below) 低い"
    case .thresholdComesFrom(let threshold, let origin):
      "しきい値は \(threshold): \(origin)"
    case .measuredRates(let fmr, let fnmr, let chosen):
      "較正で測った値: 他人 \(fmr) %、本人が断られる \(fnmr) %、通るように作ったベクトル \(chosen) %"
    case .publishedMeasured(
      let model, let fmr, let fnmr, let chosen, let fewerRefused, let fewerChosen):
      "\(model) で公表された値。三枚登録し一コマ見せるとき、他人が通るのは \(fmr) %、本人が断られるのは \(fnmr) %、通るように作ったベクトルが開くのは \(chosen) %。三コマで較正すれば \(fewerRefused) % と \(fewerChosen) %"
    case .notMeasured:
      "このしきい値の精度は測定されていません"
    case .doubtfulThreshold(let threshold):
      "しきい値 \(threshold) は公表された値より低いか、測られていません。他人を通すかもしれません"
    case .askDoubtfulThreshold(let threshold):
      "しきい値 \(threshold) は公表された値より低いか、測られていません。他人を通すかもしれません。使いますか？"
    case .forceIfMeasured:
      "測るには: facediary calibrate。それでも使うなら --force"
    case .notOneFace(let shot):
      "\(shot) 枚目は、一人の顔よりもモデルの平均の顔に近いものです。平均であって顔ではありません"
    case .belowThreshold:
      "類似度がしきい値に届きません"
    case .noProbeProgram:
      "顔を読むプログラムが設定されていません"
    case .nameProbeProgram:
      "--command か、設定の \"probe\" で指定してください"
    case .frames(let count, let components, let length, let model):
      "\(count) コマ、\(components) 成分、長さ \(length)、モデル \(model)"
    case .thresholdOutside(let value):
      "しきい値 \(value) は [-1, 1] の外です"
    case .thresholdIsCosine:
      "しきい値はコサイン類似度です。高いほど近い"
    case .modelNeeded:
      "どの顔モデルのベクトルか、ファイルにもオプションにもありません"
    case .nameModel:
      "--model で指定してください。知っているものは facediary models で"
    case .noThresholdOf(let model):
      "モデル \(model) のしきい値がわかりません。当て推量では誰でも入れかねません"
    case .giveThreshold:
      "自分の顔で測った値を --threshold で渡してください"
    case .otherThreshold(let enrolled, let given):
      "登録した顔のしきい値は \(enrolled) で、\(given) ではありません"
    case .oneThreshold:
      "一つの日記にしきい値は一つです。--threshold を外してください"
    case .shotUnlike(let shot, let similarity, let threshold):
      "\(shot) 枚目は登録済みのものに \(similarity) しか似ていません。しきい値は \(threshold) です"
    case .forceIfYou:
      "本当にあなたなら: --force"
    case .atMostFaces(let limit):
      "一つの日記の顔は多くて \(limit) 件です"
    case .closeCallMoreShots:
      "ぎりぎりでした。日を変えた三枚以上があると断られにくくなります: facediary enroll FILE…"
    case .closeCallMoreFrames:
      "ぎりぎりでした。何コマか一度に見せるとばらつきが減ります（--face を重ねる）"
    case .cameraSetUp: "設定済み"
    case .cameraNotSetUp(let name): "未設定: facediary camera setup \(name)"
    case .noReadyCamera(let name): "\(name) というカメラのプログラムはありません"
    case .libraryMissing(let name): "\(name) のライブラリがインストールされていません"
    case .weightsMissing(let files):
      "モデルのファイルがまだありません。FaceDiary は自分ではダウンロードしません: \(files.joined(separator: "、"))"
    case .weightsOther(let path, let found, let expected):
      "\(path) は別のファイルです: SHA-256 は \(found) で、\(expected) ではありません"
    case .weights(let name, let size, let licence, let sha256):
      "\(name)（\(size)、ライセンス: \(licence)、SHA-256 \(sha256)）"
    case .cameraSees(let frames, let model, let components):
      "カメラに顔が一つ写っています: \(model) で \(frames) コマ、\(components) 成分。次に: facediary enroll --camera"
    case .cameraRefused(let refusal, let says):
      switch refusal {
      case .noFace: "顔が写っていません。カメラの前に座ってください"
      case .several: "顔が二つ以上写っています"
      case .light: "暗すぎるか明るすぎます。顔に光が当たるところに座ってください"
      case .small: "顔が遠すぎます。近づいてください"
      case .blurred: "ぶれています。動かないでください"
      case .noCamera, .noModel, .noPicture: says
      }
    case .photoNeedsReadyCamera(let file):
      "\(file) は写真ですが、設定されているプログラムは写真を読めません"
    case .framesUnlike: "コマどうしが別人ほど違っています。もう一度どうぞ"
    case .shotPrompt(let number, let count):
      pose(number) + " Enter を押してください（\(number)/\(count) 枚目）: "
    case .shotComes(let number, let count):
      "撮影 \(number)/\(count)：\(pose(number))"
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
      "\(shots) 枚ある人が少なすぎて、そのようには較正できません"
    case .moreShots:
      "一人の枚数を増やすか、--enroll と --frames を小さくしてください"
    case .tooFewPairs:
      "組が少なすぎて、保存できる精度のしきい値になりません"
    case .notText(let path):
      "\(path) は UTF-8 のテキストではありません"
    case .quoteOpen(let file, let line): "\(file)、\(line) 行目: 引用符が閉じられていません"
    case .severalRows(let path, let line, let file, let rows):
      "\(path)、\(line) 行目: \(file) には \(rows) 行あります。どれかを指定してください"
    case .twoPersons(let path):
      "\(path): 較正には二人以上と、二枚ある人が必要です"
    case .cannotShow(let pairs, let rate, let least):
      "違う人どうしの \(pairs) 組では、他人受入率 \(rate) は示せません。およそ \(least) % より小さいことは言えません"
    case .sharedDirection(let length):
      "どのベクトルも同じ向きに寄っている (平均の長さが 1 のうち \(length)) ので、他人も高い点になります。こうして測ったしきい値だけが頼りです"
    case .worstPerson(let person, let rate):
      "勧めたしきい値では \(person) が \(rate) % の組で断られます。その人は登録枚数を増やすとよいでしょう"
    case .pairs(let genuine, let impostor):
      "同じ人の組 \(genuine)、違う人の組 \(impostor)"
    case .equalErrorRate(let rate, let threshold):
      "EER \(rate) % (類似度 \(threshold))"
    case .atRate(let rate, let threshold, let low, let high, let fnmr):
      "FMR \(rate): しきい値 \(threshold) (95 % 区間 \(low) から \(high))、FNMR \(fnmr) %"
    case .byPerson(let best, let bestRate, let median, let worst, let worstRate):
      "人ごとの FNMR: 最良 \(best) \(bestRate) %、中央 \(median) %、最悪 \(worst) \(worstRate) %"
    case .chosen(let rate, let low, let high, let owners, let open, let threshold):
      "通るように作ったベクトルは、しきい値 \(threshold) で 5 回のうちに持ち主の \(rate) % を開きます (95 % 区間 \(low) から \(high)、\(owners) 人)。見張りがなければ \(open) %"
    case .published(let threshold, let fmr, let fnmr, let chosen, let open):
      "公表されたしきい値 \(threshold)（較正なし）: FMR \(fmr) %、FNMR \(fnmr) %、通るように作ったベクトル \(chosen) %、見張りがなければ \(open) %"
    case .chosenTooMany(let rate, let target):
      "通るように作ったベクトルが開く持ち主を \(target) % 以下にするしきい値は見つかりませんでした。勧めたものでは \(rate) % です"
    case .chosenUnshown(let owners, let rate, let most):
      "持ち主 \(owners) 人では、通るように作ったベクトルが開くのは \(rate) % 以下だと示せません。およそ \(most) % より小さいことは言えません"
    case .suggested(let threshold, let fmr, let fnmr):
      "勧めるしきい値: \(threshold) (FMR \(fmr) %、FNMR \(fnmr) %)"
    case .empty(let file):
      "\(file): 中身がありません"
    case .wantsColumns(let file, let line, let found):
      "\(file)、\(line) 行目: person と file の列が必要です。\(found) ではありません"
    case .wantsPersonAndFile(let file, let line):
      "\(file)、\(line) 行目: 人とファイルが必要です"
    case .wantsRow(let file, let line):
      "\(file)、\(line) 行目: 0 からの行番号が必要です"
    }
  }

  static func text(_ message: WritingMessage) -> String {
    switch message {
    case .attached(let count, let entry):
      "\(entry) に \(count) 件つけました"
    case .fieldTwice(let field): "\(field) が二度書かれています。一つだけ残してください"
    case .photoSaysNothing: "--from-photo: 撮影の日時や場所の記録がある写真はありません"
    case .noFiles: "写真やファイルはありません"
    case .trashEmpty: "ごみ箱は空です"
    case .noMemories: "これまでの年のこの日の記録はありません"
    case .noTags: "タグの付いた記録はまだありません"
    case .nothingFound:
      "見つかりませんでした"
    case .wroteFile(let path):
      "\(path) に書き出しました。暗号化されていません"
    case .tookAway(let name, let entry):
      "\(entry) から \(name) を外しました"
    case .couldBeChanged(let path):
      "\(path) はほかの人が変えられます"
    case .chmodOthers(let path):
      "chmod go-w '\(path)'"
    case .unreadable(let path):
      "\(path) が読めません"
    case .notConfiguration(let path):
      "\(path) は設定ファイルではありません"
    case .configurationForm:
      "文字列の probe と language、配列の environment をもつオブジェクト（どれも省略可）"
    case .unknownConfigurationKey(let path, let key, let nearest):
      "\(path): \(key) という設定はありません" + (nearest.map { "（\($0) のことですか？）" } ?? "")
    case .badConfigurationKey(let path, let key):
      "\(path): \(key) の値が正しくありません"
    case .noPlaceForConfiguration:
      "設定を置く場所がありません: HOME が設定されていません"
    case .notDateCut(let text):
      "日付ではありません: \(text)…"
    case .dateForms:
      "2026-03-01、2026年3月1日、2026-03-01T09:30、昨日 18:00、3日前、2時間前（詳しくは facediary help dates）"
    case .notDate(let text):
      "日付として読めません: \(text)"
    case .liesAhead(let time): "記録の時刻は未来です: \(time)"
    case .dateUnclear(let text):
      "\(text) は月と日の順がわかりません"
    case .notDuration(let text):
      "時間の長さとして読めません: \(text)"
    case .durationForms:
      "+30m、+2h、+1h30m"
    case .notEnd(let text):
      "終了日時として読めません: \(text)"
    case .endForms:
      "+90m、18:30、または日付"
    case .endBeforeStart(let end, let start):
      "終わり \(end) が始まり \(start) より前です"
    case .noSuchDay(let text):
      "\(text) という日はありません"
    case .dateYears:
      "1年から9999年までの日付"
    case .headBroken: "項目の上の --- の行がありません"
    case .recovered(let entry, let revision):
      revision == 1
        ? "\(entry): 新しい記録として保存しました（元の記録がその後変わったか、新しく書いたものです）"
        : "\(entry): 第 \(revision) 版として保存しました"
    case .noSuchField(let name, let known):
      "\(name) という項目はありません。使えるのは \(known.joined(separator: ", ")) です"
    case .yesOrNo(let field, let text): "\(field) は yes か no です（\(text) は使えません）"
    case .noEditor:
      "エディタがありません"
    case .editorElsewhere(let editor):
      "\(editor) は本文をこの端末の外のプログラムに渡します。そこに写しが残ることを、ここからは防げません"
    case .editorElsewhereHint:
      "VISUAL に vim、nano、emacs、micro、hx のどれかを。それでも使うなら --editor-on-disk を"
    case .editorUnknown(let editor):
      "\(editor) がほかに何を残すか（バックアップ、取り消しの履歴など）はここではわかりません。その設定しだいです"
    case .swapInClear(let places):
      "この機械はメモリを暗号化せずにディスクへ移します (\(places))。書いたものがそこに残ることがあります"
    case .nameEditor:
      "VISUAL か EDITOR で指定してください"
    case .noMemoryDirectory:
      "エディタのファイルを置く、メモリ上のディレクトリがありません"
    case .editorOnDiskHint:
      "--editor-on-disk でディスクに置けますが、跡が残るかもしれません"
    case .editorFailed(let editor, let status):
      "エディタ \(editor) が \(status) で終わりました。何も変えませんでした"
    case .editorLeftNoFile:
      "エディタがファイルを残しませんでした。何も変えませんでした"
    case .editorLeftNoText:
      "エディタが残したものは UTF-8 のテキストではありません。Latin-1 として読み、控えを残しました"
    case .keptInMemory(let path):
      "\(path)（メモリの上）に残してあります"
    case .toBeforeFrom:
      "--to が --from より前です"
    case .noTemplates:
      "ひな形はありません。作るには: facediary templates add 名前"
    case .templateExists(let name):
      "\(name) というひな形はもうあります"
    case .editTemplate:
      "変えるには: facediary templates edit"
    case .templateNeedsText:
      "ひな形には本文が必要です"
    case .keptTemplate(let name):
      "ひな形 \(name) を残しました"
    case .askToRemoveTemplate(let name):
      "ひな形 \(name) を消しますか？"
    case .removedTemplate(let name):
      "ひな形 \(name) を消しました"
    case .nothingToRecover:
      "復元できる本文はありません"
    case .templateInEditor:
      "--template はエディタでの書き始めです。言葉を外してください"
    case .entryNeedsSomething:
      "記録には本文かタイトルか添付が必要です"
    case .nothingWritten:
      "何も書かれなかったので、保存しませんでした"
    case .templateLeft:
      "ひな形のままなので、何も残しませんでした"
    case .typeThenEnd:
      "本文を打ってください。行の初めで Ctrl-D を打つと終わります"
    case .nothingToChange:
      "変えるものがありません。本文かオプション、標準入力なら - を渡してください"
    case .nothingLeft:
      "ファイルが空なので、記録は変更しませんでした"
    case .unchanged:
      "変更がないので、保存しませんでした"
    case .keptAt(let path):
      "本文を保存できませんでした。\(path) に残してあります（メモリの上なので、再起動で消えます）"
    case .keptSealed:
      "本文を保存できませんでした。暗号化して保管してあります: facediary write --recover"
    case .sessionEndedMeanwhile:
      "書いている間にセッションが終わりました。本文は保存されるまで暗号化して保管してあります"
    case .textTooLong(let limit):
      "本文が \(limit) バイトより長いです"
    case .attachAsFile:
      "ファイルとして添付してください"
    case .inputNotText:
      "標準入力が UTF-8 のテキストではありません"
    }
  }

  static func text(_ message: ReadingMessage) -> String {
    switch message {
    case .browseNeedsTerminal:
      "browse には端末が必要です"
    case .movedMeanwhile:
      "ほかで移動または削除されました"
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
      "? キー · q 終了 · Enter 読む · / 検索 · : 日付 · ←→ 日記帳 · n 書く · e 編集 · d 削除"
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
      :\t日付へ移動（2026-03-01、昨日、2024 など）
      ← →  h l\t日記帳の切り替え
      絞り込み
      /\t検索（#タグ、-除く語 も使えます）
      #\tひとつのタグだけ
      *\t星付きだけ
      Esc\tすべて表示
      記録
      Enter\t読む
      o\t写真やファイルを開く
      e s d\t編集・星・ごみ箱へ
      u\t最後に削除したものを戻す
      n\t新しく書く
      q\t終了
      """
    case .anyKeyBack: "どのキーでも戻ります"
    case .moveOrBack: "↓ ↑ とスペースで動き、ほかのキーで戻ります"
    case .noSuchKey: "そのキーには何もありません。? でキーの一覧を出します"
    case .nothingDeleted: "ここで消して戻せる記録はありません"
    case .goToDate: "日付:"
    case .filterByTag: "タグ:"
    case .whichFile: "どのファイルですか？ 番号を押してください（ほかのキーで戻ります）"
    case .sameLines(let count): "変わらない \(count) 行"
    case .openNeedsTerminal: "表示の終わりを確認する端末がありません"
    case .severalFiles(let entry, let count): "\(entry) にはファイルが \(count) 個あります。名前を指定してください"
    case .viewerFailed(let program, let status): "\(program) では開けませんでした（終了コード \(status)）"
    case .noViewer: "開くプログラムを選ぶ xdg-open がありません"
    case .pressEnterWhenSeen(let name): "\(name) を開きました。Enter を押すとメモリから消えます。"
    case .terminalGone:
      "端末がなくなりました"
    case .moreWithAll(let count):
      "--all であと \(count) 件"
    case .new:
      "新"
    case .periodBackwards(let period):
      "期間 \(period) の終わりが始まりより前です"
    case .notPeriod(let text):
      "期間ではありません: \(text)"
    case .periodForms:
      "2026、2026-03、2026-03-01..2026-03-14、all"
    case .figures(let entries, let words, let days):
      "記録 \(entries) 件、\(words) 語（和文は文字数）、\(days) 日"
    case .span(let from, let to):
      "\(from) から \(to) まで"
    case .streaks(let current, let longest):
      "続けて書いた日: いま \(current) 日、最長 \(longest) 日"
    case .emptyDays(let count):
      "… 記録のない日が \(count) 日"
    case .day(let year, let month, let day, let weekday):
      "\(Int(year) ?? 0)年\(Int(month) ?? 0)月\(Int(day) ?? 0)日(\(weekday.prefix(1)))"
    case .revision(let number):
      "第 \(number) 版"
    }
  }

  static func text(_ message: NamesMessage) -> String {
    switch message {
    case .madeJournal(let name):
      "日記帳 \(name) を作りました"
    case .changedJournal(let name):
      "日記帳 \(name) を変えました"
    case .noTag(let name): "タグ \(name) の付いた記録はありません"
    case .tagIsThere(let name): "タグ \(name) はすでにあります"
    case .mergeTags(let old, let new):
      "両方の記録を同じタグにするには: facediary tags merge \(old) \(new)"
    case .tagged(let name, let count): "タグ \(name) を付けた記録: \(count) 件"
    case .renamed(let old, let new):
      "\(old) は \(new) になりました"
    case .moved(let name):
      "\(name) を動かしました"
    case .noJournals:
      "日記帳はありません。作るには: facediary journals add 名前"
    case .sayWhereEntriesGo:
      "記録の移動先を指定してください: --to 日記帳 か --trash"
    case .askToRemoveJournalInto(let name, let entries, let heir):
      "日記帳 \(name) を消しますか? 記録 \(entries) 件は \(heir) に移ります。"
    case .askToRemoveJournal(let name, let entries):
      "日記帳 \(name) を消しますか? 記録 \(entries) 件はごみ箱に入ります。"
    case .removedJournal(let name):
      "日記帳 \(name) を消しました"
    case .madeKind(let name):
      "種類 \(name) を作りました"
    case .askToRemoveKind(let name):
      "種類 \(name) を消しますか? 記録は種類なしで残ります。"
    case .removedKind(let name):
      "種類 \(name) を消しました"
    case .askToTrash(let count):
      "\(count) 件をごみ箱に移しますか？"
    case .trashed(let count):
      "ごみ箱に移しました: \(count)"
    case .restored(let count):
      "戻しました: \(count)"
    case .askToPurge(let count):
      "\(count) 件を完全に消しますか？"
    case .purged(let count):
      "完全に消しました: \(count)"
    }
  }

  static func text(_ message: KeepingMessage) -> String {
    switch message {
    case .acceptedRollback:
      "受け入れました。日記はこの写しから続きます"
    case .acceptedElsewhere:
      "別の端末で日記の古い写しが受け入れられました。日記はそこから続きます"
    case .nothingToAccept:
      "この端末の知る最新のものです。受け入れることはありません"
    case .olderCopy(let entries, let remembered):
      "この写しの記録は \(entries) 件、この端末が最後に見たときは \(remembered) 件でした"
    case .olderCopyLacks(let count):
      "そのあと書いた \(count) 件と、そのあとの書き直しは入っていません"
    case .olderCopySlot(let kind, let created):
      "そのあと取り除いた開け方が入っていますが、取り除いたままにします: \(kind.text(in: .japanese))、\(created) のもの"
    case .olderCopyLost(let count):
      "今日の開け方のうち \(count) 個が失われます。この写しにも、この端末の控えにもありません"
    case .waysInLost(let count):
      "今日の開け方のうち \(count) 個は引き継げず、もう日記を開けません。facediary keys で確かめ、必要なものを加えてください: facediary keys add passphrase、facediary keys add recovery"
    case .notRemoved(let path):
      "\(path) を削除できませんでした"
    case .copyOfLaterKey:
      "この端末が最後に見た後に日記の鍵が交換されています。開き方は新しい鍵とともに作られたものになります。自分で交換した場合だけ続けてください"
    case .olderCopyPolicy:
      "決まりがそのあと変わっています。厳しいほうが有効になります"
    case .olderCopyFaces:
      "そのときは別の顔が登録されていました。今の顔がそのまま有効です"
    case .olderCopyUnknown(let entries):
      "この端末はこの日記のことを覚えていません。記録 \(entries) 件と開け方、決まりがすべてこの写しのものに戻ります"
    case .faceKeepsPassphrase(let id):
      "顔とパスフレーズによる開け方 \(id) は、作ったときのパスフレーズのままです。やめるには: facediary keys remove \(id)"
    case .faceDropped(let id, let created):
      "別の端末の顔だけでは開かなくなりました: 解錠方法 \(id)、\(created) のもの"
    case .notDirectory(let path):
      "\(path) はディレクトリではありません。触れていません"
    case .notWholeKeptOlder:
      "日記が整っていないので、古いバックアップは消していません"
    case .lookWithVerify:
      "詳しくは: facediary verify"
    case .removedOlder(let count):
      "古いバックアップを消しました: \(count)"
    case .backupMade(let path):
      "バックアップを作りました: \(path)"
    case .restoreAsks:
      "restore-backup は日記を置き換える前に確かめます。尋ねる相手がいません"
    case .giveYes:
      "--yes を付けてください"
    case .restored:
      "日記はバックアップの中身になりました"
    case .moveAway(let vault):
      "\(vault) とその -wal を別の場所へ移してから、もう一度。バックアップが日記になります"
    case .moveDeviceStoreAway(let path):
      "自分で元に戻したのなら、\(path) を別の場所へ移してから、もう一度。端末は新しくやり直します"
    case .giveUpDeviceStore(let path):
      "置き場所 \(path) を元に戻せないときは、よそへ移してからもう一度実行してください。端末は新しく始まり、バックアップの秘密で日記が開きます"
    case .moveFileAway(let path):
      "\(path) をよそへ移してから、パスフレーズか回復コードで開いてください"
    case .beginDeviceAnew(let path):
      "鍵がもう戻らないのなら、\(path) を別の場所へ移してから、もう一度。端末は新しくやり直します"
    case .replaceKeyForDevices:
      "使わなくなった端末は、鍵を替えると忘れられます: facediary keys rotate"
    case .otherKey:
      "バックアップは別の鍵で作られていて、これでは開きません"
    case .giveBackupPassphrase:
      "そのときのパスフレーズを --backup-passphrase-file で渡してください"
    case .replaces(let present, let entries, let made):
      "日記の \(present) 件が、\(made) に作ったバックアップの \(entries) 件に置き換わります"
    case .becomes(let made, let entries):
      "\(made) に作った、記録 \(entries) 件のバックアップが日記になります"
    case .backupLacks(let files):
      "このバックアップには、記録の写真やファイルが \(files) 個ありません"
    case .keyReplacedElsewhere:
      "別の端末で日記の鍵が替えられました"
    case .leftSpace(let device, let id):
      if id.isEmpty {
        "日記はほかの端末との共有をやめました。どの端末だったかは読み取れません。前の写しは、まだその端末として読み書きできます。facediary sync join か facediary sync recover で戻り、facediary sync devices で確かめて、facediary sync revoke で外してください"
      } else {
        "日記はほかの端末との共有をやめました。前の写しは、まだ端末「\(device)」として読み書きできます。facediary sync join か facediary sync recover で戻り、その端末を外してください: facediary sync revoke \(id)"
      }
    case .willLeaveSpace:
      "前の写しが共有の鍵を持っているので、日記はほかの端末との共有をやめます"
    case .goOn:
      "続けますか？"
    case .lost(let what):
      "失われたもの: \(what.text(in: .japanese))"
    case .othersLost(let count):
      "失われたもの: ほかに \(count) 件"
    case .otherProblems(let count):
      "ほかに問題 \(count) 件"
    case .onlyOlder(let count):
      "\(count) 件の記録は、古い本文だけが開きました"
    case .nameless(let count):
      "\(count) 件の本文はタイトルと日付とタグを失い、今日の日付にあります"
    case .rescued(let entries, let attachments, let path):
      "救い出しました: 記録 \(entries) 件、添付 \(attachments) 件、\(path) へ"
    case .deviceKeyInFile:
      "新しい端末の鍵はファイルにあります。古い鍵はもう何も開きません"
    case .deviceKeyByHelper:
      "新しい端末の鍵は補助プログラムがしまいました。古い鍵はもう何も開きません"
    case .deviceKeyInChip:
      "新しい端末の鍵は TPM で封じられました（PIN なし）。古い鍵はもう何も開きません"
    case .deviceKeyInChipWithPIN:
      "新しい端末の鍵は TPM と PIN で封じられました。古い鍵はもう何も開きません"
    case .deviceBegunAnew:
      "この端末は、ファイルにある鍵で新しく始まります。なくした鍵による顔の解錠方法は日記に残っています。facediary keys で見て、知らないものは消してください: facediary keys remove ID"
    case .deviceStore(let path):
      "端末の保管場所: \(path)"
    case .keptBy(let helper):
      "端末の鍵: \(helper) がしまっています"
    case .keptInChip:
      "端末の鍵: TPM で封じてあります"
    case .keptInFile:
      "端末の鍵: そこのファイル"
    case .deviceKeyMissing:
      "端末の鍵がいま得られません: facediary device --help"
    case .slotRemoved:
      "消しました。日記の古い写しはまだこれで開きます"
    case .weakestFace:
      "最も弱い開け方は顔です。日記のファイルと端末の鍵のファイルを両方手に入れた人は、顔なしで開けます。補助プログラム、warm、face-passphrase で防げます"
    case .weakestHelper:
      "最も弱い開け方は顔と、端末の鍵をしまう補助プログラムが求めるものです"
    case .weakestPassphrase:
      "最も弱い開け方はパスフレーズです。長いほど強くなります"
    case .passphraseAdded:
      "加えました。前からのパスフレーズは残ります"
    case .codeAdded:
      "加えました。前からのコードも残ります"
    case .facePassphraseAdded:
      "加えました。これからこの端末の顔は、そのパスフレーズと一緒でだけ日記を開きます"
    case .noSuchKind(let name):
      "そのような種類はありません: \(name)"
    case .slotKinds:
      "passphrase、recovery、face-passphrase のどれか"
    case .rotateAsks:
      "keys rotate は解錠方法を消す前に確かめます。尋ねる相手がいません"
    case .lookAtKeys:
      "facediary keys で見てから、--yes を付けてください"
    case .willBeDropped(let id, let kind, let created):
      "消えます: \(id) \(kind)、\(created) のもの"
    case .rotated:
      "すべてを新しい鍵で封じ直しました。前の写しはずっと古い鍵で開きます。要らないものは消し、新しいバックアップを作ってください"
    case .askToRotate:
      "はいと答えるまでは前の復旧コードが有効です。新しいコードを書き留めましたか。鍵を作り直しますか？"
    case .oldCodeStays:
      "何も変えていません。復旧コードは前のもののままです"
    case .passphraseChanged:
      "変えました。日記の古い写しはまだ古いもので開きます (facediary keys rotate)"
    case .ruleChanged(let rule, let old, let new): "\(rule) を \(old) から \(new) に変えました"
    case .closedByRule: "新しい設定を有効にするため、日記を閉じました。開くには: facediary unlock"
    case .ruleIs(let rule, let value): "\(rule) は前と同じ \(value) です"
    case .ruleExpected(let rule, let value, let expected):
      "\(rule) \(value): \(expected.text(in: .japanese))が必要です"
    case .durationBetween(let least, let most):
      "\(least) から \(most) の長さ"
    case .cameraOrWarm:
      "camera と warm を同時には on にできません。warm では渡された顔しか判定できず、どのカメラが見たかを確かめられません"
    case .onOrOff:
      "on か off"
    case .off:
      "off"
    case .turnOnFacePassphrase:
      "入れるには: facediary keys add face-passphrase"
    case .mended(let count):
      "直した数: \(count)"
    case .whole(let entries, let revisions):
      "異常はありません: 記録 \(entries) 件、\(revisions) 版をすべてたどって開きました"
    case .notWhole(let problems, let entries):
      "無事ではありません: 問題 \(problems) 件。開く記録は \(entries) 件"
    case .unfinished(let count):
      "途中で終わった添付 \(count) 件が場所を取っています。facediary purge で消えます"
    case .restoreOrSalvage:
      "バックアップを戻すか (facediary restore-backup)、まだ開くものを救い出してください: facediary salvage OUT"
    case .repairForeign:
      "見えるものは書いたときのままです。facediary verify --repair で取り除けます。ほかに何がこのファイルに書くのか調べてください。"
    case .repairSpare:
      "予備の部分です。facediary verify --repair が書き直します。"
    }
  }

  static func text(_ message: ExchangeMessage) -> String {
    switch message {
    case .markdownIsFolder:
      "markdown はフォルダです。-o で新しい名前を指定してください"
    case .attachmentsAreForJSON:
      "--attachments は json のためのものです。markdown と html は自分で持ちます"
    case .exportedUnsealed:
      "書き出したものは暗号化されていません"
    case .wroteEntries(let count, let path):
      "\(path) に \(count) 件を書き出しました"
    case .filesLeft(let count):
      "写真やファイル \(count) 件は名前だけです。--attachments DIR で書き出せます"
    case .nameNewFolder:
      "新しいフォルダを指定してください"
    case .diary:
      "日記"
    case .isFolder(let path, let format):
      "\(path) はフォルダで、\(format) ではありません"
    case .markdownWantsFolder(let path):
      "markdown はフォルダです。\(path) は違います"
    case .lost(.attachment, let name, let count):
      "\(name) が見つからないため省きました（記録 \(count) 件）"
    case .lost(.field, let name, let count):
      "項目 \(name) は対応していないため省きました（記録 \(count) 件）"
    case .lost(.file, let path, _):
      "日付がわからないため省きました: \(path)"
    case .lost(.folder, let path, _):
      "取り込めません: フォルダ \(path) は開けないか、16 階層より深いところにあります"
    case .lost(.trashed, let place, _): "取り込まなかったもの: \(place)（元のアプリでごみ箱にありました）"
    case .lost(.unread, let place, _): "取り込まなかったもの: \(place)（どの記録からも参照されていません）"
    case .lost(.empty, let place, _): "取り込まなかったもの: \(place)（中身がありません）"
    case .lost(.entry, let place, _): "取り込めません: \(place)"
    case .moreLost(let count):
      "取り込めないものがほかに \(count) 件あります。--json ですべて示します"
    case .encrypted(let name): "\(name) は暗号化されています"
    case .noTextOrEncrypted(let name): "\(name) はテキストではありません。暗号化されているかもしれません"
    case .zipLocked(let name): "\(name) はパスワードで保護されています"
    case .notRecognised(let name): "\(name) は取り込める形式ではありません"
    case .severalForms(let name, let formats):
      "\(name) には複数のアプリの記録があります: \(formats.joined(separator: "、"))。どれかを指定してください"
    case .conflictChoices:
      "何も取り込んでいません。--on-conflict update で新しい版にし、--on-conflict skip なら今のまま残します"
    case .exportDecrypted: "復号したものを書き出して取り込み、そのあと消してください"
    case .moreBad(let count, let places):
      "ほかに \(count) 件も取り込めません: \(places.joined(separator: "、"))。--skip-bad なら飛ばして、その名前を示します"
    case .jrnlEncrypted(let name): "\(name) は jrnl で暗号化されています"
    case .notUnpacked(let name, let says): "\(name) をメモリに展開できませんでした: \(says)"
    case .zipped(let name): "\(name) は zip ファイルです"
    case .unzipFirst: "専用のフォルダに展開して、そのフォルダを取り込んでください: unzip FILE -d FOLDER"
    case .decryptJrnl: "jrnl --decrypt で読めるようになります"
    case .wouldBring(let date, let title, let files):
      "\(date)  \(title)" + (files > 0 ? "（ファイル \(files) 件）" : "")
    case .wouldImport(let imported, let duplicates):
      "取り込む予定: \(imported) 件、すでにあるもの: \(duplicates) 件"
    case .imported(let imported, let duplicates):
      "\(imported) 件を取り込みました (すでにあるもの: \(duplicates) 件)"
    case .updated(let count): "\(count) 件を新しい版にしました"
    case .leftAsItIs(let count): "内容の異なる \(count) 件はそのまま残しました"
    case .skipBadOnes: "何も取り込んでいません。--skip-bad で取り込めないものだけを省けます"
    case .skipped(let count): "\(count) 件は取り込みませんでした"
    case .otherFormats:
      "ほかのアプリの JSON なら、--format で形式を指定してください（一覧: facediary help import）"
    case .onlyFiles(let name, let line):
      "\(name)、\(line) 行目: 記録にはファイルしかなく、それがここにありません"
    case .sayWhereFiles:
      "--attachments DIR で場所を指定してください"
    case .zone(let name):
      "時間帯 \(name)"
    case .field(let name, let line, let field, let expected):
      "\(name)、\(line) 行目、項目 \"\(field)\": \(expected.text(in: .japanese))が必要です"
    case .jsonAt(let name, let line, let column, let expected):
      "\(name)、\(line) 行目 \(column) 列目: \(expected.text(in: .japanese))が必要です"
    case .noJrnlEntry(let name):
      "\(name): 記録がありません。記録は [2026-03-01 09:30] で始まります"
    case .wantsJrnlHead(let name, let line):
      "\(name)、\(line) 行目: [2026-03-01 09:30] と題が必要です"
    case .lineTooLong(let name, let line):
      "\(name)、\(line) 行目: 本文として長すぎます"
    case .lineNotDate(let name, let line, let date):
      "\(name)、\(line) 行目: 日付ではありません: \(date)"
    case .lineNotText(let name, let line):
      "\(name)、\(line) 行目: UTF-8 のテキストではありません"
    case .noDayOne(let folder): "\(folder) に Day One の日誌（.json ファイル）がありません"
    case .noMarkdown(let folder):
      "\(folder): .md ファイルがありません"
    case .notText(let file):
      "\(file): UTF-8 のテキストではありません"
    case .wantsID(let file):
      "\(file)、項目 \"id\": base32 の 26 文字が必要です"
    case .fileField(let file, let field, let expected):
      "\(file)、項目 \"\(field)\": \(expected.text(in: .japanese))が必要です"
    case .wantsDateField(let file, let field):
      "\(file)、項目 \"\(field)\": 2026-03-01T09:30:00+09:00 のような日付が必要です"
    case .wantsColon(let file, let line):
      "\(file)、\(line) 行目: 名前とコロンと値が必要です"
    case .frontMatterOpen(let file):
      "\(file): 頭の項目に終わりがありません。--- の行が必要です"
    case .wantsListEnd(let file, let line):
      "\(file)、\(line) 行目: ] で終わる並びが必要です"
    case .wantsTextEnd(let file, let line):
      "\(file)、\(line) 行目: \" で終わる文が必要です"
    }
  }

  static func text(_ message: SyncMessage) -> String {
    switch message {
    case .sharesNothing:
      "この日記にはほかの端末がありません"
    case .setUpFirst:
      "facediary sync setup 場所、または sync join 場所 コード"
    case .noPlace:
      "この日記の端末が出会う場所が決められていません"
    case .nameOfPlace(let place):
      "\(place) は場所ではありません"
    case .placeForms:
      "folder:/パス、rclone:リモート:パス、postgres:サービス、cmd:プログラム のどれか"
    case .folderMissing(let place):
      "\(place) がありません"
    case .mountIt:
      "ディスクやネットワークドライブはつながっていますか。そうでなければフォルダーを作ってください"
    case .installProgram(let program):
      "この場所には \(program) が要りますが、入っていません"
    case .programFailed(let program, let says):
      "\(program) が失敗しました: \(says)"
    case .tooLarge(let place, let limit):
      "\(place) に置けるファイルは \(limit) バイトまでです"
    case .placeFailed(let place, let says):
      "\(place): \(says)"
    case .begun(let place):
      "この日記はこれから \(place) でほかの端末と出会います"
    case .spaceCodeIs:
      "このリカバリーコードがあれば、場所にあるものだけから全端末の日記を取り戻せます。一度だけ表示され、日記そのもののコードとは別のものです"
    case .pairingCodeIs:
      "もう一つの端末のためのコードです。待っている間に一度だけ使えます"
    case .typeItThere(let place):
      "あちらで: facediary sync join \(place) コード"
    case .nobodyCame:
      "だれも応えませんでした。コードはもう使えません"
    case .seeAllTexts(let id):
      "facediary edit \(id) でエディタにすべて出ます。--ends-conflict を付けると、ここで渡したものに替わります"
    case .leaveFirst:
      "facediary sync leave で外れてから（日記は残ります）、もう一度実行してください"
    case .inviteAgain:
      "もう一つの端末でもう一度 facediary sync invite を実行し、新しいコードで facediary sync join"
    case .doneLeaving:
      "この日記はもうほかの端末と同期しません。記録はすべて残っています"
    case .revokeThere:
      "ほかの端末からもこの端末を外すには、そこで facediary sync revoke 端末名"
    case .askToLeave:
      "この日記をほかの端末との同期から外しますか。記録は残ります。"
    case .moved(let pushed, let pulled):
      "送信 \(pushed)、受信 \(pulled)"
    case .placeIsUnreliable(let place, let lists):
      lists ? "\(place) は置いたものを返しません" : "\(place) は置いたものを一覧に出しません"
    case .silent(let program, let seconds):
      "\(program) は \(seconds) 秒間何も送受信しなかったため、終了させました"
    case .otherSync:
      "この日記の同期が別のところで動いています"
    case .asks(let name):
      "\(name) が仲間に入りたがっています"
    case .severalAsk(let count):
      "このコードで \(count) 台が参加を求めています。自分の端末は一台だけのはずなので、記号を見比べてください"
    case .joinAgainThere:
      "あちらの招待が終わるまでは、同じコードをもう一度使えます"
    case .sameSymbols(let check):
      "あちらに \(check) と出ていますか。"
    case .letIn(let name):
      "\(name) もこの日記を持ちました。両方で facediary sync を実行するとそろいます"
    case .refused(let name):
      "\(name) は入れませんでした。コードはまだ使えます。心当たりのない端末なら、Ctrl-C で終えて招待し直してください"
    case .compare(let check):
      "もう一つの端末が、ここに次の文字が出ているかを尋ねます: \(check)"
    case .waiting:
      "返事を待っています"
    case .badPairingCode:
      "組み合わせのコードではありません。sync invite が示す 40 文字の英数字です"
    case .joined(let entries):
      "この端末も日記を持ちました。記録 \(entries) 件が届きました"
    case .recovered(let entries):
      "日記が戻りました。記録 \(entries) 件が届きました"
    case .spaceCodePrompt:
      "全端末のリカバリーコード: "
    case .needsSpaceCode:
      "sync setup が示したリカバリーコードが要ります"
    case .giveSpaceCodeFile:
      "--space-code-file ファイル"
    case .notASpaceCode:
      "リカバリーコードではありません。sync setup が示した 28 文字の英数字です"
    case .revoked(let name):
      "\(name) を外しました。これから書いても数えられず、これから書かれるものは読めません"
    case .changeLocks:
      "すでに持っていたものは残ります。開いたまま盗まれたのなら、ほかに何を開けられるかも考えてください"
    case .done(let pushed, let pulled, let merged):
      "送信 \(pushed)、受信 \(pulled)、変わった記録 \(merged) 件"
    case .nothingNew:
      "新しいものはありません"
    case .onlyMoved(let pushed, let pulled):
      "送信 \(pushed)、受信 \(pulled)。日記は閉じています。届いたものは、日記を開いて facediary sync を実行すると統合されます"
    case .haveConflicts(let count):
      "本文が二つ以上ある記録が \(count) 件あります: facediary conflicts"
    case .waits(let count):
      "\(count) 個が、まだ届かないほかのものを待っています"
    case .filesMissing(let count):
      "写真やファイル \(count) 個がまだ届いていません"
    case .wouldRemove(let count):
      "ほかの端末で記録 \(count) 件が消されたか、ゴミ箱に入れられました"
    case .askToRemove(let count):
      "この \(count) 件をここでも消しますか。"
    case .yesToRemove:
      "ここでは何も消していません。消してよければ facediary sync --yes"
    case .removalsWait:
      "ここでは何も消していません。facediary sync で確かめます"
    case .lost(let count):
      "場所にあったもの \(count) 個がなくなっています。戻されたか、空にされたか、別の場所です"
    case .repairPutsBack:
      "facediary sync repair で置き直せます。ここでは何も消えていません"
    case .goneHere(let count):
      "この端末が書いた \(count) 個が、ここにも場所にもありません。日記の sync フォルダーが空にされました"
    case .joinAnew:
      "記録はすべてここにあります。facediary sync leave の後、ほかの端末の facediary sync invite のコードで入り直してください"
    case .damaged(let count):
      "場所の \(count) 個が壊れているか、まだそろっていません。次にまた取りに行きます"
    case .repairElsewhere:
      "続くなら、それを書いた端末か、持っている端末で facediary sync repair"
    case .wasRefused(let device):
      "\(device.isEmpty ? "この日記の端末" : device) からというものが、その端末の書いたものではないか、壊れています。読み飛ばしました"
    case .lookAtDevice:
      "場所に書ける人ならだれでもできます。また起きるなら、その端末を調べてください"
    case .wroteAfterRevocation(let device):
      "\(device) は外された後に書きました。読み飛ばし、先に届いていた記録はごみ箱に入れました"
    case .copied:
      "この端末の名で、ほかのものが書きました。写しがあるか、バックアップを戻す前のこの日記です。その記録も合わさりました"
    case .oneCopy:
      "この日記の写しがあるなら、どちらか一方で facediary sync leave を実行し、ほかの端末から招いて入り直させてください"
    case .closed:
      "この端末で読めないものが同期先にあります。この端末が外されたか、どの端末のものでもないものが置かれています"
    case .joinAgain:
      "ほかの端末の sync status にこの端末がなければ、ここで facediary sync leave、そちらで facediary sync invite、ここで facediary sync join"
    case .newer:
      "より新しい版のプログラムが書いたものがあります"
    case .update:
      "このプログラムを新しくしてください"
    case .repaired(let count):
      "この端末にある \(count) 個すべてを置き直しました"
    case .asking:
      "入れてもらうのを待っています"
    case .place(let place):
      "場所: \(place)"
    case .lastSettled(let when):
      "最後にそろえた時: \(when)"
    case .neverSettled:
      "まだ一度もそろえていません"
    case .digest(let digest):
      "状態: \(digest)(同じものを持つ端末では同じ)"
    case .unpublished(let count):
      "この端末の \(count) 個は、まだ場所で見られていません"
    case .thisDevice:
      "この端末"
    case .heard(let when):
      "最後の便り \(when)"
    case .neverHeard:
      "まだ便りがありません"
    case .isRevoked:
      "外されました"
    case .isAutomatic:
      "日記が開いている間は、自動で送り、受け取ります"
    case .isNotAutomatic:
      "送受信は facediary sync でだけ行います"
    case .onOrOff:
      "on か off を指定してください"
    case .noSession:
      "日記は開いていません。facediary unlock で開いてください"
    case .movedTo(let place, let count):
      "これからは \(place) で端末が出会います。\(count) 個を送りました"
    case .moveOthers(let place):
      "ほかの端末でも: facediary sync move \(place)"
    case .placeReached(let when):
      "最後に場所へ届いた時: \(when)"
    case .placeWorks(let place):
      "\(place) は使えます。試しに書き、一覧し、消しました"
    case .conflictHeading(let id, let count):
      "\(id): 本文が \(count) つ"
    case .version(let revision, let device, let when):
      "— \(device)、\(when)、版 \(revision)"
    case .noConflicts:
      "本文が二つ以上ある記録はありません"
    case .editEnds:
      "facediary edit ID ですべての本文が出ます。保存したものが、それからの本文です"
    case .alsoWritten(let device, let when):
      "\(device) でも書かれた本文、\(when):"
    case .someDevice:
      "ほかの端末"
    case .hasOthers(let count):
      "この記録にはほかに \(count) つの本文があります: facediary conflicts"
    case .compacted(let packs, let removed):
      packs == 0 && removed == 0
        ? "まとめるものはありません"
        : "まとめを \(packs) 個書き、置き換えられたもの \(removed) 個を置き場から取り除きました"
    case .packsDiffer:
      "置き場がまとめを書いたとおりに返さなかったので、何も取り除きませんでした"
    case .placeKeepsAll:
      "この置き場はすべてを残します。置き換えられたものを取り除けるのは持ち主だけです"
    }
  }

  static func text(_ message: DemoMessage) -> String {
    switch message {
    case .noSamples:
      "見本のベクトルがここにありません"
    case .nameSamples:
      "Keys/ のある場所で動かすか、指定してください: facediary demo --faces DIR"
    case .wrong(let what):
      "デモに失敗しました: \(what.text(in: .japanese))"
    case .looking(let state):
      "1. 日記を探しています: \(state)"
    case .notOnboarding:
      "日記がないのに onboarding ではありません"
    case .none(let state):
      "   ありません: \(state)"
    case .notAsked:
      "登録したのに顔を求められません"
    case .made(let shots, let state):
      "2. パスフレーズと復旧コードと、持ち主の顔 \(shots) 枚の日記: \(state)"
    case .noRecoveryCode:
      "復旧コードがありません"
    case .strangerLetIn:
      "デモの失敗: 他人が通されました"
    case .strangerRefused(let left, let state):
      "3. 知らない人が顔を見せる: 断りました。残り \(left) 回、\(state)"
    case .ownerRefused:
      "デモの失敗: 本人が断られました"
    case .ownerShown(let similarity, let threshold, let state):
      "4. 持ち主が、登録していない写真を見せる: 類似度 \(similarity)、しきい値 \(threshold)、\(state)"
    case .written(let id):
      "5. 記録を二件。ID が返ったときには残っている: \(id)"
    case .searchFailed:
      "検索で記録が見つかりません"
    case .found(let excerpt):
      "6. かわせみ を探すと: \(excerpt)"
    case .notWhole:
      "日記が無事ではありません"
    case .verified(let entries):
      "7. すべてをたどって開きました: 記録 \(entries) 件、問題なし"
    case .stillOpen:
      "閉じたのにまだ開いています"
    case .closed(let state):
      "8. 閉じました: \(state)"
    case .plaintext(let files):
      "平文が見つかりました: \(files)"
    case .scanned(let word, let files):
      "9. \"\(word)\" という言葉は、書いた \(files) 個のファイルのどれにもありません"
    case .yourOwn:
      "あなたの日記を作るには: facediary init"
    }
  }

  static func text(_ message: FailureMessage) -> String {
    switch message {
    case .thereAlready(let path):
      "\(path) はもうあります。触れませんでした"
    case .answerUnreadable:
      "鍵を管理するプロセスの応答を読み取れません"
    case .jsonAt(let line, let column, let expected):
      "\(line) 行目 \(column) 列目: \(expected)が必要です"
    case .noDiary(let path):
      "\(path) に日記はありません"
    case .makeOne:
      "作るには: facediary init"
    case .notAVault(let path, let detail):
      "\(path) は日記のファイルではないか、先頭が壊れています (\(detail.text(in: .japanese)))"
    case .nameRightFile:
      "--vault か FACEDIARY_VAULT で正しいフォルダを指定してください"
    case .olderFormat(let path):
      "\(path) は最初の公開版より前の形式の日記です"
    case .exportFirst:
      "書いたときのプログラムで書き出し、それを取り込んでください"
    case .newerFormat(let path):
      "\(path) は新しい facediary が書いたものです"
    case .update:
      "facediary を新しくしてください"
    case .damaged(let subject, let detail):
      "壊れています: \(subject.text(in: .japanese)) (\(detail.text(in: .japanese)))"
    case .one(let thing, let name):
      "\(thing.text(in: .japanese)) \(name)"
    case .acceptIfKnown:
      "わけを知っているなら: facediary accept-rollback"
    case .replaceLostSlots:
      "まだ持っている端末なら facediary verify --repair で直せます。すべてを新しくするには facediary keys rotate"
    case .passphraseNotCause:
      "パスフレーズのせいではありません。詳しくは: facediary verify"
    case .tryAgainOrRecover:
      "日記を開くものが壊れていて、打ち間違いと見分けられません。もう一度試すか、--recovery-file で回復コードを使ってください"
    case .tampered(let subject, let detail):
      "\(subject.text(in: .japanese)) は書いたときのままではありません (\(detail.text(in: .japanese)))"
    case .rolledBack(let subject, let detail):
      "日記が古い写しに替わっています (\(subject): \(detail.text(in: .japanese)))"
    case .salvageForeignKey:
      "二つの端末で同時に鍵を替えたときは、facediary salvage が記録を新しい日記に移します"
    case .salvageOtherKey:
      "もとの日記に戻してください。この写しだけにあるものは、そのときのパスフレーズで facediary salvage が救い出します"
    case .deviceStoreIsOld(let detail):
      "機器の記録が古い写しです：\(detail.text(in: .japanese))"
    case .resetOldDevice:
      "新しいほうを戻すか、この機器の鍵を手放して作り直す：facediary device reset"
    case .acceptIfYou:
      "あなたがしたのなら: facediary accept-rollback"
    case .forked(let subject, let detail):
      "この写しは別のところで書かれたものです (\(subject): \(detail.text(in: .japanese)))"
    case .makeNamed(let command, let name):
      "一覧: facediary \(command)、作るには: facediary \(command) add '\(name)'"
    case .acceptToGoOn:
      "この写しから続けるなら: facediary accept-rollback"
    case .notTheRecoveryCode:
      "復旧コードが違います"
    case .notThePassphrase:
      "パスフレーズが違います"
    case .replacedSince(let kind):
      "この\(kind.text(in: .japanese))はこの写しを開きますが、そのあと替えられています"
    case .giveTodays:
      "今日有効なものを入れてください。そのあと日記の鍵を替えたときは、facediary salvage がこの写しの記録を救い出します"
    case .noWayIn(let kind):
      "この日記は \(kind.text(in: .japanese)) では開きません"
    case .notFound(let thing, let name):
      "\(name) という\(thing.text(in: .japanese))はありません"
    case .ambiguous(let name, let thing):
      "\(name) に当てはまる\(thing.text(in: .japanese))が一つではありません"
    case .because(let subject, let detail):
      "\(subject.text(in: .japanese)): \(detail.text(in: .japanese))"
    case .expected(let subject, let expected):
      "\(subject.text(in: .japanese)): \(expected.text(in: .japanese))が必要です"
    case .writerBusy:
      "別のプロセスが日記に書いています"
    case .tryAgain:
      "少し待ってもう一度"
    case .cannotBeWritten(let path, let detail):
      "\(path) に書けません (\(detail.text(in: .japanese)))"
    case .diskFull:
      "ディスクがいっぱいです"
    case .nothingChanged:
      "何も変えませんでした"
    case .cannotBeRead(let path, let detail):
      "\(path) を読めません（\(detail.text(in: .japanese))）"
    case .copyToWritable:
      "フォルダー全体を書き込めるディスクにコピーし、コピーを開いてください"
    case .noAccess(let path, let detail):
      "\(path) に触れる権限がありません (\(detail.text(in: .japanese)))"
    case .noMemory(let what):
      "\(what.text(in: .japanese)) が得られません"
    case .raiseLimit:
      "上限を上げるには: ulimit -l 1024（キロバイト）"
    case .noFace:
      "この端末に顔は登録されていません"
    case .unlockThenEnroll:
      "パスフレーズで開き、それから: facediary enroll FILE…"
    case .faceLockedOut:
      "断られた回数が多く、顔では開けなくなっています"
    case .unlockOnce:
      "一度パスフレーズか復旧コードで開いてください"
    case .deviceStoreDamaged(let path, let detail):
      "この端末の保管場所が壊れています: \(path) (\(detail.text(in: .japanese)))"
    case .unlockThenEnrollAgain:
      "パスフレーズか復旧コードで開き、もう一度登録してください"
    case .deviceStoreGone:
      "この日記は前にここで開かれましたが、端末の保管場所がなくなっています"
    case .unlockWithSecret:
      "パスフレーズか復旧コードで開いてください"
    case .faceNotEnough(let why):
      "いまは顔だけでは足りません: \(why.text(in: .japanese))"
    case .unlockOnceSeePolicy:
      "一度パスフレーズか復旧コードで開いてください: facediary policy"
    case .waiting(let seconds):
      "パスフレーズの誤りが多すぎます。次に試せるのは \(seconds) 秒後です"
    case .recoveryWithoutWaiting:
      "復旧コードなら待たずに開きます"
    case .helperFailed(let program, let why):
      "端末の鍵をしまうプログラム \(program): \(why.text(in: .japanese))"
    case .resetIfGone:
      "もう戻らないなら: facediary device reset"
    case .chmodPath(let path):
      "ほかの人が読んだり変えたりできます: chmod go= '\(path)'。ファイルに別の名前 (ハードリンク) があるときは、写しと入れ替えます: cp -p '\(path)' '\(path).new' && mv '\(path).new' '\(path)'"
    case .diaryBusy:
      "別のプロセスが日記を使っています"
    case .verifierFailed(let why):
      "顔の判定に失敗しました: \(why.text(in: .japanese))"
    case .openAlready:
      "日記はすでに開いています"
    case .needsSecretNow:
      "ここでパスフレーズか復旧コードが必要です"
    case .noLibsodium:
      "libsodium が使えません"
    case .passphraseSize:
      "パスフレーズは UTF-8 で 1 から 1024 バイトです"
    case .damagedData(let what):
      "壊れたデータ (\(what))"
    case .sessionEnded:
      "セッションは終わりました"
    case .openAgain:
      "もう一度開くには: facediary unlock"
    case .foreignSession:
      "動いているセッションは別の版か別の人のものです"
    case .lockThenUnlock:
      "facediary lock で終わらせ、もう一度開いてください"
    case .sessionSilent:
      "動いているセッションが答えません。日記をまだ開いているかもしれません"
    case .endWithLock:
      "次で終了してください: facediary lock"
    case .sessionOutdated:
      "動いていたセッションは別の版だったので、終わらせました"
    case .stillOpen(let processes):
      "日記はまだ開いているかもしれません: プロセス \(processes) を終了できませんでした"
    case .killProcesses(let processes):
      "次で終了してください: kill -9 \(processes)"
    case .chipFailed(let path, let why):
      "\(path): \(why.text(in: .japanese))"
    case .joinChipGroup(let path):
      "\(path) の属するグループ (たいてい tss) に入り、ログインし直してください"
    case .keepKeyElsewhere:
      "端末の鍵をファイルか補助プログラムにしまってください: facediary device --help"
    case .waitOrReset:
      "待つか、パスフレーズか復旧コードで端末の鍵を手放してください: facediary device reset"
    case .pinentryFailed(let program, let why):
      "\(program) が尋ねませんでした: \(why)"
    case .openElsewhere:
      "ここからは見えないプロセスが日記をまだ開いています"
    case .lockThere:
      "日記を開いたコンテナの中で facediary lock を実行するか、日記を開いているアプリを終了してください"
    case .closedUnknown:
      "日記が閉じているか確かめられません: /proc を読めません"
    case .endKeepersYourself:
      "fdk:… という名前のプロセスをすべて終了してください"
    case .socketFailed(let why):
      "セッションのソケットが作れません: \(why)"
    case .diskFullAt(let path):
      "\(path): ディスクがいっぱいです"
    case .nameAnother:
      "-o で別の名前を指定してください"
    case .notRegularFile(let path):
      "\(path) はふつうのファイルではありません。触れませんでした"
    case .largerThan(let path, let limit):
      "\(path): \(limit) バイトより大きいです"
    case .notOnPath(let program):
      "プログラム \(program) が PATH にありません"
    case .cannotStart(let program, let why):
      "\(program) を始められません: \(why)"
    case .noAnswer(let program, let seconds):
      "\(program) が \(seconds) 秒以内に答えませんでした"
    case .printedTooMuch(let program, let limit):
      "\(program) の出力が \(limit) バイトを超えました"
    case .programEnded(let program, let code, let says):
      "\(program) が \(code) で終わりました\(says)"
    case .notCommand(let words):
      "コマンドではありません: \(words)"
    }
  }

  /// `line 1, column 2`, `byte 6`.
  private static func vectorPlace(_ place: String) -> String {
    let numbers = place.split(whereSeparator: { !$0.isNumber }).map(String.init)
    if place.hasPrefix("line "), numbers.count == 2 { return "\(numbers[0]) 行目 \(numbers[1]) 列目" }
    if place.hasPrefix("byte "), numbers.count == 1 { return "\(numbers[0]) バイト目" }
    return place
  }

  /// `a number, not "hello"`.
  private static func vectorExpectation(_ expected: String) -> String {
    let number = "a number, not "
    if expected.hasPrefix(number) { return "数ではなく \(expected.dropFirst(number.count)) があります" }
    return expected == "a number" ? "数が必要です" : "\(expected)が必要です"
  }

  static func text(_ message: VectorMessage) -> String {
    switch message {
    case .empty(let source):
      "\(source): ベクトルが入っていません"
    case .notVectors(let source):
      "\(source): ベクトルのファイルではありません"
    case .vectorForms:
      "npy、JSON、CSV、fvecs、または .f32 という名の float32"
    case .malformed(let source, let place, let expected):
      "\(source)、\(vectorPlace(place)): \(vectorExpectation(expected))"
    case .notFinite(let source, let row, let component):
      "\(source)、\(row) 行目、成分 \(component): 有限の float32 の数が必要です"
    case .allZero(let source, let row):
      "\(source)、\(row) 行目: すべての成分が 0 です"
    case .dimension(let source, let count):
      "\(source): \(count) 成分。16 から 8192 が必要です"
    case .unequalRows(let source, let row, let count, let expected):
      "\(source)、\(row) 行目: \(count) 成分。\(expected)が必要です"
    case .elementType(let source, let type):
      "\(source): 要素が \(type) です。float16、float32、float64 が必要です"
    case .pickled(let source):
      "\(source): pickle された Python オブジェクトは読み込みません"
    case .saveWithoutPickle:
      "numpy.save(…, allow_pickle=False) で保存してください"
    case .fortranOrder(let source):
      "\(source): Fortran 順の行です"
    case .saveContiguous:
      "numpy.ascontiguousarray(…) を保存してください"
    case .shape(let source, let shape):
      "\(source): 形が \(shape) です。一つのベクトルか、その行が必要です"
    case .truncated(let source, let found, let expected):
      "\(source): \(found) バイトで終わっています。\(expected) バイトが必要です"
    case .trailingBytes(let source, let offset):
      "\(source): データの後ろ、\(offset) バイト目から余分があります"
    case .tooManyRows(let source, let limit):
      "\(source): ベクトルが \(limit) より多いです"
    case .tooFewFrames(let source, let found, let wanted):
      "\(source): 違うコマは \(found) 個です。この顔は一度に \(wanted) コマで較正されています（--face を重ねる）"
    case .otherDimension(let source, let found, let expected):
      "\(source): \(found) 成分。\(expected)が必要です"
    case .otherModel(let source, let found, let expected):
      "\(source): モデル \(found) のものです。\(expected)が必要です"
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
    case .end: "文の終わり"
    case .entries: "記録"
    case .anEntry: "記録"
    case .anArrayOfEntries: "記録の配列"
    case .anEntryOrAnExport: "記録か書き出し"
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
    case .atMost(let limit, let field): "項目 \"\(field)\" に \(limit) 個以下"
    case .entryOfAtMost(let limit): "\(limit) バイト以下の記録"
    case .aValue: "値"
    case .aDate: "日付"
    case .aDateAndTime: "2026-03-01 のような日付と 09:30 のような時刻"
    case .aDateInUTC: "2026-03-01T00:30:00Z のような日時"
    }
  }

  static func text(_ purpose: InputPurpose) -> String {
    switch purpose {
    case .file: "ファイル"
    case .labels: "ラベル"
    case .entries: "記録"
    case .passphrase: "パスフレーズ"
    case .recoveryCode: "復旧コード"
    case .faceVector: "顔ベクトル"
    case .entryText: "本文"
    case .backupPassphrase: "バックアップのパスフレーズ"
    case .pairingCode: "ペアリングコード"
    case .pin: "PIN"
    }
  }

  static func text(_ thing: VaultError.Thing) -> String {
    switch thing {
    case .entry, .entries: "記録"
    case .revision: "版"
    case .journal, .journals: "日記帳"
    case .kind, .kinds: "種類"
    case .template, .templates: "ひな形"
    case .attachment, .attachments: "添付"
    case .face: "顔"
    case .slot, .keySlots: "解錠方法"
    case .title: "タイトル"
    case .location: "場所"
    case .weather: "天気"
    case .body: "本文"
    case .tag, .tags: "タグ"
    case .date: "日付"
    case .until: "終わり"
    case .zone: "時間帯"
    case .emoji: "絵文字"
    case .label: "呼び名"
    case .policy: "決まり"
    case .device: "端末"
    case .entryID: "記録の ID"
    case .attachmentName: "添付の名前"
    case .attachmentType: "添付の型"
    case .deviceKey: "端末の鍵"
    case .passphrase: "パスフレーズ"
    case .record: "記録の中身"
    case .message: "要求"
    case .search: "検索の語"
    case .stateRecord: "状態の記録"
    case .directorySection: "目次の節"
    case .headerPage: "見出しのページ"
    case .header: "見出し"
    case .register: "日記帳と種類の名前"
    case .history: "履歴"
    case .entryRow, .entryRows: "記録の行"
    case .row: "行"
    case .database: "データベース"
    case .keyring: "鍵の枠"
    case .keySlot: "解錠方法"
    case .vaultKey: "日記の鍵"
    case .draftKey: "下書きの鍵"
    case .object: "ファイルの中身"
    case .searchIndex: "検索の索引"
    case .keptText: "とっておいた文"
    case .enrolledFaces: "登録した顔"
    case .session: "セッション"
    case .segment: "ほかの端末の記録"
    case .pack: "まとめた記録"
    case .roster: "端末の名簿"
    case .space: "端末の集まり"
    case .ownKeys: "この端末の鍵"
    case .otherDevices: "ほかの端末の控え"
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
    case .entries(let count, let thing): "\(text(thing))の記録 \(count) 件"
    case .table(let name): "表 \(name) の一部"
    case .textOfEntry(let id): "記録 \(id) の本文"
    case .attachment(let name, let entry): "記録 \(entry) の \(name)"
    case .text(let row): "本文（\(row) 行目）"
    case .page(let row): "あるページのタイトル、日付、タグ（\(row) 行目）"
    }
  }

  private static func text(_ problem: KeyringProblem) -> String {
    switch problem {
    case .missing(let copy): "\(copy) 番目の写しがない"
    case .damaged(let copy): "\(copy) 番目の写しが壊れている"
    case .unreadable(let copy): "\(copy) 番目の写しが読めない"
    case .copiesDiffer: "二つの写しが違う"
    case .notTheKnownSlots: "日記の知る解錠方法と違う"
    case .slotsMissing(let count): "解錠方法が \(count) 個ない"
    }
  }

  static func text(_ reason: VaultError.Reason) -> String {
    switch reason {
    case .none, .said: reason.description
    case .atMost(let limit): "\(limit) 個以下"
    case .atMostAtOnce(let limit): "一度に \(limit) 個以下"
    case .atMostPerEntry(let limit): "一つの記録に \(limit) 個以下"
    case .atMostBytes(let limit): "\(limit) バイト以下"
    case .atMostBytesWithoutSpaces(let limit): "空白のない \(limit) バイト以下"
    case .atMostBytesWithoutNUL(let limit): "NUL を含まない \(limit) バイト以下"
    case .bytes(let range): "\(range.lowerBound) から \(range.upperBound) バイト"
    case .oneLine: "一行"
    case .oneLineOfBytes(let limit): "1 から \(limit) バイトの一行"
    case .nameOfBytes(let limit): "1 から \(limit) バイトの一行の名前"
    case .fileNameOfBytes(let limit): "/ と制御文字のない 1 から \(limit) バイト"
    case .mediaType: "image/jpeg のようなメディアタイプ"
    case .oneTebibyte: "1 TiB 以下"
    case .atMostWithOtherNames(let limit, let names): "\(limit) 個以下、別名は \(names) 個以下"
    case .noNUL: "NUL を含まないもの"
    case .notBlank: "空でないもの"
    case .oneEmoji: "絵文字一つ"
    case .ianaName: "IANA の名前"
    case .textTitleOrAttachment: "本文かタイトルか添付"
    case .notBeforeDate: "日付より前でないもの"
    case .startNotAfterEnd: "終わりより後でない始まり"
    case .yearsAndOffset: "1 年から 9999 年、時差 18 時間以内"
    case .daysOfYears: "1 年から 9999 年の日"
    case .idOrPosition: "4 から 26 文字の ID、@last、@N のどれか"
    case .idOf26: "26 文字"
    case .withinBounds: "範囲の中の値"
    case .passphraseOfBytes(let range):
      "UTF-8 で \(range.lowerBound) から \(range.upperBound) バイト"
    case .noItems: "項目のない要求"
    case .wasEditedMeanwhile: "その間に編集されました"
    case .isThereAlready: "もうあります"
    case .hasEmojiAlready: "この絵文字はもう使われています"
    case .isBuiltIn: "どの日記にもあり、変えられません"
    case .inheritsItself: "自分自身には移せません"
    case .hasOtherContent: "違う中身ですでにあります"
    case .hasOtherTexts(let count): "ほかの端末の書いたものが、あと \(count) つ同じように有効です"
    case .revisionIsNewer(let number): "第 \(number) 版のほうが新しいです"
    case .isBackupOfAnotherDiary: "別の日記のバックアップ"
    case .isNoBackup: "バックアップではない"
    case .logNeedsWriting: "最後の変更がログにあり、書き込めるフォルダーでなければ読めない"
    case .backupIsOnlyRead: "バックアップは読むだけ"
    case .isLastWayIn: "顔の要らない最後の開け方"
    case .sharesAlready: "この日記にはほかの端末がすでにあります"
    case .sharesNothing: "この日記にはほかの端末がありません"
    case .noSuchSpace: "このリカバリーコードのものは見つかりません"
    case .isThisDevice: "この端末です"
    case .letsInNoMore: "この端末から追加できる台数の上限に達しました。ほかの端末から招待してください"
    case .otherSync: "この日記の同期が別のところで動いています"
    case .wasNotLetIn: "もう一方の端末が「いいえ」と答えたので、参加できませんでした"
    case .codeOfAnotherSpace: "コードの終わりの部分が別の日記の端末を指しています"
    case .wasChangedMeanwhile: "その間に変更されました。もう一度試してください"
    case .wasReplacedWhileOpen: "開いている間に置き換えられたか動かされた"
    case .keyWasReplaced: "その間に鍵が替わりました。閉じてもう一度開いてください"
    case .deviceKeyWasReplaced: "その間に替わりました。もう一度試してください"
    case .deviceKeyIsOutOfReach(let holder): "\(holder) から鍵を取り出せません"
    case .nothingSaysWhatOpens: "日記を最後に何で開いていたかが、ここには残っていません"
    case .deviceKeyIsAtHand: "手元にあります。やり直すものはありません"
    case .pinKeepsNothingWarm: "PIN を求める鍵では、日記を warm にしておけません"
    case .otherLogIsThere: "別の日記のログが残っています。よそへ移してください"
    case .isNotStaged: "日記のファイルの中にありません"
    case .isNotWhole: "全部そろっていません。最後まで複写されましたか？"
    case .missing: "ない"
    case .notTheOneItsParentKnows: "親が知るものと違う"
    case .notThoseTheVaultKnows: "日記が知るものと違う"
    case .olderThanSession: "このセッションが見たものより古い"
    case .olderThanDevice: "ここで最後に見たものより古い"
    case .notAContinuation: "ここで最後に見たものの続きではない"
    case .keyWasRetired: "そのあと鍵が替えられています"
    case .deviceWasReplaced: "この機器の鍵はそのあと替えられています"
    case .isOfEarlierKey: "このバックアップより前に鍵が替えられています"
    case .keyIsForeign: "ここで知る鍵から続いていない鍵です"
    case .lockedMemory: "固定したメモリ"
    case .memoryForArgon2id: "Argon2id のメモリ"
    case .slotsMissing(let count): "日記の知る解錠方法が \(count) 個ありません"
    case .slotWasRemoved: "取り除いたものが戻されています"
    case .isNoLongerValid: "この写しのあとで替えられました"
    case .tooMuchWork: "合わせて Argon2id の 10 GiB 分を超えないパスフレーズ"
    case .keyring(let problems): problems.map(text).joined(separator: "、")
    case .sealDoesNotFit: "封が合わない"
    case .malformed: "形が正しくない"
    case .limitsRefused: "受け入れられる範囲の外"
    case .laterVersion: "新しい版の記録"
    case .tooLarge: "大きすぎる"
    case .isCut: "途中で切れている"
    case .notUTF8: "UTF-8 ではない"
    case .notAFile: "ファイルではない"
    case .notAFolder: "フォルダではない"
    case .folderWithoutVault: "日記の入っていないフォルダ"
    case .stillOpen: "まだ開いている"
    case .cannotBeMovedAside: "よそへ移せない"
    case .objectMissing(let name): "objects/\(name) がない"
    case .objectHasOtherLength(let name): "objects/\(name) の長さが違う"
    case .objectIsAnother(let name): "objects/\(name) は別のファイル"
    case .countsDoNotFit: "数が合わない"
    case .sizeDoesNotFit: "大きさが合わない"
    case .fileHasTwoSizes: "ファイルの大きさが二通りある"
    case .isThereTwice: "二つある"
    case .rowMissing: "行がない"
    case .rowNamesOtherPage: "行が別のページを指している"
    case .rowNamesNoPage: "行が指すページがない"
    case .belongsToNothing: "どれにも属さない"
    case .rowsMissing(let found, let known): "\(known) 個ではなく \(found) 個ない"
    case .knownTextMissing: "ほかの端末が知る本文がない"
    case .revisionsOutOfOrder: "版の順が正しくない"
    case .ofAnotherEntry: "別の記録のもの"
    case .notOfThisDiary: "この日記の文ではない"
    case .notTheOpenDiary: "開いている日記ではない"
    case .vaultKnowsNone: "日記は一つも知らない"
    case .templatesGone: "登録した顔がない"
    case .missingOrUnreadable: "ないか、開けない"
    case .noLibsodium: "libsodium"
    case .program(let trouble): text(trouble)
    case .chip(let trouble): text(trouble)
    case .chipIsAhead: "日記と端末の記録が、TPM のカウンターより古い"
    case .chipIsBehind: "TPM のカウンターが、この端末の記録より遅れている"
    case .chipHasNoCounter: "TPM にこの日記のカウンターがない"
    }
  }

  private static func text(_ trouble: ChipError.Trouble) -> String {
    switch trouble {
    case .noChip: "TPM がない"
    case .noRight: "この利用者は TPM を使えない"
    case .unreachable(let why): "TPM に届かない: \(why)"
    case .silent: "TPM が答えない"
    case .nonsense: "答えたのは TPM 2.0 ではない"
    case .needsPIN: "TPM にある端末の鍵には PIN が必要"
    case .wrongPIN: "PIN が違う"
    case .lockedOut: "間違いが多すぎたので、TPM はしばらく PIN を受けつけない"
    case .ownerAuthorisation: "TPM が所有者の認証を求めている"
    case .otherChip: "端末の鍵を封じたのとは別の TPM か、消去された TPM"
    case .noCounter: "TPM にこの日記のカウンターがない"
    case .noteDamaged: "TPM についての端末の記録が壊れている"
    case .full: "TPM の記憶がいっぱい"
    case .isTaken: "TPM のその場所にはもうカウンターがある"
    case .busy(let code): "TPM が忙しい (0x\(String(code, radix: 16)))"
    case .refused(let code): "TPM が 0x\(String(code, radix: 16)) で断った"
    case .noMemory: "固定メモリー"
    }
  }

  private static func text(_ trouble: VaultError.ProgramTrouble) -> String {
    switch trouble {
    case .noCommand: "命令がない"
    case .wordsWithoutLineBreaks: "改行のない語が必要です"
    case .notOnPath: "PATH にない"
    case .wordsOf(let range): "\(range.lowerBound) から \(range.upperBound) 語が必要です"
    case .commandOfBytes(let limit): "\(limit) バイト以下の命令が必要です"
    case .cannotStart(let why): "起動できない: \(why)"
    case .noAnswerWithin(let seconds): "\(seconds) 秒のうちに答えなかった"
    case .printedMoreThan(let limit): "\(limit) バイトより多く出力した"
    case .ended(let operation, let code, let says):
      "\(operation) が \(code) で終わった" + (says.isEmpty ? "" : ": \(says)")
    case .noSecretLine: "secret=… と答えなかった"
    case .notHexadecimal: "16 進の 64 桁を答えなかった"
    case .gaveUnknownKey: "しまった覚えのない鍵を出した"
    case .didNotKeepKey: "端末の鍵をしまわなかった"
    case .hasNoKey: "この日記の鍵を持っていない"
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
    case .restart: "最後にパスフレーズを入れたあと、機械が起動し直されました"
    case .expired: "最後にパスフレーズを入れてから経ちすぎました"
    case .unused: "ここで長いあいだ開かれませんでした"
    case .warm: "顔がまた開けるセッションが残っていません"
    case .noSlot: "パスフレーズと一緒でだけ日記を開き、その開け方は取り除かれています"
    case .anotherPassphrase: "この顔は別のパスフレーズと一緒に開きます。まずその開け方を消してください"
    case .camera: "顔は、決まりにあるカメラのプログラムからだけ受けつけます"
    case .facePassphrase: "この顔はパスフレーズと一緒に開きます"
    case .backup: "バックアップは顔では開きません"
    case .never: "この端末でまだパスフレーズを入れていません"
    }
  }
}
