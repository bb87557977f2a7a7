import Foundation
import TestKit
import Testing

/// Every command of `chat`, as a process on which nobody is logged in: help, errors for people and programs, exit codes,
/// closed pipes, Ctrl-C. What they do on a server stands in the tests of ChatRealm.
@Suite("Every command of chat") struct ChatCommandTableTests {
  struct Row: Sendable {
    var command: String
    /// The words after it on which it fails; nil for a command that needs no login.
    var failure: String?
    /// Whether it has `--json`.
    var hasJSON = false
  }

  static let rows: [Row] = [
    Row(command: "open", failure: "room"), Row(command: "rooms", failure: "", hasJSON: true),
    Row(command: "create-room", failure: "room", hasJSON: true), Row(command: "people", failure: "", hasJSON: true),
    Row(command: "members", failure: "room", hasJSON: true), Row(command: "invite", failure: "room bob", hasJSON: true),
    Row(command: "grant", failure: "room bob", hasJSON: true),
    Row(command: "revoke", failure: "room bob", hasJSON: true),
    Row(command: "pass", failure: "room bob", hasJSON: true),
    Row(command: "send", failure: "room hello", hasJSON: true),
    Row(command: "read", failure: "room", hasJSON: true), Row(command: "search", failure: "word", hasJSON: true),
    Row(command: "react", failure: "room last x", hasJSON: true),
    Row(command: "watch", failure: "room --count 1", hasJSON: true),
    Row(command: "settings", failure: "", hasJSON: true), Row(command: "login", failure: ""),
    Row(command: "logout", failure: ""), Row(command: "offline", failure: nil), Row(command: "online", failure: ""),
    Row(command: "status", failure: "", hasJSON: true), Row(command: "lockdown", failure: "", hasJSON: true),
  ]

  /// A folder of its own for the state of one program.
  private final class Home {
    let folder = NSTemporaryDirectory() + "chat-table-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func run(_ words: [String]) throws -> ToolProcess.Outcome { try ToolProcess.run("chat", words, in: folder) }
  }

  private func words(_ row: Row) -> [String] {
    (row.command + " " + (row.failure ?? "")).split(separator: " ").map(String.init)
  }

  @Test("the table has every command that the help lists")
  func complete() throws {
    let help = try Home().run(["--help"]).output
    let section = help.components(separatedBy: "\nCommands:\n").dropFirst().first ?? ""
    let found = section.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }
      .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(found.sorted() == Self.rows.map(\.command).sorted())
  }

  @Test("help goes to standard output, ends with 0, and names --json where there is one", arguments: rows)
  func help(_ row: Row) throws {
    let outcome = try Home().run([row.command, "--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("usage: chat \(row.command)"))
    #expect(outcome.output.contains("--json") == row.hasJSON)
    #expect(outcome.errors == "")
  }

  @Test("without a login a command ends with 1, says nothing on standard output, and is JSON if asked", arguments: rows)
  func failure(_ row: Row) throws {
    let people = try Home().run(words(row))
    #expect(people.status == (row.failure == nil ? 0 : 1))
    guard row.failure != nil else { return }
    #expect(people.errors.hasPrefix("error: "))
    #expect(people.output == "")
    guard row.hasJSON else { return }
    let programs = try Home().run(words(row) + ["--json"])
    #expect(programs.status == 1)
    #expect(programs.errorCode != nil, "\(programs.errors)")
    #expect(programs.output == "")
  }

  @Test("a command line that is not understood ends with 2", arguments: rows)
  func usage(_ row: Row) throws {
    let outcome = try Home().run([row.command, "--hepl"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("did you mean '--help'?"))
  }

  @Test("completion knows every command, in each shell", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) throws {
    let outcome = try Home().run(["--completions", shell])
    #expect(outcome.status == 0)
    for row in Self.rows { #expect(outcome.output.contains(row.command), "\(row.command)") }
  }

  @Test("a closed pipe ends a command without a word of it", arguments: rows)
  func closedPipe(_ row: Row) throws {
    let home = try Home()
    let outcome = try ToolProcess("chat", [row.command, "--help"], in: home.folder, closesOutput: true).finish()
    #expect(outcome.status == 0 || outcome.status == 128 + SIGPIPE)
    #expect(!outcome.errors.contains("error"))
  }

  @Test("Ctrl-C ends a command with 130, or comes after its end", arguments: rows)
  func interrupted(_ row: Row) throws {
    for microseconds in [0, 20_000] as [UInt32] {
      let home = try Home()
      let tool = try ToolProcess("chat", words(row), in: home.folder)
      usleep(microseconds)
      tool.interrupt()
      let outcome = tool.finish()
      #expect([130, row.failure == nil ? 0 : 1].contains(outcome.status), "\(outcome.errors)")
    }
  }
}
