import Foundation
import TestKit
import Testing
import Transport
import TransportReal

/// The tutorial `04-bring-your-own-login.md`: its programs and settings as they stand there.
@Suite("the tutorial about logins of other systems", .serialized)
struct BringYourOwnLoginTests {
  private static let hasTools = ["python3", "openssl"].allSatisfy { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { folder in
      FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
    }
  }

  @Test("the login service of the tutorial logs a user in, whose id is what the token says", .enabled(if: hasTools))
  func tutorial() async throws {
    let page = RepositoryFiles.root().appendingPathComponent("Docs/Tutorials/04-bring-your-own-login.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    func block(_ language: String) throws -> String {
      let begin = try #require(text.range(of: "```\(language)\n")), rest = text[begin.upperBound...]
      return String(rest[..<(try #require(rest.range(of: "```"))).lowerBound])
    }
    let folder = ServerProcess.temporaryFolder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The token lives for a day, so that no pause of a busy machine makes it expire on its way.
    let issuer = try block("python").replacing("time.time()) + 300", with: "time.time()) + 86_400")
    try issuer.write(toFile: folder + "/issuer.py", atomically: true, encoding: .utf8)
    let key = try Self.start("openssl ecparam -name prime256v1 -genkey -noout -out issuer.pem", in: folder)
    #expect(key.process.waitForEnd() == 0)

    // Port 0 is any free one, which the service tells.
    // The interpreter itself, not a script that starts it, so that the signal reaches it. SIGTERM may be blocked here, and
    // children inherit that.
    let service = try Self.start(#"exec "$(python3 -c 'import sys; print(sys.executable)')" issuer.py 0"#, in: folder)
    defer {
      service.process.signal(SIGKILL)
      service.process.waitForEnd()
    }
    let said = String(decoding: service.output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(said.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.output.1, "\(said)")
    let settings = try block("toml").replacing("8085", with: port).replacing("port = 9080", with: "port = 0")
      .replacing("data = \"data\"", with: "data = \"\(folder)/data\"")
    try settings.write(toFile: folder + "/server.toml", atomically: true, encoding: .utf8)
    let server = try ServerProcess(data: folder + "/data", arguments: ["--config", folder + "/server.toml"])

    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    let token = try await network.response(
      to: HTTPClientRequest(url: try NetworkURL("http://127.0.0.1:\(port)/?user=ann")))
    var login = HTTPClientRequest(
      method: "POST",
      url: try NetworkURL(
        "http://127.0.0.1:\(server.port)/api/client/v2.0/app/todo/auth/providers/custom-token/login"))
    login.body = Array(#"{"token": "\#(String(decoding: token.body, as: UTF8.self))"}"#.utf8)
    let answer = try await network.response(to: login)
    let words = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == 200, "\(words)")
    #expect(words.contains(#""user_id":"ann""#), "\(words)")
    #expect(server.stop() == 0)
  }

  private static func start(_ command: String, in folder: String) throws -> (process: ChildProcess, output: Pipe) {
    let process = ChildProcess(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }
}
