internal import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Requests
internal import Words

extension PageServing {
  /// Where everything stands.
  var state: [UInt8] {
    JSONWriter.object { json in
      json.member("version", version)
      json.member("changes", changes)
      let appState: AppState =
        farewellEnds != nil
        ? .authentication : diary != nil ? .authenticated : standing?.door.state ?? .loading
      // A session that is open is reached in a moment.
      json.member(
        "state", (diary == nil && appState == .authenticated ? .loading : appState).rawValue)
      json.member("isEnding", farewellEnds != nil)
      work.write(&json)
      json.member("camera", standing?.hasCamera ?? false)
      json.member("backups", object: standing?.backups) { json, backups in
        json.member("folder", backups.folder)
        json.member("last", backups.last)
      }
      json.member("standing", object: standing?.door) { json, standing in
        json.member("hasDiary", standing.id != nil)
        json.member("reason", standing.reason)
        json.member("needs", standing.needs)
        json.member("retryAfter", standing.retryAfter)
        json.member("enrolled", standing.face?.enrolled ?? 0)
        json.member("attemptsLeft", standing.face?.attemptsLeft ?? 0)
        json.member("lockedOut", standing.face?.lockedOut ?? false)
      }
      if farewellEnds == nil, let facts = try? diary?.connection.session() {
        json.member("life", facts.life)
        json.member("idle", facts.idle)
      }
    }
  }

  var hello: [UInt8] {
    JSONWriter.object { json in
      json.member("language", language.rawValue)
      json.member("pinentry", task.means.pinentry)
      json.member("terminal", task.means.terminal)
      json.member("folderDialog", task.means.folderDialog)
      json.member("inlineTags", task.means.inlineTags)
      json.member("vault", task.location.vault)
      json.member("writes", task.writes)
      json.member("fileLimit", Attachment.countLimit)
      json.member("sizeLimit", OpenDiary.pictureLimit)
      json.member("today", LocalZone().now().iso)
      json.key("words")
      json.beginObject()
      for message in WindowMessage.fixed { json.member(message.key, message.text(in: language)) }
      json.endObject()
    }
  }
}
