internal import CommandLine

extension Language {
  /// 日本語. From the English form of each sentence; another language is a file like this one.
  static let japanese = Language(code: "ja", translations: sentences.merging(terms) { $1 })

  private static let sentences: [String: String] = [
    // Help
    "facediary: a diary that only opens for its owner's face": "facediary: 持ち主の顔でだけ開く日記",
    "usage: {} COMMAND [options]": "使い方: {} コマンド [オプション]",
    "usage: {} {}": "使い方: {} {}",
    "usage: facediary {}": "使い方: facediary {}",
    "Options of every command:": "どのコマンドにも使えるオプション:",
    "options of every command:": "どのコマンドにも使えるオプション:",
    "options:": "オプション:",
    "{} COMMAND --help says more about each.": "{} コマンド --help で詳しい説明が出ます。",
    "add a tag (repeatable)": "タグをつける (くり返し可)",
    "allow the editor's temporary file to be written to disk": "エディターの一時ファイルをディスクに書くことを許す",
    "remove a tag": "タグを外す",
    "remove the title": "題を消す",
    "remove its kind": "種類を外す",
    "remove its end": "終わりの時刻を消す",
    "show at most N entries": "最大 N 件を表示する",
    "skip confirmation": "確認を省く",
    "{} wants a number from {}, not {}": "{} には {} 以上の数が要ります ({} ではなく)",
    "{} wants a number from {} to {}, not {}": "{} には {} から {} までの数が要ります ({} ではなく)",
    "{} cannot be {}": "{} に {} は指定できません",
    "--vault or --device is empty": "--vault か --device が空です",
    "the diary may still be open: process {} could not be ended":
      "日記はまだ開いているかもしれません: プロセス {} を終了できませんでした",
    "end it with: kill -9 {}": "次で終了してください: kill -9 {}",
    "end it with: facediary lock": "次で終了してください: facediary lock",
    "nobody can say whether the diary is closed: /proc cannot be read":
      "日記が閉じているか確かめられません: /proc を読めません",
    "end every process named fdk:… yourself": "fdk:… という名前のプロセスをすべて終了してください",
    "the diary is open already": "日記はすでに開いています",
    "this needs the passphrase or the recovery code now": "ここでパスフレーズか復旧コードが必要です",
    "{}: the disk is full": "{}: ディスクがいっぱいです",
    "show the version": "バージョンを表示する",
    "show this help": "この説明を表示する",
    "Opening:": "開く:",
    "Faces:": "顔:",
    "Writing:": "書く:",
    "Reading:": "読む:",
    "Sorting:": "まとめる:",
    "The trash:": "ごみ箱:",
    "Keeping:": "保つ:",
    "The shell:": "シェル:",
    "the vault file": "日記のファイル",
    "the directory of this device's stores": "この端末の保管場所のディレクトリ",
    "answer in JSON": "JSON で答える",
    "say nothing but results and errors": "結果とエラー以外は表示しない",
    "the language of texts for people": "表示する言語",
    "show this face vector: a file, - or cmd:PROGRAM; several are frames of one moment":
      "この顔ベクトルを見せる: ファイル、-、または cmd:プログラム。複数は同じ瞬間のコマになる",
    "read the passphrase from a file (- is standard input)": "パスフレーズをファイルから読む (- は標準入力)",
    "read the recovery code from a file": "復旧コードをファイルから読む",
    "entries from this day on": "この日からの記録",
    "entries up to this day, included": "この日までの記録 (この日を含む)",
    "entries of this day": "この日の記録",
    "entries with this tag; several: with all of them": "このタグの記録。複数ならすべてを持つもの",
    "entries of this journal": "この日記帳の記録",
    "entries of this kind, by name or emoji": "この種類の記録 (名前か絵文字)",
    "starred entries": "星つきの記録",
    "entries with photos or files": "写真やファイルつきの記録",
    // Errors of the command line
    "an argument is not UTF-8 text": "引数が UTF-8 のテキストではありません",
    "unknown command {}": "{} というコマンドはありません",
    "unknown option {}": "{} というオプションはありません",
    "did you mean {}?": "{} のことですか?",
    "facediary --help lists them": "一覧は facediary --help で見られます",
    "{} takes no value": "{} に値はつきません",
    "{} needs a value: {} {}": "{} には値が要ります: {} {}",
    "{} is given twice": "{} が二度指定されています",
    "an unset variable in a script?": "スクリプトで変数が空のままではありませんか?",
    "standard input cannot be both {} and {}": "標準入力を {} と {} の両方には使えません",
    "name a file for one of them": "どちらかにはファイルを指定してください",
    "HOME is not set": "HOME が設定されていません",
    "name the vault with --vault and --device": "--vault と --device で場所を指定してください",
    "{} cannot {}": "{} に {} はありません",
    "nothing found": "見つかりませんでした",
    "nothing was changed": "何も変えませんでした",
    "{} needs --yes where nobody can be asked": "端末で確認できないときは、{} に --yes が必要です",
    // Opening
    "make a diary": "日記を作る",
    "no passphrase: only the recovery code and the face open it": "パスフレーズなし: 復旧コードと顔でだけ開く",
    "the same as --passphrase-file here": "ここでは --passphrase-file と同じ",
    "work for one guess of the passphrase: interactive (64 MiB), moderate (256 MiB), sensitive (1 GiB)":
      "パスフレーズを一度試すのにかかる手間: interactive (64 MiB)、moderate (256 MiB)、sensitive (1 GiB)",
    """
    Asks for a passphrase twice, and prints a recovery code once: write it down, on paper. The
    faces named with --face are registered at once.
    """: """
    パスフレーズを二度尋ね、復旧コードを一度だけ表示します。紙に書き留めてください。
    --face で渡した顔はその場で登録されます。
    """,
    "this is the recovery code. It opens the diary when everything else is lost, and is never shown again: write it down on paper":
      "これが復旧コードです。ほかをすべて失ったときに日記を開きます。二度と表示されないので、紙に書き留めてください",
    "--no-passphrase and {} contradict one another": "--no-passphrase と {} は両立しません",
    "made {}": "{} を作りました",
    "next: register your face with facediary enroll FILE…, or open it with facediary unlock":
      "次に: facediary enroll FILE… で顔を登録するか、facediary unlock で開いてください",
    "next: facediary unlock --face FILE, then facediary write":
      "次に: facediary unlock --face FILE、それから facediary write",
    "no such level: --kdf {}": "そのような強さはありません: --kdf {}",
    "interactive, moderate or sensitive": "interactive、moderate、sensitive のどれか",
    "give it with --passphrase-file, or choose --no-passphrase":
      "--passphrase-file で渡すか、--no-passphrase を選んでください",
    "New passphrase: ": "新しいパスフレーズ: ",
    "The same again: ": "もう一度: ",
    "a short passphrase is soon guessed by whoever copies the file; several words are better":
      "短いパスフレーズは、ファイルを写した人にすぐ当てられます。いくつかの言葉をつなげるほうが安全です",
    "There is no diary yet. Make one now?": "まだ日記がありません。いま作りますか?",
    "nothing was made": "何も作りませんでした",
    "open the diary and keep it open for a while": "日記を開き、しばらく開いたままにする",
    "how long at most (12h)": "長くてもこの時間まで (12h)",
    "how long without anything being done (5m)": "何もしないまま開いておく時間 (5m)",
    """
    Shows a face (--face, or the configured program) or asks for the passphrase, and leaves a
    session behind: the other commands then need nothing more until it ends. It ends by
    facediary lock, when idle, at the end of its life, and when the machine has slept.
    """: """
    顔を見せる (--face か設定したプログラム) か、パスフレーズを尋ね、セッションを残します。
    終わるまで、ほかのコマンドには何も要りません。facediary lock、使わない時間、寿命、
    機械の休止で終わります。
    """,
    "no pipe": "パイプが作れません",
    "recognised (similarity {}, threshold {})": "本人と認めました (類似度 {}、しきい値 {})",
    "the diary is open until {}, or {} minutes without use; close it with: facediary lock":
      "日記は {} まで、または使わないまま {} 分たつまで開いています。閉じるには: facediary lock",
    "{} wants a duration like 5m or 12h, not {}": "{} には 5m や 12h のような長さを。{} は使えません",
    "{} is at most 12h": "{} は長くても 12h です",
    "the diary is locked": "日記は閉じています",
    "open it with: facediary unlock": "開くには: facediary unlock",
    "show a face with --face FILE, or give --passphrase-file FILE":
      "--face FILE で顔を見せるか、--passphrase-file FILE を渡してください",
    "{} needs the passphrase or the recovery code now": "{} には、いまパスフレーズか復旧コードが要ります",
    "give it with --passphrase-file or --recovery-file":
      "--passphrase-file か --recovery-file で渡してください",
    "this is not the face that is enrolled; tries left: {}": "登録された顔ではありません。残り {} 回",
    "several frames at once (--face again) are refused less often; or use the passphrase":
      "何コマか一度に見せる (--face を重ねる) と断られにくくなります。パスフレーズでも開きます",
    "or use the passphrase": "またはパスフレーズで",
    "Passphrase: ": "パスフレーズ: ",
    "Recovery code: ": "復旧コード: ",
    "give a passphrase or a recovery code, not both": "パスフレーズか復旧コードの一方だけを渡してください",
    "this is not a recovery code": "復旧コードの形ではありません",
    "28 letters and digits in groups of four; one of them is mistyped":
      "四つずつ区切った 28 文字です。どれかが打ち間違いです",
    "this device's store was gone and was made anew; faces must be enrolled again":
      "この端末の保管場所がなくなっていたので作り直しました。顔をもう一度登録してください",
    "this device opens the diary for the first time": "この端末で日記を開くのは初めてです",
    "this device's store could not be read and was put aside as {}; faces must be enrolled again, and an older copy of the diary would not have been noticed this time":
      "この端末の保管場所が読めないので {} によけました。顔をもう一度登録してください。今回は、日記が古い写しに替わっていても気づけません",
    "a copy of the key slots is broken ({}); look closer with: facediary verify":
      "鍵の枠の写しの一つが壊れています ({})。詳しくは: facediary verify",
    "close the diary": "日記を閉じる",
    "every open diary of yours": "開いている自分の日記をすべて",
    "the diary is closed": "日記を閉じました",
    "say how things stand; asks nothing": "現在の状態を表示する (何も尋ねない)",
    "vault: {}": "日記: {}",
    "There is no diary yet. Make one with: facediary init": "まだ日記がありません。作るには: facediary init",
    "The vault cannot be read ({}). Try: facediary verify":
      "日記が読めません ({})。確かめるには: facediary verify",
    "Open (by {}): {} minutes until it closes unused, {} in all. Anything you run can read it until then; close it with: facediary lock":
      "開いています ({})。使わなければ {} 分、長くて {} 分で閉じます。それまでは、あなたが動かすどのプログラムも読めます。閉じるには: facediary lock",
    "Closed. It opens by: {}": "閉じています。開くには: {}",
    "Faces enrolled here: {}; tries left: {}": "ここに登録した顔: {}。残り {} 回",
    "The face is locked out; the passphrase or the recovery code lifts that.":
      "顔では開けなくなっています。パスフレーズか復旧コードで解けます。",
    "No face is enrolled on this device. Enrol one with: facediary enroll FILE… (or open it without: facediary unlock)":
      "この端末に顔は登録されていません。登録するには: facediary enroll FILE… (顔なしで開くには: facediary unlock)",
    "This device's face data cannot be read; unlock with the passphrase and enrol again.":
      "この端末の顔のデータが読めません。パスフレーズで開き、もう一度登録してください。",
    // Faces
    "register your face from vector files": "ベクトルのファイルから顔を登録する",
    "the face model that made the vectors": "ベクトルを作った顔モデル",
    "the cosine similarity at or above which a face is accepted, in [-1, 1]; higher is closer":
      "本人と認めるコサイン類似度の下限、[-1, 1]。高いほど近い",
    "what to call these shots": "この顔の名前",
    "register shots that do not resemble those enrolled, too": "登録済みのものに似ていない写真も登録する",
    """
    A file may hold one vector or several rows; each becomes a template. Several shots, in different
    light and on different days, help more than any threshold. Asks for the passphrase even while
    the diary is open: a minute at your terminal must not become access for good.
    """: """
    ファイルには一つのベクトルでも、何行でも入れられ、それぞれがひな形になります。明かりや日を変えた
    何枚かは、どんなしきい値より役に立ちます。日記が開いていてもパスフレーズを尋ねます。席を離れた
    一分が、いつまでも続く入り口になってはいけないからです。
    """,
    "three shots or more, on different days, refuse you much less often":
      "日を変えた三枚以上があると、断られることがずっと減ります",
    "registered {}; a face is accepted from similarity {} on. Try it: facediary unlock --face FILE":
      "{} 件を登録しました。類似度 {} から認めます。試すには: facediary unlock --face FILE",
    "shot {} is enrolled already and was skipped": "{} 枚目は登録済みなので飛ばしました",
    "shots {} and {} resemble one another only by {} (threshold {}); if both are you, more shots help, else remove one with: facediary faces remove ID":
      "{} 枚目と {} 枚目は {} しか似ていません (しきい値 {})。どちらもあなたなら枚数を増やし、そうでなければ facediary faces remove ID で消してください",
    "shot {}: {} of its direction is one constant in every component; strangers may then score high too, so measure a threshold with: facediary calibrate":
      "{} 枚目: 向きの {} がどの成分にも同じ値です。他人も高い点になりうるので、しきい値を測ってください: facediary calibrate",
    "shot {} was registered although it resembles the others only by {} (threshold {})":
      "{} 枚目は {} しか似ていませんが登録しました (しきい値 {})",
    "with at least {} shots enrolled and {} frames shown: by {} from {} on":
      "{} 枚以上を登録し {} コマ以上を見せるとき: {} で {} から",
    "your calibration was measured with {} shots and counts from then on: enrol {} more":
      "較正は {} 枚で測ったものです。あと {} 枚登録すると効きます",
    "your calibration was measured with {} frames and counts from then on: show {} more at once (--face again)":
      "較正は {} コマで測ったものです。一度にあと {} コマ見せると効きます (--face を重ねる)",
    "that was close; three shots or more, on different days, refuse you less: facediary enroll FILE…":
      "ぎりぎりでした。日を変えた三枚以上があると断られにくくなります: facediary enroll FILE…",
    "that was close; several frames at once vary less (--face again)":
      "ぎりぎりでした。何コマか一度に見せるとばらつきが減ります (--face を重ねる)",
    "the faces enrolled on this device": "この端末に登録した顔",
    "Listing and changing them ask for the passphrase or the recovery code now.":
      "一覧にも変更にも、いまパスフレーズか復旧コードを尋ねます。",
    "removed; faces left: {}": "消しました。残りの顔: {}",
    "a face is now accepted from similarity {} on": "これからは類似度 {} から認めます",
    "the face models known, with their starting thresholds": "知っている顔モデルと、始めのしきい値",
    "thresholds are cosine similarities (higher is closer) from {}: places to start, not promises":
      "しきい値は {} のコサイン類似度 (高いほど近い) です。出発点であって約束ではありません",
    "compare two face vectors; needs no diary": "二つの顔ベクトルを比べる。日記は要らない",
    "Ends with 0 when accepted, 3 when refused, 2 when no threshold is known.":
      "認めれば 0、断れば 3、しきい値がわからなければ 2 で終わります。",
    "similarity {} (-1 to 1, higher is closer)": "類似度 {} (-1 から 1、高いほど近い)",
    "no threshold is known for this model, so nothing is decided": "このモデルのしきい値がわからないので、判断しません",
    "name the model with --model, or a threshold with --threshold":
      "--model でモデルを、または --threshold でしきい値を指定してください",
    "calibrated for {}": "{} で較正した値",
    "published for {}": "{} で公表された値",
    "accepted: {} above the threshold {} ({})": "認めます: しきい値 {2} ({3}) より {1} 高い",
    "refused: {} below the threshold {} ({})": "断ります: しきい値 {2} ({3}) より {1} 低い",
    "the similarity is below the threshold": "類似度がしきい値に届きません",
    "run the program that looks at you, and say what it prints": "あなたを見るプログラムを動かし、出したものを言う",
    "the program, instead of the configured one": "設定したものの代わりのプログラム",
    "Opens nothing and compares nothing; for trying out a camera program.":
      "何も開かず、何も比べません。カメラのプログラムを試すためのものです。",
    "no probe program is configured": "顔を読むプログラムが設定されていません",
    "name one with --command, or as \"probe\" in the configuration":
      "--command か、設定の \"probe\" で指定してください",
    "{} frames of {} components, length {}, model {}": "{} コマ、{} 成分、長さ {}、モデル {}",
    "measure what a threshold is worth on faces you have": "手元の顔で、しきい値の性能を測る",
    "the face model that made them; needed for --save": "それを作った顔モデル。--save に要る",
    "score as with K shots enrolled": "K 枚を登録したとして採点する",
    "score as with P frames shown": "P コマを見せたとして採点する",
    "draw score histograms and the DET curve": "得点の分布と DET 曲線を描く",
    "the false match rate to suggest a threshold for (1e-3)": "しきい値を勧める他人受入率 (1e-3)",
    "make it the default of match and enroll for this model": "このモデルの match と enroll の既定にする",
    """
    LABELS.csv has the columns person,file and optionally row (from 0) of a file with several rows;
    files are relative to it. Every pair is scored. FMR is the share of pairs of different people
    that a threshold accepts, FNMR the share of pairs of one person it refuses; a score is accepted
    at or above the threshold. Enrolled faces keep their threshold until facediary faces recalibrate.
    """: """
    LABELS.csv には person,file の列と、何行もあるファイルなら row (0 から) の列があります。ファイルは
    その場所から数えます。すべての組を採点します。FMR は違う人どうしの組のうち認めてしまう割合、
    FNMR は同じ人どうしの組のうち断ってしまう割合です。得点がしきい値以上なら認めます。登録した顔の
    しきい値は facediary faces recalibrate まで変わりません。
    """,
    "--save needs --model": "--save には --model が要ります",
    "too few persons with {} shots to calibrate so": "{} 枚ある人が少なすぎて、そのようには較正できません",
    "more shots a person, or smaller --enroll and --frames":
      "一人の枚数を増やすか、--enroll と --frames を小さくしてください",
    "there are too few pairs for a threshold worth saving": "組が少なすぎて、残す値打ちのあるしきい値になりません",
    "--target-fmr wants a rate between 0 and 1, not {}": "--target-fmr には 0 と 1 の間の割合を。{} は使えません",
    "{}: calibrating wants two persons at least, and one with two shots":
      "{}: 較正には二人以上と、二枚ある人が要ります",
    "{} pairs of different people cannot show a false match rate of {}; nothing below about {} % can be claimed":
      "違う人どうしの {} 組では、他人受入率 {} は示せません。およそ {} % より小さいことは言えません",
    "all vectors share a direction (their mean has length {} of 1), so strangers score high; only a threshold measured like this is worth anything":
      "どのベクトルも同じ向きに寄っている (平均の長さが 1 のうち {}) ので、他人も高い点になります。こうして測ったしきい値だけが頼りです",
    "the suggested threshold refuses {} in {} % of pairs: more shots enrolled help whoever that is":
      "勧めたしきい値では {} が {} % の組で断られます。その人は登録枚数を増やすとよいでしょう",
    "{} pairs of one person, {} of two": "同じ人の組 {}、違う人の組 {}",
    "EER {} % at similarity {}": "EER {} % (類似度 {})",
    "FMR {}: threshold {} (95 % {} to {}), FNMR {} %":
      "FMR {}: しきい値 {} (95 % 区間 {} から {})、FNMR {} %",
    "FNMR by person: best {} {} %, median {} %, worst {} {} %":
      "人ごとの FNMR: 最良 {} {} %、中央 {} %、最悪 {} {} %",
    "suggested threshold: {}": "勧めるしきい値: {}",
    // Dates
    "not a date: {}": "日付として読めません: {}",
    "2026-03-01, 2026-03-01T09:30, today, yesterday, 3 days ago, last monday":
      "2026-03-01、2026年3月1日、2026-03-01T09:30、今日、昨日 18:00、3日前",
    "not a duration: {}": "時間の長さとして読めません: {}",
    "the end {} is before the start {}": "終わり {} が始まり {} より前です",
    "there is no day {}": "{} という日はありません",
    "{}-{}-{}, {}": "{}年{}月{}日 {}",
    "Sunday": "日曜日", "Monday": "月曜日", "Tuesday": "火曜日", "Wednesday": "水曜日",
    "Thursday": "木曜日", "Friday": "金曜日", "Saturday": "土曜日",
    "Sun": "日", "Mon": "月", "Tue": "火", "Wed": "水", "Thu": "木", "Fri": "金", "Sat": "土",
    // Writing
    "write an entry": "記録を書く",
    "a title": "タイトル",
    "when it was: 2026-03-01, 2026-03-01T09:30, yesterday, …":
      "いつのことか: 2026-03-01、2026-03-01T09:30、昨日 など",
    "when it ended: +90m, 18:30 or a date": "いつ終わったか: +90m、18:30、または日付",
    "the journal it belongs to": "入れる日記帳",
    "what kind it is, by name or emoji": "種類 (名前か絵文字)",
    "star it": "星をつける",
    "keep a photo or file with it": "写真やファイルをつける",
    "start the editor with this template": "このひな形からエディタを始める",
    "save what you wrote when the session had ended": "セッションが終わっていて保存できなかったものを保存する",
    """
    The words given are the entry; without any, standard input is when it is not a terminal, else
    your editor opens ($VISUAL, $EDITOR). Words on the command line reach your shell's history and,
    while the command runs, every process list: what should not be there is better typed in the
    editor or piped in.
    """: """
    並べた言葉が記録になります。言葉がなければ、標準入力が端末でないときはそこから読み、端末ならエディタ
    ($VISUAL、$EDITOR) が開きます。コマンドラインの言葉はシェルの履歴に残り、動いている間はプロセスの一覧にも
    見えます。そこにあってはならないことは、エディタで書くか、パイプで渡してください。
    """,
    "an entry needs a text, a title or an attachment": "記録には本文か題か添付が要ります",
    "nothing was written, so nothing was kept": "何も書かれなかったので、何も残しませんでした",
    "the template was left as it is, so nothing was kept": "ひな形のままなので、何も残しませんでした",
    "change an entry; the older text stays in its history": "記録を変える。前の本文は履歴に残る",
    "unstar it": "星を外す",
    "take it out of its journal": "日記帳から出す",
    "refuse when N is not the newest revision": "N が最新の版でなければやめる",
    """
    With options only, the text stays as it is. TEXT is the new text; - reads it from standard
    input. With neither, your editor opens.
    """: """
    オプションだけなら本文は変わりません。TEXT が新しい本文で、- なら標準入力から読みます。
    どちらもなければエディタが開きます。
    """,
    "nothing to change: give a text, an option, or - for standard input":
      "変えるものがありません。本文かオプション、標準入力なら - を渡してください",
    "nothing was left, so nothing was changed": "何も残っていないので、何も変えませんでした",
    "the text is as it was; nothing was changed": "本文はもとのままなので、何も変えませんでした",
    "your text was not saved; it is kept sealed for: facediary write --recover":
      "本文を保存できませんでした。暗号化して保管してあります: facediary write --recover",
    "your text was not saved; it is kept at {} (in memory: gone when the machine restarts)":
      "本文を保存できませんでした。{} に残してあります (メモリの上なので、再起動で消えます)",
    "{} and {} contradict one another": "{} と {} は両立しません",
    "the keeper's answer cannot be read": "キーパーの答えを読めません",
    "a date in the years 1 to 9999": "1年から9999年までの日付",
    "an object with the texts probe and language and the array environment, all optional":
      "文字列の probe と language、配列の environment をもつオブジェクト（どれも省略可）",
    "not a date: {}…": "日付ではありません: {}…",
    "the demo went wrong: a stranger was let in": "デモの失敗: 他人が通されました",
    "the demo went wrong: the owner was refused": "デモの失敗: 本人が断られました",
    "--star and --no-star contradict one another": "--star と --no-star は両立しません",
    "the text is longer than {} bytes": "本文が {} バイトより長いです",
    "attach it as a file": "ファイルとして添付してください",
    "standard input is not UTF-8 text": "標準入力が UTF-8 のテキストではありません",
    "there is no text waiting to be recovered": "保存を待っている本文はありません",
    "there is no editor": "エディタがありません",
    "name one in VISUAL or EDITOR": "VISUAL か EDITOR で指定してください",
    "there is no directory in memory for the editor's file": "エディタのファイルを置く、メモリ上のディレクトリがありません",
    "--editor-on-disk puts it on a disk, where traces may stay":
      "--editor-on-disk でディスクに置けますが、跡が残るかもしれません",
    "the editor {} ended with {}; nothing was changed": "エディタ {} が {} で終わりました。何も変えませんでした",
    "the editor left no file; nothing was changed": "エディタがファイルを残しませんでした。何も変えませんでした",
    "what the editor left is not UTF-8 text; nothing was changed":
      "エディタが残したものは UTF-8 のテキストではありません。何も変えませんでした",
    "it is kept at {}, in memory": "{} (メモリの上) に残してあります",
    "texts to start an entry from, kept sealed": "書き始めのひな形 (暗号化して保存)",
    """
    The text is the words given, else standard input when it is not a terminal, else what you write in
    the editor. Begin an entry with one: facediary write --template NAME
    """: """
    並べた言葉が本文になります。言葉がなければ、標準入力が端末でないときはそこから読み、端末ならエディタで
    書きます。使うには: facediary write --template 名前
    """,
    "no templates; make one with: facediary templates add NAME":
      "ひな形はありません。作るには: facediary templates add 名前",
    "template {} is there already": "{} というひな形はもうあります",
    "change it with: facediary templates edit": "変えるには: facediary templates edit",
    "a template needs a text": "ひな形には本文が要ります",
    "kept the template {}": "ひな形 {} を残しました",
    "removed the template {}": "ひな形 {} を消しました",
    "Remove the template {}?": "ひな形 {} を消しますか?",
    // Photos and files
    "keep photos and files with an entry": "写真やファイルを記録につける",
    """
    Files are sealed in pieces, whatever their size. One whose name the entry has already gets a
    number: photo-2.jpg. The file itself stays where it is.
    """: """
    大きさを問わず、小分けにして暗号化します。同じ名前がもうあれば photo-2.jpg のように番号がつきます。
    もとのファイルはそのまま残ります。
    """,
    "attached {} to {}": "{2} に {1} 件つけました",
    "the photos and files of an entry": "記録の写真とファイル",
    "write a photo or file out": "写真やファイルを書き出す",
    "where to (its name, here); - is standard output": "書き出す先 (なければここに同じ名前で)。- は標準出力",
    """
    Without -o it is written here under its own name, and a file that is there already is not touched.
    What is written out is no longer sealed.
    """: """
    -o がなければここに同じ名前で書き出し、もうあるファイルには触れません。書き出したものは
    暗号化されていません。
    """,
    "wrote {}; it is no longer sealed": "{} に書き出しました。暗号化されていません",
    "take a photo or file away from an entry": "写真やファイルを記録から外す",
    "Its older revisions keep it, until the entry is purged.": "前の版には、完全に消すまで残ります。",
    "took {} away from {}": "{2} から {1} を外しました",
    "{} is there already; it was not touched": "{} はもうあります。触れませんでした",
    "{} is not a regular file; it was not touched": "{} はふつうのファイルではありません。触れませんでした",
    "name another with -o": "-o で別の名前を指定してください",
    // Reading
    "the diary as a timeline on the whole screen": "日記を全画面のタイムラインで見る",
    """
    Keys: ↑ ↓ PgUp PgDn Home End and the mouse wheel move; Enter reads; ← → or Tab change the journal;
    / searches as you type, Esc ends that; s stars, e edits, n writes a new entry, d moves one to the
    trash, q leaves. When the session ends, the screen is blanked and browse with it.
    """: """
    キー: ↑ ↓ PgUp PgDn Home End とホイールで動く。Enter で読む。← → か Tab で日記帳を替える。
    / で打ちながら探し、Esc でやめる。s は星、e は編集、n は新しい記録、d はごみ箱、q で終わる。
    セッションが終わると画面を消して終わります。
    """,
    "browse needs a terminal": "browse には端末が要ります",
    "moved to the trash": "ごみ箱に移しました",
    "Move it to the trash? [y/N]": "ごみ箱に移しますか？ [y/N]",
    "it was moved or removed meanwhile": "その間に移されたか消されました",
    "nothing in this journal yet": "この日記帳はまだ空です",
    "nothing yet: press n to write": "まだ何もありません。n で書けます",
    "All": "すべて",
    "q leave · Enter read · / search · ←→ journal · n new · e edit · s star · d trash":
      "q 終了 · Enter 読む · / 検索 · ←→ 日記帳 · n 書く · e 編集 · s 星 · d 削除",
    "Esc ends the search": "Esc で検索を終了",
    "q back · → next · e edit · s star": "q 戻る · → 次へ · e 編集 · s 星",
    "the terminal is gone": "端末がなくなりました",
    "{} entry": "{} 件",
    "{} entries": "{} 件",
    "list entries, newest first": "記録を新しい順に並べる",
    "oldest first": "古い順",
    "with their texts": "本文も",
    "show days without entries, too": "記録のない日も見せる",
    "… {} days without an entry": "… 記録のない日が {} 日",
    "find entries that hold every word": "すべての言葉を含む記録を探す",
    """
    Looks in titles, texts and tags, inside words too; "quoted words" are a phrase. Case, width,
    accents and hiragana or katakana make no difference.
    """: """
    題、本文、タグを、言葉の途中も含めて探します。"引用符で囲む" とひと続きの句になります。大文字と
    小文字、全角と半角、アクセント、ひらがなとカタカナの違いは問いません。
    """,
    "show entries": "記録を見せる",
    "an older revision": "前の版",
    "an entry in the trash": "ごみ箱の記録",
    "the bytes of one entry's text, nothing else": "一件の本文のバイトだけ",
    "--revision wants a number from 1, not {}": "--revision には 1 からの数を。{} は使えません",
    "every revision of an entry, newest first": "記録のすべての版を新しい順に",
    "revision {}": "第 {} 版",
    "what you wrote on this day in earlier years": "過去の年の同じ日に書いたもの",
    "another day than today": "今日以外の日付",
    // Sorting
    "journals, which may be trips, with how many entries they hold": "日記帳 (旅行も可) と、その記録の数",
    "the first day of a trip": "旅の初日",
    "its last day; remove: the journal that takes its entries": "旅の最終日。remove では記録を引き取る日記帳",
    "an emoji for it": "絵文字",
    "move: put it before this journal; else last": "move: この日記帳の前に。なければ最後に",
    "remove: its entries go to the trash": "remove: 記録はごみ箱へ",
    """
    facediary journals add "Kyoto" --from 2026-03-01 --to 2026-03-04
    facediary journals move Kyoto --before Work
    facediary journals remove Kyoto --to Work     its entries move there
    facediary journals remove Kyoto --trash       its entries go to the trash
    """: """
    facediary journals add 京都 --from 2026-03-01 --to 2026-03-04
    facediary journals move 京都 --before 仕事
    facediary journals remove 京都 --to 仕事     記録はそちらへ移る
    facediary journals remove 京都 --trash       記録はごみ箱へ
    """,
    "made the journal {}": "日記帳 {} を作りました",
    "{} is {} now": "{} は {} になりました",
    "moved {}": "{} を動かしました",
    "no journals; make one with: facediary journals add NAME":
      "日記帳はありません。作るには: facediary journals add 名前",
    "say where its entries go: --to JOURNAL or --trash": "記録の移動先を指定してください: --to 日記帳 か --trash",
    "Remove the journal {}? Its entries, {}, move to {}.": "日記帳 {} を消しますか? 記録 {} 件は {} に移ります。",
    "Remove the journal {}? Its entries, {}, go to the trash.": "日記帳 {} を消しますか? 記録 {} 件はごみ箱に入ります。",
    "removed the journal {}": "日記帳 {} を消しました",
    "kinds of entries, with how many there are": "記録の種類と数",
    "the emoji of a new kind": "新しい種類の絵文字",
    """
    Every diary has move 🚗 (移動), meal 🍽 (ごはん), sight 🏞 (観光) and stay 🏨 (ホテル); these stay as they
    are. A kind is found by its name, its emoji, or both, however they were typed.
    """: """
    どの日記にも move 🚗 (移動)、meal 🍽 (ごはん)、sight 🏞 (観光)、stay 🏨 (ホテル) があり、これらは変わり
    ません。種類は名前でも絵文字でもその両方でも、どう打っても見つかります。
    """,
    "made the kind {}": "種類 {} を作りました",
    "Remove the kind {}? Its entries stay, without a kind.": "種類 {} を消しますか? 記録は種類なしで残ります。",
    "removed the kind {}": "種類 {} を消しました",
    "all tags, with how many entries have them": "すべてのタグと記録の数",
    "entries, words, streaks, and a year as a calendar": "記録、言葉、続いた日数、一年の暦",
    "this year alone; else all, and the calendar of today's": "この年だけ。なければすべてと、今年の暦",
    "--year wants a year like 2026, not {}": "--year には 2026 のような年を。{} は使えません",
    "{} entries, {} words, on {} days": "記録 {} 件、{} 語、{} 日",
    "from {} to {}": "{} から {} まで",
    "days in a row: {} now, {} at most": "続けて書いた日: いま {} 日、最長 {} 日",
    "what you wrote of most, and how that moved": "よく書いたものの順位と変動",
    "2026, 2026-03, 2026-03-01..2026-03-14 or all; without it, this year":
      "2026、2026-03、2026-03-01..2026-03-14 か all。なければ今年",
    "the period to compare with (the year or month before)": "比べる期間 (前の年か月)",
    "every one, not only the first ten": "上位十だけでなくすべて",
    """
    Words count how often they stand there: of three letters and more; of Chinese characters and
    katakana, which stand without spaces, two and more.
    """: """
    単語は出現回数を数えます。三文字以上が対象で、漢字とカタカナは二文字以上です。
    """,
    "{} more with --all": "--all であと {} 件",
    "the period {} ends before it begins": "期間 {} の終わりが始まりより前です",
    "not a period: {}": "期間ではありません: {}",
    "2026, 2026-03, 2026-03-01..2026-03-14 or all": "2026、2026-03、2026-03-01..2026-03-14、all",
    "new": "新",
    // The trash
    "move entries to the trash": "記録をごみ箱に移す",
    "Move {} to the trash?": "{} 件をごみ箱に移しますか?",
    "moved to the trash: {}": "ごみ箱に移しました: {}",
    "take entries back out of the trash": "記録をごみ箱から戻す",
    "restored: {}": "戻しました: {}",
    "what is in the trash": "ごみ箱の中身",
    "remove trashed entries for good, with all their revisions": "ごみ箱の記録を、すべての版とともに完全に消す",
    "Without ID it empties the trash. Copies made before keep what they have.":
      "ID がなければごみ箱を空にします。前に作った写しには残ります。",
    "Remove {} for good?": "{} 件を完全に消しますか?",
    "removed for good: {}": "完全に消しました: {}",
    // Keeping
    "open every record and look for anything missing, old or strange": "すべてを開き、欠け、古さ、異常を調べる",
    "whole: {} entries, {} revisions, all opened along their paths":
      "無事です: 記録 {} 件、{} 版をすべてたどって開きました",
    "not whole: {} problems; {} entries open": "無事ではありません: 問題 {} 件。開く記録は {} 件",
    "{} attachments were never finished and take room; facediary purge removes them":
      "途中で終わった添付 {} 件が場所を取っています。facediary purge で消えます",
    "go on from an older copy that you put back on purpose": "わざと戻した古い写しから続ける",
    "Asks for the passphrase or the recovery code. What the newer copy held stays there.":
      "パスフレーズか復旧コードを尋ねます。新しい写しにあったものはそちらに残ります。",
    "accepted; the diary goes on from this copy": "受け入れました。日記はこの写しから続きます",
    "take in entries from elsewhere: all of them, or none": "ほかから記録を取り込む (全部取り込むか、まったく取り込まないか)",
    "what it is (json; a folder is markdown)": "形式 (json。フォルダなら markdown)",
    "json: where its photos and files are": "json: 写真やファイルのある場所",
    "only count": "数えるだけ",
    """
    json      what export wrote, an array of entries, or JSON Lines; date and body are enough
    jrnl      jrnl's JSON export, or its text: [2026-03-01 09:30] Title; @words become tags
    dayone    Day One's JSON, with its photos folder beside it; its name is the journal
    markdown  a folder of .md files with front matter between --- lines; without a date there, the name
              begins with one: 2026-03-01-name.md
    An entry that is here already is skipped; one with the id of another is a conflict. Journals and kinds
    that entries name are made. FILE may be - for standard input.
    """: """
    json      export が書いたもの、記録の配列、または JSON Lines。date と body があれば足りる
    jrnl      jrnl の JSON か本文: [2026-03-01 09:30] 題。@言葉 はタグになる
    dayone    Day One の JSON。写真のフォルダを隣に。ファイルの名前が日記帳になる
    markdown  .md ファイルのフォルダ。--- の間に項目を書く。日付がなければ名前の頭から読む:
              2026-03-01-name.md
    もうある記録は飛ばします。同じ ID で中身の違うものは衝突です。記録が名指す日記帳と種類は作ります。
    FILE が - なら標準入力です。
    """,
    "{} is a folder, not {}": "{} はフォルダで、{} ではありません",
    "markdown is a folder, not {}": "markdown はフォルダです。{} は違います",
    "{} photos or files the entries name were not found and not taken in":
      "記録が名指す写真やファイル {} 件は見つからず、取り込みませんでした",
    "would import {}; here already: {}": "取り込む予定: {} 件、すでにあるもの: {} 件",
    "imported {}; here already: {}": "{} 件を取り込みました (すでにあるもの: {} 件)",
    "write entries out as plain text": "記録を平文で書き出す",
    "a file, made readable for you alone; of markdown a new folder":
      "自分だけが読めるファイル。markdown なら新しいフォルダ",
    "json: write photos and files into this new folder": "json: 写真やファイルをこの新しいフォルダに書く",
    """
    json      everything but history and trash; imports back equal
    markdown  a folder: a file an entry with its fields in front, photos and files beside; imports back equal
    jrnl      jrnl's JSON. Lost: the end, the zone, journal, kind, ids, photos and files; an entry without a
              title gives its first line for one
    html      one page that needs nothing else, for reading and printing, with photos in it. It cannot be
              imported: other files are named in it, not kept
    """: """
    json      履歴とごみ箱のほかすべて。取り込むと同じになる
    markdown  フォルダ: 一件が一つのファイルで、項目を頭に置く。写真やファイルは隣に。取り込むと同じになる
    jrnl      jrnl の JSON。失うもの: 終わり、時間帯、日記帳、種類、ID、写真とファイル。題のない記録は
              最初の行が題になる
    html      単独で読めて印刷もできる 1 ページの HTML。写真も入る。取り込めない: ほかのファイルは名前だけ
    """,
    "markdown is a folder: name a new one with -o": "markdown はフォルダです。-o で新しい名前を指定してください",
    "--attachments is for json; markdown and html keep them themselves":
      "--attachments は json のためのものです。markdown と html は自分で持ちます",
    "what is exported is no longer sealed": "書き出したものは暗号化されていません",
    "wrote {} entries to {}": "{2} に {1} 件を書き出しました",
    "name a new folder": "新しいフォルダを指定してください",
    "the whole story on sample faces, in a temporary place": "見本の顔で、はじめから終わりまでを一時の場所で",
    "the sample vectors (Keys/faces)": "見本のベクトル (Keys/faces)",
    "Diary": "日記",
    "a script that completes commands, journals, tags and ids": "コマンド、日記帳、タグ、ID を補うスクリプト",
    """
    bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
    zsh:  facediary completion zsh > a directory of $fpath, as _facediary
    fish: facediary completion fish > ~/.config/fish/completions/facediary.fish
    Journals, tags and ids are offered while a session is open.
    """: """
    bash: facediary completion bash > ~/.local/share/bash-completion/completions/facediary
    zsh:  facediary completion zsh > $fpath のどこかに _facediary として
    fish: facediary completion fish > ~/.config/fish/completions/facediary.fish
    日記帳、タグ、ID は、セッションが開いている間だけ出ます。
    """,
    "the manual; redirected, as a manual page": "マニュアル。リダイレクトすれば man ページの形式で出力",
    "facediary man > ~/.local/share/man/man1/facediary.1":
      "facediary man > ~/.local/share/man/man1/facediary.1",
    "done": "できました",
    "the system failed (disk full, permission, unreadable)": "システムの失敗 (ディスクがいっぱい、権限、読めない)",
    "the command line is wrong, or a needed --yes is missing": "コマンドラインの誤り、または要る --yes がない",
    "not authenticated": "認証されていない",
    "locked out or waiting after too many attempts": "試しすぎで締め出されたか、待ち時間中",
    "integrity: damaged, tampered with, or rolled back": "完全性: 破損、改ざん、または巻き戻し",
    "not found": "見つからない",
    "conflict: exists already, changed meanwhile, ambiguous": "衝突: もうある、その間に変わった、一つに決まらない",
    "invalid data": "正しくないデータ",
    "declined, or the editor failed or left nothing": "断られた、またはエディタが失敗したか何も残さなかった",
    "the directory of the session's socket": "セッションのソケットのディレクトリ",
    "the configuration file": "設定ファイル",
    "your editor": "エディタ",
    "shows long output on a terminal; empty or cat for none": "端末で長い出力を見せるもの。空か cat で使わない",
    "no colours": "色なし",
    // Failures
    "there is no diary at {}": "{} に日記はありません",
    "make one with: facediary init": "作るには: facediary init",
    "{} is not a diary vault, or its beginning is damaged ({})": "{} は日記のファイルではないか、先頭が壊れています ({})",
    "name the right file with --vault or FACEDIARY_VAULT":
      "--vault か FACEDIARY_VAULT で正しいファイルを指定してください",
    "{} was written by a newer facediary": "{} は新しい facediary が書いたものです",
    "update facediary": "facediary を新しくしてください",
    "damaged: {} ({})": "壊れています: {} ({})",
    "if you know why: facediary accept-rollback": "わけを知っているなら: facediary accept-rollback",
    "your passphrase is not the cause; look closer with: facediary verify":
      "パスフレーズのせいではありません。詳しくは: facediary verify",
    "{} is not as it was written ({})": "{} は書いたときのままではありません ({})",
    "look closer with: facediary verify": "詳しくは: facediary verify",
    "an older copy of the diary was put back ({}: {})": "日記が古い写しに替わっています ({}: {})",
    "if that was you: facediary accept-rollback": "あなたがしたのなら: facediary accept-rollback",
    "this copy of the diary was written somewhere else ({}: {})": "この写しは別のところで書かれたものです ({}: {})",
    "to go on from this copy: facediary accept-rollback": "この写しから続けるなら: facediary accept-rollback",
    "this is not the recovery code": "復旧コードが違います",
    "this is not the passphrase": "パスフレーズが違います",
    "the diary has no way in by {}": "この日記は {} では開きません",
    "no {} {}": "{2} という{1}はありません",
    "{} could be more than one {}": "{} に当てはまる{}が一つではありません",
    "one of {}": "次のどれか: {}",
    "{}: {}": "{}: {}",
    "{}: expected {}": "{}: {} が必要です",
    "another process is writing to the diary": "別のプロセスが日記に書いています",
    "another process is using the diary": "別のプロセスが日記を使っています",
    "try again in a moment": "少し待ってもう一度",
    "{} cannot be written ({})": "{} に書けません ({})",
    "the disk is full": "ディスクがいっぱいです",
    "the running session does not answer; it may still hold the diary open":
      "動いているセッションが答えません。日記をまだ開いているかもしれません",
    "no access to {} ({})": "{} に触れる権限がありません ({})",
    "cannot get {}": "{} が得られません",
    "raise the limit with: ulimit -l 1024 (kilobytes)": "上限を上げるには: ulimit -l 1024 (キロバイト)",
    "no face is enrolled on this device": "この端末に顔は登録されていません",
    "unlock with the passphrase, then: facediary enroll FILE…":
      "パスフレーズで開き、それから: facediary enroll FILE…",
    "the face is locked out after too many refusals": "断られた回数が多く、顔では開けなくなっています",
    "unlock once with the passphrase or the recovery code": "一度パスフレーズか復旧コードで開いてください",
    "this device's store is damaged: {} ({})": "この端末の保管場所が壊れています: {} ({})",
    "unlock with the passphrase or the recovery code, then enrol again":
      "パスフレーズか復旧コードで開き、もう一度登録してください",
    "the diary was opened here before, and its device store is gone":
      "この日記は前にここで開かれましたが、端末の保管場所がなくなっています",
    "unlock with the passphrase or the recovery code": "パスフレーズか復旧コードで開いてください",
    "others could read or change it; chmod go= '{}'": "ほかの人が読んだり変えたりできます: chmod go= '{}'",
    "the verifier failed: {}": "顔の判定に失敗しました: {}",
    "libsodium could not be started": "libsodium が使えません",
    "a passphrase has 1 to 1024 bytes of UTF-8": "パスフレーズは UTF-8 で 1 から 1024 バイトです",
    "a passphrase has 1 to 1024 bytes": "パスフレーズは 1 から 1024 バイトです",
    "the passphrase is not UTF-8": "パスフレーズが UTF-8 ではありません",
    "a secret has 1 to 1024 bytes, not {}": "秘密は 1 から 1024 バイトです ({})",
    "there is no terminal to ask at": "尋ねる端末がありません",
    "damaged data ({})": "壊れたデータ ({})",
    "the session has ended": "セッションは終わりました",
    "open it again with: facediary unlock": "もう一度開くには: facediary unlock",
    "the running session is of another version or user": "動いているセッションは別の版か別の人のものです",
    "end it with: facediary lock, then unlock again": "facediary lock で終わらせ、もう一度開いてください",
    "the session's socket cannot be made: {}": "セッションのソケットが作れません: {}",
    "program {} is not on the PATH": "プログラム {} が PATH にありません",
    "{} cannot be started: {}": "{} を始められません: {}",
    "{} did not answer within {} seconds": "{} が {} 秒以内に答えませんでした",
    "{} printed more than {} bytes": "{} の出力が {} バイトを超えました",
    "{} ended with {}{}": "{} が {} で終わりました{}",
    "not a command: {}": "コマンドではありません: {}",
    "neither file nor option says which face model made this vector":
      "どの顔モデルのベクトルか、ファイルにもオプションにもありません",
    "name it with --model; facediary models lists those known":
      "--model で指定してください。知っているものは facediary models で",
    "no threshold is known for the model {}, and a guess could let anybody in":
      "モデル {} のしきい値がわかりません。当て推量では誰でも入れかねません",
    "give one with --threshold, measured on your own faces": "自分の顔で測った値を --threshold で渡してください",
    "the enrolled faces have the threshold {}, not {}": "登録した顔のしきい値は {} で、{} ではありません",
    "one diary has one threshold; leave --threshold away": "一つの日記にしきい値は一つです。--threshold を外してください",
    "threshold {} is outside [-1, 1]": "しきい値 {} は [-1, 1] の外です",
    "a threshold is a cosine similarity; higher is closer": "しきい値はコサイン類似度です。高いほど近い",
    "shot {} resembles the enrolled ones only by {}; the threshold is {}":
      "{} 枚目は登録済みのものに {} しか似ていません。しきい値は {} です",
    "if it is really you: --force": "本当にあなたなら: --force",
    "a diary keeps at most {} faces": "一つの日記の顔は多くて {} 件です",
    "every one of these shots is enrolled already": "どれも登録済みです",
    "{}: there is no vector in it": "{}: ベクトルが入っていません",
    "{}: not a vector file": "{}: ベクトルのファイルではありません",
    "npy, JSON, CSV, fvecs, or raw float32 named .f32": "npy、JSON、CSV、fvecs、または .f32 という名の float32",
    "{}, {}: expected {}": "{}、{}: {} が必要です",
    "{}, row {}, component {}: expected a finite float32 number":
      "{}、{} 行目、成分 {}: 有限の float32 の数が要ります",
    "{}, row {}: all components are zero": "{}、{} 行目: すべての成分が 0 です",
    "{}: {} components; expected 16 to 8192": "{}: {} 成分。16 から 8192 が要ります",
    "{}, row {}: {} components; expected {}": "{}、{} 行目: {} 成分。{} が要ります",
    "{}: {} components; expected {}": "{}: {} 成分。{} が要ります",
    "{}: elements of type {}; expected float16, float32 or float64":
      "{}: 要素が {} です。float16、float32、float64 が要ります",
    "{}: a pickled Python object, which is never read": "{}: pickle された Python の物で、読みません",
    "save the array with numpy.save(…, allow_pickle=False)":
      "numpy.save(…, allow_pickle=False) で保存してください",
    "{}: rows in Fortran order": "{}: Fortran 順の行です",
    "save numpy.ascontiguousarray(…)": "numpy.ascontiguousarray(…) を保存してください",
    "{}: shape {}; expected one vector, or rows of them": "{}: 形が {} です。一つのベクトルか、その行が要ります",
    "{}: ends at byte {}; expected {} bytes": "{}: {} バイトで終わっています。{} バイトが要ります",
    "{}: bytes after the data, from byte {}": "{}: データの後ろ、{} バイト目から余分があります",
    "{}: larger than {} bytes": "{}: {} バイトより大きいです",
    "{}: more than {} vectors": "{}: ベクトルが {} より多いです",
    "{}: made by the model {}; expected {}": "{}: モデル {} のものです。{} が要ります",
    "line {}, column {}: expected {}": "{} 行 {} 列: {} が必要です",
    "{}, line {}, column {}: expected {}": "{}、{} 行 {} 列: {} が必要です",
    "{}, line {}, field \"{}\": expected {}": "{}、{} 行、項目 \"{}\": {} が必要です",
    "{}, field \"{}\": expected {}": "{}、項目 \"{}\": {} が必要です",
    "{}, line {}: not UTF-8 text": "{}、{} 行: UTF-8 のテキストではありません",
    "{}: not UTF-8 text": "{}: UTF-8 のテキストではありません",
    "{}, line {}: not a date: {}": "{}、{} 行: 日付ではありません: {}",
    "{}: there is no .md file in it": "{}: .md ファイルがありません",
    "{}: there is no entry in it; one begins with [2026-03-01 09:30]":
      "{}: 記録がありません。記録は [2026-03-01 09:30] で始まります",
    "{} could be changed by others": "{} はほかの人が変えられます",
    "{} cannot be read": "{} が読めません",
    "{} is not a configuration": "{} は設定ファイルではありません",
    "the session ended while you wrote; your text is kept sealed until it is saved":
      "書いている間にセッションが終わりました。本文は保存されるまで暗号化して保管してあります",
    "--template begins a text in the editor; leave the words away":
      "--template はエディタでの書き始めです。言葉を外してください",
    "changed the journal {}": "日記帳 {} を変えました",
    "{} photos or files are only named in it; add them with --attachments DIR":
      "写真やファイル {} 件は名前だけです。--attachments DIR で書き出せます",
    "other programs' JSON has a --format of its own: jrnl or dayone":
      "ほかのプログラムの JSON には --format jrnl か --format dayone を",
    "not an end: {}": "終わりとして読めません: {}", "+90m, 18:30 or a date": "+90m、18:30、または日付",
    "--to is before --from": "--to が --from より前です",
    "{}, line {}: the entry holds nothing but files, and they are not here":
      "{}、{} 行: 記録にはファイルしかなく、それがここにありません",
    "say where they are with --attachments DIR": "--attachments DIR で場所を指定してください",
    "{} is not UTF-8 text": "{} は UTF-8 のテキストではありません",
    "{}, line {}: {} has {} rows; name one of them": "{}、{} 行: {} には {} 行あります。どれかを指定してください",
    "{}: there is nothing in it": "{}: 中身がありません",
    "{}, line {}: expected the columns person and file, not {}":
      "{}、{} 行: person と file の列が要ります。{} ではありません",
    "{}, line {}: expected a person and a file": "{}、{} 行: 人とファイルが要ります",
    "{}, line {}: expected a row number from 0": "{}、{} 行: 0 からの行番号が要ります",
    "chmod go-w '{}'": "chmod go-w '{}'",
    "there is no place for a configuration: HOME is not set": "設定を置く場所がありません: HOME が設定されていません",
    "{}, line {}: expected [2026-03-01 09:30] and a title": "{}、{} 行: [2026-03-01 09:30] と題が要ります",
    "{}, line {}: longer than a text may be": "{}、{} 行: 本文として長すぎます",
    "{}, field \"id\": expected 26 base32 characters": "{}、項目 \"id\": base32 の 26 文字が要ります",
    "{}, field \"{}\": expected a date like 2026-03-01T09:30:00+09:00":
      "{}、項目 \"{}\": 2026-03-01T09:30:00+09:00 のような日付が要ります",
    "{}: expected a date, in its front matter or as its name's beginning":
      "{}: 頭の項目か、名前の始めに日付が要ります",
    "{}, line {}: expected a name, a colon and a value": "{}、{} 行: 名前とコロンと値が要ります",
    "{}: its front matter has no end; expected a line ---": "{}: 頭の項目に終わりがありません。--- の行が要ります",
    "{}, line {}: expected a list that ends with ]": "{}、{} 行: ] で終わる並びが要ります",
    "{}, line {}: expected a text that ends with \"": "{}、{} 行: \" で終わる文が要ります",
    "the sample vectors are not here": "見本のベクトルがここにありません",
    "run it where Keys/ is, or name them: facediary demo --faces DIR":
      "Keys/ のある場所で動かすか、指定してください: facediary demo --faces DIR",
    "the demo went wrong: {}": "デモに失敗しました: {}",
    "1. Looking for a diary: {}": "1. 日記を探しています: {}",
    "   none is there: {}": "   ありません: {}",
    "2. A vault with a passphrase, a recovery code and {} shots of the owner's face: {}":
      "2. パスフレーズと復旧コードと、持ち主の顔 {} 枚の日記: {}",
    "3. A stranger shows a face: refused, {} tries left, {}": "3. 知らない人が顔を見せる: 断りました。残り {} 回、{}",
    "4. The owner shows a face never enrolled: similarity {}, threshold {}, {}":
      "4. 持ち主が、登録していない写真を見せる: 類似度 {}、しきい値 {}、{}",
    "5. Two entries, each durable when its id came back: {}": "5. 記録を二件。ID が返ったときには残っている: {}",
    "6. A search for かわせみ finds: {}": "6. かわせみ を探すと: {}",
    "7. Every record opened along its path: {} entries, no problem":
      "7. すべてをたどって開きました: 記録 {} 件、問題なし",
    "8. Closed: {}": "8. 閉じました: {}",
    "9. The word \"{}\" stands in none of the {} files written":
      "9. \"{1}\" という言葉は、書いた {2} 個のファイルのどれにもありません",
    """
    The copy is sealed as a backup: facediary --vault FILE reads it with the same passphrase, and nothing writes
    it. restore-backup makes it the diary again. It can be copied anywhere: it is as secret as the vault itself.
    """: """
    写しはバックアップとして封をされます。facediary --vault FILE で同じパスフレーズで読め、書き込みはできません。
    restore-backup でふたたび日記になります。どこへ写してもかまいません。秘密の度合いは日記そのものと同じです。
    """,
    """
    Asks for the passphrase or the recovery code now, opens every record of the backup, says what will be replaced by
    what, and asks. The diary's file is changed in place, in one step. The ways in stay as they are now, unless the
    backup was made before keys rotate: then those it was made with are valid again, and faces must be enrolled anew.
    When the diary's file is gone, the backup becomes the diary.
    """: """
    いまパスフレーズか復旧コードを尋ね、バックアップのすべてを開いてみて、何が何に置き換わるかを述べ、確かめます。
    日記のファイルはその場で、一度に変わります。開け方はいまのままです。ただし keys rotate より前のバックアップなら、
    そのときの開け方がふたたび有効になり、顔は登録し直します。日記のファイルがなければ、バックアップが日記になります。
    """,
    """
    Every page and every row is tried on its own, so that a broken place costs what stood in it and nothing else. The
    damaged vault is only read. The new one gets the same passphrase and a new recovery code; revisions
    before the newest are not taken along. What was lost is named.
    """: """
    どのページもどの行も一つずつ試すので、壊れた所は、そこにあったものだけを失います。
    壊れた日記は読むだけです。新しい日記には同じパスフレーズと新しい復旧コードが付きます。
    最新より前の版は移りません。失われたものは名を挙げます。
    """,
    """
    The device key opens the face slot and seals the enrolled faces. In a file, who can read it and the vault needs
    no face; a helper can keep it in a TPM, a Secret Service or a keychain. It is run with get, store or erase as
    its last word and reads vault=…, key=… and, to store, secret=… from standard input; get prints secret=….
    Recipes stand in the documentation of the library, page ThreatModel.

    move makes a new key, so that copies of the old one open nothing; the old one is erased. reset gives this device
    up when its key is lost: faces must be enrolled again. Both ask for the passphrase or the recovery code now.
    """: """
    端末の鍵は、顔の開け口を開き、登録した顔に封をします。ファイルにあると、それと日記を読める人には顔が要りません。
    補助プログラムなら TPM や Secret Service、キーチェーンにしまえます。最後の語が get、store、erase のどれかで呼ばれ、
    標準入力から vault=…、key=…、しまうときは secret=… を読みます。get は secret=… を出力します。
    手本はライブラリの文書の ThreatModel の頁にあります。

    move は新しい鍵を作るので、古い鍵の写しは何も開きません。古い鍵は消します。reset は鍵がなくなったときに
    この端末をあきらめます。顔は登録し直します。どちらもいまパスフレーズか復旧コードを尋ねます。
    """,
    """
    KIND is passphrase, recovery (a new code; the old one stays until it is removed) or face-passphrase (a
    face and a passphrase together; the face alone then opens nothing on this device).

    rotate makes a new vault key and seals everything anew, in one step. Ways in whose secret is not at hand
    are dropped, and are named first; a new recovery code is shown. Old copies of the file still open with
    the old key: it cannot take them back.

    All but list ask for the passphrase or the recovery code now.
    """: """
    KIND は passphrase、recovery (新しいコード。古いものは消すまで残ります)、face-passphrase (顔とパスフレーズの
    両方。以後この端末では顔だけでは何も開きません) のどれかです。

    rotate は日記の鍵を作り直し、すべてを一度に封じ直します。秘密が手元にない開け口は消え、先に名を挙げます。
    新しい復旧コードを示します。ファイルの古い写しは古い鍵で開くままで、取り戻せません。

    list のほかは、いまパスフレーズか復旧コードを尋ねます。
    """,
    """
    Asks for the passphrase (or the recovery code) now, then for the new one twice. Its work for one guess is
    raised to today's. Old copies of the vault still open with the old passphrase; after it was seen by somebody,
    keys rotate is what helps.
    """: """
    いまパスフレーズ (か復旧コード) を、次に新しいものを二度尋ねます。一回の推測にかかる手間は今日の水準に上がります。
    日記の古い写しは古いパスフレーズで開くままです。誰かに見られたあとに効くのは keys rotate です。
    """,
    """
    passphrase-after 156h   a face opens nothing when the passphrase was last given longer ago
    unused-after 48h        … or when the diary was not opened on this device for longer
    after-restart on        … or when the machine was started since
    warm off                on: no face slot on the disk; a face only re-opens what a passphrase opened in
                            a session that still runs
    face-passphrase off     on, by keys add face-passphrase: a face opens the diary only together with a passphrase;
                            off lets enroll give it a way in of its own again
    idle 5m                 a session ends after so long without use
    life 12h                the longest a session may last

    Setting one asks for the passphrase or the recovery code now. The policy is sealed in the vault.
    """: """
    passphrase-after 156h   最後にパスフレーズを入れてからこれより経つと、顔では開かない
    unused-after 48h        この端末で日記を開かない間がこれより長いと、顔では開かない
    after-restart on        機械が起動し直されていると、顔では開かない
    warm off                on: 顔の開け口をディスクに置かない。パスフレーズで開いてまだ動いている
                            セッションだけを、顔がまた開く
    face-passphrase off     keys add face-passphrase で on: 顔はパスフレーズと一緒でだけ日記を開く。
                            off にすると、enroll がまた顔だけの開け口を作れる
    idle 5m                 使わないままこれだけ経つとセッションが終わる
    life 12h                セッションの長さの上限

    変えるときは、いまパスフレーズか復旧コードを尋ねます。決まりは日記の中に封じてあります。
    """,
    "a consistent copy, while the diary is in use": "使っている最中でも整った写しを作る",
    "make one in DIR, named by the time, and keep the newest N": "DIR に時刻の名で一つ作り、新しい N 個を残す",
    "{} is not a directory; it was not touched": "{} はディレクトリではありません。触れていません",
    "older backups removed: {}": "古いバックアップを消しました: {}",
    "backup made: {}": "バックアップを作りました: {}",
    "put a backup in the place of the diary": "バックアップを日記の代わりに置く",
    "the passphrase of a backup made before keys rotate": "keys rotate より前のバックアップのパスフレーズ",
    "restore-backup asks before it replaces the diary; nobody can be asked":
      "restore-backup は日記を置き換える前に確かめます。尋ねる相手がいません",
    "give --yes": "--yes を付けてください",
    "{} entries of the diary are replaced by the {} of the backup made {}":
      "日記の {1} 件が、{3} に作ったバックアップの {2} 件に置き換わります",
    "the backup made {}, with {} entries, becomes the diary": "{} に作った、記録 {} 件のバックアップが日記になります",
    "it was made with another key: the passphrase and the recovery code of that time will be valid, not today's":
      "別の鍵で作られています。有効になるのは今日のではなく、そのときのパスフレーズと復旧コードです",
    "Go on?": "続けますか？",
    "the backup was made with another key, and this does not open it":
      "バックアップは別の鍵で作られていて、これでは開きません",
    "give the passphrase of that time with --backup-passphrase-file":
      "そのときのパスフレーズを --backup-passphrase-file で渡してください",
    "the diary is what the backup held": "日記はバックアップの中身になりました",
    "rescue what still opens of a damaged vault into a new one": "壊れた日記からまだ開くものを新しい日記に救い出す",
    "lost: {}": "失われたもの: {}",
    "of {} entries only an older text could be opened": "{} 件の記録は、古い本文だけが開きました",
    "{} texts lost their title, date and tags; they stand under today":
      "{} 件の本文は題と日付とタグを失い、今日の日付にあります",
    "rescued: {} entries, {} attachments, into {}": "救い出しました: 記録 {} 件、添付 {} 件、{} へ",
    "where the device key is kept": "端末の鍵をどこに置くか",
    "move: a program that keeps the key (get, store, erase)": "move: 鍵をしまうプログラム (get、store、erase)",
    "move: back into a file of yours": "move: ファイルに戻す",
    "a new device key is kept in a file; the old one opens nothing any more":
      "新しい端末の鍵はファイルにあります。古い鍵はもう何も開きません",
    "a new device key is kept by the helper; the old one opens nothing any more":
      "新しい端末の鍵は補助プログラムがしまいました。古い鍵はもう何も開きません",
    "device store: {}": "端末の保管場所: {}",
    "device key: kept by {}": "端末の鍵: {} がしまっています",
    "device key: in a file there": "端末の鍵: そこのファイル",
    "the device key cannot be had now; see: facediary device --help":
      "端末の鍵がいま得られません: facediary device --help",
    "rebuild what can be rebuilt from what verifies, then look again": "確かなものから直せるものを直し、もう一度調べる",
    "mended: {}": "直した数: {}",
    "Restore a backup (facediary restore-backup), or rescue what still opens: facediary salvage OUT":
      "バックアップを戻すか (facediary restore-backup)、まだ開くものを救い出してください: facediary salvage OUT",
    "What you see is still as it was written. facediary verify --repair takes it away; look for what else writes this file.":
      "見えるものは書いたときのままです。facediary verify --repair で取り除けます。ほかに何がこのファイルに書くのか調べてください。",
    "A spare part; facediary verify --repair writes it anew.":
      "予備の部分です。facediary verify --repair が書き直します。",
    "the ways into the diary": "日記の開け方",
    "rotate: keep no passphrase, only the new recovery code": "rotate: パスフレーズを残さず、新しい復旧コードだけにする",
    "removed; old copies of the vault still open with it": "消しました。日記の古い写しはまだこれで開きます",
    "the weakest way in is the face: who has this file and the device key's file needs no face; a helper, warm or face-passphrase mode closes that":
      "いちばん弱い開け方は顔です。このファイルと端末の鍵のファイルを持つ人には顔が要りません。補助プログラム、warm、face-passphrase で防げます",
    "the weakest way in is the face, and what the helper that keeps the device key asks for":
      "いちばん弱い開け方は顔と、端末の鍵をしまう補助プログラムが求めるものです",
    "the weakest way in is the passphrase: it is as strong as it is long":
      "いちばん弱い開け方はパスフレーズです。長いほど強くなります",
    "added; the passphrases there were stay": "加えました。前からのパスフレーズは残ります",
    "added; from now on this device's face opens the diary only together with that passphrase":
      "加えました。これからこの端末の顔は、そのパスフレーズと一緒でだけ日記を開きます",
    "no such kind: {}": "そのような種類はありません: {}",
    "passphrase, recovery or face-passphrase": "passphrase、recovery、face-passphrase のどれか",
    "keys rotate drops ways in and asks first; nobody can be asked":
      "keys rotate は開け口を消す前に確かめます。尋ねる相手がいません",
    "look with: facediary keys; then give --yes": "facediary keys で見てから、--yes を付けてください",
    "will be dropped: {} {}, of {}": "消えます: {} {}、{} のもの",
    "nothing was changed; the old recovery code is still the right one":
      "何も変えていません。復旧コードは前のもののままです",
    "everything is sealed with a new key. Copies made before open with the old one for ever: delete those you do not need, and make a new backup":
      "すべてを新しい鍵で封じ直しました。前の写しはずっと古い鍵で開きます。要らないものは消し、新しいバックアップを作ってください",
    "change the passphrase": "パスフレーズを変える",
    "changed; old copies of the vault still open with the old one (see: facediary keys rotate)":
      "変えました。日記の古い写しはまだ古いもので開きます (facediary keys rotate)",
    "when a face is not enough, and how long the diary stays open": "顔だけでは足りないときと、日記を開いておく長さ",
    "no such rule: {}": "そのような決まりはありません: {}",
    "{} {}: expected {}": "{} {}: {} が要ります",
    "read the new passphrase from a file": "新しいパスフレーズをファイルから読む",
    "{} needs a new passphrase and nobody can be asked": "{} には新しいパスフレーズが要りますが、尋ねる相手がいません",
    "give it with --new-passphrase-file": "--new-passphrase-file で渡してください",
    "the two passphrases differ; nothing was changed": "二つのパスフレーズが違います。何も変えていません",
    "the face or the passphrase is not right; tries left: {}": "顔かパスフレーズが違います。残り {} 回",
    "this face opens the diary together with its passphrase": "この顔は、そのパスフレーズと一緒に日記を開きます",
    "give --passphrase-file beside --face": "--face に --passphrase-file を添えてください",
    "this is a backup, made {}: it can only be read; facediary restore-backup makes it the diary":
      "これは {} に作ったバックアップで、読むだけです。facediary restore-backup で日記になります",
    "a face is not enough now: {}": "いまは顔だけでは足りません: {}",
    "unlock once with the passphrase or the recovery code; see: facediary policy":
      "一度パスフレーズか復旧コードで開いてください: facediary policy",
    "too many wrong passphrases; the next can be tried in {} s": "パスフレーズの誤りが多すぎます。次に試せるのは {} 秒後です",
    "the recovery code opens the diary without waiting": "復旧コードなら待たずに開きます",
    "the program that keeps the device key, {}: {}": "端末の鍵をしまうプログラム {}: {}",
    "if it is gone for good: facediary device reset": "もう戻らないなら: facediary device reset",
    "the running session was of another version and was told to end": "動いていたセッションは別の版だったので、終わらせました",
    "The locks:": "鍵:",
    "Until you say yes the old recovery code is the right one. Is the new one written down, and shall the key be replaced?":
      "はいと答えるまでは前の復旧コードが有効です。新しいコードを書き留めましたか。鍵を作り直しますか？",
    "this device begins anew. The face slot of its lost key is still in the vault; look with facediary keys, and take away what you do not know: facediary keys remove ID":
      "この端末は新しく始まります。なくした鍵の顔の開け口は日記に残っています。facediary keys で見て、知らないものは消してください: facediary keys remove ID",
    "there is no directory {}": "ディレクトリ {} がありません",
    "it is done; only this device's store could not be brought up to date ({}): unlock once with the passphrase":
      "できました。この端末の保管場所だけが追いついていません ({})。一度パスフレーズで開いてください",
    "added; the codes there were stay": "加えました。前からのコードも残ります",
    "turn it on with: facediary keys add face-passphrase":
      "入れるには: facediary keys add face-passphrase",
    "the diary is not whole, so no older backup was removed": "日記が整っていないので、古いバックアップは消していません",
    "move {} and its -wal away, then run this again: the backup becomes the diary":
      "{} とその -wal を別の場所へ移してから、もう一度。バックアップが日記になります",
    "Your own diary: facediary init": "あなたの日記を作るには: facediary init",
  ]

  /// Words that stand inside sentences: what the rooms below name and expect.
  private static let terms: [String: String] = [
    "the machine was restarted since it was last given": "最後にパスフレーズを入れたあと、機械が起動し直されました",
    "it was last given too long ago": "最後にパスフレーズを入れてから経ちすぎました",
    "the diary was not opened here for too long": "ここで長いあいだ開かれませんでした",
    "no session is left that a face could open again": "顔がまた開けるセッションが残っていません",
    "this face opens the diary together with it": "この顔はパスフレーズと一緒に開きます",
    "it was not given on this device before": "この端末でまだパスフレーズを入れていません",
    "a duration of 1h to 366d": "1h から 366d の長さ", "a duration of 10s to 12h": "10s から 12h の長さ",
    "a duration of 1m to 12h": "1m から 12h の長さ", "on or off": "on か off",
    "a backup is only read": "バックアップは読むだけ", "is a backup of another diary": "別の日記のバックアップ",
    "is no backup": "バックアップではない", "is the last way in that needs no face": "顔の要らない最後の開け方",
    "slot": "開け口", "the backup's passphrase": "バックアップのパスフレーズ",
    "it opens the diary only together with a passphrase, and that way in was taken away":
      "パスフレーズと一緒でだけ日記を開き、その開け方は取り除かれています",
    "this face opens the diary together with another passphrase; remove that way in first":
      "この顔は別のパスフレーズと一緒に開きます。まずその開け方を消してください", "off": "off",
    "entry": "記録", "journal": "日記帳", "kind": "種類", "attachment": "添付", "template": "ひな形",
    "face": "顔", "passphrase": "パスフレーズ", "recovery": "復旧コード", "title": "タイトル", "tag": "タグ",
    "tags": "タグ", "body": "本文", "text": "本文", "date": "日付", "until": "終わり", "zone": "時間帯",
    "emoji": "絵文字", "journals": "日記帳", "templates": "ひな形", "attachments": "添付", "revision": "版",
    "label": "呼び名", "attachment name": "添付の名前", "attachment type": "添付の型",
    "locked memory": "固定したメモリ", "missing": "ない",
    "is there already": "もうあります", "one emoji": "絵文字一つ",
    "has this emoji already": "この絵文字はもう使われています", "not blank": "空でないもの", "one line": "一行",
    "no NUL characters": "NUL を含まないもの",
    "a text, a title or an attachment": "本文か題か添付", "not before the date": "日付より前でないもの",
    "a start that is not after the end": "終わりより後でない始まり",
    "days of the years 1 to 9999": "1 年から 9999 年の日",
    "an id of 4 to 26 base32 characters, @last or @N": "4 から 26 文字の ID、@last、@N のどれか",
    "every diary has it; it stays as it is": "どの日記にもあり、変えられません",
    "cannot inherit from itself": "自分自身には移せません",
    "older than the last one seen here": "ここで最後に見たものより古い",
    "older than what this session has seen": "このセッションが見たものより古い",
    "not a continuation of the last one seen here": "ここで最後に見たものの続きではない",
    "not the one its parent knows": "親が知るものと違う", "not those the vault knows": "日記が知るものと違う",
    "was replaced or moved while it was open": "開いている間に置き換えられたか動かされた",
    "the file": "ファイル", "the labels": "ラベル", "the entries": "記録", "the passphrase": "パスフレーズ",
    "the recovery code": "復旧コード", "a face vector": "顔ベクトル", "the entry's text": "本文",
    "an array or an object": "配列かオブジェクト", "an entry or an export": "記録か書き出し",
    "the end of the text": "文の終わり", "an object": "オブジェクト", "an object a line": "一行に一つのオブジェクト",
    "format 1; this file is of a later one": "形式 1 (このファイルはより新しい形式です)",
    "an entry": "記録", "entries": "記録", "a value": "値", "an array of entries": "記録の配列",
    "the field \"date\"": "項目 \"date\"", "the field \"body\"": "項目 \"body\"",
    "the field \"entries\"": "項目 \"entries\"",
    "26 base32 characters in the field \"id\"": "項目 \"id\" に base32 の 26 文字",
  ]
}
