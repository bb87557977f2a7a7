import ChangesetOT
import StorageEngine

/// One client reset, within one write transaction of the file, and one of the fresh file that is never committed.
struct ResetRun {
  let live: WriteSession
  let fresh: WriteSession
  let reset: ClientReset

  /// A changeset to be uploaded after the reset.
  private struct Recovered {
    var position: Int64
    var timestamp: OriginTimestamp
    var changeset: [UInt8]
  }

  func perform() throws -> ClientReset.Outcome {
    let state = try ClientLog.state(in: live.transaction)
    let freshState = try ClientLog.state(in: fresh.transaction)
    if state.ident == .none { try ProvisionalKeys(live).assign(for: freshState.ident.ident) }
    // The answer of the server is not trusted.
    let settled = min(reset.integrated ?? state.acknowledged, live.transaction.version.clientVersion)
    let entries = try ClientLog.uploadable(
      try live.transaction.log(ClientLog.entries).entries(in: ClientLog.positions(after: settled)))
    var outcome = ClientReset.Outcome()
    var recovered: [Recovered] = []
    // The classes of the application stay, whatever the server has: they are part of what comes first.
    var recorder = ChangesetRecorder()
    fresh.writer.recorder = recorder
    try SchemaTransfer(target: fresh.writer).add(live.writer.catalog)
    if reset.mode == .recover {
      let replay = RecoveryReplay(
        writer: fresh.writer, live: live.writer.readView, resurrects: reset.serverForgot)
      for (number, (version, entry)) in entries.enumerated() {
        do {
          let changeset = try Changeset(
            decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: state.ident.ident))
          try replay.replay(changeset, of: entry, at: version)
        } catch let error as ChangesetDecodingError {
          outcome.lost.append(Self.unreadable(entry, version, "\(error)"))
        }
        if number == entries.count - 1 { try replay.finish() }
        guard !recorder.isEmpty else { continue }
        outcome.recovered += 1
        recovered.append(
          Recovered(position: Int64(version.rawValue), timestamp: entry.timestamp, changeset: recorder.finish()))
        recorder = ChangesetRecorder()
        fresh.writer.recorder = recorder
      }
      outcome.lost += replay.lost
    } else {
      outcome.lost = entries.flatMap { version, entry in
        Self.describe(entry, version, own: state.ident.ident, reason: "the realm was reset to the server's state")
      }
    }
    if !recorder.isEmpty {
      recovered.append(
        Recovered(
          position: Int64(live.nextVersion.rawValue), timestamp: live.file.options.clock(),
          changeset: recorder.finish()))
    }
    fresh.writer.recorder = nil
    try dropAsymmetricObjects()
    try StateTransfer(source: fresh.writer.readView, target: live.writer, keepsUnresolved: true).transferAll()
    try store(recovered, state, freshState, settled: settled)
    return outcome
  }

  /// Removes the objects that are only sent, which the replay made. Their changesets are recorded.
  private func dropAsymmetricObjects() throws {
    for layout in fresh.writer.catalog.classes where layout.kind == .asymmetric {
      for row in try fresh.writer.readView.rows(layout) { try fresh.writer.drop(row, layout) }
    }
  }

  /// The file goes on as the fresh one does, with what was recovered to be uploaded. What the server has is kept: it may
  /// be put back to a state that is older still.
  private func store(
    _ recovered: [Recovered], _ state: ClientLog.State, _ freshState: ClientLog.State, settled: ClientVersion
  ) throws {
    live.rewritesHistory = true
    let log = try live.transaction.log(ClientLog.entries)
    try log.delete(from: Int64(settled.rawValue) + 1)
    try live.transaction.log(ClientLog.reciprocals).deleteAll()
    let base = freshState.progress.download.server
    for item in recovered {
      let entry = ClientLogEntry(timestamp: item.timestamp, origin: .none, base: base, changeset: item.changeset)
      try log.put(entry.encoded(), at: item.position)
    }
    var next = ClientLog.State()
    next.ident = freshState.ident
    next.progress.latestServerVersion = freshState.progress.latestServerVersion
    next.progress.download = DownloadCursor(server: base, client: .zero)
    next.settled = settled
    let former = ClientIncarnation(file: state.ident, settled: state.settled)
    next.formers = (state.formers + (state.ident == .none ? [] : [former])).suffix(ClientLog.mostFormers)
    try ClientLog.setState(next, in: live.transaction)
    // The fresh file holds the set in force; one that was on its way is sent anew.
    try SubscriptionSets.dropBootstrap(in: live.transaction)
  }

  // MARK: In words

  /// The effects of a changeset, without declarations, which are never lost.
  static func describe(
    _ entry: ClientLogEntry, _ version: ClientVersion, own: FileIdent, reason: String
  ) -> [LostChange] {
    do {
      let changeset = try Changeset(
        decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: own))
      return changeset.instructions.compactMap { instruction in
        switch instruction {
        case .addTable, .addColumn: nil
        default: LostChange(instruction, entry, version, reason)
        }
      }
    } catch {
      return [unreadable(entry, version, "\(error)")]
    }
  }

  private static func unreadable(_ entry: ClientLogEntry, _ version: ClientVersion, _ reason: String) -> LostChange {
    LostChange(
      madeAt: entry.timestamp, version: version, className: "", key: "",
      change: "a changeset of \(entry.changeset.count) bytes", reason: "it cannot be read: \(reason)")
  }
}
