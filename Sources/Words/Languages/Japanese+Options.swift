extension Japanese {
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
    case .maxDelete:
      "ほかの端末での削除に合わせ、N 件までは確認せずに削除する"
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
        3日前、2週間前、1か月前、2時間前、10分前、2時間後
        1週間前の火曜日、3月末、8日              8日は、今日以前のいちばん近い 8 日
        金曜日、先週の金曜日                     今日より前のいちばん近い金曜日、先週の金曜日
        令和8年3月1日、2026.3.1、3/1             3/1 は 3 月 1 日（ロケールによっては 1 月 3 日）
        9:30、9時半、18時30分、午後6時、正午     今日の時刻
        今朝、昨夜9時半、昨日の20時、金曜日の夕方
                                                 朝は 8:00、昼 12:00、夕方 17:00、夜 21:00

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
        facediary sync status、devices   送受信を待っているデータと、各端末から最後に受信した日時
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
}
