import Foundation
import Testing

/// Calibrating and probing through the built binary.
@Suite(.serialized, .threads) struct CalibrateFlowTests {
  /// A label file over vectors of some persons, in the forms users have.
  private func labels(_ home: Home) throws -> String {
    var lines = ["person,note,file,row"]
    for person in 1...12 {
      var rows: [String] = []
      for shot in 1...6 {
        let components = (0..<32).map { index in
          let face = sin(Double(person * 37 + index * (person + 3)))
          return "\(face + 0.35 * cos(Double(shot * 11 + index * shot + person)))"
        }
        rows.append(components.joined(separator: ","))
      }
      try Data(rows.joined(separator: "\n").utf8).write(
        to: URL(fileURLWithPath: home.path + "/p\(person).csv"))
      lines += (0..<6).map { "\"p, \(person)\",x,p\(person).csv,\($0)" }
    }
    let path = home.path + "/labels.csv"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `a vector that is listed twice is told of, and has one person`() throws {
    let home = try Home()
    let path = try labels(home)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    func run(_ more: String) throws -> Run {
      let file = try home.put("more.csv", text + "\n" + more)
      return try home.run(["calibrate", file, "--target-fmr", "0.01"])
    }
    let twice = try run("\"p, 1\",x,p1.csv,0")
    #expect(twice.status == 0 && twice.err.contains("listed twice"), "\(twice)")
    #expect(
      try #require(twice.out.firstMatch(of: /FNMR by person at threshold (0\.\d+)/)).1 != "0.0")
    let two = try run("\"p, 2\",x,p1.csv,0")
    #expect(two.status == 8 && two.err.contains("line 74: this is the vector of line 2"), "\(two)")
    #expect(two.err.contains("one person"))
    let few = try home.run([
      "calibrate", path, "--target-fmr", "0.00001", "--model", "mine", "--save",
    ])
    #expect(few.status == 8 && few.err.contains("--target-fmr"), "\(few)")
    // A file of another form is named, not its number.
    let short = try home.put("short.csv", "1,2,3,4,5,6,7,8,9")
    let other = try home.run([
      "enroll", home.path + "/p1.csv", short, "--model", "mine", "--threshold", "0.5",
      "--passphrase-file", home.passphrase,
    ])
    #expect(other.status == 8 && other.err.contains("short.csv"), "\(other)")
  }

  @Test func `calibrate measures, plots, and saves what match and enroll then use`() throws {
    let home = try Home()
    let path = try labels(home)
    let plot = home.path + "/plot.svg"
    let run = try home.run([
      "calibrate", path, "--model", "Mine", "--target-fmr", "0.01", "--plot", plot, "--save",
      "--json",
    ])
    #expect(run.status == 0, "\(run.err)")
    #expect(run.object["pairs"] as? Int == 72 * 71 / 2)
    let suggested = try #require(run.object["suggested"] as? Double)
    #expect((run.object["perPerson"] as? [[String: Any]])?.first?["person"] as? String != nil)
    #expect((run.object["warnings"] as? [String])?.contains { $0.contains("cannot show") } == true)
    let svg = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(
      svg.hasPrefix("<svg") && svg.contains("prefers-color-scheme") && !svg.contains("<script"))
    #expect(try XMLDocumentCheck.isWellFormed(svg))
    let match = try home.run([
      "match", home.path + "/p1.csv", home.path + "/p1.csv", "--model", "mine", "--json",
    ])
    #expect(match.object["threshold"] as? Double == suggested)
    #expect(
      try home.run([
        "enroll", home.path + "/p1.csv", "--model", "other", "--passphrase-file", home.passphrase,
      ]).status == 2)
    try home.ok(["enroll", home.path + "/p1.csv", "--model", "mine"])
    #expect(try home.ok(["faces", "--json"]).array[0]["threshold"] as? Double == suggested)
    // A plain file never loosens the gate that is sealed.
    let config = home.path + "/.config/facediary/config.json"
    try Data("{\"models\":{\"mine\":{\"threshold\":-1}}}".utf8).write(
      to: URL(fileURLWithPath: config))
    #expect(try home.run(["unlock", "--face", home.path + "/p2.csv"]).status == 3)
    #expect(try home.run(["faces", "recalibrate"]).status == 3)
    // Nor is it sealed without somebody's insisting.
    #expect(
      try home.run(["faces", "recalibrate", "--passphrase-file", home.passphrase]).status == 2)
    let sealed = try home.ok(["faces", "recalibrate", "--force", "--json"]).array
    #expect(sealed[0]["threshold"] as? Double == -1)
    #expect(try home.ok(["faces", "--json"]).array[0]["threshold"] as? Double == -1)
  }

  @Test func `calibrate with shots and frames keeps the way of scoring with its threshold`() throws
  {
    let home = try Home()
    let path = try labels(home)
    let run = try home.run([
      "calibrate", path, "--model", "mine", "--enroll", "3", "--frames", "2", "--target-fmr",
      "0.01", "--save", "--json",
    ])
    #expect(run.status == 0, "\(run.err)")
    #expect(run.object["enroll"] as? Int == 3 && run.object["frames"] as? Int == 2)
    try home.ok([
      "enroll", home.path + "/p1.csv", "--model", "mine", "--threshold", "0.8", "--force",
    ])
    for (text, word) in [
      ("person\n", "columns"), ("", "empty"), ("person,file\np1,no.csv\n", "no.csv"),
      ("person,file,row\np1,p1.csv,9\n", "rows"), ("person,file,row\np1,p1.csv,x\n", "row number"),
      ("person,file,row\np1,p1.csv,0\np1,p1.csv,1\n", "two people"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let bad = try home.run(["calibrate", path])
      #expect(bad.status == 8 || bad.status == 6, "\(text): \(bad.status)")
      #expect(bad.err.contains(word), "\(bad.err)")
    }
  }

  @Test func `probe says what a program prints, or why not`() throws {
    let home = try Home(made: false)
    let run = try home.run(["probe", "--command", "cat '\(Home.keys)/owner-2.json'", "--json"])
    #expect(run.object["model"] as? String == "sface" && run.object["dimension"] as? Int == 128)
    #expect(run.object["frames"] as? Int == 1)
    #expect(try home.run(["probe"]).status == 2)
    let failing = try home.run(["probe", "--command", "sh -c 'echo no camera >&2; exit 4'"])
    #expect(failing.status == 8 && failing.err.contains("failed with exit code 4: no camera"))
    #expect(try home.run(["probe", "--command", "sh -c 'yes | head -c 80000000'"]).status == 8)
    #expect(try home.run(["probe", "--command", "unclosed 'quote"]).status == 2)
  }
}

/// Whether a text is well-formed XML: every tag closed, in order.
enum XMLDocumentCheck {
  static func isWellFormed(_ text: String) throws -> Bool {
    var open: [String] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard let end = rest[start...].firstIndex(of: ">") else { return false }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.popLast() == String(tag.dropFirst()) else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(String(tag.prefix { !$0.isWhitespace }))
      }
    }
    return open.isEmpty
  }
}
