internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

/// `attachments`: the photos and files of an entry.
@MainActor
enum AttachmentsCommand {
  static let declaration = Command<Invocation>(
    "attachments", Form(.id), summary: CommandHelp.attachments
  ) { invocation in
    let connection = try await invocation.connection()
    let attachments = try connection.entry(EntryReference(invocation.operands[0])).attachments
    return .array(attachments) { json, attachment in
      json.write(attachment)
    } text: { page in
      for attachment in attachments {
        try page.line(
          padLeft(byteCount(attachment.size), 10) + "  " + visible(attachment.name) + "  "
            + attachment.type)
      }
      if attachments.isEmpty { page.note(WritingMessage.noFiles) }
    }
  }
}
