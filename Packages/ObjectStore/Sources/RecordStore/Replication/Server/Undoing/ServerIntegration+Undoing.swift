public import ChangesetOT
public import DataModel
import StorageEngine

/// Uploads of users who may only read: taken without effect, and undone where they were made.
extension ServerIntegration {
  /// Takes changesets that have no effect, and appends what undoes them, which is for their author alone.
  ///
  /// Each becomes an empty version, so that the author's progress goes on. The history that the author had not seen is
  /// rebased over them all the same: in the author's file they have an effect, until what undoes them arrives.
  ///
  /// - Throws: ``UploadRefusal``; the transaction must then be rolled back.
  mutating func integrateWithoutEffect(
    _ fresh: [(offset: Int, element: UploadEntry)], of batch: UploadBatch, _ client: ClientFileRecord
  ) throws -> UndoneUpload {
    let file = batch.file
    var touched = TouchedObjects()
    for run in fresh.runs {
      try passBy(run, from: file, client, &touched)
    }
    let holders = HolderBudget(batch)
    let held = try batch.queries.map { set in
      try ViewStages(of: file, in: transaction).current.map { ViewQueries($0, holders) }
        ?? ViewQueries(set, batch.access, holders)
    }
    let present = try presentState()
    let version = try undo(touched, of: batch, client) { object, _ in try held?.selects(object, present) ?? true }
    return UndoneUpload(version: version, objects: touched.objects, accessRule: batch.accessRule)
  }

  /// Appends what sets objects and fields in the author's file back, which is for the author alone.
  ///
  /// - Parameter holds: whether the author's file is to hold an object that is here.
  /// - Returns: the version of the changeset; nil when there is nothing to set back.
  mutating func undo(
    _ touched: TouchedObjects, of batch: UploadBatch, _ client: ClientFileRecord,
    holds: (ObjectReference, ReadView) throws -> Bool
  ) throws -> ServerVersion? {
    if touched.objects.isEmpty { return nil }
    // Other uploads of this transaction may have left links that say what they led to before.
    try session.writer.settleLinks()
    let readView = session.writer.readView
    var writer = CompensationWriter(readView)
    let bytes = try writer.changeset(restoring: touched) { try holds($0, readView) }
    guard !bytes.isEmpty else { return nil }
    // As old as the oldest of what it undoes: what the author writes later, before it arrives, wins over it in both places, and is
    // judged by itself.
    let timestamp = batch.entries.map(\.timestamp).min() ?? now
    let origin = ChangesetOrigin(timestamp: timestamp, file: .server)
    let writeSet = WriteSet(try Changeset(decoding: bytes, origin: origin).instructions)
    let version = try log.append(bytes, timestamp: timestamp, origin: .none, source: batch.file, sourceVersion: .zero)
    try OwedBytes.add(
      bytes.count, at: version, of: batch.file, acknowledged: max(client.upload.server, batch.progress.server),
      in: transaction)
    writeSets.insert(
      [.init(writeSet: writeSet, source: batch.file, isPrivate: true)], from: Int64(clamping: version.rawValue))
    try log.flush()
    return version
  }

  /// Rebases the history over a run of changesets on one base, and appends nothing for each of them.
  private mutating func passBy(
    _ run: ArraySlice<(offset: Int, element: UploadEntry)>, from file: FileIdent, _ client: ClientFileRecord,
    _ touched: inout TouchedObjects
  ) throws {
    guard let base = run.first?.element.cursor.server else { return }
    var incoming: [Changeset] = []
    for (offset, entry) in run {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.author(uploadedBy: file))
      var changeset = try decoder.decode(entry.changeset[...], origin: origin, at: offset)
      _ = changeset.resolveProvisionalKeys()
      try touched.add(changeset)
      // Declarations stay in the author's file and do no harm there.
      changeset.instructions.removeAll(where: \.isOfSchema)
      incoming.append(changeset)
    }
    let offset = run.first?.offset ?? 0
    let near = try near(WriteSet(incoming), after: base, from: file, client, offset: offset)
    _ = try rebase(&incoming, over: near, from: file, offset: offset)
    for changeset in incoming { touched.noteMerged(changeset) }
    let first = try log.state().current
    for (_, entry) in run { try append([], of: entry, from: file) }
    let nothing = RecentWriteSets.Entry(writeSet: WriteSet([Instruction]()), source: file)
    writeSets.insert(run.map { _ in nothing }, from: Int64(clamping: first.rawValue) + 1)
    try log.flush()
  }
}

/// The outcome of an `UploadBatch` that was to have no effect, or of which some writes lie outside of its queries.
public struct UndoneUpload: Hashable, Sendable {
  /// The server version of the changeset that undoes it, which only its author is sent; nil when there was nothing to undo.
  public var version: ServerVersion?
  /// The objects whose writes had no effect.
  public var objects: [ObjectReference]
  /// The same objects with their reasons, when they lie outside of the queries of the upload: then everything else in it was
  /// integrated. Empty when nothing of it was.
  public var refusals: [RefusedWrite] = []
  /// The access of its author, when nothing of it was integrated; see `UploadBatch.accessRule`.
  public var accessRule = ""
  /// The client version of its last changeset.
  public var clientVersion = ClientVersion.zero
}
