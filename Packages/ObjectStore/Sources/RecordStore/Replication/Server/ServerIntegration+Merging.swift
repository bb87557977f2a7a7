import ChangesetOT
import StorageEngine

/// Integration of uploads that may conflict with history that their author had not seen.
extension ServerIntegration {
  /// Rebases a run over the history that its author had not seen, and integrates what becomes of it.
  ///
  /// - Parameter known: the versions that it may meet; nil to look for them once its objects have their names.
  mutating func merge(
    _ run: ArraySlice<(offset: Int, element: UploadEntry)>, base: ServerVersion, over known: [Int64]?,
    from file: FileIdent, _ client: ClientFileRecord
  ) throws {
    var incoming: [Changeset] = []
    var rewritten: Set<Int> = []
    for (number, (offset, entry)) in run.enumerated() {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.author(uploadedBy: file))
      incoming.append(try decoder.decode(entry.changeset[...], origin: origin, at: offset))
      if incoming[number].resolveProvisionalKeys() { rewritten.insert(number) }
    }
    if base < client.bootstrap, admission == nil {
      try BootstrapCheck(session.writer, log: session.transaction.log(ServerLog.entries))
        .check(incoming, from: file, after: client.bootstrap)
    }
    let first = run.first?.offset ?? 0
    if admission == nil { rewritten.formUnion(try leaveOutSetBack(of: &incoming, run, base: base, from: file)) }
    try beginAdmission(of: incoming, from: file, base: base, client, offset: first)
    let originals = admission == nil && setBackWrites.access == nil ? [] : incoming
    for (number, (offset, entry)) in run.enumerated() {
      guard let known = admission?.known(incoming[number], at: offset, entry.cursor.client) else { break }
      if known.instructions.count < incoming[number].instructions.count { rewritten.insert(number) }
      incoming[number] = known
    }
    let near = try known ?? near(WriteSet(incoming), after: base, from: file, client, offset: first)
    let changed = try rebase(&incoming, over: near, from: file, offset: first)
    rewritten.formUnion(changed.incoming)
    let current = try log.state().current
    let applier = ChangesetApplier(writer: session.writer)
    for (number, (offset, entry)) in run.enumerated() {
      let before = admission == nil ? nil : try presentState(at: offset)
      if let before,
        let admitted = try admission?.admitted(
          incoming[number], from: originals[number], at: offset, entry.cursor.client, before),
        admitted.instructions.count < incoming[number].instructions.count
      {
        incoming[number] = admitted
        rewritten.insert(number)
      }
      try charge(admission?.entriesRead ?? 0, at: offset)
      if setBackWrites.access != nil,
        try leaveOutUnpermitted(of: &incoming[number], originals[number], at: offset, entry.cursor.client)
      {
        rewritten.insert(number)
      }
      let changeset = incoming[number]
      let inverse = try inverse(of: changeset, at: offset)
      do { try applier.apply(changeset, at: offset) } catch let error as BadChangesetError {
        throw error.traced(through: changed, changeset: number)
      }
      let bytes = rewritten.contains(number) ? changeset.encoded() : entry.changeset
      try append(changeset.isEmpty ? [] : bytes, of: entry, from: file)
      if let inverse { try keep(inverse, of: changeset) }
      try updatePermissions(after: changeset, at: offset)
      if admission != nil {
        let after = try presentState(at: offset)
        try admission?.judge(changeset, at: offset, entry.cursor.client, after)
      }
    }
    writeSets.insert(
      incoming.map { .init(writeSet: WriteSet($0.instructions), source: file) }, from: Int64(current.rawValue) + 1)
    try log.flush()
  }

  /// The inverse of a changeset that is about to be applied; nil when none are kept.
  private mutating func inverse(of changeset: Changeset, at offset: Int) throws -> VersionInverse? {
    guard keepsInverses else { return nil }
    // Links say what they lead to.
    try settleLinks(at: offset)
    return try VersionInverse(of: changeset.instructions, in: session.writer.readView)
  }

  /// Keeps the inverse of the version that was appended last.
  private mutating func keep(_ inverse: VersionInverse, of changeset: Changeset) throws {
    try InverseLog.keep(inverse, of: changeset.instructions, at: log.state().current, in: transaction)
  }

  /// Rebases changesets over those of some versions, and keeps the form that these take on by it.
  ///
  /// - Returns: what is different now.
  mutating func rebase(
    _ incoming: inout [Changeset], over near: [Int64], from file: FileIdent, offset: Int
  ) throws -> TransformedChangesets {
    let unchanged = TransformedChangesets(local: [], incoming: [])
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
      guard entry.isPrivate == (entry.source == file), !entry.changeset.isEmpty else { continue }
      let changeset: Changeset
      if let form = forms[version] {
        changeset = try Changeset(decoding: form, origin: entry.author)
      } else if let compacted, compacted.contains(ServerVersion(UInt64(version))) {
        continue
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

  /// The versions of a range whose entries an upload of a file may meet, ascending.
  mutating func versions(
    _ range: ClosedRange<Int64>, conflictingWith incoming: WriteSet, for file: FileIdent
  ) throws -> [Int64] {
    writeSets.use(from: range.lowerBound)
    for missing in writeSets.missing(in: range) {
      writeSets.insert(try readWriteSets(of: missing), from: missing.lowerBound)
    }
    return writeSets.versions(in: range, conflictingWith: incoming, for: file)
  }

  /// Reads what entries address. Few of them are in memory at a time.
  private func readWriteSets(of range: ClosedRange<Int64>) throws -> [RecentWriteSets.Entry] {
    let entries = try transaction.log(ServerLog.entries)
    var found: [RecentWriteSets.Entry] = []
    for start in stride(from: range.lowerBound, through: range.upperBound, by: 1_024) {
      for record in try entries.entries(in: start...min(range.upperBound, start + 1_023)) {
        guard record.position == range.lowerBound + Int64(found.count) else { throw ServerLog.missing(record.position) }
        let entry = try ServerLogEntry(decoding: record.content)
        let instructions =
          entry.changeset.isEmpty ? [] : try Changeset(decoding: entry.changeset, origin: entry.author).instructions
        found.append(
          .init(writeSet: WriteSet(instructions), source: entry.source, isPrivate: entry.isPrivate))
      }
    }
    guard found.count == range.count else { throw ServerLog.missing(range.lowerBound + Int64(found.count)) }
    return found
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
