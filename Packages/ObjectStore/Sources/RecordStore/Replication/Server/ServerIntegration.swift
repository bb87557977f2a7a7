import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Takes one batch after another into a transaction that `ServerHistory.integrate` opened, and appends each
/// changeset to the log.
struct ServerIntegration {
  let session: WriteSession
  var log: ServerLog
  let now: OriginTimestamp
  /// Entries of the history that were decoded already, by version.
  var decoded: [Int64: ServerLogEntry] = [:]
  var changesets: [Int64: Changeset] = [:]
  /// The write sets of entries, those of this transaction included.
  var writeSets: RecentWriteSets
  /// Knows the names that clients define again and again.
  var decoder: ChangesetDecoder
  /// Whether inverses are kept, for clients with views.
  var keepsInverses: Bool
  /// Whether links were settled for a changeset of this transaction.
  var hasSettledLinks = false
  /// The admission of the batch that is under way, when its author's file holds a view.
  var admission: UploadAdmission?
  /// The writes that were left out of the batch that is under way, when its author's file holds everything.
  var setBackWrites = SetBackWrites()
  /// The refusals that the admission of the last batch found too late.
  var late: [RefusedPart: Refused] = [:]
  /// The permissions inside the realm with everything applied; nil when none are in force.
  var permissions: PermissionState?
  /// The parts of views that are remembered.
  let views: ViewMemory
  /// The versions after the bases of uploads.
  var past: UploadPast
  /// The newest version before this transaction.
  let start: Int64
  /// The versions of which the author of the batch under way gets a shorter form. What is left of them are its reciprocals.
  var compacted: ClosedRange<ServerVersion>?

  var transaction: WriteTransaction { session.transaction }

  /// - Parameters:
  ///   - writeSets: those of entries that were committed before.
  ///   - permissions: those that were known last.
  ///   - past: what earlier attempts decoded.
  init(
    _ session: WriteSession, incarnation: ServerIncarnation, writeSets: RecentWriteSets,
    permissions: ServerHistory.KnownPermissions? = nil, views: ViewMemory = ViewMemory(),
    past: UploadPast = UploadPast()
  ) throws {
    self.session = session
    self.views = views
    self.past = past
    self.writeSets = writeSets
    decoder = session.file.changesetDecoder.withLock { $0 }
    log = ServerLog(session.transaction, incarnation: incarnation)
    start = Int64(try log.state().current.rawValue)
    now = session.file.options.clock()
    keepsInverses = try InverseLog.since(in: session.transaction) != nil
    if let permissions, Int64(permissions.version.rawValue) == start {
      self.permissions = permissions.state
    } else {
      try readPermissions()
    }
  }

  /// Whether links are settled after each changeset: inverses, or permissions, are read from the state then.
  private var settlesLinks: Bool { keepsInverses || hasPermissionClasses }

  /// Reads the permissions of the realm, when it has any.
  mutating func readPermissions() throws {
    guard hasPermissionClasses else { return }
    try session.writer.settleLinks()
    permissions = try PermissionState(in: session.writer.readView)
  }

  /// Forgets what is known of entries of this transaction, which is going to be rolled back.
  mutating func forgetWhatIsNew() {
    writeSets.forget(after: start)
    past.forget(after: start)
  }

  /// Whether the realm has classes of permissions.
  var hasPermissionClasses: Bool { session.writer.catalog[PermissionClass.realm.rawValue] != nil }

  /// Whether a user may hold the whole realm: its roles must not bound them.
  private func mayHoldWhole(_ access: ViewAccess?) -> Bool {
    guard let access, !access.mayHoldWhole, let permissions, permissions.isInForce else { return true }
    return UserPermissions(permissions.table, access).isUnrestricted(in: session.writer.catalog)
  }

  /// Leaves what was learned of names to the next transaction; gives what was appended, and the version of the first.
  mutating func finish() -> (first: Int64, appended: [ServerLogEntry]) {
    decoder.start([])
    session.file.changesetDecoder.withLock { $0 = decoder }
    return (start + 1, log.appended)
  }

  /// Integrates what one client uploaded. When ``late`` has something in it then, the transaction must be rolled back and done
  /// again with that.
  ///
  /// - Parameters:
  ///   - refused: parts of the batch that were found not to be taken before.
  ///   - attempt: how much of the batch is judged at once.
  /// - Returns: how it is undone, for a batch that is to have no effect, or of which some writes have none.
  /// - Throws: ``UploadRefusal``; the transaction must then be rolled back.
  mutating func integrate(
    _ batch: UploadBatch, refused: [RefusedPart: Refused] = [:], _ attempt: AdmissionAttempt? = nil
  ) throws -> UndoneUpload? {
    guard var client = try ClientFileTable.file(batch.file, in: transaction), batch.file > .server else {
      throw UploadRefusal.unknownClientFile(batch.file)
    }
    guard !client.isExpired || client.kind == .consumer else { throw UploadRefusal.clientFileExpired(batch.file) }
    guard batch.queries != nil || mayHoldWhole(batch.access) else { throw UploadRefusal.needsQueries }
    // Links that uploads left which did not need them settled are no work of this one.
    if settlesLinks || batch.queries != nil { try session.writer.settleLinks() }
    session.writer.work.allow(bytes: batch.entries.reduce(0) { $0 + $1.changeset.count })
    let fresh = batch.entries.enumerated().filter { $0.element.cursor.client > client.upload.client }
    var undone: UndoneUpload?
    late = [:]
    setBackWrites = SetBackWrites(of: batch)
    compacted = client.pendingCompaction
    admission = fresh.isEmpty ? nil : try admission(of: batch, client, refused, attempt ?? AdmissionAttempt(batch))
    do {
      if batch.hasNoEffect {
        undone = try integrateWithoutEffect(fresh, of: batch, client)
      } else {
        for run in fresh.runs {
          guard let base = run.first?.element.cursor.server else { continue }
          try integrate(run, base: base, from: batch.file, client)
        }
        undone = try finishAdmission(of: batch, client) ?? finishSettingBack(of: batch, client)
      }
      if settlesLinks, let last = fresh.last { try settleLinks(at: last.offset) }
    } catch let error as BadChangesetError {
      throw UploadRefusal.badChangeset(error.located(in: batch.entries.map { $0.changeset[...] }))
    }
    undone?.clientVersion = batch.entries.last?.cursor.client ?? batch.progress.client
    if let undone { try UndoneUploadLog.keep(undone, of: batch.file, in: transaction) }
    try log.finish()
    if batch.progress.client > client.upload.client {
      client.upload = batch.progress
      try transaction.log(ServerLog.reciprocals(batch.file)).delete(
        through: Int64(clamping: client.upload.server.rawValue))
      try UndoneUploadLog.forget(through: client.upload.server, of: batch.file, in: transaction)
    }
    client.lockedServerVersion = max(client.lockedServerVersion, batch.lockedServerVersion)
    client.lastSeen = max(client.lastSeen, now)
    try ClientFileTable.update(batch.file, client, transaction)
    return undone
  }

  /// Integrates a run of changesets that were made on the same server version.
  private mutating func integrate(
    _ run: ArraySlice<(offset: Int, element: UploadEntry)>, base: ServerVersion, from file: FileIdent,
    _ client: ClientFileRecord
  ) throws {
    var addressed: [WriteSet] = []
    var isAsNamed = true
    for (offset, entry) in run {
      let author = entry.author(uploadedBy: file)
      guard try author == file || ClientFileTable.file(author, in: transaction) != nil else {
        throw UploadRefusal.badOriginFile(author)
      }
      var collector = WriteSetCollector()
      do { try collector.add(entry.changeset[...], with: &decoder) } catch {
        throw BadChangesetError(error, changeset: offset)
      }
      if collector.hasProvisionalKeys { isAsNamed = false }
      addressed.append(collector.writeSet)
    }
    let offset = run.first?.offset ?? 0
    let near =
      isAsNamed && base >= client.bootstrap
      ? try near(WriteSet(joining: addressed), after: base, from: file, client, offset: offset) : nil
    // Most of what is uploaded meets nothing, and is applied while it is decoded. Permissions are kept up by instructions.
    guard let near, near.isEmpty, !keepsInverses, !hasPermissionClasses else {
      return try merge(run, base: base, over: near, from: file, client)
    }
    let applier = ChangesetApplier(writer: session.writer)
    let first = try log.state().current
    for (offset, entry) in run {
      try applier.apply(entry.changeset[...], with: &decoder, at: offset)
      try append(decoder.reader.instructionCount == 0 ? [] : entry.changeset, of: entry, from: file)
    }
    // The first that has the classes of permissions.
    try readPermissions()
    writeSets.insert(
      addressed.map { .init(writeSet: $0, source: file) }, from: Int64(first.rawValue) + 1)
    try log.flush()
  }

  /// Appends what became of an entry to the history.
  mutating func append(_ changeset: [UInt8], of entry: UploadEntry, from file: FileIdent) throws {
    _ = try log.append(
      changeset, timestamp: entry.timestamp, origin: entry.author(uploadedBy: file), source: file,
      sourceVersion: entry.cursor.client)
  }

  /// The versions after the base of an upload that it may meet, ascending.
  mutating func near(
    _ incoming: WriteSet, after base: ServerVersion, from file: FileIdent, _ client: ClientFileRecord, offset: Int
  ) throws -> [Int64] {
    let base = max(base, client.bootstrap)
    let state = try log.state()
    guard base <= state.current else {
      throw BadChangesetError(.merging, "it builds on a version that the server does not have", changeset: offset)
    }
    guard base >= client.upload.server else {
      throw BadChangesetError(.merging, "it builds on a version that its author had left behind", changeset: offset)
    }
    guard base >= state.base else { throw UploadRefusal.historyTrimmed(state.base) }
    guard base < state.current else { return [] }
    return try versions(Int64(base.rawValue) + 1...Int64(state.current.rawValue), conflictingWith: incoming, for: file)
  }
}

extension [(offset: Int, element: UploadEntry)] {
  /// Neighbours that were made on the same server version.
  var runs: [ArraySlice<(offset: Int, element: UploadEntry)>] {
    var runs: [ArraySlice<(offset: Int, element: UploadEntry)>] = []
    var start = 0
    while start < count {
      let base = self[start].element.cursor.server
      let end = self[start...].firstIndex { $0.element.cursor.server != base } ?? count
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}

extension UploadEntry {
  /// The author of the changeset.
  func author(uploadedBy file: FileIdent) -> FileIdent { origin == .none ? file : origin }
}
