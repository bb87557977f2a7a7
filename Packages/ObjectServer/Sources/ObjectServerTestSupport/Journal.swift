import ChangesetOT
import ObjectServer
import SyncProtocol

/// The content of a journal, as a value: a batch that fails is undone by dropping the copy.
struct Journal: Sendable {
  struct Entry: Sendable {
    var version: ServerVersion
    var author: FileIdent
    var authorVersion: ClientVersion
    var timestamp: OriginTimestamp
    var bytes: [UInt8]

    var origin: ChangesetOrigin { ChangesetOrigin(timestamp: timestamp, file: author) }
  }

  let salt: Int64
  private var entries: [Entry] = []
  var files: [FileIdent: ClientFileRecord] = [:]
  /// For each client file the entries that its unacknowledged changes transformed, as it will have to meet them.
  private var reciprocals: [FileIdent: [ServerVersion: [UInt8]]] = [:]

  init(salt: Int64) { self.salt = salt }

  var current: SaltedServerVersion {
    SaltedServerVersion(version: ServerVersion(UInt64(entries.count)), salt: entries.isEmpty ? 0 : salt)
  }

  func entries(after version: ServerVersion) -> ArraySlice<Entry> {
    entries.dropFirst(Int(clamping: version.rawValue))
  }

  /// Integrates one batch, or changes nothing and answers why.
  mutating func integrate(_ batch: UploadBatch) -> SessionFailure? {
    var batch = batch
    if batch.hasNoEffect {
      guard ReadOnlyUploadPolicy.isSchemaOnly(batch) else {
        return ReadOnlyUploadPolicy.refusal(rule: batch.accessRule)
      }
      for index in batch.entries.indices { batch.entries[index].changeset = [] }
    }
    guard var file = files[batch.file] else {
      return SessionFailure(.badClientFileIdent, "the client file was never given out")
    }
    guard !file.isExpired else { return SessionFailure(.clientFileExpired, "the client goes on under another ident") }
    var copy = self
    do {
      let fresh = batch.entries.filter { $0.cursor.client > file.upload.client }
      for group in Self.groups(fresh) { try copy.merge(group, from: batch.file) }
    } catch {
      return SessionFailure(.badChangeset, "Bad changeset (UPLOAD): \(error)")
    }
    if batch.progress.client >= file.upload.client { file.upload = batch.progress }
    file.lockedServerVersion = max(file.lockedServerVersion, batch.lockedServerVersion)
    copy.files[batch.file] = file
    copy.reciprocals[batch.file] = copy.reciprocals[batch.file]?.filter { $0.key > file.upload.server }
    self = copy
    return nil
  }

  /// Merges entries of one base with what their author had not seen, and appends them.
  private mutating func merge(_ group: ArraySlice<UploadEntry>, from author: FileIdent) throws {
    guard let base = group.first?.cursor.server else { return }
    let unseen = entries(after: base).filter { $0.author != author && !$0.bytes.isEmpty }
    var local = try unseen.map { entry in
      try Changeset(decoding: reciprocals[author]?[entry.version] ?? entry.bytes, origin: entry.origin)
    }
    var rewritten: Set<Int> = []
    var incoming = try group.enumerated().map { index, entry in
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: author)
      var changeset = try Changeset(decoding: entry.changeset, origin: origin)
      if changeset.resolveProvisionalKeys() { rewritten.insert(index) }
      return changeset
    }
    let changed = try Transformer().transform(local: &local, incoming: &incoming)
    rewritten.formUnion(changed.incoming)
    for (index, entry) in group.enumerated() {
      entries.append(
        Entry(
          version: ServerVersion(UInt64(entries.count) + 1), author: author, authorVersion: entry.cursor.client,
          timestamp: entry.timestamp, bytes: rewritten.contains(index) ? incoming[index].encoded() : entry.changeset))
    }
    for index in changed.local { reciprocals[author, default: [:]][unseen[index].version] = local[index].encoded() }
  }

  /// Consecutive entries with the same base.
  private static func groups(_ entries: [UploadEntry]) -> [ArraySlice<UploadEntry>] {
    var groups: [ArraySlice<UploadEntry>] = []
    var start = 0
    for index in entries.indices where index > start && entries[index].cursor.server != entries[start].cursor.server {
      groups.append(entries[start..<index])
      start = index
    }
    if start < entries.count { groups.append(entries[start...]) }
    return groups
  }
}
