import Foundation
import PostgresClient
import Telemetry

// Reads of the tables while a transaction is carried over.
//
// The slot tells of a transaction as soon as its commit is in the log. Reads show it a little later, when the process that committed it has
// said so to the others; with synchronous replication, once the standbys have confirmed it. A read in between would take rows and columns for
// the present ones that the transaction has replaced.

extension ConnectorEngine {
  /// The connection that reads the tables, once reads show what the slot has told of. While the tables are locked it is the one that has the
  /// lock: another one would wait behind whoever waits for the lock, such as an `ALTER TABLE`, and never end.
  var reader: PostgresConnection {
    get throws {
      try waitUntilSeen()
      return isExclusive ? try database.connection : try database.side
    }
  }

  /// Takes note of a transaction that the slot has told of.
  func note(_ transaction: DatabaseTransaction) throws {
    unseen.append(transaction.number)
    if unseen.count >= 1_024 { try waitUntilSeen() }
  }

  /// Waits until reads show every transaction that the slot has told of.
  ///
  /// - Throws: ``StoppedError`` when the connector is stopped meanwhile; `PostgresError`
  func waitUntilSeen() throws {
    var waits = 0
    while true {
      if let snapshot { unseen.removeAll(where: snapshot.shows) }
      guard !unseen.isEmpty else { return }
      guard !isStopping() else { throw StoppedError() }
      if waits > 0 { usleep(1_000) }
      waits += 1
      if waits == 10_000 {
        logger.warn(
          "a transaction is in the log and not seen by others yet; the connector waits for it, as for a standby of "
            + "synchronous_standby_names that does not answer")
      }
      snapshot = try database.side.query("SELECT pg_current_snapshot()")[0, 0].flatMap(DatabaseSnapshot.init)
    }
  }
}
