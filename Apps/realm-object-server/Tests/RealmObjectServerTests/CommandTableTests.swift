import Foundation
import TestKit
import Testing

/// Every command of `realm-object-server` but `serve`, as a process: help, results and errors for people and programs,
/// exit codes, closed pipes, and folders that are not there.
@Suite("Every command") struct CommandTableTests {
  struct Row: Sendable {
    /// The words of the command.
    var command: String
    /// The words after them to succeed, on a data directory with the user ann; nil for a command that needs a realm.
    var success: String?
    /// The words after them to fail.
    var failure: String
    /// The exit code and the code of that failure.
    var status: Int32 = 1
    var code: String
    /// Whether a mistyped data directory is an error.
    var needsData = true
  }

  static let rows: [Row] = [
    Row(command: "backup", success: "FOLDER/backup", failure: "FOLDER/data", code: "backup_failure"),
    Row(
      command: "restore", success: "FOLDER/saved --data FOLDER/restored", failure: "FOLDER/none", code: "bad_backup",
      needsData: false),
    Row(command: "verify", success: "", failure: "FOLDER/none", code: "data_directory_unusable"),
    Row(command: "vacuum", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(
      command: "config check", success: "", failure: "FOLDER/bad.toml", status: 2, code: "badSettings", needsData: false
    ),
    Row(command: "realms", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(command: "users list", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(command: "users create", success: "bob", failure: "ann", code: "directory_failure", needsData: false),
    Row(command: "users password", success: "ann", failure: "nobody", code: "no_such_user"),
    Row(command: "users remove", success: "ann", failure: "nobody", code: "no_such_user"),
    Row(command: "tokens list", success: "ann", failure: "nobody", code: "UserNotFound"),
    Row(command: "tokens end", success: "ann", failure: "ann 4711", code: "NotFound"),
    Row(command: "api-keys list", success: "ann", failure: "nobody", code: "UserNotFound"),
    Row(command: "api-keys create", success: "ann robot", failure: "nobody robot", code: "UserNotFound"),
    Row(command: "offers list", success: "ann", failure: "nobody", code: "UserNotFound"),
    Row(command: "sessions list", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(command: "audit list", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(command: "audit verify", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(command: "graphql", success: nil, failure: "/x {a}", code: "realm_failure"),
    Row(
      command: "explain", success: "/x Dog 1 --user ann", failure: "/x Dog 1 --user nobody", code: "no_such_user"),
    Row(command: "keys rotate", success: "", failure: "--data FOLDER/none", code: "data_directory_unusable"),
    Row(
      command: "cluster status", success: nil, failure: "--storage postgresql://127.0.0.1:1/none",
      code: "cluster_failure", needsData: false),
    Row(
      command: "cluster move", success: nil, failure: "/x b --storage postgresql://127.0.0.1:1/none",
      code: "cluster_failure", needsData: false),
    Row(
      command: "cluster drain", success: nil, failure: "a --storage postgresql://127.0.0.1:1/none",
      code: "cluster_failure", needsData: false),
    Row(
      command: "cluster import", success: nil, failure: "--storage postgresql://127.0.0.1:1/none",
      code: "cluster_failure", needsData: false),
    Row(
      command: "cluster export", success: nil, failure: "FOLDER/out --storage postgresql://127.0.0.1:1/none",
      code: "cluster_failure", needsData: false),
    Row(
      command: "permissions explain", success: "/x --user ann", failure: "/x --user nobody", code: "no_such_user"),
  ]

  /// Commands that need something made before: `AdminCommandTests` and `EventsTests` run them.
  static let elsewhere = [
    "api-keys enable", "api-keys disable", "api-keys revoke", "offers withdraw", "sessions close", "webhooks list",
    "webhooks letters", "webhooks send", "webhooks delete",
  ]

  /// A folder with a data directory, a backup of it, and settings that are wrong.
  private func folder() throws -> String {
    let folder = ServerProcess.temporaryFolder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let data = folder + "/data"
    _ = try ServerProcess.run(["users", "create", "ann", "--data", data], input: "secretsecret\n")
    _ = try ServerProcess.run(["backup", folder + "/saved", "--data", data])
    try Data("prot = 1\n".utf8).write(to: URL(fileURLWithPath: folder + "/bad.toml"))
    return folder
  }

  private func words(_ row: Row, _ more: String, _ folder: String) -> [String] {
    let words = (row.command + " " + more).replacing("FOLDER", with: folder).split(separator: " ").map(String.init)
    return words.contains("--data") ? words : words + ["--data", folder + "/data"]
  }

  private func errorCode(_ errors: String) -> String? {
    let lines = errors.split(separator: "\n")
    guard lines.count == 1, let line = lines.first,
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    else { return nil }
    return (object["error"] as? [String: Any])?["code"] as? String
  }

  @Test("the table has every command that the help lists")
  func complete() throws {
    func commands(_ words: [String]) throws -> [String] {
      let help = try ServerProcess.run(words + ["--help"]).output
      let section = help.components(separatedBy: "\nCommands:\n").dropFirst().first ?? ""
      return section.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }
        .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }
    var found: [String] = []
    for name in try commands([]) where name != "serve" {
      let below = try commands([name])
      found += below.isEmpty ? [name] : below.map { name + " " + $0 }
    }
    #expect(found.sorted() == (Self.rows.map(\.command) + Self.elsewhere).filter(found.contains).sorted())
    #expect(found.count >= 10)
  }

  @Test("help goes to standard output and ends with 0", arguments: rows)
  func help(_ row: Row) throws {
    let outcome = try ServerProcess.run(row.command.split(separator: " ").map(String.init) + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("usage: realm-object-server"))
    #expect(outcome.errors == "")
  }

  @Test("success ends with 0, and is one JSON value if asked", arguments: rows)
  func success(_ row: Row) throws {
    guard let success = row.success else { return }
    for more in [[], ["--json"]] {
      let folder = try folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let outcome = try ServerProcess.run(words(row, success, folder) + more, input: "anothersecret\n")
      #expect(outcome.status == 0, "\(outcome.errors)")
      guard !more.isEmpty else { continue }
      #expect((try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))) != nil, "\(outcome.output)")
      #expect(outcome.errors == "")
    }
  }

  @Test("failure has its exit code, and a code for programs", arguments: rows)
  func failure(_ row: Row) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let people = try ServerProcess.run(words(row, row.failure, folder), input: "anothersecret\n")
    #expect(people.status == row.status)
    #expect(people.errors.hasPrefix("error: "))
    let programs = try ServerProcess.run(words(row, row.failure, folder) + ["--json"], input: "anothersecret\n")
    #expect(programs.status == row.status)
    #expect(errorCode(programs.errors) == row.code, "\(programs.errors)")
    #expect(programs.output == "")
  }

  @Test("a command line that is not understood ends with 2", arguments: rows)
  func usage(_ row: Row) throws {
    let words = row.command.split(separator: " ").map(String.init)
    let outcome = try ServerProcess.run(words + ["--jsno"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("did you mean '--json'?"))
    #expect(errorCode(try ServerProcess.run(words + ["--nonsense", "--json"]).errors) == "usage")
  }

  @Test("a mistyped data directory is an error, and is not made", arguments: rows)
  func mistyped(_ row: Row) throws {
    guard row.needsData, let success = row.success else { return }
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let words = words(row, success, folder).map { $0 == folder + "/data" ? folder + "/typo" : $0 }
    #expect(try ServerProcess.run(words, input: "anothersecret\n").status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder + "/typo"))
  }

  /// The exit code of an ended tool, 128 and more for signals, and its standard error.
  private func end(_ tool: (process: ChildProcess, errors: Pipe)) -> (status: Int32, errors: String) {
    let errors = tool.errors.fileHandleForReading.readDataToEndOfFile()
    return (tool.process.waitForEnd(), String(decoding: errors, as: UTF8.self))
  }

  @Test("a closed pipe ends a command without a word", arguments: rows)
  func closedPipe(_ row: Row) throws {
    guard let success = row.success else { return }
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = end(
      try ServerProcess.begin(words(row, success, folder), input: "anothersecret\n", closesOutput: true))
    #expect(outcome.status == 0 || outcome.status == 128 + SIGPIPE)
    #expect(!outcome.errors.contains("error"))
  }

  @Test("Ctrl-C ends a command that is not done with 130, and leaves nothing half made", arguments: rows)
  func interrupted(_ row: Row) throws {
    guard let success = row.success else { return }
    for microseconds in [0, 10_000, 30_000] as [UInt32] {
      let folder = try folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let tool = try ServerProcess.begin(words(row, success, folder), input: "anothersecret\n")
      usleep(microseconds)
      tool.process.signal(SIGINT)
      let outcome = end(tool)
      #expect(outcome.status == 130 || outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("error") || outcome.errors == "error: interrupted\n")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!left.contains { $0.hasSuffix(".partial") }, "\(left)")
      #expect(try ServerProcess.run(["verify", "--data", folder + "/data"]).status == 0)
    }
  }
}
