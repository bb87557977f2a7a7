public import ChangesetOT
import StorageEngine

extension ServerHistory {
  /// The most versions of one scan, empty ones included.
  private static var mostVersions: Int64 { 4_096 }

  /// The history after a version as a consumer reads it: every version that changed something, whoever made it.
  ///
  /// - Parameters:
  ///   - position: the newest version that is known.
  ///   - byteLimit: stop adding when this many bytes of changesets, or of their inverses, are collected; at least one version
  ///     is taken.
  /// - Returns: nil when nothing comes after `position`.
  /// - Throws: ``TrimmedHistoryError`` when the history after `position` is no longer kept; ``RecordStoreError`` when the file
  ///   cannot be read.
  /// - Complexity: O(*n*) in the bytes of the scan.
  public func feedScan(after position: ServerVersion, byteLimit: Int) throws -> FeedScan? {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      guard position >= state.base else { throw TrimmedHistoryError(base: state.base) }
      guard position < state.current else { return nil }
      let epochs = try ServerEpochs(in: snapshot)
      let first = Int64(clamping: position.rawValue) + 1
      let last = min(Int64(clamping: state.current.rawValue), first + Self.mostVersions - 1)
      let salts = try Salts(first...last, state, snapshot)
      var entries: [FeedEntry] = []
      var bytes = 0
      var next = first
      while next <= last, bytes < byteLimit {
        for entry in try feedLogged(in: next...last, byteLimit: max(byteLimit - bytes, 1)) {
          let version = ServerVersion(UInt64(next))
          next += 1
          guard !entry.changeset.isEmpty, !entry.isPrivate else { continue }
          bytes += entry.changeset.count
          entries.append(
            FeedEntry(
              position: SaltedServerVersion(version: version, salt: try salts[version]), epoch: epochs[version],
              author: entry.author.file, timestamp: entry.timestamp, changeset: entry.changeset))
          if bytes >= byteLimit { break }
        }
      }
      // Values that were replaced may be much larger than those that took their place.
      let inverses = try file.store.log(InverseLog.entries).entries(in: first...next - 1, byteLimit: byteLimit)
      if let last = inverses.last, inverses.reduce(0, { $0 + $1.content.count }) >= byteLimit {
        next = last.position + 1
        entries.removeAll { $0.position.version.rawValue >= UInt64(next) }
      }
      let end = ServerVersion(UInt64(next - 1))
      return try FeedScan(
        file, snapshot, entries: entries, inverses: inverses, start: position,
        end: SaltedServerVersion(version: end, salt: try salts[end]), newest: state.current)
    }
  }

  /// The present state, with its position in the history. Holds the snapshot.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(classes).
  public func feedPresent() throws -> (position: SaltedServerVersion, contents: RealmContents) {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      return (state.salted, RealmContents(ReadView(snapshot, try file.catalog(of: snapshot))))
    }
  }

  /// The first entries of a range, at least one. What sessions are sent stays remembered, whatever consumers read.
  private func feedLogged(in range: ClosedRange<Int64>, byteLimit: Int) throws -> [ServerLogEntry] {
    if let known = served.withLock({ $0.entries(in: range) }) { return Array(known) }
    let items = try file.store.log(ServerLog.entries).entries(in: range, byteLimit: byteLimit)
    guard let first = items.first, first.position == range.lowerBound else {
      // The log is not part of the snapshot: it may have been trimmed since.
      if let state = try ServerState(in: file.store.latestSnapshot()),
        Int64(clamping: state.base.rawValue) >= range.lowerBound
      {
        throw TrimmedHistoryError(base: state.base)
      }
      throw ServerLog.missing(range.lowerBound)
    }
    for (version, item) in zip(range, items) where item.position != version { throw ServerLog.missing(version) }
    return try items.map { try ServerLogEntry(decoding: $0.content) }
  }

  /// The salts of a range of versions, nearly always one for all.
  private struct Salts {
    let state: ServerState
    let snapshot: Snapshot
    /// Of all versions of the range; nil when they differ.
    var common: Int64?

    init(_ range: ClosedRange<Int64>, _ state: ServerState, _ snapshot: Snapshot) throws {
      (self.state, self.snapshot) = (state, snapshot)
      let first = try self[ServerVersion(UInt64(range.lowerBound))]
      // The present salt is that of the last versions.
      if first == state.salt { common = first }
    }

    subscript(version: ServerVersion) -> Int64 {
      get throws {
        if let common { return common }
        return try ServerSalts.salt(of: version, state, in: snapshot) ?? 0
      }
    }
  }
}
