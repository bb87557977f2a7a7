import ByteCoding
import ChangesetOT
import StorageEngine

/// Which half of replication a file is; decided once, kept in the file.
package enum HistoryRole: UInt8 {
  /// Records its changesets to upload them.
  case client = 1
  /// Is the point of order that clients upload to.
  case server = 2

  private static let recordName = "history role"

  package static func stored(in reader: any StorageReader) throws -> HistoryRole? {
    try reader.rootRecord(recordName).flatMap(\.first).flatMap(HistoryRole.init(rawValue:))
  }

  func store(in transaction: WriteTransaction) throws {
    try transaction.setRootRecord(Self.recordName, [rawValue])
  }

  /// Makes the file one that records nothing.
  static func remove(from transaction: WriteTransaction) throws { try transaction.setRootRecord(recordName, nil) }

  /// Makes the changeset of a running transaction the newest entry of the history.
  func appendLocal(_ changeset: [UInt8], at timestamp: OriginTimestamp, to session: WriteSession) throws {
    switch self {
    case .client: try ClientLog.appendLocal(changeset, at: timestamp, to: session)
    case .server: try ServerLog.appendLocal(changeset, at: timestamp, to: session)
    }
  }
}

extension RealmFile {
  /// Begins to record when that is asked for and nothing decided it before.
  func prepareHistory(recording: Bool) throws {
    guard recording, try HistoryRole.stored(in: store.latestSnapshot()) == nil else { return }
    try prepareHistory(.client)
  }

  /// Gives the file its role.
  ///
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` when it has another one.
  func prepareHistory(_ role: HistoryRole) throws {
    try write(isRecorded: false) { session in
      let present = try HistoryRole.stored(in: session.transaction)
      guard present != role else { return }
      guard present == nil else {
        throw RecordStoreError(
          .incompatibleHistories, "The file holds the other half of a replication. Use another file.")
      }
      guard session.writer.catalog.classes.isEmpty else {
        throw RecordStoreError(
          .incompatibleHistories,
          "The file already holds objects that were not recorded. Copy them into a new file that records from the start."
        )
      }
      try role.store(in: session.transaction)
    }
  }
}
