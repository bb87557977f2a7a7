import CommandLineKit
import ObjectServer
import ServerCluster

/// The way of a data directory into a cluster, and back.
extension ClusterCommand {
  static let importing = Command(
    "import", summary: "Move a data directory into the empty database of a cluster.",
    discussion: """
      The server of the data directory is stopped, and no server has run on the database. Users, grants and logins go in, and \
      each realm with its history, so that clients go on as if the server had been started again. All is compared at the \
      end. No server of the cluster starts before; an import that was interrupted is run again, and goes on. It takes \
      as much free space in the data directory as its largest realm. Afterwards a server may use the data directory as \
      its first node; the others get its keys from the database.

        realm-object-server cluster import --data /var/lib/openrealm --storage postgresql://db.example.com/realms
      """,
    options: storage
  ) { invocation, console in
    try moving(invocation, console, verb: "moved into the cluster") { server, address, secret, progress in
      try ClusterImport(address, of: server, secret: secret).run(
        isCancelled: { Interruption.hasCome }, progress: progress)
    }
  }

  static let exporting = Command(
    "export", summary: "Make a data directory of a cluster, for a server that is alone.",
    discussion: """
      All servers of the cluster are stopped. --data is the data directory of one of them: its keys are taken. The new data \
      directory has all users, grants, logins and realms with their histories, so that clients go on with a server on it; \
      until it is complete and verified it is called FOLDER.partial. The database stays as it is; let only one of the two \
      serve from then on.

        realm-object-server cluster export /var/lib/single --data /var/lib/openrealm --storage postgresql://db.example.com/realms
      """,
    options: storage,
    arguments: [.one("folder", kind: .path, help: "Where to write; must not exist.")]
  ) { invocation, console in
    let folder = invocation.argument("folder") ?? ""
    try moving(invocation, console, verb: "in \(folder)") { server, address, secret, progress in
      try ClusterExport(address, keysOf: server, secret: secret).run(
        to: folder, isCancelled: { Interruption.hasCome }, progress: progress)
    }
  }

  private static func moving(
    _ invocation: Invocation, _ console: Console, verb: String,
    _ work: (EmbeddedServer, String, ClusterSecret?, (MoveProgress) -> Void) throws -> MoveReport
  ) throws {
    let address = try address(invocation)
    let settings = try ServeCommand.settings(invocation)
    let path = settings.text("data") ?? DataDefaults.directory
    let secret = try SharedStorageSettings.secret(settings)
    try BackupCommand.interruptible {
      let report = try ProgressLine.following(console, unit: "kB") { line in
        try work(EmbeddedServer(path: path), address, secret) {
          line.update($0.step.rawValue, bytes: $0.done, of: $0.known)
        }
      }
      guard !invocation.flag("json") else { return console.print(json: json(report)) }
      console.print(
        "\(report.realms) realms, \(report.bytes) bytes, \(report.records) records of users \(verb), and compared")
      if report.found > 0 { console.note("\(report.found) of the realms were there already, from an earlier run") }
      for name in report.leftOut { console.note("left out \(name), which no realm of the directory has") }
      if !report.remainder.isEmpty {
        console.note("these stay in \(path), as files of one server: \(report.remainder.joined(separator: ", "))")
      }
    }
  }

  private static func json(_ report: MoveReport) -> JSONOutput {
    .object([
      ("realms", .integer(report.realms)), ("found", .integer(report.found)), ("bytes", .integer(report.bytes)),
      ("records", .integer(report.records)), ("leftOut", .array(report.leftOut.map { .text($0) })),
      ("remainder", .array(report.remainder.map { .text($0) })),
    ])
  }
}
