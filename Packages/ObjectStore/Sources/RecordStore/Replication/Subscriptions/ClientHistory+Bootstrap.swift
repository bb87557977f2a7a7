public import ChangesetOT
import StorageEngine

/// The outcome of taking in one message of flexible sync.
public struct IntegratedBatch: Hashable, Sendable {
  /// The newest version of the file.
  public var newest: ClientVersion
  /// The progress as stored: that of the message, or unchanged while a bootstrap is incomplete.
  public var progress: SyncProgress

  /// An outcome.
  public init(newest: ClientVersion, progress: SyncProgress) {
    self.newest = newest
    self.progress = progress
  }
}

extension ClientHistory {
  /// Takes in one message of flexible sync. The messages of a bootstrap are kept beside the data until the last one has
  /// come; then all of them are merged and applied, the progress is stored and the set put in force, in one commit. A
  /// process that is killed leaves the file as it was before the bootstrap or as it is after it.
  ///
  /// - Parameters:
  ///   - entries: in the order of the message, checked by the protocol machine.
  ///   - progress: the cursors of the message.
  ///   - batch: the set that the message belongs to, and its place in a bootstrap.
  ///   - reports: as in ``integrate(_:progress:reports:)``; none with a message that is only kept.
  /// - Throws: ``BadChangesetError``; the data are then untouched. ``RecordStoreError`` when the disk fails.
  /// - Complexity: O(*n*) in the bytes of the message; the last one of a bootstrap in the bytes of all of them, which are
  ///   read one by one.
  public func integrate(
    _ entries: [DownloadEntry], progress: SyncProgress, batch: DownloadBatch, reports: [PendingReport] = []
  ) throws -> IntegratedBatch {
    try file.write(isRecorded: false) { session in
      switch batch.state {
      case .steady: try ClientIntegration(session).integrate(entries, progress: progress)
      case .moreToCome: try keep(BootstrapBatch(query: batch.query, progress: progress, entries: entries), session)
      case .last: try finish(BootstrapBatch(query: batch.query, progress: progress, entries: entries), session)
      }
      try PendingReports.keep(reports, in: session.transaction)
      return IntegratedBatch(
        newest: session.nextVersion.clientVersion, progress: try ClientLog.state(in: session.transaction).progress)
    }
  }

  /// Keeps a message beside the data. Those of another set belong to a bootstrap that the server has given up.
  private func keep(_ batch: BootstrapBatch, _ session: WriteSession) throws {
    let log = try session.transaction.log(BootstrapBatch.logName)
    if let first = try log.entry(at: 1), try BootstrapBatch(decoding: first).query != batch.query {
      try log.deleteAll()
    }
    try log.append(batch.encoded())
    guard var sets = try SubscriptionSets.stored(in: session.transaction) else { return }
    sets.bootstrapBegan(of: batch.query)
    try sets.store(in: session.transaction)
  }

  private func finish(_ last: BootstrapBatch, _ session: WriteSession) throws {
    let log = try session.transaction.log(BootstrapBatch.logName)
    let integration = ClientIntegration(session)
    if let end = try log.lastPosition() {
      for position in 1...max(end, 1) {
        guard let bytes = try log.entry(at: position) else { continue }
        let batch = try BootstrapBatch(decoding: bytes)
        guard batch.query == last.query else { continue }
        try integration.integrate(batch.entries, progress: batch.progress)
      }
      try log.deleteAll()
    }
    try integration.integrate(last.entries, progress: last.progress)
    guard var sets = try SubscriptionSets.stored(in: session.transaction) else { return }
    sets.bootstrapEnded(of: last.query)
    try sets.store(in: session.transaction)
  }

  /// Drops the messages of an incomplete bootstrap: a server that is asked again begins it anew. Writes nothing when
  /// there is none.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func discardBootstrap() throws {
    guard try translatingErrors({ try file.store.log(BootstrapBatch.logName).lastPosition() }) != nil else { return }
    try file.write(isRecorded: false) { try SubscriptionSets.dropBootstrap(in: $0.transaction) }
  }
}
