import Foundation
import Testing

@testable import FaceMatching

/// The gate against vectors made to pass, through the built command.
@Suite(.serialized, .threads) struct GateFlowTests {
  private func write(_ vector: [Float], _ name: String, _ home: Home) throws -> String {
    let path = home.path + "/" + name
    let text = "{\"model\":\"dlib\",\"embedding\":\(vector)}"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A face as dlib makes them: near the mean face, and not too near.
  private func face(_ seed: UInt64, noise: Float = 0) throws -> [Float] {
    let mean = try #require(FaceModel.named("dlib")?.faceGuard?.mean)
    let own = SampleFaces.shot(person: seed, shot: 1)
    let other = SampleFaces.shot(person: seed + 500, shot: 1)
    return (0..<128).map { mean[$0] + 0.042 * own[$0] / 1 + noise * other[$0] }
  }

  @Test
  func `the mean face is refused at enrolment with the reason, and as a probe like any other`()
    throws
  {
    let home = try Home()
    let mean = try #require(FaceModel.named("dlib")?.faceGuard?.mean)
    let average = try write(mean, "mean.json", home)
    let owner = try write(try face(1), "owner.json", home)
    let again = try write(try face(1, noise: 0.004), "again.json", home)
    let refused = try home.run([
      "enroll", average, "--model", "dlib", "--passphrase-file", home.passphrase,
    ])
    #expect(refused.status == 8 && refused.err.contains("average face"))
    try home.ok(["enroll", owner, "--model", "dlib"])
    // Near enough to be accepted, were it a face.
    let score = try home.run(["match", owner, average, "--json"]).object["similarity"] as? Double
    #expect(try #require(score) > 0.9)
    let probe = try home.run(["unlock", "--face", average])
    #expect(probe.status == 3)
    #expect(!probe.err.contains("mean"))
    let status = try home.ok(["status", "--json"]).object["face"] as? [String: Any]
    #expect(status?["attemptsLeft"] as? Int == 4)
    try home.ok(["unlock", "--face", again])
  }

  @Test func `a crowd in one file is refused, and more than sixteen frames are no probe`() throws {
    let home = try Home()
    let owner = try write(try face(1), "owner.json", home)
    try home.ok(["enroll", owner, "--model", "dlib"])
    let crowd = try (2...15).map { "\(try face(UInt64($0)))" }
    let path = home.path + "/crowd.json"
    try Data("{\"model\":\"dlib\",\"embedding\":[\(crowd.joined(separator: ","))]}".utf8).write(
      to: URL(fileURLWithPath: path))
    #expect(try home.run(["unlock", "--face", path]).status == 3)
    let many = try (2...18).map { "\(try face(UInt64($0)))" }
    try Data("{\"model\":\"dlib\",\"embedding\":[\(many.joined(separator: ","))]}".utf8).write(
      to: URL(fileURLWithPath: path))
    #expect(try home.run(["unlock", "--face", path]).status == 8)
  }

  @Test(arguments: [
    ("{\"models\":{\"sface\":{\"threshold\":2}}}", "models.sface.threshold"),
    ("{\"models\":{\"sface\":{\"threshold\":\"x\"}}}", "models.sface.threshold"),
    (
      "{\"models\":{\"sface\":{\"calibrated\":{\"scoring\":1,\"enroll\":-1,\"frames\":1,\"threshold\":0.5}}}}",
      "models.sface.calibrated"
    ),
    (
      "{\"models\":{\"sface\":{\"calibrated\":{\"scoring\":1,\"enroll\":5000000000,\"frames\":1,\"threshold\":0.5}}}}",
      "models.sface.calibrated"
    ),
    (
      "{\"models\":{\"sface\":{\"calibrated\":{\"scoring\":1,\"enroll\":0,\"frames\":1,\"threshold\":0.5}}}}",
      "models.sface.calibrated"
    ),
    (
      "{\"models\":{\"sface\":{\"calibrated\":{\"scoring\":9,\"enroll\":1,\"frames\":1,\"threshold\":0.5}}}}",
      "models.sface.calibrated"
    ),
    ("{\"models\":{\"sface\":{\"rates\":{\"fmr\":2,\"fnmr\":0}}}}", "models.sface.rates"),
    (
      "{\"models\":{\"sface\":{\"guard\":{\"mean\":[1],\"frameBound\":0,\"probeBound\":0,\"likeness\":0}}}}",
      "models.sface.guard"
    ),
  ])
  func `a value in a configuration that cannot be is refused with file and key`(
    text: String, key: String
  ) throws {
    let home = try Home()
    let directory = home.path + "/.config/facediary"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/config.json"))
    let run = try home.run([
      "enroll", Home.keys + "/owner-1.npy", "--model", "sface", "--passphrase-file",
      home.passphrase,
    ])
    #expect(run.status == 8, "\(run.err)")
    #expect(run.err.contains("config.json") && run.err.contains(key), "\(run.err)")
  }

  @Test func `a loose threshold is said and asked about before it is sealed`() throws {
    let home = try Home()
    let directory = home.path + "/.config/facediary"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data("{\"models\":{\"sface\":{\"threshold\":-1}}}".utf8).write(
      to: URL(fileURLWithPath: directory + "/config.json"))
    let words = [
      "enroll", Home.keys + "/owner-1.npy", "--model", "sface", "--passphrase-file",
      home.passphrase,
    ]
    let refused = try home.run(words)
    #expect(refused.status == 2 && refused.err.contains("-1.0000"))
    let forced = try home.run(words + ["--force"])
    #expect(forced.status == 0 && forced.err.contains("have not been measured"))
    let other = try Home()
    let published = try other.run([
      "enroll", Home.keys + "/owner-1.npy", "--model", "sface", "--passphrase-file",
      other.passphrase,
    ])
    #expect(published.status == 0 && published.err.contains("published for sface"))
  }

  @Test func `with the camera policy a face comes from the sealed program alone, as it was`() throws
  {
    let home = try Home(faces: true)
    let program = try home.put(
      "look", "#!/bin/sh\ncat \"$1\"\n", mode: 0o700)
    // Relative words are relative to the home, wherever the command is run.
    try FileManager.default.copyItem(
      atPath: Home.keys + "/owner-4.npy", toPath: home.path + "/me.npy")
    try home.configure("probe", program + " me.npy")
    let secret = ["--passphrase-file", home.passphrase]
    let set = try home.run(["policy", "set", "camera", "on", "--json"] + secret)
    #expect(set.status == 0, "\(set.err)")
    #expect(set.err.contains(program) && set.err.contains("me.npy"), "\(set.err)")
    #expect(!set.err.contains("not checked"))
    // What lies in a folder is not sealed, and that is said.
    try home.configure("probe", program + " " + home.path)
    let folder = try home.run(["policy", "set", "camera", "on", "--json"] + secret)
    #expect(folder.err.contains("the files in \(home.path) are not checked"), "\(folder.err)")
    try home.configure("probe", program + " me.npy")
    #expect(try home.run(["policy", "set", "camera", "on"] + secret).status == 0)
    #expect(set.object["camera"] as? Bool == true)
    #expect(
      set.object["cameraProgram"] as? [String] == [program, home.path + "/me.npy"])
    // What the caller's environment says, the program does not hear.
    let environment = try home.put(
      "look", "#!/bin/sh\n[ -z \"$LC_FORGED\" ] && cat \"$1\"\n", mode: 0o700)
    try home.ok(["policy", "set", "camera", "on"])
    let heard = try home.run(
      ["unlock", "--face", "cmd:\(environment) \(home.path)/me.npy"],
      extra: ["LC_FORGED": "1"])
    #expect(heard.status == 0, "\(heard.err)")
    try home.ok(["lock"])
    _ = try home.put("look", "#!/bin/sh\ncat \"$1\"\n", mode: 0o700)
    try home.ok(["policy", "set", "camera", "on"])
    // A file, standard input and another program: refused by policy, at no cost.
    for face in [Home.keys + "/owner-4.npy", "cmd:cat \(Home.keys)/owner-4.npy"] {
      let run = try home.run(["unlock", "--face", face, "--json"])
      #expect(run.status == 3 && run.errorCode == "needs-passphrase", "\(run.err)")
    }
    let sealed = ["unlock", "--face", "cmd:\(program) \(home.path)/me.npy"]
    #expect(try home.run(sealed).status == 0)
    try home.ok(["lock"])
    let status = try home.ok(["status", "--json"]).object["face"] as? [String: Any]
    #expect(status?["attemptsLeft"] as? Int == 5)
    // The program is another one now, then what it reads.
    _ = try home.put("look", "#!/bin/sh\ncat \"$1\" # changed\n", mode: 0o700)
    let changed = try home.run(sealed)
    #expect(changed.status == 3 && changed.err.contains(program), "\(changed.err)")
    _ = try home.put("look", "#!/bin/sh\ncat \"$1\"\n", mode: 0o700)
    #expect(try home.run(sealed).status == 0)
    try home.ok(["lock"])
    #expect(
      try home.run(["policy", "set", "warm", "on"] + secret).status == 7)
    try home.ok(["policy", "set", "camera", "off"])
    #expect(try home.run(["unlock", "--face", Home.keys + "/owner-4.npy"]).status == 0)
  }

  @Test func `a module beside a sealed script is not the one it imports`() throws {
    let home = try Home(faces: true)
    let script = try home.put(
      "look.py", "import sys, json\nsys.stdout.buffer.write(open(sys.argv[1], 'rb').read())\n")
    let program = "/usr/bin/python3 \(script) \(Home.keys)/owner-4.npy"
    try home.configure("probe", program)
    try home.ok(["policy", "set", "camera", "on"])
    _ = try home.put(
      "json.py", "open('\(home.path)/ran', 'w').close()\n")
    #expect(try home.run(["unlock", "--face", "cmd:\(program)"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: home.path + "/ran"))
  }

  @Test
  func `a calibration that looks good hides no loose threshold and no guard that guards nothing`()
    throws
  {
    let good =
      "\"calibrated\":{\"scoring\":1,\"enroll\":3,\"frames\":1,\"threshold\":0.9},\"calibratedRates\":{\"fmr\":0,\"fnmr\":0,\"chosen\":0}"
    let ones = [Float](repeating: 1, count: 128)
    for (loose, isRefused) in [
      ("\"threshold\":-1,\(good)", true), (good, false),
      (good.replacingOccurrences(of: "0.9}", with: "-1}"), true),
      (good.replacingOccurrences(of: "0.9}", with: "0.3}"), true),
      (good.replacingOccurrences(of: ",\"chosen\":0", with: ""), true),
      (
        good
          + ",\"calibratedGuard\":{\"mean\":\(ones),\"frameBound\":1,\"probeBound\":1,\"likeness\":-1}",
        true
      ),
    ] {
      let home = try Home()
      let directory = home.path + "/.config/facediary"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data("{\"models\":{\"sface\":{\(loose)}}}".utf8).write(
        to: URL(fileURLWithPath: directory + "/config.json"))
      let run = try home.run([
        "enroll", Home.keys + "/owner-1.npy", "--model", "sface", "--passphrase-file",
        home.passphrase,
      ])
      #expect((run.status == 2) == isRefused, "\(loose): \(run.err)")
    }
  }

  /// A face that is nobody's and no sample.
  private func own(_ home: Home, _ name: String, shot: Int) throws -> String {
    var state: UInt64 = 77
    func uniform(_ seed: UInt64) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ seed
      return Double(state >> 11) * 0x1p-53 - 0.5
    }
    let face = (0..<128).map { _ in uniform(1) }
    let vector = face.map { $0 + 0.1 * uniform(UInt64(2 * shot + 3)) }
    return try home.put(name, "{\"model\":\"sface\",\"embedding\":\(vector)}")
  }

  @Test func `sample faces and a person's own are never enrolled together`() throws {
    let home = try Home(faces: true)
    let secret = ["--passphrase-file", home.passphrase]
    let listed = try home.ok(["faces", "--json"]).array
    #expect(listed.count == 3)
    let mine = try (1...3).map { try own(home, "own-\($0).json", shot: $0) }
    // Nobody can be asked: nothing changes, --force or not, and the hint says what to do.
    for force in [[], ["--force"]] {
      let refused = try home.run(["enroll", mine[0], "--json"] + force + secret)
      #expect(refused.status == 7 && refused.err.contains("--replace-samples"), "\(refused.err)")
    }
    #expect(try home.ok(["faces", "--json"]).array.count == 3)
    // Asked at a terminal: no changes nothing, yes takes them out.
    let no = try TerminalSession(home, ["enroll", mine[0]] + secret)
    #expect(no.expect("sample faces are enrolled"), "\(no.screen)")
    no.type("n\n")
    #expect(no.end() == 9)
    #expect(try home.run(["list"] + Home.owner).status == 0)
    let yes = try TerminalSession(home, ["enroll", mine[0], mine[1]] + secret)
    #expect(yes.expect("sample faces are enrolled"), "\(yes.screen)")
    yes.type("y\n")
    #expect(yes.end() == 0, "\(yes.screen)")
    #expect(try home.ok(["faces", "--json"]).array.count == 2)
    #expect(try home.run(["list"] + Home.owner).status == 3)
    #expect(try home.run(["list", "--face", mine[2]]).status == 0)
    // And back: a sample never comes beside one's own, in whatever form.
    for name in ["owner-1.npy", "owner-2.json", "owner-3.csv", "owner-4.npy"] {
      let sample = try home.run(
        ["enroll", Home.keys + "/" + name, "--model", "sface", "--force", "--json"] + secret)
      #expect(sample.status == 8 && sample.errorCode == "invalid", "\(name): \(sample.err)")
    }
    let mixed = try Home()
    let both = try mixed.run([
      "enroll", mine[0], Home.keys + "/owner-1.npy", "--model", "sface", "--force",
      "--passphrase-file", mixed.passphrase,
    ])
    #expect(both.status == 8 && both.err.contains("sample"), "\(both.err)")
  }

  @Test
  func `the option takes samples out where nobody can be asked, and samples are said to be public`()
    throws
  {
    let home = try Home()
    let secret = ["--passphrase-file", home.passphrase]
    let sample = try home.run(
      ["enroll", Home.keys + "/owner-1.npy", "--model", "sface", "--json"] + secret)
    let warnings = sample.object["warnings"] as? [String] ?? []
    #expect(sample.status == 0 && warnings.contains { $0.contains("anybody") }, "\(sample.out)")
    let mine = try own(home, "own.json", shot: 1)
    try home.ok(["enroll", mine, "--replace-samples"])
    #expect(try home.ok(["faces", "--json"]).array.count == 1)
    #expect(try home.run(["list"] + Home.owner).status == 3)
    #expect(try home.run(["list", "--face", mine]).status == 0)
  }
}
