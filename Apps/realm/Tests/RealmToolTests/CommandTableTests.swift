import CommandLineKit
import Foundation
import RealmTool
import TestKit
import Testing

/// Every command of `realm`, as a process: help, results and errors for people and programs, exit codes, closed pipes.
@Suite("Every command") struct CommandTableTests {
  struct Row: Sendable {
    /// The words of the command.
    var command: String
    /// The words after them to succeed; nil for a command that needs a terminal.
    var success: String?
    /// The words after them to fail, and the code of that failure.
    var failure: String
    var code: String
  }

  static let rows: [Row] = [
    Row(command: "inspect", success: "dogs.realm", failure: "none.realm", code: "noSuchFile"),
    Row(command: "schema", success: "dogs.realm Dog", failure: "dogs.realm Dgo", code: "unknownClass"),
    Row(command: "graphql", success: "dogs.realm --schema", failure: "none.realm {a}", code: "noSuchFile"),
    Row(command: "query", success: "dogs.realm Dog", failure: "dogs.realm Dog agee=1", code: "badQuery"),
    Row(command: "browse", success: nil, failure: "dogs.realm", code: "noTerminal"),
    Row(command: "studio", success: nil, failure: "none.realm", code: "noSuchFile"),
    Row(command: "set", success: "dogs.realm Dog 1 age=5", failure: "dogs.realm Dog 77 age=5", code: "noSuchObject"),
    Row(command: "delete", success: "dogs.realm Dog 2", failure: "dogs.realm Dog x", code: "badKey"),
    Row(command: "export", success: "dogs.realm out.json", failure: "dogs.realm out.xml", code: "badData"),
    Row(command: "import", success: "new.realm in.csv", failure: "new.realm bad.csv", code: "badData"),
    Row(command: "generate", success: "swift dogs.realm", failure: "swift none.realm", code: "noSuchFile"),
    Row(command: "diff", success: "dogs.realm dogs.realm", failure: "dogs.realm none.realm", code: "noSuchFile"),
    Row(command: "verify", success: "dogs.realm", failure: "in.csv", code: "invalidDatabase"),
    Row(command: "compact", success: "dogs.realm", failure: "none.realm", code: "noSuchFile"),
    Row(command: "copy", success: "dogs.realm copy.realm", failure: "dogs.realm in.csv", code: "fileExists"),
    Row(command: "clone", success: "dogs.realm clone.realm", failure: "dogs.realm in.csv", code: "fileExists"),
    Row(command: "changeset print", success: "dogs.realm", failure: "none.realm", code: "noSuchFile"),
  ]

  /// A kennel with files for the rows.
  private func kennel() throws -> Kennel {
    let kennel = try Kennel()
    try Data("name,lives\nTom,9\n".utf8).write(to: URL(fileURLWithPath: kennel.folder + "/in.csv"))
    try Data([0x61, 0x0A, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: kennel.folder + "/bad.csv"))
    return kennel
  }

  private func words(_ row: Row, _ more: String?) -> [String] {
    (row.command + " " + (more ?? "")).split(separator: " ").map(String.init)
  }

  @Test("the table has every command")
  func complete() {
    func leaves(_ command: Command, _ path: String) -> [String] {
      command.subcommands.isEmpty
        ? [path] : command.subcommands.flatMap { leaves($0, path.isEmpty ? $0.name : path + " " + $0.name) }
    }
    #expect(leaves(RealmTool.command, "").sorted() == Self.rows.map(\.command).sorted())
  }

  @Test("help goes to standard output and ends with 0", arguments: rows)
  func help(_ row: Row) throws {
    let outcome = try ToolProcess.run("realm", words(row, "--help"), in: NSTemporaryDirectory())
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("usage: realm \(row.command)"))
    #expect(outcome.errors == "")
  }

  @Test("success ends with 0, and is JSON if asked", arguments: rows)
  func success(_ row: Row) throws {
    guard let success = row.success else { return }
    let people = try kennel()
    let outcome = try ToolProcess.run("realm", words(row, success), in: people.folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let programs = try kennel()
    let json = try ToolProcess.run("realm", words(row, success) + ["--json"], in: programs.folder)
    #expect(json.status == 0, "\(json.errors)")
    #expect(json.isJSON, "\(json.output)")
    #expect(json.errors == "")
  }

  @Test("failure ends with 1, says nothing on standard output, and has a code for programs", arguments: rows)
  func failure(_ row: Row) throws {
    let kennel = try kennel()
    let people = try ToolProcess.run("realm", words(row, row.failure), in: kennel.folder)
    #expect(people.status == 1)
    #expect(people.errors.hasPrefix("error: "))
    #expect(people.output == "")
    let programs = try ToolProcess.run("realm", words(row, row.failure) + ["--json"], in: kennel.folder)
    #expect(programs.status == 1)
    #expect(programs.errorCode == row.code, "\(programs.errors)")
    #expect(programs.output == "")
  }

  @Test("a command line that is not understood ends with 2", arguments: rows)
  func usage(_ row: Row) throws {
    let outcome = try ToolProcess.run(
      "realm", words(row, row.success ?? row.failure) + ["--jsn"], in: NSTemporaryDirectory())
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("error: unknown option '--jsn'; did you mean '--json'?"))
    let json = try ToolProcess.run("realm", words(row, "--nonsense --json"), in: NSTemporaryDirectory())
    #expect(json.status == 2)
    #expect(json.errorCode == "usage", "\(json.errors)")
  }

  @Test("a closed pipe ends a command without a word", arguments: rows)
  func closedPipe(_ row: Row) throws {
    guard let success = row.success else { return }
    let kennel = try kennel()
    let outcome = try ToolProcess("realm", words(row, success), in: kennel.folder, closesOutput: true).finish()
    #expect(outcome.status == 0 || outcome.status == 128 + SIGPIPE)
    #expect(!outcome.errors.contains("error"))
  }

  @Test(
    "Ctrl-C ends a command that is not done with 130, and leaves sound realms and nothing half made", arguments: rows)
  func interrupted(_ row: Row) throws {
    guard let success = row.success else { return }
    for microseconds in [0, 10_000, 30_000] as [UInt32] {
      let kennel = try kennel()
      let before = try FileManager.default.contentsOfDirectory(atPath: kennel.folder)
      let tool = try ToolProcess("realm", words(row, success), in: kennel.folder)
      usleep(microseconds)
      tool.interrupt()
      let outcome = tool.finish()
      #expect(outcome.status == 130 || outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("error") || outcome.errors == "error: interrupted\n")
      #expect(try ToolProcess.run("realm", ["verify", "dogs.realm"], in: kennel.folder).status == 0)
      guard outcome.status == 130 else { continue }
      let made = try FileManager.default.contentsOfDirectory(atPath: kennel.folder).filter { !before.contains($0) }
      // Whole, and beside it at most what coordinates its processes.
      for name in made where name.hasSuffix(".realm") {
        #expect(try ToolProcess.run("realm", ["verify", name], in: kennel.folder).status == 0, "\(name)")
      }
    }
  }
}
