import CommandLineKit
import Foundation
import ObjectServer

/// Backups of a data directory, and the way back.
enum BackupCommand {
  static let backup = Command(
    "backup", summary: "Copy users and realms into a new folder, also while a server runs.",
    discussion: """
      Each realm is copied as of one moment, and the users and grants last, so that no grant is older than the data it \
      protects. The folder holds every key of the server: keep it as secret as the data directory. It appears under its \
      name when it is complete; until then it is called FOLDER.partial.
      """,
    arguments: [.one("folder", help: "Where to write; must not exist.")]
  ) { invocation, console in
    let folder = invocation.argument("folder") ?? ""
    try ServeCommand.reporting {
      let manifest = try ServeCommand.data(invocation).backUp(to: folder, serverVersion: ServerTool.version)
      console.print("\(manifest.realmCount) realms, \(manifest.totalBytes) bytes in \(folder)")
    }
  }

  static let restore = Command(
    "restore", summary: "Make an empty data directory from a backup.",
    discussion: """
      Every file is checked before the directory appears. Clients that were connected before are told to reset when they \
      come back, and bring along what they wrote after the backup was made.
      """,
    arguments: [.one("folder", help: "The backup.")]
  ) { invocation, console in
    try ServeCommand.reporting {
      let server = try ServeCommand.data(invocation)
      let report = try server.restore(from: invocation.argument("folder") ?? "")
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
    arguments: [.optional("folder", help: "A backup or data directory; that of --data unless given.")]
  ) { invocation, console in
    try ServeCommand.reporting {
      let server = try invocation.argument("folder").map(EmbeddedServer.init(path:)) ?? ServeCommand.data(invocation)
      let report = try server.verify()
      for problem in report.problems { console.print("\(problem.file): \(problem.message)") }
      console.print("\(report.files) files, \(report.rows) rows, \(report.problems.count) problems in \(server.path)")
      guard report.problems.isEmpty else {
        throw CommandFailure(
          "\(report.problems.count) files of \(server.path) are damaged",
          remedy: "restore a backup into a new directory; clients bring along what they have")
      }
    }
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
    try ServeCommand.reporting {
      var limits = VacuumLimits()
      limits.minimumWaste = Double(invocation.integer("minimum-waste") ?? 25) / 100
      limits.minimumBytes = (invocation.integer("minimum-kb") ?? 1_024) << 10
      limits.duration = invocation.integer("max-seconds").map { .seconds($0) }
      let report = try ServeCommand.data(invocation).vacuum(limits) { file, before, after in
        console.print("\(file): \(before) -> \(after)")
      }
      let saved = max(0, report.bytesBefore - report.bytesAfter)
      console.print("\(report.rewritten) of \(report.looked) files rewritten, \(saved) bytes given back")
      if report.isCutShort { console.note("time is up; run it again for the rest") }
    }
  }
}
