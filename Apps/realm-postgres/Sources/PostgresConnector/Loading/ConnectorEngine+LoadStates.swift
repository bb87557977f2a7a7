import ChangesetOT
import PostgresClient
import Telemetry

// How far loads are, in the database.

extension ConnectorEngine {
  /// How far the load of a class is.
  struct LoadState {
    var lastKey: String?
    var rows: Int
    var isDone: Bool
  }

  /// The states of the loads of a realm, by class; of realms from tables under the empty path.
  func loadStates(_ path: String) throws -> [String: LoadState] {
    let rows = try database.side.query(
      "SELECT class, last_key, rows, is_done FROM openrealm.loads WHERE connector = $1 AND realm = $2 AND class <> ''",
      [configuration.name, path])
    var states: [String: LoadState] = [:]
    for row in 0..<rows.count {
      states[rows[row, 0] ?? ""] = LoadState(
        lastKey: rows[row, 1], rows: rows[row, 2].flatMap { Int($0) } ?? 0, isDone: rows[row, 3] == "t")
    }
    return states
  }

  /// The position at which a load began that was interrupted.
  func loadStart(_ path: String) throws -> SaltedServerVersion? {
    let row = try database.side.query(
      "SELECT version, salt FROM openrealm.loads WHERE connector = $1 AND realm = $2 AND class = ''",
      [configuration.name, path])
    guard let version = row[0, 0].flatMap({ UInt64($0) }), let salt = row[0, 1].flatMap({ Int64($0) }) else {
      return nil
    }
    return SaltedServerVersion(version: ServerVersion(version), salt: salt)
  }

  /// Stores how far a load is, in the running transaction if there is one.
  func storeLoad(
    _ path: String, _ className: String, key: String? = nil, rows: Int, isDone: Bool,
    position: SaltedServerVersion? = nil
  ) throws {
    try connection.query(
      """
      INSERT INTO openrealm.loads (connector, realm, class, last_key, rows, is_done, version, salt)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (connector, realm, class) DO UPDATE SET last_key = EXCLUDED.last_key, rows = EXCLUDED.rows, \
      is_done = EXCLUDED.is_done
      """,
      [
        configuration.name, path, className, key, String(rows), isDone ? "t" : "f",
        position.map { String($0.version.rawValue) }, position.map { String($0.salt) },
      ])
  }

  /// Tells of rows that the first load of tables left as they were.
  func warnOfRows(without load: TableLoad, _ tables: [ClassTable]) throws {
    for table in tables {
      let columns = table.template.columns(of: load.path) ?? [:]
      let rows =
        try database.side.query(
          "SELECT count(*) FROM \(table.sqlName) WHERE true\(table.scope(columns))")[0, 0].flatMap { Int($0) } ?? 0
      let objects = load.contents.count(of: table.className)
      guard rows > objects else { continue }
      logger.warn(
        "the table has rows that the realm does not have; they stay, and initialize-from-postgres = true takes them over",
        [
          "table": .string(table.name), "path": .string(load.path), "rows": LogValue(rows),
          "objects": LogValue(objects),
        ])
    }
  }
}
