public import ChangesetOT
import StorageEngine

/// The result of trimming a server's history.
public struct HistoryTrimming: Hashable, Sendable {
  /// Client files that were not seen for too long, and must start anew.
  public var expired: [FileIdent] = []
  /// The newest version that is trimmed away.
  public var base = ServerVersion.zero
  /// Bytes that were dropped.
  public var bytes = 0
}

extension ServerHistory {
  /// Bytes of the kept history.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func historyBytes() throws -> Int {
    try translatingErrors { try file.store.log(ServerLog.entries).totalBytes() }
  }

  /// Drops the history that nobody needs: what all clients have acknowledged, those left aside that were not seen since `time`,
  /// and what all cursors of the feed have passed, those left aside that have fallen behind.
  ///
  /// - Parameters:
  ///   - time: client files that were last seen before are expired.
  ///   - grace: client files seen since then that have not acknowledged anything may be in the middle of their first
  ///     download: for them everything is kept.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  @discardableResult
  public func trim(notSeenSince time: OriginTimestamp, grace: OriginTimestamp) throws -> HistoryTrimming {
    var trimming = HistoryTrimming()
    trimming.expired = try expireClientFiles(notSeenSince: time)
    let needed = try neededVersion(grace: grace)
    return try file.write(isRecorded: false) { session in
      guard var state = try ServerState(in: session.transaction) else { throw ServerHistory.unprepared }
      let held = try FeedCursors.review(state, at: file.options.clock(), in: session.transaction)
      trimming.base = max(state.base, min(needed, held ?? state.current, state.current))
      guard trimming.base > state.base else { return trimming }
      let log = try session.transaction.log(ServerLog.entries)
      let before = try log.totalBytes()
      try log.delete(through: Int64(clamping: trimming.base.rawValue))
      try InverseLog.trim(through: trimming.base, in: session.transaction)
      trimming.bytes = before - (try log.totalBytes())
      state.base = trimming.base
      try state.store(in: session.transaction)
      return trimming
    }
  }

  /// Notes, durably, that a client begins its first download now: it may have got its ident long ago.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func noteFirstDownload(of ident: FileIdent) throws {
    try file.write(isRecorded: false) { session in
      guard var client = try ClientFileTable.file(ident, in: session.transaction) else { return }
      client.lastSeen = max(client.lastSeen, file.options.clock())
      try ClientFileTable.update(ident, client, session.transaction)
    }
  }

  /// Everything at or below is needed by nobody.
  private func neededVersion(grace: OriginTimestamp) throws -> ServerVersion {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      var needed = state.current
      for number in try ClientFileTable.idents(in: snapshot) {
        guard let client = try ClientFileTable.file(FileIdent(number), in: snapshot), !client.isExpired else {
          continue
        }
        let acknowledged = max(client.upload.server, client.bootstrap)
        // A client that has nothing can be brought up with the state.
        if client.upload == .zero, client.bootstrap == .zero, client.lastSeen < grace { continue }
        needed = min(needed, acknowledged)
      }
      return needed
    }
  }
}
