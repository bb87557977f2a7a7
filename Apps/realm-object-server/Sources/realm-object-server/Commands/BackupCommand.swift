import CommandLineKit
import Foundation
import ObjectServer

/// Backups of a data directory, and the way back.
enum BackupCommand {
  /// Runs long work that Ctrl-C ends between two steps, with nothing half done.
  static func interruptible(_ work: () throws -> Void) throws {
    try Interruption.watching {
      do { try ServeCommand.reporting(work) } catch {
        try Interruption.check()
        throw error
      }
    }
  }

  static let backup = Command(
    "backup", summary: "Copy users and realms into a new folder, also while a server runs.",
    discussion: """
      Each realm is copied as of one moment, and the users and grants last, so that no grant is older than the data it \
      protects. The folder holds every key of the server: keep it as secret as the data directory. It appears under its \
      name when it is complete; until then it is called FOLDER.partial.
      """,
    arguments: [.one("folder", kind: .path, help: "Where to write; must not exist.")]
  ) { invocation, console in
    let folder = invocation.argument("folder") ?? ""
    try interruptible {
      let manifest = try ProgressLine.following(console, unit: "kB") { line in
        try ServeCommand.data(invocation).backUp(
          to: folder, serverVersion: ServerTool.version, isCancelled: { Interruption.hasCome }
        ) {
          line.update("copying", bytes: $0, of: $1)
        }
      }
      guard !invocation.flag("json") else {
        return console.print(
          json: .object([
            ("realms", .integer(manifest.realmCount)), ("bytes", .integer(manifest.totalBytes)),
            ("folder", .text(folder)),
          ]))
      }
      console.print("\(manifest.realmCount) realms, \(manifest.totalBytes) bytes in \(folder)")
    }
  }

  static let restore = Command(
    "restore", summary: "Make an empty data directory from a backup.",
    discussion: """
      Every file is checked before the directory appears. Clients that were connected before are told to reset when they \
      come back, and bring along what they wrote after the backup was made.
      """,
    arguments: [.one("folder", kind: .path, help: "The backup.")]
  ) { invocation, console in
    try interruptible {
      let server = try ServeCommand.data(invocation)
      let report = try ProgressLine.following(console, unit: "kB") { line in
        try server.restore(from: invocation.argument("folder") ?? "", isCancelled: { Interruption.hasCome }) {
          line.update("copying", bytes: $0, of: $1)
        }
      }
      guard !invocation.flag("json") else {
        return console.print(
          json: .object([
            ("realms", .integer(report.realms)), ("leftOut", .integer(report.leftOut)),
            ("bytes", .integer(report.bytes)), ("data", .text(server.path)),
          ]))
      }
      console.print("\(report.realms) realms, \(report.bytes) bytes in \(server.path)")
      if report.leftOut > 0 {
        console.note("left out \(report.leftOut) realms that were deleted while the backup was made")
      }
    }
  }

  static let verify = Command(
    "verify", summary: "Read every file of a data directory or backup, and check it from end to end.",
    discussion: """
      A server may run meanwhile; each realm cannot be written while its own file is read. Prints a line for each file \
      that is damaged and ends with 1 if there is one.
      """,
    arguments: [.optional("folder", kind: .path, help: "A backup or data directory; that of --data unless given.")]
  ) { invocation, console in
    try interruptible {
      let server = try invocation.argument("folder").map({ EmbeddedServer(path: $0) }) ?? ServeCommand.data(invocation)
      let report = try ProgressLine.following(console, unit: "kB") { line in
        try server.verify(isCancelled: { Interruption.hasCome }) { line.update("reading", bytes: $0, of: $1) }
      }
      tell(report, of: server, invocation, console)
      guard report.problems.isEmpty else {
        throw CommandFailure(
          "\(report.problems.count) files of \(server.path) are damaged",
          remedy: "restore a backup into a new directory; clients bring along what they have", code: "damaged")
      }
    }
  }

  private static func tell(
    _ report: VerifyReport, of server: EmbeddedServer, _ invocation: Invocation, _ console: Console
  ) {
    guard !invocation.flag("json") else {
      let problems = report.problems.map { problem in
        JSONOutput.object([("file", .text(problem.file)), ("message", .text(problem.message))])
      }
      return console.print(
        json: .object([
          ("files", .integer(report.files)), ("rows", .integer(report.rows)), ("problems", .array(problems)),
          ("folder", .text(server.path)),
        ]))
    }
    for problem in report.problems { console.print("\(problem.file): \(problem.message)") }
    console.print("\(report.files) files, \(report.rows) rows, \(report.problems.count) problems in \(server.path)")
  }

  static let vacuum = Command(
    "vacuum", summary: "Give unused space of realm files back to the disk, also while a server runs.",
    discussion: "Rewrites one file at a time. A realm can be read meanwhile; writes to it wait.",
    options: [
      .value(
        "minimum-waste", valueName: "PERCENT", kind: .integer(0...100),
        help: "Leave files alone of which less is unused.", defaultValue: "25"),
      .value(
        "minimum-kb", valueName: "KB", kind: .integer(0...1_048_576),
        help: "Leave files alone that would give back less.", defaultValue: "1024"),
      .value(
        "max-seconds", valueName: "N", kind: .integer(1...86_400), help: "Begin no further file after this time."),
    ]
  ) { invocation, console in
    try interruptible {
      var limits = VacuumLimits()
      limits.minimumWaste = Double(invocation.integer("minimum-waste") ?? 25) / 100
      limits.minimumBytes = (invocation.integer("minimum-kb") ?? 1_024) << 10
      limits.duration = invocation.integer("max-seconds").map { .seconds($0) }
      let report = try ProgressLine.following(console, unit: "kB") { line in
        try ServeCommand.data(invocation).vacuum(limits) {
          line.update("rewriting", bytes: $0, of: $1)
        } rewritten: { file, before, after in
          line.pause()
          if !invocation.flag("json") { console.print("\(file): \(before) -> \(after)") }
        } isCancelled: {
          Interruption.hasCome
        }
      }
      try Interruption.check()
      let saved = max(0, report.bytesBefore - report.bytesAfter)
      guard !invocation.flag("json") else {
        return console.print(
          json: .object([
            ("looked", .integer(report.looked)), ("rewritten", .integer(report.rewritten)), ("saved", .integer(saved)),
            ("isCutShort", .boolean(report.isCutShort)),
          ]))
      }
      console.print("\(report.rewritten) of \(report.looked) files rewritten, \(saved) bytes given back")
      if report.isCutShort { console.note("time is up; run it again for the rest") }
    }
  }
}
