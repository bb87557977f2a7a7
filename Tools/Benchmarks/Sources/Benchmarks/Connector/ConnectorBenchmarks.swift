import Foundation

/// The connector to PostgreSQL: its first loads beside `COPY` of the same rows within the database, and the way of a single change.
let connectorBenchmarks = Suite(prefix: "connector.") { report in
  let count = Int(environment["OBJECTS"] ?? "") ?? 1_000_000
  if report.wants("connector.load") {
    let bench = try ConnectorBench()
    defer { bench.stop() }
    try bench.fillRealm(count)
    let tables = try bench.secondsToLoad()
    try bench.check(rows: count)
    let copies = try bench.secondsToCopy()
    report.row(
      "connector.load-tables", "\(count) objects to a table, beside COPY of its rows from a file", ours: tables,
      rival: copies.from, unit: "s", .costAtMost(3))
    // Another connector, for which the table is there and the realm is not.
    let realms = try bench.secondsToLoad(path: "/other", fromTables: true)
    try bench.check(objects: count, path: "/other")
    report.row(
      "connector.load-realm", "\(count) rows to a realm, beside COPY of the rows to a file", ours: realms,
      rival: copies.to, unit: "s", .costAtMost(3))
  }
  if report.wants("connector.lag") {
    let bench = try ConnectorBench()
    defer { bench.stop() }
    let changes = Int(environment["TRANSACTIONS"] ?? "") ?? 1_000
    try bench.fillRealm(1_000)
    _ = try bench.secondsToLoad()
    for (name, title, lags) in [
      ("table", "from a commit of the realm until the row has it", try bench.lagsToTable(changes)),
      ("realm", "from a commit of the database until the object has it", try bench.lagsToRealm(changes)),
    ] {
      report.row("connector.lag-to-\(name)", "\(title), median", ours: median(lags), rival: nil, unit: "s")
      report.row(
        "connector.lag-to-\(name)-p99", "the same, 99 of 100", ours: lags.sorted()[lags.count * 99 / 100], rival: nil,
        unit: "s")
    }
  }
}
