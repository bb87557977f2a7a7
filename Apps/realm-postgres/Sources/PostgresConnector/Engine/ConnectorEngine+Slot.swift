import PostgresClient
import Telemetry

// The slot, which holds back the database's log for the connector.

extension ConnectorEngine {
  /// Reports how much of the database's log the slot holds back.
  ///
  /// - Throws: ``ConnectorError`` when the slot is lost; `PostgresError`
  func watchSlot() throws {
    guard ContinuousClock.now - lastCheck > .seconds(30) else { return }
    lastCheck = ContinuousClock.now
    let row = try database.side.query(
      "SELECT wal_status, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint FROM pg_replication_slots "
        + "WHERE slot_name = $1", [configuration.slot])
    let bytes = row[0, 1].flatMap { Int($0) } ?? 0
    progress { $0.slotBytes = bytes }
    metrics.gauge(
      "openrealm_postgres_slot_bytes", help: "Bytes of log that the replication slot holds back",
      labels: ["connector": configuration.name]
    ).set(Int64(bytes))
    guard row.count > 0, row[0, 0] != "lost" else {
      throw ConnectorError(
        "the replication slot \(configuration.slot) is lost",
        remedy: "raise max_slot_wal_keep_size, and start once with reset-replication-slot = true")
    }
    guard bytes > configuration.slotWarningBytes else { return }
    logger.warn(
      "the replication slot holds back much of the database's log",
      ["slot": .string(configuration.slot), "bytes": LogValue(bytes)])
  }
}
