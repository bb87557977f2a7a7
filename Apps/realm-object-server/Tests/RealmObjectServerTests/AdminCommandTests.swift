import Cryptography
import Foundation
import Testing

@Suite("Commands of administration", .serialized)
struct AdminCommandTests {
  /// Runs a command that succeeds.
  private static func run(_ arguments: [String], data: String, input: String = "") throws -> String {
    let result = try ServerProcess.run(arguments + ["--data", data], input: input)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return result.output
  }

  private static func rows(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  /// Runs all commands on one data directory.
  private static func tour(data: String, user: String) throws {
    let created = try run(["api-keys", "create", user, "robot", "--json"], data: data)
    let key = try #require(try JSONSerialization.jsonObject(with: Data(created.utf8)) as? [String: Any])
    let id = try #require(key["id"] as? String)
    #expect((key["key"] as? String)?.count == 64)
    #expect(try rows(try run(["api-keys", "list", user, "--json"], data: data)).first?["name"] as? String == "robot")
    _ = try run(["api-keys", "disable", user, id], data: data)
    #expect(try run(["api-keys", "list", user], data: data).contains("yes"))
    _ = try run(["api-keys", "enable", user, id], data: data)
    _ = try run(["api-keys", "revoke", user, id], data: data)
    #expect(try rows(try run(["api-keys", "list", user, "--json"], data: data)).isEmpty)
    #expect(try rows(try run(["tokens", "list", user, "--json"], data: data)).isEmpty)
    #expect(try run(["tokens", "end", user], data: data) == "ended 0 logins\n")
    #expect(try rows(try run(["offers", "list", user, "--json"], data: data)).isEmpty)
    #expect(try rows(try run(["sessions", "list", "--json"], data: data)).isEmpty)
    let refused = try ServerProcess.run(["sessions", "close", "4711", "--data", data, "--json"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("NotFound"))
    #expect(try ServerProcess.run(["tokens", "list", "nobody", "--data", data]).status == 1)
  }

  @Test("a running server is asked, a stopped one is opened, and both leave the same trail", arguments: [false, true])
  func bothWays(isSecure: Bool) throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    var arguments = ["--port", "0"]
    if isSecure {
      let (folder, own) = (data + "-tls", try SelfSignedCertificate.make(hosts: ["db.example.org"]))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in [("cert", own.certificatePEM), ("key", own.privateKeyPEM)] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      arguments += ["--tls-certificate", folder + "/cert", "--tls-key", folder + "/key"]
    }
    defer { try? FileManager.default.removeItem(atPath: data + "-tls") }
    let server = try ServerProcess(data: data, arguments: arguments)
    let created = try Self.run(["users", "create", "ann", "--json"], data: data, input: "secret-1\n")
    let user = try #require(
      (try JSONSerialization.jsonObject(with: Data(created.utf8)) as? [String: Any])?["id"] as? String)
    try Self.tour(data: data, user: user)
    #expect(server.stop() == 0)
    #expect(!FileManager.default.fileExists(atPath: data + "/server.json"))
    try Self.tour(data: data, user: user)
    let events = try Self.rows(try Self.run(["audit", "list", "--json"], data: data)).compactMap {
      $0["event"] as? String
    }
    #expect(events.count { $0 == "admin.createKey" } == 2)
    #expect(events.count { $0 == "server.start" } == 1)
    #expect(try Self.run(["audit", "list", "--event", "server."], data: data).split(separator: "\n").count == 2)
    #expect(try Self.run(["audit", "verify"], data: data).contains("head "))
  }

  @Test("a server that was killed is taken for stopped, and its torn audit log is mended")
  func killed() throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    try ServerProcess(data: data).kill()
    #expect(FileManager.default.fileExists(atPath: data + "/server.json"))
    let file = data + "/audit/audit-000001.jsonl"
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"number\":2,\"ti".utf8))
    try handle.close()
    #expect(try Self.rows(try Self.run(["sessions", "list", "--json"], data: data)).isEmpty)
    #expect(try Self.run(["audit", "list"], data: data).contains("audit.mended"))
    #expect(try Self.run(["audit", "verify"], data: data).hasSuffix("\n"))
  }

  @Test("a changed audit log is reported with the status 1")
  func tampered() throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    #expect(try ServerProcess(data: data).stop() == 0)
    let head = try Self.run(["audit", "verify", "--json"], data: data)
    let file = data + "/audit/audit-000001.jsonl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: "server.stop", with: "server.stay").write(
      toFile: file, atomically: true, encoding: .utf8)
    let result = try ServerProcess.run(["audit", "verify", "--data", data])
    #expect(result.status == 1)
    #expect(result.output.contains("entry 2 was changed"))
    let hash = try #require(
      (try JSONSerialization.jsonObject(with: Data(head.utf8)) as? [String: Any])?["head"] as? String)
    #expect(try ServerProcess.run(["audit", "verify", "--head", hash, "--data", data]).status == 1)
  }
}
