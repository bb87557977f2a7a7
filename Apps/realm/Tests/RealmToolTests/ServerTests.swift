import Cryptography
import Foundation
import TestKit
import Testing

/// Commands that connect, against a server process.
@Suite struct ServerTests {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "realm-server-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func realm(_ words: String..., input: String = "") throws -> ToolProcess.Outcome {
    try ToolProcess.run("realm", words, in: folder, input: input)
  }

  @Test func realmsAreClonedToServersAndBack() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try ToolServer(in: folder)
    defer { server.stop() }
    let kennel = try Kennel()
    let url = "realm://127.0.0.1:\(server.port)/~/dogs"
    let up = try realm("clone", kennel.file, url, "--user", "ann", input: "secretsecret\n")
    #expect(up.output == "cloned 4 objects to \(url)\n", "\(up.errors)")
    // The login is remembered.
    let copied = try realm("clone", url, "realm://127.0.0.1:\(server.port)/~/more", "--json")
    #expect(copied.status == 0, "\(copied.errors)")
    let down = try realm("clone", "realm://127.0.0.1:\(server.port)/~/more", "down.realm")
    #expect(down.output == "cloned 4 objects to down.realm\n", "\(down.errors)")
    #expect(
      try realm("query", "down.realm", "Dog", "owner.name = 'Ann'", "-f", "name").output == "NAME\nRex\n")
    let again = try realm("clone", kennel.file, url, "--json")
    #expect(again.status == 1)
    #expect(again.errorCode == "notEmpty", "\(again.errors)")
  }

  @Test func failuresToConnectHaveTheirRemedies() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try ToolServer(in: folder)
    defer { server.stop() }
    let url = "realm://127.0.0.1:\(server.port)/~/dogs"
    #expect(try realm("clone", url, "x.realm", "--json").errorCode == "notLoggedIn")
    #expect(try realm("clone", url, "x.realm", "--user", "ann", "--json", input: "wrong\n").errorCode == "login")
    let insecure = try realm(
      "clone", "realms://127.0.0.1:\(server.port)/~/dogs", "x.realm", "--user", "ann", input: "secretsecret\n")
    #expect(
      insecure.errors.contains("use http:// or realm:// where the server has no certificate"), "\(insecure.errors)")
    #expect(try realm("clone", "realm://127.0.0.1", "x.realm", "--json").errorCode == "badURL")
    #expect(try realm("clone", url, "x.realm", "--ca", "none.pem", "--json").errorCode == "badCertificate")
    #expect(!FileManager.default.fileExists(atPath: folder + "/x.realm"))
  }

  @Test func anAuthorityOfOnesOwnIsNamed() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let certificate = try SelfSignedCertificate.make(hosts: ["127.0.0.1"])
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.pem"))
    try Data(certificate.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: folder + "/server.key"))
    let server = try ToolServer(
      in: folder, ["--tls-certificate", folder + "/server.pem", "--tls-key", folder + "/server.key"])
    defer { server.stop() }
    let kennel = try Kennel()
    let url = "realms://127.0.0.1:\(server.port)/~/dogs"
    let password = "secretsecret\n"
    let untrusted = try realm("clone", kennel.file, url, "--user", "ann", input: password)
    #expect(untrusted.status == 1)
    #expect(untrusted.errors.contains("is not trusted"), "\(untrusted.errors)")
    #expect(untrusted.errors.contains("'--ca FILE' names the authority that signed it"))
    #expect(try realm("clone", kennel.file, url, "--user", "ann", "--json", input: password).errorCode == "untrusted")
    let trusted = try realm("clone", kennel.file, url, "--user", "ann", "--ca", "server.pem", input: password)
    #expect(trusted.output == "cloned 4 objects to \(url)\n", "\(trusted.errors)")
  }

  @Test func aRealmOfAServerIsBrowsed() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try ToolServer(in: folder)
    defer { server.stop() }
    let kennel = try Kennel()
    let url = "realm://127.0.0.1:\(server.port)/~/dogs"
    #expect(try realm("clone", kennel.file, url, "--user", "ann", input: "secretsecret\n").status == 0)
    let terminal = try PseudoTerminal("realm", ["browse", url], in: folder)
    #expect(terminal.waitFor("Rex"))
    terminal.type("q")
    #expect(terminal.finish() == 0)
  }
}

/// A server process with the user ann.
private final class ToolServer {
  let port: Int
  private let process = ChildProcess()

  init(in folder: String, _ options: [String] = []) throws {
    let data = folder + "/server"
    let made = try ToolProcess.run(
      "realm-object-server", ["users", "create", "ann", "--data", data], in: folder, input: "secretsecret\n")
    try #require(made.status == 0, "\(made.errors)")
    process.executableURL = ToolProcess.executable("realm-object-server")
    process.arguments = ["--port", "0", "--data", data, "--log-level", "off"] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended before it listened: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    let match = try #require(text.firstMatch(of: /https?:..[^,\s]*:([0-9]+)/))
    port = try #require(Int(match.output.1))
  }

  func stop() {
    process.terminate()
    process.waitForEnd()
  }
}
