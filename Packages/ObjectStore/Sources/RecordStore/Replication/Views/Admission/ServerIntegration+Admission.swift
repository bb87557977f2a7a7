import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Uploads of clients with views.
extension ServerIntegration {
  /// The admission of a batch; nil for clients that have everything.
  ///
  /// - Throws: ``UploadRefusal`` when it changes what its author does not see.
  mutating func admission(
    of batch: UploadBatch, _ client: ClientFileRecord, _ refused: [RefusedPart: Refused],
    _ attempt: AdmissionAttempt
  ) throws -> UploadAdmission? {
    guard let set = batch.queries, !batch.hasNoEffect else { return nil }
    if !keepsInverses {
      try InverseLog.begin(after: log.state().current, in: transaction)
      keepsInverses = true
    }
    // An earlier upload of this transaction may have brought them.
    if permissions == nil { try readPermissions() }
    let stages = try ViewStages(of: batch.file, in: transaction)
    var access = batch.access
    access?.mayHoldWhole = false
    return UploadAdmission(
      set, access, stages, bootstrap: client.bootstrap, flips: views.flips(of: batch.file), refused: refused,
      attempt)
  }

  /// Lets the admission look at a run before it is applied.
  mutating func beginAdmission(
    of changesets: [Changeset], from file: FileIdent, base: ServerVersion, _ client: ClientFileRecord, offset: Int
  ) throws {
    guard var admission else { return }
    // Held once, so that a run costs nothing for those before it.
    self.admission = nil
    if let number = changesets.firstIndex(where: { $0.instructions.contains(where: \.erasesSchema) }) {
      throw BadChangesetError(
        .applying, "a client with a view erases neither classes nor fields", changeset: offset + number)
    }
    let start = max(base, client.bootstrap)
    let state = try log.state()
    let since = max(try InverseLog.since(in: transaction) ?? state.current, state.base)
    guard start >= since else { throw UploadRefusal.historyTrimmed(since) }
    try log.flush()
    if start < state.current {
      let range = Int64(start.rawValue) + 1...Int64(state.current.rawValue)
      try past.readInverses(of: range, reader(of: InverseLog.entries))
      if permissions != nil { try past.readTouches(of: range, reader(of: ServerLog.entries)) }
    }
    let setBack = try setBack(of: file, after: base)
    let present = try presentState(at: offset)
    let evaluator = ViewEvaluator(
      present.readView, past.states, current: state.current, settled: ServerVersion(UInt64(self.start)),
      permissions: permissions,
      memory: views)
    let entries = try transaction.log(ServerLog.entries)
    try admission.begin(
      changesets, base: base, setBack: setBack, evaluator, past, present
    ) { version in
      let position = Int64(clamping: version.rawValue)
      guard let item = try entries.entries(in: position...position).first else { return false }
      let entry = try ServerLogEntry(decoding: item.content)
      return entry.source == file && !entry.isPrivate
    }
    self.admission = admission
  }

  /// The state with everything that was applied, and its permissions.
  ///
  /// - Parameter offset: the place of the changeset that it is asked for; nil once per batch.
  mutating func presentState(at offset: Int? = nil) throws -> PresentState {
    if let offset { try settleLinks(at: offset) } else { try session.writer.settleLinks() }
    return PresentState(readView: session.writer.readView, permissions: permissions)
  }

  /// Makes every link say what it leads to, for a changeset, which is charged for it: what one makes wait the next one can make wait again.
  /// Once in a transaction that is free, as it is where nobody asks before its end.
  ///
  /// - Throws: ``BadChangesetError`` when its upload has no budget left.
  mutating func settleLinks(at offset: Int) throws {
    guard session.writer.hasUnsettledLinks else { return }
    let isCharged = hasSettledLinks
    hasSettledLinks = true
    try blaming(offset) { try session.writer.settleLinks(isCharged: isCharged) }
  }

  /// Charges a changeset for what it made be looked at.
  ///
  /// - Throws: ``BadChangesetError`` when its upload has no budget left.
  func charge(_ steps: Int, at offset: Int) throws {
    try blaming(offset) { try session.writer.work.charge(steps) }
  }

  private func blaming(_ offset: Int, _ body: () throws -> Void) throws {
    do { try body() } catch let refusal as Refusal {
      throw BadChangesetError(.applying, refusal.reason, changeset: offset, refusal: refusal.kind)
    }
  }

  /// Keeps the permissions up with a changeset that was applied.
  mutating func updatePermissions(after changeset: Changeset, at offset: Int) throws {
    var touches = PermissionTouches()
    touches.add(changeset)
    guard !touches.isEmpty else { return }
    try settleLinks(at: offset)
    let readView = session.writer.readView
    if permissions == nil {
      permissions = try PermissionState(in: readView)
    } else {
      try permissions?.update(after: touches, in: readView)
    }
  }

  /// Appends what sets the author's file back, for a batch that was admitted.
  mutating func finishAdmission(of batch: UploadBatch, _ client: ClientFileRecord) throws -> UndoneUpload? {
    guard var admission else { return nil }
    self.admission = nil
    admission.touchedBefore.add(admission.touched)
    late = admission.late
    let present = try presentState()
    let version = try undo(admission.touchedBefore, of: batch, client) { object, _ in
      try admission.held.selects(object, present)
    }
    guard !admission.refused.isEmpty else { return nil }
    let refusals = admission.refused.writes
    // A refused declaration leaves nothing to be set back, and is told all the same.
    let told = try version ?? log.state().current
    return UndoneUpload(version: told, objects: refusals.map(\.object), refusals: refusals)
  }
}
