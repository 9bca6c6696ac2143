import Foundation
import Platform
import Scratch
import Testing

/// The owner's rights as a program outside meets them: what a face opened has no way to them that compiles.
@Suite struct RightsTests {
  /// Where these tests lie, beside the modules they were built with.
  private static let products =
    Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
    .deletingLastPathComponent().path
    ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path

  /// Type-checks a program that imports the library, as built for these tests.
  ///
  /// - Returns: what the compiler says; nil when it is content.
  private func compile(_ statements: String) throws -> String? {
    try compile(
      program: """
        import FaceDiary
        func use(
          _ diary: Diary, _ model: AuthenticationModel, _ probe: Probe, _ faces: FaceRegistration,
          _ policy: AccessPolicy
        ) async throws {
          try await model.authenticate(probe)
          \(statements)
        }
        """)
  }

  private func compile(program: String) throws -> String? {
    let products = Self.products
    let folder = try FileSystem.makeTemporaryDirectory(Scratch.root + "rights-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/main.swift"
    try Data(program.utf8).write(to: URL(fileURLWithPath: file))
    let maps =
      ["CSimilarity", "CPlatform", "CUnicode"].map { "\(products)/\($0).build/module.modulemap" }
      + ["CSodium", "CSQLite"].map { "\(Self.sources)/\($0)/module.modulemap" }
    let words =
      [
        "swiftc", "-emit-sil", "-o", folder + "/out", "-swift-version", "6", "-I",
        products + "/Modules",
      ]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] } + [file]
    do throws(ChildProcessError) {
      _ = try ChildProcess.output(of: words, seconds: 120, limit: 1 << 20)
      return nil
    } catch {
      guard case .failed(_, let says) = error.problem else { throw error }
      return says
    }
  }

  @Test func `the program in the README compiles`() throws {
    let readme = try String(
      contentsOfFile: Self.sources + "/../README.md", encoding: .utf8)
    let block = try #require(
      readme.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "```").first)
    let stubs = """
      struct MyModel { func compare(_ probe: Probe, _ set: TemplateSet) async throws -> Double { 1 } }
      let myModel = MyModel()
      let probe = try Probe([try Embedding([Float](repeating: 1, count: 16))])

      """
    let said = try compile(
      program: block.replacing(
        "import FaceDiary\n", with: "import FaceDiary\n" + stubs, maxReplacements: 1))
    #expect(said == nil, "\(said ?? "")")
  }

  @Test func `a diary that a face opened is read and written`() throws {
    let said = try compile(
      """
      _ = try await diary.entries()
      try await diary.write(EntryDraft(date: ZonedTime(seconds: 0, offset: 0), body: "text"))
      """)
    #expect(said == nil, "\(said ?? "")")
  }

  @Test(arguments: [
    "try await diary.enroll(faces)", "try await diary.setPolicy(policy)",
    "try await diary.removeFace(\"0000\")", "try await diary.removeSlot([])",
    "try await diary.rotate()", "try await diary.moveDeviceKey(to: .file)",
    "try await diary.restoreBackup(\"/a\")", "try await diary.keeper.setPolicy(policy)",
    "try await model.authenticate(probe, [.acceptsOlderCopy])",
    "let owner = DiaryOwner(diary: diary, rights: OwnerRights())",
    "let rights = OwnerRights()",
  ])
  func `what makes access permanent does not compile without an owner`(_ statement: String) throws {
    let said = try compile(statement)
    #expect(said != nil, "\(statement) compiles")
  }

  @Test func `an owner's rights cannot be copied`() throws {
    let whole = """
      var bytes: [UInt8] = [1]
      try await model.authenticate(.passphrase, try SecretBytes(wiping: &bytes))
      if let owner = await diary.owner() { try await owner.enroll(faces) }
      """
    #expect(try compile(whole) == nil)
    let said = try compile(
      """
      guard let owner = await diary.owner() else { return }
      let other = owner
      try await owner.setPolicy(policy)
      try await other.setPolicy(policy)
      """)
    #expect(said != nil)
  }
}
