import Foundation
import TestServers

@testable import Platform

/// A software TPM beside a home that is told to use it.
final class Chip {
  let home: Home
  let socket: String
  private var server: Server?

  /// A home with a face, and its chip; nil where there is no software TPM.
  static func home() throws -> (Home, Chip)? {
    let home = try Home(faces: true)
    return try Chip(home).map { (home, $0) }
  }

  /// - Returns: nil where there is no software TPM.
  init?(_ home: Home) throws {
    guard isInstalled("swtpm") else {
      print("skipped: swtpm is not installed")
      return nil
    }
    self.home = home
    socket = home.path + "/tpm.sock"
    try home.configure("tpm", socket)
    try start()
  }

  func start(cleared: Bool = false) throws {
    server = nil
    let state = home.path + "/tpm"
    if cleared { try FileManager.default.removeItem(atPath: state) }
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true)
    let socket = socket
    server = try Server([
      "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(state)", "--server",
      "type=unixio,path=\(socket)", "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags",
      "startup-clear,not-need-init",
    ]) { FileSystem.exists(socket) }
  }

  func stop() {
    server = nil
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Copies the vault and the device store.
  func keep() throws {
    try? FileManager.default.removeItem(atPath: home.path + "/kept")
    try FileManager.default.copyItem(
      atPath: home.path + "/.local", toPath: home.path + "/kept")
  }

  /// Puts the copies in their place.
  func putBack() throws {
    try FileManager.default.removeItem(atPath: home.path + "/.local")
    try FileManager.default.copyItem(
      atPath: home.path + "/kept", toPath: home.path + "/.local")
  }
}
