import ChangesetOT
import StorageEngine

/// Takes changesets from the server into a client's file, within one write transaction.
struct ClientIntegration {
  let session: WriteSession
  private var transaction: WriteTransaction { session.transaction }

  init(_ session: WriteSession) { self.session = session }

  func integrate(_ entries: [DownloadEntry], progress: SyncProgress) throws {
    session.writer.work.allow(bytes: entries.reduce(0) { $0 + $1.changeset.count })
    do { try integrateAll(entries, progress: progress) } catch let error as BadChangesetError {
      throw error.located(in: entries.map(\.changeset))
    }
  }

  private func integrateAll(_ entries: [DownloadEntry], progress: SyncProgress) throws {
    var state = try ClientLog.state(in: transaction)
    // The bases of what follows the first are no older.
    let base = entries.first.map { max($0.cursor.client, state.settled) }
    var waiting = try base.map { try self.waiting(after: $0, of: state.ident) } ?? WriteSetUnion()
    let applier = ChangesetApplier(writer: session.writer)
    var decoder = session.file.changesetDecoder.withLock { $0 }
    // Most of what arrives meets nothing that waits here, and is applied while it is decoded.
    for number in entries.indices {
      let done = try applier.apply(entries[number].changeset, with: &decoder, at: number) {
        !waiting.mayConflict(with: $0)
      }
      guard let done else { continue }
      try merge(entries[number...], without: done, after: state.settled, of: state.ident, &decoder, applier)
      break
    }
    decoder.start([])
    session.file.changesetDecoder.withLock { $0 = decoder }
    state.progress = progress
    try ClientLog.setState(state, in: transaction)
    // Versions that came from the server have no entry: nothing ever needs one.
    let integrated = max(progress.download.client, state.settled)
    try trim(after: integrated)
    session.obsolete = Int64(clamping: integrated.rawValue)
  }

  private static func decode(
    _ entries: ArraySlice<DownloadEntry>, with decoder: inout ChangesetDecoder
  ) throws(BadChangesetError) -> [Changeset] {
    var changesets: [Changeset] = []
    changesets.reserveCapacity(entries.count)
    for position in entries.indices {
      let entry = entries[position]
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
      changesets.append(try decoder.decode(entry.changeset, origin: origin, at: position))
    }
    return changesets
  }

  /// The write sets of the local changesets after a version.
  private func waiting(after base: ClientVersion, of ident: SaltedFileIdent) throws -> WriteSetUnion {
    let history = try HistoryTail(session)
    return try session.file.pendingWriteSets.withLock {
      try $0.objects(after: Int64(clamping: base.rawValue), in: history, of: ident)
    }
  }

  /// The positions of local changesets after a version that may meet something of `incoming`.
  private func near(_ incoming: WriteSet, after base: ClientVersion, of ident: SaltedFileIdent) throws -> [Int64] {
    let history = try HistoryTail(session)
    return try session.file.pendingWriteSets.withLock {
      try $0.positions(after: Int64(clamping: base.rawValue), conflictingWith: incoming, in: history, of: ident)
    }
  }

  private static func writeSet(
    _ entries: ArraySlice<DownloadEntry>, with decoder: inout ChangesetDecoder
  ) throws(BadChangesetError) -> WriteSet {
    var collector = WriteSetCollector()
    for position in entries.indices {
      do { try collector.add(entries[position].changeset, with: &decoder) } catch {
        throw BadChangesetError(error, changeset: position)
      }
    }
    return collector.writeSet
  }

  /// Rebases changesets over the pending ones, and applies the result.
  ///
  /// - Parameters:
  ///   - done: how many instructions of the first were applied already. They conflict with nothing pending, so merging
  ///     would change neither side.
  ///   - settled: no version before it is a base any more.
  private func merge(
    _ entries: ArraySlice<DownloadEntry>, without done: Int, after settled: ClientVersion, of ident: SaltedFileIdent,
    _ decoder: inout ChangesetDecoder, _ applier: ChangesetApplier
  ) throws {
    let first = entries.startIndex
    var incoming = try Self.decode(entries, with: &decoder)
    incoming[0].instructions.removeFirst(done)
    let bases = entries.map { max($0.cursor.client, settled) }
    let near = try near(Self.writeSet(entries, with: &decoder), after: bases[0], of: ident)
    var branch = try PendingBranch(near, of: ident, in: transaction)
    var start = 0
    while start < bases.count {
      let base = bases[start]
      let end = bases[start...].firstIndex { $0 != base } ?? bases.count
      var group = Array(incoming[start..<end])
      do {
        let changed = try branch.merge(&group, after: base, offset: first + start)
        for (number, changeset) in group.enumerated() {
          do { try applier.apply(changeset, at: first + start + number) } catch let error as BadChangesetError {
            throw error.traced(through: changed, changeset: number)
          }
        }
      } catch var error as BadChangesetError {
        if error.changeset == first { error.instruction? += done }
        throw error
      }
      start = end
    }
    try branch.store()
  }

  /// Drops what no download can need as a base any more: everything the server had integrated, and what follows
  /// without being of local origin.
  private func trim(after integrated: ClientVersion) throws {
    let log = try transaction.log(ClientLog.entries)
    guard let first = try log.firstPosition(), let last = try log.lastPosition() else { return }
    var end = Int64(integrated.rawValue)
    if first > end + 1 { end = first - 1 }
    while end < last {
      guard let item = try log.entries(in: (end + 1)...last, byteLimit: 1).first else { break }
      guard try !ClientLogEntry(decoding: item.content).isUploadable else { break }
      end = item.position
    }
    guard end >= first else { return }
    try transaction.log(ClientLog.reciprocals).delete(through: end)
    try ClientRetention(log: log, now: session.file.options.clock()).trim(through: end)
  }
}

extension ChangesetDecoder {
  /// Decodes what a peer sent; `position` is its place in what was handed in.
  mutating func decode(
    _ bytes: ArraySlice<UInt8>, origin: ChangesetOrigin, at position: Int
  ) throws(BadChangesetError) -> Changeset {
    do { return try decode(bytes, origin: origin) } catch { throw BadChangesetError(error, changeset: position) }
  }
}

extension Transformer {
  /// ``transform(local:incoming:)`` with its failure as a bad changeset; `offset` is the place of the first incoming
  /// one in what was handed in.
  func transformed(
    local: inout [Changeset], incoming: inout [Changeset], offset: Int
  ) throws -> TransformedChangesets {
    do { return try transform(local: &local, incoming: &incoming) } catch {
      var bad = BadChangesetError(
        .merging, error.description, changeset: offset + error.incoming.changeset, instruction: error.incoming.position)
      bad.contradictsSchema = error.reason == .schemaMismatch
      throw bad
    }
  }
}
