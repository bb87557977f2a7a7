import CommandLineKit
import ObjectServer

/// The realms of a data directory, also while a server runs.
enum RealmsCommand {
  static let command = Command(
    "realms", summary: "List realms with their size, clients and last change, also while a server runs.",
    discussion: """
      Clients are the devices that have a realm and may go on where they are, connected or not. The last change is dated by \
      the clock of the device that made it; '-' stands where the history was trimmed up to it. Sizes are those of the files.
      """,
    options: [.flag("json", help: "Print JSON.")]
  ) { invocation, console in
    var realms: [RealmOverview] = []
    try ServeCommand.reporting { try ServeCommand.data(invocation).forEachRealm { realms.append($0) } }
    guard !invocation.flag("json") else { return console.print(json: .array(realms.map(json))) }
    var table = TextTable(columns: [
      .init("Realm", shrinks: true), .init("Size", alignsRight: true), .init("Clients", alignsRight: true),
      .init("Last change"),
    ])
    for realm in realms {
      table.rows.append([
        realm.path.description, size(realm.bytes), String(realm.clients), realm.lastChange?.description ?? "-",
      ])
    }
    console.print(table)
  }

  private static func json(_ realm: RealmOverview) -> JSONOutput {
    .object([
      ("path", .text(realm.path.description)), ("bytes", .integer(realm.bytes)), ("clients", .integer(realm.clients)),
      ("lastChange", realm.lastChange.map { .text($0.description) } ?? .null),
    ])
  }

  /// A number of bytes in three digits or so: 512 B, 9.5 kB, 120 MB.
  static func size(_ bytes: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(bytes), 0)
    while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return unit == 0 || tenths >= 100
      ? "\(Int(value.rounded())) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
