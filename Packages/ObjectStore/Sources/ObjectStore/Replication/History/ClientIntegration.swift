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
    var incoming: [Changeset] = []
    var decoder = ChangesetDecoder()
    for (position, entry) in entries.enumerated() {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
      incoming.append(try decoder.decode(entry.changeset, origin: origin, at: position))
    }
    let bases = entries.map { max($0.cursor.client, state.settled) }
    var branch = try LocalBranch(
      after: bases.min() ?? .zero, meeting: incoming, state: state, in: session)
    let applier = ChangesetApplier(writer: session.writer)
    var start = 0
    while start < entries.count {
      let base = bases[start]
      let end = bases[start...].firstIndex { $0 != base } ?? entries.count
      var group = Array(incoming[start..<end])
      let changed = try branch.merge(&group, after: base, offset: start)
      for (number, changeset) in group.enumerated() {
        do { try applier.apply(changeset, at: start + number) } catch let error as BadChangesetError {
          throw error.traced(through: changed, changeset: number)
        }
      }
      start = end
    }
    try branch.store()
    state.progress = progress
    try ClientLog.setState(state, in: transaction)
    // Versions that came from the server have no entry: nothing ever needs one.
    try trim(after: max(progress.download.client, state.settled))
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
    do { return try decode(bytes[...], origin: origin) } catch {
      throw BadChangesetError(
        .decoding, "\(error)", changeset: position, instruction: error.instruction, position: error.position)
    }
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
