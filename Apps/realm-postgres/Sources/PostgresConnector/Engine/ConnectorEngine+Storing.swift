import ChangesetOT
import PostgresClient
import Telemetry

// Transactions on the tables.

extension ConnectorEngine {
  /// The times that rows are written again together with those to which they refer.
  static let mostTargets = 8

  /// Writes rows and the position in one transaction; a failure is tried again, and then the rows one by one.
  ///
  /// - Returns: what was written.
  /// - Throws: `PostgresError`, as for a row that refers to none.
  @discardableResult
  func store(_ writes: RowWrites, _ path: String, marker: String) async throws -> WritesUnderWay.Written {
    let columns = template(path)
    var attempt = 0
    while true {
      do {
        let connection = try connection
        try connection.transaction {
          try begin(marker)
          for write in writes.writes {
            try writes.perform(
              write, path: columns(writes.tables[write.table]), on: connection,
              prefix: Self.prefix(configuration))
          }
          try end(writes, path)
        }
        let written = writes.written()
        underWay.add(written, marker: marker, path: path)
        progress { $0.rows += writes.writes.count }
        return written
      } catch let error as PostgresError where !error.isConnectionLost {
        if error.isForeignKeyViolation { throw error }
        guard attempt < configuration.numberOfRetries else {
          if error.isPassing { throw error }
          return try storeOneByOne(writes, path, marker: marker)
        }
        logger.debug("a transaction failed and is tried again", ["reason": .string(error.description)])
        attempt += 1
        try await Task.sleep(for: configuration.retryDelay)
      } catch is Unfit {
        return try storeOneByOne(writes, path, marker: marker)
      }
    }
  }

  /// Leaves the connector's mark in the running transaction, which says what it carries. The transaction has the connector's origin.
  func begin(_ marker: String) throws {
    try connection.query("SET CONSTRAINTS ALL DEFERRED")
    try connection.query(
      "SELECT pg_logical_emit_message(true, $1, $2)", [Self.prefix(configuration), marker])
  }

  /// Keeps what did not fit, and stores the position of a realm in the running transaction.
  private func end(_ writes: RowWrites, _ path: String) throws {
    for letter in writes.dead { try keep(letter) }
    try storePosition(writes.position, path)
  }

  /// Stores the position of a realm, and how far the slot is dealt with, in the running transaction if there is one.
  ///
  /// The slot's own position does not survive a crash of the database. Without the stored one each crash would show the connector all of
  /// its transactions again, and rows that are not what their objects are by now would be written again, once more for each crash.
  func storePosition(_ position: SaltedServerVersion, _ path: String) throws {
    written[path] = position.version
    try connection.query(
      """
      INSERT INTO openrealm.progress (connector, realm, version, salt, slot_position) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (connector, realm) DO UPDATE SET version = EXCLUDED.version, salt = EXCLUDED.salt, \
      slot_position = EXCLUDED.slot_position
      """,
      [
        configuration.name, path, String(position.version.rawValue), String(position.salt), slot.done.description,
      ])
  }

  /// Writes the rows that can be written; the others are kept with the reason.
  private func storeOneByOne(
    _ writes: RowWrites, _ path: String, marker: String
  ) throws -> WritesUnderWay.Written {
    var writes = writes
    let failed = try connection.transaction {
      try begin(marker)
      let failed = try performEach(writes, path)
      writes.dead = failed
      try end(writes, path)
      return failed
    }
    let written = writes.written(without: failed)
    underWay.add(written, marker: marker, path: path)
    progress { $0.rows += max(0, writes.writes.count - failed.count) }
    return written
  }

  /// Writes the rows that can be written, in the running transaction. Rows that fail are tried again after the others, as they may refer
  /// to these, as long as one of them succeeds.
  ///
  /// - Returns: those that cannot be written, with the reason.
  func performEach(_ writes: RowWrites, _ path: String) throws -> [DeadLetter] {
    let (connection, columns) = (try connection, template(path))
    var rest = writes.writes
    var failures: [(write: RowWrites.Write, reason: String)] = []
    repeat {
      let before = rest.count
      failures = []
      for write in rest {
        try connection.query("SAVEPOINT one_row")
        do {
          try writes.perform(
            write, path: columns(writes.tables[write.table]), on: connection, prefix: Self.prefix(configuration))
          try connection.query("SET CONSTRAINTS ALL IMMEDIATE")
          try connection.query("SET CONSTRAINTS ALL DEFERRED")
        } catch {
          if let error = error as? PostgresError, error.isConnectionLost { throw error }
          guard error is PostgresError || error is Unfit else { throw error }
          try connection.query("ROLLBACK TO SAVEPOINT one_row")
          failures.append((write, "\(error)"))
        }
        try connection.query("RELEASE SAVEPOINT one_row")
      }
      rest = failures.map(\.write)
      if rest.count == before { break }
    } while !rest.isEmpty
    return writes.dead
      + failures.map { write, reason in
        DeadLetter(
          direction: .toPostgres, position: "\(writes.position.version.rawValue)", realm: path,
          className: writes.tables[write.table].className, key: write.key, reason: reason,
          content: String((write.row ?? []).map { $0 ?? "NULL" }.joined(separator: " ").prefix(4_096)))
      }
  }
}
