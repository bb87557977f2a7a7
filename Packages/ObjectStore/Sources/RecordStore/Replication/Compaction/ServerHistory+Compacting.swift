public import ChangesetOT
import StorageEngine

/// Compaction of what a client lacks.
extension ServerHistory {
  /// Decides that a client gets what it lacks in a shorter form, and notes that for its uploads. Durable on return.
  ///
  ///     if try history.compactPast(for: ident, from: cursor, leastBytes: 1 << 18, mostBytes: 8 << 20) { … }
  ///     let scan = try history.scan(for: ident, from: cursor, byteLimit: 1 << 20)   // the shorter form, when it is one
  ///
  /// Both sides have to merge with the same history, so a form is chosen once, before the client has met any of it, for
  /// versions since which it has uploaded nothing. What is left of them is kept as the reciprocals of the client until it has
  /// acknowledged the last one. The choice is a version of its own: a backup from before it does not know that version,
  /// and makes the client reset itself.
  ///
  /// - Parameters:
  ///   - ident: the client.
  ///   - cursor: what it has, as it said when its session began.
  ///   - leastBytes: a past of fewer bytes stays as it is.
  ///   - mostBytes: the bytes that are looked at; what comes after them stays as it is.
  /// - Returns: whether a form was chosen: it has at most half the bytes. False when one is in use already.
  /// - Throws: ``RecordStoreError`` when the file cannot be read or written; nothing has then changed.
  /// - Complexity: O(bytes of the past, at most `mostBytes`), O(1) for a past of fewer than `leastBytes`.
  public func compactPast(
    for ident: FileIdent, from cursor: DownloadCursor, leastBytes: Int, mostBytes: Int
  ) throws -> Bool {
    guard
      let (client, state, past) = try translatingErrors({
        try shorterPast(for: ident, from: cursor, leastBytes: leastBytes, mostBytes: mostBytes)
      })
    else { return false }
    return try file.write(isRecorded: false) { session in
      guard let present = try ServerState(in: session.transaction), present.current == state.current,
        var record = try ClientFileTable.file(ident, in: session.transaction), record == client
      else { return false }
      var log = ServerLog(session.transaction, incarnation: incarnation)
      let version = try log.append(
        [], timestamp: file.options.clock(), origin: .none, source: .none, sourceVersion: .zero)
      try log.finish()
      let isAll = past.versions.upperBound == state.current
      let versions = past.versions.lowerBound...(isAll ? version : past.versions.upperBound)
      try session.transaction.log(ServerLog.reciprocals(ident)).put(
        past.entries.map { LogEntry(position: Int64($0.version.rawValue), content: $0.entry.changeset) })
      record.compacted = versions
      record.lastSeen = max(record.lastSeen, file.options.clock())
      try ClientFileTable.update(ident, record, session.transaction)
      compaction.withLock {
        $0 = CompactedPast(versions: versions, entries: past.entries, bytes: past.bytes)
      }
      return true
    }
  }

  /// The shorter form of versions for which one was chosen.
  func compactedPast(_ versions: ClosedRange<ServerVersion>) throws -> CompactedPast {
    if let known = compaction.withLock({ $0 }), known.versions == versions { return known }
    guard let past = try compacted(versions, for: nil, within: .max) else { throw ServerLog.missing(0) }
    compaction.withLock { $0 = past }
    return past
  }

  /// The past that a client lacks, in its shorter form; nil when it is not worth it, or when client and server may have merged with
  /// some of it already.
  private func shorterPast(
    for ident: FileIdent, from cursor: DownloadCursor, leastBytes: Int, mostBytes: Int
  ) throws -> (ClientFileRecord, ServerState, CompactedPast)? {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    guard cursor.server >= state.base, cursor.server > .zero, cursor.server < state.current,
      let client = try ClientFileTable.file(ident, in: snapshot), !client.isExpired, client.pendingCompaction == nil,
      cursor.server >= client.bootstrap, cursor.server >= client.upload.server
    else { return nil }
    let first = ServerVersion(cursor.server.rawValue + 1)
    let before = try bytesThrough(first) - bytes(of: first)
    guard state.bytes - before >= UInt64(max(leastBytes, 1)) else { return nil }
    guard let last = try last(after: first, through: state, within: UInt64(clamping: mostBytes), before) else {
      return nil
    }
    let most = Int(clamping: (try bytesThrough(last) - before) / 2)
    guard let past = try compacted(first...last, for: ident, within: most) else { return nil }
    return (client, state, past)
  }

  /// The last version up to which history has no more than some bytes.
  private func last(
    after first: ServerVersion, through state: ServerState, within most: UInt64, _ before: UInt64
  ) throws -> ServerVersion? {
    if state.bytes - before <= most { return state.current }
    var (low, high) = (first.rawValue, state.current.rawValue)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if try bytesThrough(ServerVersion(middle)) - before <= most { low = middle } else { high = middle - 1 }
    }
    return try bytesThrough(ServerVersion(low)) - before <= most ? ServerVersion(low) : nil
  }

  /// A range of history in its shorter form.
  ///
  /// - Parameters:
  ///   - ident: a client of which the range must have nothing; nil for no such client.
  ///   - most: the bytes that may be left.
  /// - Returns: nil when the range has something of the client, or more is left.
  private func compacted(
    _ versions: ClosedRange<ServerVersion>, for ident: FileIdent?, within most: Int
  ) throws -> CompactedPast? {
    let log = file.store.log(ServerLog.entries)
    let (first, last) = (Int64(versions.lowerBound.rawValue), Int64(versions.upperBound.rawValue))
    var compactor = HistoryCompactor()
    var origins: [Int64: ServerLogEntry] = [:]
    var end = last
    while end >= first {
      let start = max(first, end - 255)
      let items = try log.entries(in: start...end)
      guard items.count == Int(end - start) + 1 else { throw ServerLog.missing(start) }
      for item in items.reversed() {
        var entry = try ServerLogEntry(decoding: item.content)
        if let ident, entry.source == ident { return nil }
        // Changesets that undo a client's uploads are for that client alone.
        guard !entry.isPrivate, !entry.changeset.isEmpty else { continue }
        let changeset = try Changeset(decoding: entry.changeset, origin: entry.author)
        // The rest shrinks once more at the end, where additions become one: only then is it known to be worth it.
        guard compactor.prepend(changeset, at: item.position) > 0 else { continue }
        entry.changeset = []
        origins[item.position] = entry
      }
      end = start - 1
    }
    var bytes = 0
    let entries = compactor.finished().compactMap { left -> (ServerVersion, ServerLogEntry)? in
      guard var entry = origins[left.position] else { return nil }
      entry.changeset = left.changeset.encoded()
      bytes += entry.changeset.count
      return (ServerVersion(UInt64(left.position)), entry)
    }
    return bytes <= most ? CompactedPast(versions: versions, entries: entries, bytes: bytes) : nil
  }

  private func bytesThrough(_ version: ServerVersion) throws -> UInt64 { try entry(version).bytesThrough }
  private func bytes(of version: ServerVersion) throws -> UInt64 { UInt64(try entry(version).changeset.count) }

  private func entry(_ version: ServerVersion) throws -> ServerLogEntry {
    let position = Int64(version.rawValue)
    guard let item = try file.store.log(ServerLog.entries).entries(in: position...position).first else {
      throw ServerLog.missing(position)
    }
    return try ServerLogEntry(decoding: item.content)
  }
}
