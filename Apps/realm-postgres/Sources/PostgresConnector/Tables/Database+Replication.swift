import Foundation
import PostgresClient

/// The replication slot of a connector as it was found.
enum SlotState {
  /// It goes on where it was.
  case known
  /// It is the first of the connector.
  case new
  /// It was made anew, as the settings want it.
  case reset
}

extension Database {
  /// The name of the connector's replication origin.
  var origin: String { "openrealm_" + configuration.name }

  /// Makes the publication, the origin and the slot, and lets the tables send whole old rows.
  ///
  /// - Throws: ``ConnectorError`` for a slot that is lost; `PostgresError`
  func prepareReplication(_ tables: [ClassTable]) throws -> SlotState {
    try publish(tables)
    if try connection.query("SELECT 1 FROM pg_replication_origin WHERE roname = $1", [origin]).count == 0 {
      try connection.query("SELECT pg_replication_origin_create($1)", [origin])
    }
    try connection.query("SELECT pg_replication_origin_session_setup($1)", [origin])
    let slot = try connection.query(
      "SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1", [configuration.slot])
    let isKnown =
      try connection.query(
        "SELECT 1 FROM openrealm.connectors WHERE connector = $1", [configuration.name]
      ).count > 0
    if isKnown, !configuration.resetsSlot {
      guard slot.count > 0, slot[0, 0] != "lost" else {
        throw ConnectorError(
          "the replication slot \(configuration.slot) is \(slot.count > 0 ? "lost" : "gone"), and with it the changes of "
            + "tables since the last run",
          remedy:
            "raise max_slot_wal_keep_size, and start once with reset-replication-slot = true: the tables then become "
            + "what the realms are, and rows that only tables have stay")
      }
      return .known
    }
    if slot.count > 0 { try connection.query("SELECT pg_drop_replication_slot($1)", [configuration.slot]) }
    try connection.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [configuration.slot])
    // Positions in the log mean something only together with the slot that they come from.
    try connection.query(
      """
      BEGIN;
      DELETE FROM openrealm.progress WHERE connector = \(PostgresConnection.literal(configuration.name));
      DELETE FROM openrealm.loads WHERE connector = \(PostgresConnection.literal(configuration.name));
      INSERT INTO openrealm.connectors VALUES (\(PostgresConnection.literal(configuration.name)), \
      \(PostgresConnection.literal(UUID().uuidString.lowercased())))
      ON CONFLICT (connector) DO UPDATE SET generation = EXCLUDED.generation;
      COMMIT
      """)
    return isKnown ? .reset : .new
  }

  /// The name of the slot's life: positions of the log that were stored under another one do not count.
  func generation() throws -> String {
    try connection.query("SELECT generation FROM openrealm.connectors WHERE connector = $1", [configuration.name])[0, 0]
      ?? ""
  }

  /// Lets the publication have the tables, which send whole old rows.
  func publish(_ tables: [ClassTable]) throws {
    let all = tables.flatMap { table in [table.sqlName] + table.subTables.map { table.sqlName(of: $0) } }
    let full = try connection.query(
      """
      SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c JOIN pg_namespace n \
      ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relreplident = 'f'
      """, [configuration.namespace])
    let known = Set((0..<full.count).compactMap { full[$0, 0]?.replacingOccurrences(of: "\"", with: "") })
    for table in all where !known.contains(table.replacingOccurrences(of: "\"", with: "")) {
      try connection.query("ALTER TABLE \(table) REPLICA IDENTITY FULL")
    }
    let publication = PostgresConnection.quoted(configuration.publication)
    let exists =
      try connection.query(
        "SELECT 1 FROM pg_publication WHERE pubname = $1", [configuration.publication]
      ).count > 0
    try connection.query(
      exists
        ? "ALTER PUBLICATION \(publication) SET TABLE \(all.joined(separator: ", "))"
        : "CREATE PUBLICATION \(publication) FOR TABLE \(all.joined(separator: ", "))")
  }
}
