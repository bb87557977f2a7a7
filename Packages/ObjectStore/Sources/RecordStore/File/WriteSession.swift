import ChangesetOT
import DataModel
import StorageEngine

/// One write transaction on a realm file, from begin to commit, recording what it does if the file wants that.
package final class WriteSession {
  package let file: RealmFile
  package let transaction: WriteTransaction
  package let writer: StoreWriter
  /// The history that the file keeps; nil when it keeps none.
  private let role: HistoryRole?
  /// Made on first use.
  private var askedOutcome: TransactionOutcome?
  /// The changeset of the transaction, once it is committed.
  package private(set) var recorded: [UInt8] = []
  /// The author of what the transaction writes to a server's file; none for the server itself.
  var author = FileIdent.none
  /// The entry that the transaction adds to a client's history.
  var newEntry: ClientLogEntry?
  /// Versions up to here are not asked for any more in the history of a client.
  var obsolete: Int64 = 0
  /// Whether the transaction changes what was in the history of a client before it.
  var rewritesHistory = false

  package init(_ file: RealmFile, isRecorded: Bool = true) throws {
    self.file = file
    transaction = try file.store.beginWrite()
    do {
      let known = try file.known(to: transaction)
      role = known.role
      writer = StoreWriter(
        transaction, catalog: known.catalog,
        recorder: role != nil && isRecorded ? ChangesetRecorder() : nil)
    } catch {
      transaction.rollback()
      throw error
    }
  }

  /// The client version or snapshot version that the commit will make.
  var nextVersion: SnapshotVersion { SnapshotVersion(transaction.version.rawValue + 1) }

  /// The outcome of the transaction, for references that outlive it.
  package var outcome: TransactionOutcome {
    let outcome = askedOutcome ?? TransactionOutcome()
    askedOutcome = outcome
    return outcome
  }

  /// Makes everything durable; what was recorded becomes the newest entry of the history.
  package func commit() throws -> Snapshot {
    try translatingErrors {
      do {
        if let recorder = writer.recorder, !recorder.isEmpty {
          if role == .client {
            try SubscriptionSets.checkCreations(recorder.createdClasses, of: writer.catalog, in: transaction)
          }
          recorded = recorder.finish()
          if role == .client { try ChangesetLimit.check(recorded, limit: file.options.maximumChangesetBytes) }
          try role?.appendLocal(recorded, at: file.options.clock(), to: self)
        }
        try writer.finish()
        try file.options.beforeCommit?()
        let snapshot = try transaction.commitAndRead()
        askedOutcome?.commit(as: snapshot.version)
        if role == .client { remember(snapshot.version) }
        return snapshot
      } catch {
        transaction.rollback()
        throw error
      }
    }
  }

  private func remember(_ version: SnapshotVersion) {
    file.recentEntries.withLock { recent in
      if rewritesHistory { recent = RecentEntries() } else { recent.insert(newEntry, at: Int64(version.rawValue)) }
      recent.forget(through: obsolete)
    }
  }

  package func rollback() { transaction.rollback() }
}

extension RealmFile {
  /// Runs `body` in a write transaction; commits when it returns and rolls back when it throws.
  @discardableResult
  package func write<R>(isRecorded: Bool = true, _ body: (WriteSession) throws -> R) throws -> R {
    try translatingErrors {
      let session = try WriteSession(self, isRecorded: isRecorded)
      let result: R
      do { result = try body(session) } catch {
        session.rollback()
        throw error
      }
      _ = try session.commit()
      return result
    }
  }
}
