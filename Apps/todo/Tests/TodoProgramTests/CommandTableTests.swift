import Foundation
import TestKit
import Testing

/// Every command of `todo`, as a process without a server: help, results and errors for people and programs, exit codes,
/// closed pipes, Ctrl-C.
@Suite("Every command of todo") struct TodoCommandTableTests {
  struct Row: Sendable {
    var command: String
    /// The words after it to succeed; nil for a command that needs a server, or does not end.
    var success: String?
    /// The words after it to fail; nil for a command that cannot.
    var failure: String?
    /// Whether it has `--json`.
    var hasJSON = false
  }

  static let rows: [Row] = [
    Row(command: "add", success: "bread", failure: "x --list Nope", hasJSON: true),
    Row(command: "done", success: "1", failure: "77"),
    Row(command: "edit", success: "1 --title eggs", failure: "77 --title eggs"),
    Row(command: "move", success: "1 last", failure: "77 last"),
    Row(command: "rm", success: "1", failure: "77"),
    Row(command: "list", success: "", failure: "--list Nope", hasJSON: true),
    Row(command: "lists", success: "", failure: nil, hasJSON: true),
    Row(command: "watch", success: nil, failure: nil),
    Row(command: "import", success: "in.txt", failure: "none.txt"),
    Row(command: "export", success: "", failure: "--list Nope"),
    Row(command: "share", success: nil, failure: "bob"),
    Row(command: "who", success: nil, failure: "", hasJSON: true),
    Row(command: "login", success: nil, failure: ""),
    Row(command: "logout", success: nil, failure: ""),
    Row(command: "offline", success: "", failure: nil),
    Row(command: "online", success: "", failure: nil),
    Row(command: "status", success: "", failure: nil, hasJSON: true),
    Row(command: "sync", success: nil, failure: ""),
  ]

  /// A folder with a list of one item, and a file to import.
  private final class Home {
    let folder = NSTemporaryDirectory() + "todo-table-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("one\ntwo\n".utf8).write(to: URL(fileURLWithPath: folder + "/in.txt"))
      #expect(try run(["add", "milk"]).status == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func run(_ words: [String]) throws -> ToolProcess.Outcome { try ToolProcess.run("todo", words, in: folder) }
  }

  private func words(_ row: Row, _ more: String) -> [String] {
    (row.command + " " + more).split(separator: " ").map(String.init)
  }

  @Test("the table has every command that the help lists")
  func complete() throws {
    let help = try ToolProcess.run("todo", ["--help"], in: NSTemporaryDirectory()).output
    let section = help.components(separatedBy: "\nCommands:\n").dropFirst().first ?? ""
    let found = section.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }
      .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(found.sorted() == Self.rows.map(\.command).sorted())
  }

  @Test("help goes to standard output and ends with 0", arguments: rows)
  func help(_ row: Row) throws {
    let outcome = try ToolProcess.run("todo", [row.command, "--help"], in: NSTemporaryDirectory())
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("usage: todo \(row.command)"))
    #expect(outcome.errors == "")
  }

  @Test("success ends with 0, and is JSON if asked", arguments: rows)
  func success(_ row: Row) throws {
    guard let success = row.success else { return }
    for more in row.hasJSON ? [[], ["--json"]] : [[]] {
      let outcome = try Home().run(words(row, success) + more)
      #expect(outcome.status == 0, "\(outcome.errors)")
      if !more.isEmpty { #expect(outcome.isJSON, "\(outcome.output)") }
    }
  }

  @Test("failure ends with 1, says nothing on standard output, and is JSON if asked", arguments: rows)
  func failure(_ row: Row) throws {
    guard let failure = row.failure else { return }
    let home = try Home()
    let people = try home.run(words(row, failure))
    #expect(people.status == 1)
    #expect(people.errors.hasPrefix("error: "))
    #expect(people.output == "")
    guard row.hasJSON else { return }
    let programs = try home.run(words(row, failure) + ["--json"])
    #expect(programs.status == 1)
    #expect(programs.errorCode != nil, "\(programs.errors)")
    #expect(programs.output == "")
  }

  @Test("a command line that is not understood ends with 2", arguments: rows)
  func usage(_ row: Row) throws {
    let outcome = try ToolProcess.run("todo", [row.command, "--hepl"], in: NSTemporaryDirectory())
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("did you mean '--help'?"))
  }

  @Test("completion knows every command, in each shell", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) throws {
    let outcome = try ToolProcess.run("todo", ["--completions", shell], in: NSTemporaryDirectory())
    #expect(outcome.status == 0)
    for row in Self.rows { #expect(outcome.output.contains(row.command), "\(row.command)") }
  }

  @Test("a closed pipe ends a command without a word", arguments: rows)
  func closedPipe(_ row: Row) throws {
    guard let success = row.success else { return }
    let home = try Home()
    let outcome = try ToolProcess("todo", words(row, success), in: home.folder, closesOutput: true).finish()
    #expect(outcome.status == 0 || outcome.status == 128 + SIGPIPE)
    #expect(!outcome.errors.contains("error"))
  }

  @Test("Ctrl-C ends a command that is not done with 130, and leaves sound lists", arguments: rows)
  func interrupted(_ row: Row) throws {
    guard let success = row.success else { return }
    for microseconds in [0, 20_000] as [UInt32] {
      let home = try Home()
      let tool = try ToolProcess("todo", words(row, success), in: home.folder)
      usleep(microseconds)
      tool.interrupt()
      let outcome = tool.finish()
      #expect(outcome.status == 130 || outcome.status == 0, "\(outcome.errors)")
      #expect(try home.run(["list"]).status == 0)
    }
  }
}
