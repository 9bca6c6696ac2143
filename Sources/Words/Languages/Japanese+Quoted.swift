internal import Entries

/// What the system and the readers of formats say of themselves in English.
extension Japanese {
  static func text(_ message: Quoted) -> String {
    switch message {
    case .failed(let path, let why): pathWords[why].map { path + " " + $0 } ?? "\(path): \(why)"
    case .wanted(let expected): wanted(expected)
    }
  }

  /// A reason of the system, as it stands in brackets or after a colon.
  static func reason(ofSystem why: String) -> String { reasonWords[why] ?? why }

  /// What a reader of JSON or of a vector wants at some place.
  static func wanted(_ expected: String) -> String {
    if let word = wantedWords[expected] { return word }
    for (start, end, word) in wantedForms
    where expected.hasPrefix(start) && expected.hasSuffix(end) {
      return word(String(expected.dropFirst(start.count).dropLast(end.count)))
    }
    return expected
  }

  static func word(_ severity: VerifyReport.Problem.Severity) -> String {
    switch severity {
    case .lost: "消失"
    case .suspicious: "要確認"
    case .minor: "軽微"
    }
  }

  /// Where the thresholds of models come from.
  static let sources = [
    "deepface config/threshold.py (cosine distance), not calibrated to a rate":
      "deepface の config/threshold.py にある値（コサイン距離から換算）です"
  ]

  private static let pathWords = [
    "No such file or directory": "が見つかりません",
    "Not a directory": "の途中にフォルダではないものがあります",
    "Is a directory": "はフォルダです",
    "Permission denied": "を使う権限がありません",
    "Operation not permitted": "に対するこの操作は許可されていません",
    "Input/output error": "の読み書き中に、機器のエラーが起きました",
    "File name too long": "は名前が長すぎます",
    "Too many levels of symbolic links": "のシンボリックリンクをたどりきれません",
    "Read-only file system": "は読み取り専用のファイルシステムにあります",
    "Too many open files": "を開けません。開いているファイルが多すぎます",
    "File too large": "は大きすぎます",
    "Device or resource busy": "は使用中です",
    "Text file busy": "は実行中です",
    "Broken pipe": "の読み手が終了しました",
    "must be your own directory, not a link, with mode 0700":
      "は、自分だけが使える本物のフォルダ（リンクではなく、モード 0700）でなければなりません",
    "must be your own file, with mode 0600":
      "は、自分だけが使えるファイル（モード 0600）でなければなりません",
  ]

  private static let reasonWords = [
    "No such file or directory": "見つからない",
    "Not a directory": "途中にフォルダではないものがある",
    "Is a directory": "フォルダである",
    "Permission denied": "権限がない",
    "Operation not permitted": "許可されていない操作",
    "Input/output error": "機器の読み書きのエラー",
    "File name too long": "名前が長すぎる",
    "Too many levels of symbolic links": "シンボリックリンクをたどりきれない",
    "Read-only file system": "読み取り専用のファイルシステム",
    "Too many open files": "開いているファイルが多すぎる",
    "No space left on device": "空き容量がない",
    "File too large": "大きすぎる",
    "Device or resource busy": "使用中",
    "Connection refused": "接続を拒否された",
    "is a link": "シンボリックリンクである",
    "is not a regular file": "通常のファイルではない",
    "must be your own directory, not a link, with mode 0700":
      "自分だけが使える本物のフォルダ（リンクではなく、モード 0700）ではない",
    "must be your own file, with mode 0600": "自分だけが使えるファイル（モード 0600）ではない",
    "another process is using it": "ほかのプログラムが使用中",
    "no answer in time": "時間内に応答がない",
  ]

  private static let wantedWords = [
    "a number": "数", "a digit": "数字", "a value": "値", "the end": "終わり",
    "the end of the text": "データの終わり", "an array of numbers": "数の配列",
    "an array or an object": "配列かオブジェクト", "each name once": "重複しない名前",
    "a name in quotes": "引用符で囲んだ名前", "UTF-8 text": "UTF-8 の文字列",
    "',' or '}'": "「,」か「}」", "',' or ']'": "「,」か「]」", "':'": "「:」",
    "the closing '\"'": "閉じる引用符", "an escaped control character": "制御文字のエスケープ",
    "an escaped character": "エスケープした文字", "a low surrogate": "下位サロゲート",
    "a character": "文字", "four hexadecimal digits": "16 進の数字四つ",
    "no digit after a leading zero": "先頭の 0 だけの数",
    "a cosine": "-1 から 1 の数", "0 to 1": "0 から 1 の数",
    "the model's name": "モデルの名前", "npy version 1, 2 or 3": "npy の版 1、2、3 のどれか",
  ]

  private static let wantedForms: [(String, String, @Sendable (String) -> String)] = [
    ("at most ", " nested values", { "\($0) 段以下の入れ子" }),
    ("one of ", "", { "\($0) のどれか" }),
    ("a number of at most ", " digits", { "\($0) 桁以下の数" }),
    ("a header of at most ", " bytes", { "\($0) バイト以下のヘッダー" }),
    ("the row length ", "", { "\($0) 個の成分" }),
  ]
}
