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
    for (position, entry) in entries.enumerated() {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
      incoming.append(try Changeset(decoding: entry.changeset, origin: origin, at: position))
    }
    var start = 0
    while start < entries.count {
      let base = entries[start].cursor.client
      let end = entries[start...].firstIndex { $0.cursor.client != base } ?? entries.count
      var group = Array(incoming[start..<end])
      let changed = try merge(&group, after: max(base, state.settled), own: state.ident.ident, offset: start)
      let applier = ChangesetApplier(writer: session.writer)
      for (number, changeset) in group.enumerated() {
        do { try applier.apply(changeset, at: start + number) } catch let error as BadChangesetError {
          throw error.traced(through: changed, changeset: number)
        }
      }
      start = end
    }
    state.progress = progress
    try ClientLog.setState(state, in: transaction)
    // Versions that came from the server have no entry: nothing ever needs one.
    try trim(after: max(progress.download.client, state.settled))
  }

  /// Carries a group over the local changesets that the server had not integrated before it, and keeps the form that
  /// those take on by it.
  private func merge(
    _ group: inout [Changeset], after base: ClientVersion, own: FileIdent, offset: Int
  ) throws -> TransformedChangesets {
    let versions: [Int64]
    var local: [Changeset]
    (versions, local) = try unseen(after: base, own: own)
    guard !local.isEmpty else { return TransformedChangesets(local: [], incoming: []) }
    let changed = try Transformer().transformed(local: &local, incoming: &group, offset: offset)
    let log = try transaction.log(ClientLog.reciprocals)
    for number in changed.local { try log.put(local[number].encoded(), at: versions[number]) }
    return changed
  }

  /// The local changesets after a version, in their reciprocal forms.
  private func unseen(after base: ClientVersion, own: FileIdent) throws -> ([Int64], [Changeset]) {
    let first = Int64(base.rawValue) + 1
    let log = try transaction.log(ClientLog.entries)
    guard let last = try log.lastPosition(), last >= first else { return ([], []) }
    let reciprocals = try transaction.log(ClientLog.reciprocals).entries(in: first...last)
    let forms = Dictionary(reciprocals.map { ($0.position, $0.content) }, uniquingKeysWith: { first, _ in first })
    var versions: [Int64] = []
    var changesets: [Changeset] = []
    for item in try log.entries(in: first...last) {
      let entry = try ClientLogEntry(decoding: item.content)
      guard entry.isUploadable else { continue }
      let bytes = forms[item.position] ?? entry.changeset
      guard !bytes.isEmpty else { continue }
      versions.append(item.position)
      changesets.append(
        try Changeset(decoding: bytes, origin: ChangesetOrigin(timestamp: entry.timestamp, file: own)))
    }
    return (versions, changesets)
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

extension Changeset {
  /// Decodes what a peer sent; `position` is its place in what was handed in.
  init(decoding bytes: [UInt8], origin: ChangesetOrigin, at position: Int) throws(BadChangesetError) {
    do { try self.init(decoding: bytes, origin: origin) } catch {
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
