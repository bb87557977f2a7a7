import ChangesetOT
import StorageEngine

/// Takes changesets from the server into a client's file, within one write transaction.
struct ClientIntegration {
  let session: WriteSession
  private var transaction: WriteTransaction { session.transaction }

  init(_ session: WriteSession) { self.session = session }

  func integrate(_ entries: [DownloadEntry], progress: SyncProgress) throws {
    do { try integrateAll(entries, progress: progress) } catch let error as BadChangesetError {
      throw error.located(in: entries.map(\.changeset))
    }
  }

  private func integrateAll(_ entries: [DownloadEntry], progress: SyncProgress) throws {
    var state = try ClientLog.state(in: transaction)
    let bases = entries.map { max($0.cursor.client, state.settled) }
    let history = try HistoryTail(session)
    let last = try bases.first.flatMap { try history.lastPosition(after: Int64(clamping: $0.rawValue)) } ?? 0
    let applier = ChangesetApplier(writer: session.writer)
    var decoder = session.file.changesetDecoder.withLock { $0 }
    // Most of what arrives meets nothing that waits here, and is applied while it is decoded.
    var start = 0
    while start < entries.count {
      let end = Self.pieceEnd(entries, from: start)
      let isBehind = last > Int64(clamping: bases[start].rawValue)
      if isBehind, try !near(entries[start..<end], after: bases[start], in: history, of: state.ident, &decoder).isEmpty
      {
        // The bases of what follows are no older.
        let rest = entries[start...]
        let near = try near(rest, after: bases[start], in: history, of: state.ident, &decoder)
        let branch = try LocalBranch(near, of: state.ident, in: transaction)
        try merge(try Self.decode(rest, with: &decoder), bases, from: start, over: branch, applier)
        break
      }
      for number in start..<end { try applier.apply(entries[number].changeset, with: &decoder, at: number) }
      start = end
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

  /// Bytes of changesets that are compared at a time with what waits here.
  private static let pieceBytes = 16 << 10

  private static func pieceEnd(_ entries: [DownloadEntry], from start: Int) -> Int {
    var bytes = 0
    return entries[start...].firstIndex { entry in
      bytes += entry.changeset.count
      return bytes > pieceBytes
    }.map { max($0, start + 1) } ?? entries.count
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

  /// The positions of local changesets after a version that may meet something of `incoming`.
  private func near(
    _ incoming: ArraySlice<DownloadEntry>, after base: ClientVersion, in history: HistoryTail,
    of ident: SaltedFileIdent, _ decoder: inout ChangesetDecoder
  ) throws -> [Int64] {
    try session.file.localFootprints.withLock {
      try $0.positions(
        after: Int64(clamping: base.rawValue), meeting: Self.footprint(incoming, with: &decoder), in: history, of: ident
      )
    }
  }

  private static func footprint(
    _ entries: ArraySlice<DownloadEntry>, with decoder: inout ChangesetDecoder
  ) throws(BadChangesetError) -> Footprint {
    var collector = FootprintCollector()
    for position in entries.indices {
      do { try collector.add(entries[position].changeset[...], with: &decoder) } catch {
        throw BadChangesetError(error, changeset: position)
      }
    }
    return collector.footprint
  }

  /// Carries changesets over what waits here, and applies what becomes of them.
  ///
  /// - Parameter start: the place of the first in what was handed in.
  private func merge(
    _ incoming: [Changeset], _ bases: [ClientVersion], from start: Int, over branch: LocalBranch,
    _ applier: ChangesetApplier
  ) throws {
    var branch = branch
    var start = start
    let first = start
    while start < bases.count {
      let base = bases[start]
      let end = bases[start...].firstIndex { $0 != base } ?? bases.count
      var group = Array(incoming[start - first..<end - first])
      let changed = try branch.merge(&group, after: base, offset: start)
      for (number, changeset) in group.enumerated() {
        do { try applier.apply(changeset, at: start + number) } catch let error as BadChangesetError {
          throw error.traced(through: changed, changeset: number)
        }
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
    _ bytes: [UInt8], origin: ChangesetOrigin, at position: Int
  ) throws(BadChangesetError) -> Changeset {
    do { return try decode(bytes[...], origin: origin) } catch { throw BadChangesetError(error, changeset: position) }
  }
}

extension Transformer {
  /// ``transform(local:incoming:)`` with its failure as a bad changeset; `offset` is the place of the first incoming
  /// one in what was handed in.
  func transformed(
    local: inout [Changeset], incoming: inout [Changeset], offset: Int
  ) throws -> TransformedChangesets {
    do { return try transform(local: &local, incoming: &incoming) } catch {
      throw BadChangesetError(
        .merging, error.description, changeset: offset + error.incoming.changeset, instruction: error.incoming.position)
    }
  }
}
