import ChangesetOT
import DataModel
import StorageEngine

/// Uploads of clients with views.
extension ServerIntegration {
  /// The admission of a batch; nil for clients that have everything.
  ///
  /// - Throws: ``UploadRefusal`` when it changes what its author does not see.
  mutating func admission(
    of batch: UploadBatch, _ client: ClientFileRecord, _ refused: [ObjectReference: UploadAdmission.Refused]
  ) throws -> UploadAdmission? {
    guard let set = batch.queries, !batch.hasNoEffect else { return nil }
    if !keepsInverses {
      try InverseLog.begin(after: log.state().current, in: transaction)
      keepsInverses = true
    }
    let stages = try ViewStages(of: batch.file, in: transaction)
    return UploadAdmission(set, stages, bootstrap: client.bootstrap, refused: refused)
  }

  /// Lets the admission look at a run before it is applied.
  mutating func beginAdmission(
    of changesets: [Changeset], base: ServerVersion, _ client: ClientFileRecord, offset: Int
  ) throws {
    guard var admission else { return }
    if let number = changesets.firstIndex(where: { $0.instructions.contains(where: \.erasesSchema) }) {
      throw BadChangesetError(
        .applying, "a client with a view erases neither classes nor fields", changeset: offset + number)
    }
    let start = max(base, client.bootstrap)
    let state = try log.state()
    let since = max(try InverseLog.since(in: transaction) ?? state.current, state.base)
    guard start >= since else { throw UploadRefusal.historyTrimmed(since) }
    var items: [LogEntry] = []
    if start < state.current {
      items = try transaction.log(InverseLog.entries).entries(
        in: Int64(start.rawValue) + 1...Int64(state.current.rawValue))
    }
    try session.writer.settleLinks()
    try admission.begin(changesets, base: base, PastStates(items), session.writer.readView)
    self.admission = admission
  }

  /// Appends what sets the author's file back, for a batch that was admitted.
  mutating func finishAdmission(of batch: UploadBatch, _ client: ClientFileRecord) throws -> UndoneUpload? {
    guard let admission else { return nil }
    self.admission = nil
    late = admission.late
    let version = try undo(admission.touched, of: batch, client) { try admission.held.selects($0, $1) }
    guard !admission.refused.isEmpty else { return nil }
    let refusals = admission.refused.values.sorted {
      ($0.offset, "\($0.write.object)") < ($1.offset, "\($1.write.object)")
    }.map(\.write)
    return UndoneUpload(version: version, objects: refusals.map(\.object), refusals: refusals)
  }
}
