import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Writes to what is being set back in their author's file.
extension ServerIntegration {
  /// The objects that versions after the base of an upload erase in its author's file, and the fields whose collections they
  /// put back.
  mutating func setBack(of file: FileIdent, after base: ServerVersion) throws -> SetBackParts {
    let last = try OwedBytes.last(of: file, in: transaction)
    guard last > base else { return SetBackParts() }
    let range = Int64(clamping: base.rawValue) + 1...Int64(clamping: last.rawValue)
    try past.readSetBack(of: file, range, reader(of: ServerLog.entries))
    return past.setBack(of: file, after: base)
  }

  /// Reads entries of a log of the transaction, and counts them.
  func reader(of name: String) -> (ClosedRange<Int64>) throws -> [LogEntry] {
    { [session] range in
      let entries = try session.transaction.log(name).entries(in: range)
      session.writer.work.count(entries.count)
      return entries
    }
  }

  /// Leaves out of a run of a client that has everything what it does to parts that are being set back in its file: its author
  /// was a reader, may write now, and had not heard of that. Merged with what sets back, it would be lost without a word.
  ///
  /// - Returns: the changesets that are others now.
  mutating func leaveOutSetBack(
    of incoming: inout [Changeset], _ run: ArraySlice<(offset: Int, element: UploadEntry)>, base: ServerVersion,
    from file: FileIdent
  ) throws -> Set<Int> {
    let parts = try setBack(of: file, after: base)
    if parts.isEmpty { return [] }
    var rewritten: Set<Int> = []
    for (number, (_, entry)) in run.enumerated() {
      let hasPart = try setBackWrites.leaveOut(parts, of: &incoming[number], entry.cursor.client)
      if hasPart { rewritten.insert(number) }
    }
    return rewritten
  }

  /// Appends what sets back again what was left out of a batch.
  mutating func finishSettingBack(of batch: UploadBatch, _ client: ClientFileRecord) throws -> UndoneUpload? {
    let writes = setBackWrites
    setBackWrites = SetBackWrites()
    let refusals = writes.refusals + writes.refused.writes
    if refusals.isEmpty { return nil }
    let version = try undo(writes.touched, of: batch, client) { _, _ in true }
    let told = try version ?? log.state().current
    return UndoneUpload(version: told, objects: refusals.map(\.object), refusals: refusals)
  }
}

/// The writes that were left out of a batch of a client that has everything: those that met parts that are being set back, and those
/// that its user's access token does not allow.
struct SetBackWrites {
  /// The author, when a token for less bounds what a client writes that has everything.
  let access: ViewAccess?
  var touched = TouchedObjects()
  /// The parts that the access token does not allow, and those that need them.
  var refused: [RefusedPart: Refused] = [:]
  /// One of each object, the first.
  private(set) var refusals: [RefusedWrite] = []
  private var told: Set<ObjectReference> = []

  init() { access = nil }

  init(of batch: UploadBatch) {
    let isBounded = batch.queries == nil && batch.access.map { Privileges(rawValue: $0.tokenBound) != .all } ?? false
    access = isBounded ? batch.access : nil
  }

  /// Leaves what meets some parts out of a changeset.
  ///
  /// - Returns: whether there was anything.
  fileprivate mutating func leaveOut(
    _ parts: SetBackParts, of changeset: inout Changeset, _ version: ClientVersion
  ) throws -> Bool {
    var leftOut = Changeset(origin: changeset.origin)
    leftOut.instructions = changeset.instructions.filter { $0.meets(parts) }
    if leftOut.isEmpty { return false }
    changeset.instructions.removeAll { $0.meets(parts) }
    for object in leftOut.instructions.lazy.compactMap(\.object) {
      let reason = "write not allowed: it is being set back after another write"
      if told.insert(object).inserted {
        refusals.append(RefusedWrite(object: object, clientVersion: version, reason: reason))
      }
    }
    try touched.add(leftOut)
    touched.noteMerged(leftOut)
    return true
  }
}

extension Instruction {
  /// Whether the instruction does something to an object that is being erased, or to a collection that is being put back.
  fileprivate func meets(_ parts: SetBackParts) -> Bool {
    guard let object else { return false }
    if parts.contains(.object(object)) { return true }
    guard changesPlaces, let target else { return false }
    return parts.contains(.field(object, target.field))
  }
}
