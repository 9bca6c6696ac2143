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

  static func text(_ weekday: Weekday) -> String {
    let names = ["日", "月", "火", "水", "木", "金", "土"]
    return switch weekday {
    case .name(let day): names[day] + "曜日"
    case .short(let day): names[day]
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
    case .place: "ここには以前、別の日記がありました。この日記は、ここではまだパスフレーズで開いたことがありません"
    }
  }
}
