import ChangesetOT
import StorageEngine

/// Takes uploads of clients into a server's file, within one write transaction.
struct ServerIntegration {
  let session: WriteSession
  private var log: ServerLog
  private let now: OriginTimestamp
  /// Entries of the history that were decoded already, by version.
  private var decoded: [Int64: ServerLogEntry] = [:]
  private var changesets: [Int64: Changeset] = [:]
  /// What entries address, those of this transaction included.
  private(set) var footprints: RecentFootprints
  /// The newest version before this transaction.
  private let start: Int64

  private var transaction: WriteTransaction { session.transaction }

  /// - Parameter footprints: what is known of entries that were committed before.
  init(_ session: WriteSession, incarnation: Int64? = nil, footprints: RecentFootprints) throws {
    self.session = session
    self.footprints = footprints
    log = ServerLog(session.transaction, incarnation: incarnation)
    start = Int64(try log.state().current.rawValue)
    now = session.file.options.clock()
  }

  /// Forgets what is known of entries of this transaction, which is going to be rolled back.
  mutating func forgetWhatIsNew() { footprints.forget(after: start) }

  /// Integrates what one client uploaded.
  ///
  /// - Throws: ``UploadRefusal``; the transaction must then be rolled back.
  mutating func integrate(_ batch: UploadBatch) throws {
    guard var client = try ClientFileTable.file(batch.file, in: transaction), batch.file > .server else {
      throw UploadRefusal.unknownClientFile(batch.file)
    }
    guard !client.isExpired else { throw UploadRefusal.clientFileExpired(batch.file) }
    let fresh = batch.entries.enumerated().filter { $0.element.cursor.client > client.upload.client }
    do {
      var start = 0
      while start < fresh.count {
        let base = fresh[start].element.cursor.server
        let end = fresh[start...].firstIndex { $0.element.cursor.server != base } ?? fresh.count
        try integrate(Array(fresh[start..<end]), base: base, from: batch.file, client)
        start = end
      }
    } catch let error as BadChangesetError {
      throw UploadRefusal.badChangeset(error.located(in: batch.entries.map { $0.changeset[...] }))
    }
    try log.finish()
    if batch.progress.client > client.upload.client {
      client.upload = batch.progress
      try transaction.log(ServerLog.reciprocals(batch.file)).delete(
        through: Int64(clamping: client.upload.server.rawValue))
    }
    client.lockedServerVersion = max(client.lockedServerVersion, batch.lockedServerVersion)
    client.lastSeen = max(client.lastSeen, now)
    try ClientFileTable.update(batch.file, client, transaction)
  }

  /// Integrates a run of changesets that were made on the same server version.
  private mutating func integrate(
    _ run: [(offset: Int, element: UploadEntry)], base: ServerVersion, from file: FileIdent, _ client: ClientFile
  ) throws {
    let first = run.first?.offset ?? 0
    var incoming: [Changeset] = []
    var rewritten: Set<Int> = []
    var decoder = ChangesetDecoder()
    for (number, (offset, entry)) in run.enumerated() {
      let author = entry.origin == .none ? file : entry.origin
      guard try author == file || ClientFileTable.file(author, in: transaction) != nil else {
        throw UploadRefusal.badOriginFile(author)
      }
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: author)
      incoming.append(try decoder.decode(entry.changeset[...], origin: origin, at: offset))
      if incoming[number].nameOwnObjects() { rewritten.insert(number) }
    }
    if base < client.bootstrap {
      try BootstrapCheck(session.writer, log: session.transaction.log(ServerLog.entries))
        .check(incoming, from: file, after: client.bootstrap)
    }
    let changed = try merge(&incoming, base: max(base, client.bootstrap), from: file, client, offset: first)
    rewritten.formUnion(changed.incoming)
    let applier = ChangesetApplier(writer: session.writer)
    for (number, changeset) in incoming.enumerated() {
      do { try applier.apply(changeset, at: run[number].offset) } catch let error as BadChangesetError {
        throw error.traced(through: changed, changeset: number)
      }
      let entry = run[number].element
      let bytes = rewritten.contains(number) ? changeset.encoded() : entry.changeset
      let version = try log.append(
        changeset.isEmpty ? [] : bytes, timestamp: entry.timestamp, origin: changeset.origin.file, source: file,
        sourceVersion: entry.cursor.client)
      changesets[Int64(version.rawValue)] = changeset
      footprints.insert([Footprint(changeset.instructions)], from: Int64(version.rawValue))
    }
    try log.flush()
  }

  /// Carries a run over the history that its author had not seen, and keeps the form that this takes on by it.
  ///
  /// - Returns: what is different now.
  private mutating func merge(
    _ incoming: inout [Changeset], base: ServerVersion, from file: FileIdent, _ client: ClientFile, offset: Int
  ) throws -> TransformedChangesets {
    let state = try log.state()
    guard base <= state.current else {
      throw BadChangesetError(.merging, "it builds on a version that the server does not have", changeset: offset)
    }
    guard max(base, client.bootstrap) >= client.upload.server else {
      throw BadChangesetError(.merging, "it builds on a version that its author had left behind", changeset: offset)
    }
    guard max(base, client.bootstrap) >= state.base else { throw UploadRefusal.historyTrimmed(state.base) }
    let unchanged = TransformedChangesets(local: [], incoming: [])
    guard base < state.current else { return unchanged }
    let near = try versions(Int64(base.rawValue) + 1...Int64(state.current.rawValue), meeting: incoming)
    guard let first = near.first, let last = near.last else { return unchanged }
    let reciprocals = try transaction.log(ServerLog.reciprocals(file))
    let forms = Dictionary(
      try reciprocals.entries(in: first...last).map { ($0.position, $0.content) },
      uniquingKeysWith: { first, _ in first })
    var versions: [Int64] = []
    var local: [Changeset] = []
    try decodeEntries(near)
    for version in near {
      guard let entry = decoded[version] else { throw ServerLog.missing(version) }
      guard entry.source != file, !entry.changeset.isEmpty else { continue }
      let changeset: Changeset
      if let form = forms[version] {
        changeset = try Changeset(decoding: form, origin: entry.author)
      } else {
        changeset = try self.changeset(version, entry)
      }
      guard !changeset.isEmpty else { continue }
      versions.append(version)
      local.append(changeset)
    }
    guard !local.isEmpty else { return unchanged }
    let changed = try Transformer().transformed(local: &local, incoming: &incoming, offset: offset)
    try reciprocals.put(changed.local.map { LogEntry(position: versions[$0], content: local[$0].encoded()) })
    return changed
  }

  /// The versions of a range whose entries an upload may meet, ascending.
  private mutating func versions(_ range: ClosedRange<Int64>, meeting incoming: [Changeset]) throws -> [Int64] {
    for missing in footprints.missing(in: range) {
      try decodeEntries(Array(missing))
      var found: [Footprint] = []
      for version in missing {
        guard let entry = decoded[version] else { throw ServerLog.missing(version) }
        found.append(Footprint(entry.changeset.isEmpty ? [] : try changeset(version, entry).instructions))
      }
      footprints.insert(found, from: missing.lowerBound)
    }
    return footprints.versions(in: range, meeting: Footprint(incoming))
  }

  /// Decodes those entries that are not decoded yet.
  private mutating func decodeEntries(_ versions: [Int64]) throws {
    var rest = versions.filter { decoded[$0] == nil }[...]
    while let first = rest.popFirst() {
      var last = first
      while rest.first == last + 1, let next = rest.popFirst() { last = next }
      for entry in try transaction.log(ServerLog.entries).entries(in: first...last) {
        decoded[entry.position] = try ServerLogEntry(decoding: entry.content)
      }
    }
  }

  private mutating func changeset(_ version: Int64, _ entry: ServerLogEntry) throws -> Changeset {
    if let changeset = changesets[version] { return changeset }
    let changeset = try Changeset(decoding: entry.changeset, origin: entry.author)
    changesets[version] = changeset
    return changeset
  }
}
