public import ChangesetOT
import StorageEngine

extension ServerHistory {
  /// The history that a client is to be sent, from its cursor on.
  ///
  /// Changesets that came from the client itself are skipped and move the client half of the cursor; empty ones are
  /// skipped. What the client is to get in a shorter form comes in that form.
  ///
  /// - Throws: ``TrimmedHistoryError`` when the history after the cursor is no longer kept.
  ///
  /// - Parameters:
  ///   - ident: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  public func scan(for ident: FileIdent, from cursor: DownloadCursor, byteLimit: Int) throws -> DownloadScan {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      guard cursor.server >= state.base else { throw TrimmedHistoryError(base: state.base) }
      let client = try ClientFileTable.file(ident, in: snapshot)
      var end = Int64(state.current.rawValue)
      if let compacted = client?.pendingCompaction, cursor.server < compacted.upperBound {
        end = Int64(compacted.lowerBound.rawValue) - 1
        if end <= Int64(cursor.server.rawValue) {
          return try compactedPast(compacted).scan(
            from: cursor, byteLimit: byteLimit, state, upload: client?.upload ?? .zero)
        }
      }
      var reached = cursor
      var entries: [DownloadEntry] = []
      var bytes = 0
      var isPrivate = false
      var bytesThrough = state.bytes
      var position = Int64(cursor.server.rawValue) + 1
      reading: while position <= end {
        for entry in try logged(in: position...end, byteLimit: max(byteLimit - bytes, 1)) {
          reached.server = ServerVersion(UInt64(position))
          position += 1
          bytesThrough = entry.bytesThrough
          if entry.isPrivate, entry.source != ident { continue }
          if entry.source == ident, !entry.isPrivate {
            reached.client = max(reached.client, entry.sourceVersion)
          } else if !entry.changeset.isEmpty {
            entries.append(
              DownloadEntry(
                cursor: reached, timestamp: entry.timestamp, origin: entry.author.file, changeset: entry.changeset))
            bytes += entry.changeset.count
            if entry.isPrivate { isPrivate = true }
            if bytes >= byteLimit { break reading }
          }
        }
      }
      let reachedEnd = position > Int64(state.current.rawValue)
      if reachedEnd { reached.server = max(cursor.server, state.current) }
      return DownloadScan(
        progress: SyncProgress(latestServerVersion: state.salted, download: reached, upload: client?.upload ?? .zero),
        remainingBytes: reachedEnd ? 0 : Int(clamping: state.bytes - min(state.bytes, bytesThrough)),
        reachedEnd: reachedEnd, isPrivate: isPrivate, entries: entries)
    }
  }

  /// The first entries of a range, at least one.
  func logged(in range: ClosedRange<Int64>, byteLimit: Int) throws -> ArraySlice<ServerLogEntry> {
    if let known = served.withLock({ $0.entries(in: range) }) { return known }
    let items = try file.store.log(ServerLog.entries).entries(in: range, byteLimit: byteLimit)
    for (version, item) in zip(range, items) where item.position != version { throw ServerLog.missing(version) }
    guard !items.isEmpty else { throw ServerLog.missing(range.lowerBound) }
    let entries = try items.map { try ServerLogEntry(decoding: $0.content) }
    served.withLock { $0.insert(entries, from: range.lowerBound) }
    return entries[...]
  }
}
