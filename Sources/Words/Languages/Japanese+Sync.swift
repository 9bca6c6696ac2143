extension Japanese {
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
      "\(place) に置ける写真やファイルは \(limit) バイトまでで、それより大きいものがあります。ほかはすべて送信しました"
    case .leaveOutOrMove:
      "同期先を変える（facediary sync move 同期先）か、大きなファイルのある記録を完全に削除してください（facediary delete、facediary purge）"
    case .makeRoomAndMove(let place):
      "何も変わっていません。端末は今も元の同期先を使います。空きを作ってから実行してください: facediary sync move \(place)"
    case .whereSpaceCodeIs:
      "同期用の復旧コードは、facediary sync setup を実行したときに表示されたものです。日記の復旧コードとは別です"
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
    case .piecesLack:
      "もう一方の端末で参加が許可されましたが、必要なデータの一部が同期先にありません。届かない場合は、もう一方の端末で facediary sync repair を実行してください"
    case .syncGoesOn:
      "参加を続けるには: facediary sync"
    case .alreadyThere(let place):
      "この日記はすでに \(place) で同期しています"
    case .unlockNext:
      "日記を開くには: facediary unlock。開いている間は、自動で送受信します"
    case .oneText(let id):
      "記録 \(id) の本文は一つだけです"
    case .seeAllTexts(let id):
      "facediary edit \(id) を実行すると、エディタにすべて表示されます。--ends-conflict を付けると、指定した内容に置き換わります"
    case .leaveFirst:
      "今の同期を続けるには facediary sync、同期先を変えるには facediary sync move PLACE を実行してください。この端末では同期を設定していないときや、別の端末と同期したいときは、facediary sync leave で今の同期をやめてから（日記は残ります）、もう一度実行してください"
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
      "ペアリングコードではないか、入力に誤りがあります。sync invite が表示した 40 文字の英数字と見比べてください"
    case .joined(let entries):
      "参加しました。この端末に記録 \(entries) 件を取り込みました"
    case .recovered(let entries):
      "日記を復旧しました。記録 \(entries) 件を取り込みました"
    case .needsSpaceCode:
      "sync setup が表示した同期用の復旧コードが必要です"
    case .giveSpaceCodeFile:
      "--space-code-file FILE で指定してください"
    case .notASpaceCode:
      "同期用の復旧コードではないか、入力に誤りがあります。sync setup が表示した 28 文字の英数字と見比べてください"
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
    case .haveSameName(let ids):
      "同じ名前の端末がほかにもあります（\(ids.joined(separator: "、"))）。以前のこの端末の場合や、もう使わない場合は、外してください: facediary sync revoke \(ids.count == 1 ? ids[0] : "端末のID")"
    case .repairEverywhere:
      "すべての端末で同期しても待ったままの場合は、それぞれの端末で facediary sync repair を実行してください"
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
      "この端末からは、まだ何も削除していません。facediary sync を実行すると、削除するかどうかを選べます。残したい記録は、同意する前に変更してください（facediary edit ID）。ごみ箱に移ったものは、あとで戻せます（facediary restore ID）"
    case .decideOrLose:
      "決めるには、ターミナルで facediary sync を実行してください。それでも外すには、--yes を付けてください"
    case .lost(let count):
      "同期先のデータ \(count) 個がなくなっています。同期先が古い状態に戻されたか、空にされたか、別のものに替わっています"
    case .repairPutsBack:
      "facediary sync repair で置き直せます。この端末からは何も削除されていません"
    case .repairAndInvite:
      "facediary sync repair でデータを置き直してから、もう一度 facediary sync invite を実行してください"
    case .goneHere(let count):
      "この端末が書いたデータ \(count) 個が、この端末にも同期先にもありません。日記の sync フォルダが空にされています"
    case .joinAnew:
      "記録はすべてこの端末にあります。facediary sync leave を実行してから、ほかの端末で facediary sync invite を実行し、表示されたコードで参加し直してください"
    case .neverCame(let count):
      "この端末を招待した端末にあったデータ \(count) 個が、同期先に届いていません。この端末は、もう待ちません"
    case .repairWhereKept:
      "ほかの端末に残っているかもしれない場合は、その端末で facediary sync repair を実行してください"
    case .damaged(let count):
      "同期先のデータ \(count) 個が壊れているか、まだ書き込みの途中です。次の同期でもう一度受信します"
    case .repairElsewhere:
      "何度も続く場合は、そのデータを書いた端末か、持っている端末で実行してください: facediary sync repair"
    case .wasRefused(let device):
      "\(device.isEmpty ? "この日記の端末" : device) のものとされるデータが、偽造されているか壊れているので、無視しました"
    case .placeHasNone(let place):
      "\(place) にはまだ日記がありません。もう一方の端末と同じ場所か確かめるか、同期されるまで待ってください"
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
      "ほかのすべての端末で同期した後（壊れているデータがある場合は、ほかの端末で facediary sync repair を実行した後）にも残っている場合は、同期先から削除してください: \(names.joined(separator: "、"))"
    case .lookAtDevice:
      "これは、同期先に書き込める人なら誰でも起こせます。また起きる場合は、その端末を調べてください"
    case .survived(let count, let entries):
      "ほかの端末で完全に削除した記録のうち \(count) 件は、この端末で変更した部分や、この端末が参加したときに持っていた内容が残っています（\(list(entries, of: count))）"
    case .cameBack(let count, let entries):
      "この端末で完全に削除した記録のうち \(count) 件は、ほかの端末で変更した部分や、その端末が参加したときに持っていた内容が、また表示されます（\(list(entries, of: count))）"
    case .removeAgain:
      "不要な記録は、もう一度削除してください: facediary delete、続いて facediary purge"
    case .wroteAfterRevocation(let device):
      "\(device) が外された後に書いたデータか、外されたときにまだこの端末に取り込まれていなかったデータがありました。このデータは無視し、取り込まれていた記録はごみ箱に移しました"
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
      "最終受信 \(when)"
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

  /// Some of so many things.
  private static func list(_ first: [String], of count: Int) -> String {
    first.joined(separator: "、") + (first.count < count ? "…" : "")
  }
}
