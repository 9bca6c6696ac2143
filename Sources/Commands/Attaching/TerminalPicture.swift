internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Words

/// Pictures on terminals that show some: by iTerm2's inline images, by kitty's graphics, or as sixels. What has to be made
/// smaller or into pixels for that is, by `chafa` where it is installed.
@MainActor
struct TerminalPicture {
  private enum Way { case iTerm, kitty, sixel }

  private static let largest = 32 << 20
  private static let seconds = 10

  private let way: Way
  private let invocation: Invocation

  /// nil when the terminal shows no pictures, or is behind tmux or screen.
  init?(_ invocation: Invocation) {
    let environment = invocation.environment
    let term = environment["TERM", default: ""]
    let program = environment["TERM_PROGRAM", default: ""]
    guard Terminal.isTerminal(1), !invocation.isJSON, term != "dumb", environment["TMUX"] == nil,
      environment["STY"] == nil
    else { return nil }
    self.invocation = invocation
    if ["iTerm.app", "WezTerm", "mintty"].contains(program) {
      way = .iTerm
    } else if environment["KITTY_WINDOW_ID"] != nil || term.contains("kitty")
      || term.contains("ghostty")
    {
      way = .kitty
    } else if ["foot", "mlterm", "contour", "yaft"].contains(where: term.hasPrefix)
      || environment["KONSOLE_VERSION"] != nil
    {
      way = .sixel
    } else {
      return nil
    }
  }

  func shows(_ attachment: Attachment) -> Bool {
    MediaType.pictures.contains(attachment.type) && attachment.size <= Self.largest
  }

  /// The bytes that draw a photo where the cursor is; nil when nothing here can.
  func drawn(
    _ attachment: Attachment, of entry: Entry, columns: Int, rows: Int,
    _ connection: KeeperConnection
  ) throws -> [UInt8]? {
    guard shows(attachment) else { return nil }
    var photo: [UInt8] = []
    try connection.read(attachment.name, of: .id(entry.id)) { photo += $0 }
    switch way {
    case .iTerm:
      return sequence(
        "1337;File=inline=1;size=\(photo.count);width=\(columns);height=\(rows):", photo)
    case .kitty where attachment.type == "image/png": return kitty(photo, rows: rows)
    case .kitty: return try converted(photo, "kitty", columns, rows)
    case .sixel: return try converted(photo, "sixels", columns, rows)
    }
  }

  private func sequence(_ head: String, _ photo: [UInt8]) -> [UInt8] {
    Array("\u{1b}]\(head)".utf8) + Base64.encode(photo) + [0x07, 0x0a]
  }

  /// In pieces of at most 4,096 characters.
  private func kitty(_ png: [UInt8], rows: Int) -> [UInt8] {
    let text = Base64.encode(png)
    var out: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      let head = start == 0 ? "a=T,f=100,r=\(rows)," : ""
      out += Array("\u{1b}_G\(head)m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end]
      out += [0x1b, 0x5c]
    }
    return out + [0x0a]
  }

  /// A program reads the photo from memory. If it is missing or fails, only the photo's name is shown.
  private func converted(
    _ photo: [UInt8], _ format: String, _ columns: Int, _ rows: Int
  ) throws -> [UInt8]? {
    guard let directory = try? MemoryDirectory(in: MemoryDirectory.bases(invocation.environment))
    else { return nil }
    defer { directory.remove() }
    let path = try directory.write(photo, as: "photo")
    return try? ChildProcess.output(
      of: ["chafa", "-f", format, "--size", "\(columns)x\(rows)", "--animate", "off", path],
      seconds: Self.seconds, limit: Self.largest)
  }
}
