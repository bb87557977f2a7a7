import CommandLineKit
import ObjectServer

/// The audit log, read from its files: also while a server runs, and of a backup or a copy.
enum AuditCommand {
  static let command = Command(
    "audit", summary: "Read and verify the log of logins, refusals, grants and administrative actions.",
    subcommands: [list, verify])

  private static func reader(_ invocation: Invocation) throws -> AuditReader {
    let data = try ServeCommand.data(invocation)
    try data.openDirectory(mustExist: true).close()
    return AuditReader(folder: data.auditFolder)
  }

  private static let list = Command(
    "list", summary: "Print the newest entries, oldest first.",
    options: [
      .value("event", valueName: "KIND", help: "Only this kind, or with a dot at its end all that begin so: admin."),
      .value("user", valueName: "ID", help: "Only what this user did, or what was done to them."),
      .flag("refused", help: "Only refusals."),
      .value(
        "limit", valueName: "NUMBER", kind: .integer(1...1_000_000), help: "The most entries.", defaultValue: "100"),
    ]
  ) { invocation, console in
    var filter = AuditReader.Filter()
    filter.event = invocation.text("event")
    filter.user = invocation.text("user")
    filter.refusalsOnly = invocation.flag("refused")
    filter.limit = invocation.text("limit").flatMap { Int($0) } ?? 100
    let entries = try ServeCommand.reporting { try reader(invocation).entries(filter) }
    guard !invocation.flag("json") else {
      return console.writeJSON("[" + entries.map(\.json).joined(separator: ",") + "]\n")
    }
    for entry in entries {
      let who = entry.actor.isEmpty ? "-" : entry.actor
      let details = entry.details.map { " \($0.name)=\($0.value)" }.joined()
      console.print(
        "\(entry.number) \(entry.time.description) \(entry.event) \(who) \(entry.subject.isEmpty ? "-" : entry.subject) \(entry.outcome) \(entry.address)\(details)"
      )
    }
  }

  private static let verify = Command(
    "verify", summary: "Check that no entry was changed, removed or inserted; print the hash of the newest.",
    discussion: "Note the hash somewhere else: with --head a later run proves that nothing was cut off.",
    options: [.value("head", valueName: "HASH", help: "A hash that was printed earlier and must be there.")]
  ) { invocation, console in
    let report = try ServeCommand.reporting {
      try reader(invocation).verify(expectedHead: invocation.text("head"))
    }
    if invocation.flag("json") {
      if report.problems.isEmpty { console.writeJSON(report.json + "\n") }
    } else {
      for problem in report.problems { console.print("\(problem)") }
      console.print("\(report.entries) entries, head \(report.head)")
    }
    guard report.problems.isEmpty else {
      throw CommandFailure(
        "the audit log is not as it was written: \(report.problems.first ?? "")", remedy: "compare it with a backup",
        code: "auditDamaged")
    }
  }
}
