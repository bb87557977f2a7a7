import ChangesetOT
import DataModel
import StorageEngine

/// Gives objects without primary key other keys, within one write transaction.
///
/// Rows stay, and with them links, collections, live and frozen objects, and what observers compare: a key is how an
/// object is called outside the file.
struct OwnKeys {
  let session: WriteSession
  private var writer: StoreWriter { session.writer }

  init(_ session: WriteSession) { self.session = session }

  /// Names what was made before the file had an ident by the ident that it got: objects, links to what does not exist, and
  /// the changesets that are to be sent.
  ///
  /// - Complexity: O(*n* log *n*) in these objects, and O(*n*) in the history.
  func claim(for file: FileIdent) throws {
    for layout in writer.catalog.classes {
      try rename(try nameless(layout), layout) { key, _ in key.resolved(for: file) }
    }
    try renameUnresolved { key, _ in key.resolved(for: file) }
    try renameHistory(for: file)
  }

  /// Makes every object one that the file made before it had an ident: for a copy that is to be sent to where the idents in
  /// its keys are those of other files.
  ///
  /// - Complexity: O(*n* log *n*) in the objects without primary key.
  func disown() throws {
    for layout in writer.catalog.classes where layout.key?.globalColumn != nil {
      try rename(try writer.frame.rows(layout), layout) { _, row in .global(GlobalKey(madeHereIn: row)) }
    }
    // Rows never get so far, so that these are names of nothing, also where the copy is sent.
    try renameUnresolved { key, name in
      guard case .global = key else { return nil }
      return .global(GlobalKey(high: 0, low: GlobalKey.lowLimit - 1 - UInt64(bitPattern: name.rawValue)))
    }
  }

  /// The rows of objects whose keys begin with 0.
  private func nameless(_ layout: ClassLayout) throws -> [RowKey] {
    guard let keys = layout.key, keys.globalColumn != nil else { return [] }
    var prefix: [UInt8] = []
    OrderedBytes.append(0 as UInt64, to: &prefix)
    var rows: [RowKey] = []
    try session.transaction.index(keys.index).forEach(prefix: prefix) { _, row in
      rows.append(row)
      return true
    }
    return rows
  }

  private func rename(
    _ rows: [RowKey], _ layout: ClassLayout, _ newKey: (ObjectKey, RowKey) throws -> ObjectKey?
  ) throws {
    guard let keys = layout.key, let column = keys.globalColumn else { return }
    for row in rows {
      let old = try writer.frame.key(row, layout)
      guard let new = try newKey(old, row), new != old, let entry = keys.entry(new) else { continue }
      if let entry = keys.entry(old) { try writer.remove(entry, row, keys.index) }
      try writer.insert(entry, row, keys.index)
      try writer.writer(layout).setData(new.bytes, column, row: row)
    }
    if !rows.isEmpty { writer.changed() }
  }

  private func renameUnresolved(_ newKey: (ObjectKey, RowKey) -> ObjectKey?) throws {
    guard let unresolved = writer.catalog.unresolved else { return }
    var names: [RowKey] = []
    try session.transaction.forEachRow(of: unresolved.table) { names.append($0) }
    for name in names {
      guard let cluster = try session.transaction.cluster(of: name, in: unresolved.table) else { continue }
      let table = TableID(Int(cluster.int(unresolved.classColumn, slot: name.slot)))
      guard let old = ObjectKey(bytes: try cluster.data(unresolved.keyColumn, slot: name.slot)),
        let new = newKey(old, name), new != old
      else { continue }
      try session.transaction.remove(writer.unresolvedEntry(old, table), row: name, from: unresolved.index)
      try session.transaction.insert(writer.unresolvedEntry(new, table), row: name, into: unresolved.index)
      try writer.writer(unresolved.table).setData(new.bytes, unresolved.keyColumn, row: name)
    }
  }

  private func renameHistory(for file: FileIdent) throws {
    session.rewritesHistory = true
    let log = try session.transaction.log(ClientLog.entries)
    guard let last = try log.lastPosition() else { return }
    var position = Int64.min
    while position <= last, case let found = try log.entries(in: position...last, byteLimit: 1 << 20),
      let end = found.last?.position
    {
      for item in found {
        var entry = try ClientLogEntry(decoding: item.content)
        guard entry.isUploadable else { continue }
        let origin = ChangesetOrigin(timestamp: entry.timestamp, file: file)
        // What cannot be read is refused by the server and reported by the reset that follows.
        guard var changeset = try? Changeset(decoding: entry.changeset, origin: origin),
          changeset.resolveProvisionalKeys()
        else { continue }
        entry.changeset = changeset.encoded(strings: .beforeFirstUse)
        try log.put(entry.encoded(), at: item.position)
      }
      position = end + 1
    }
  }
}
