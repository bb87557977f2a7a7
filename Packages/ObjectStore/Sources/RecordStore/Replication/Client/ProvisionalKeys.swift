import ChangesetOT
import DataModel
import StorageEngine

/// Replaces the provisional keys of objects without primary key, within one write transaction.
///
/// Rows stay, and with them links, collections, live and frozen objects, and the rows that observers compare: a key names an
/// object only outside the file.
struct ProvisionalKeys {
  let session: WriteSession
  private var writer: StoreWriter { session.writer }

  init(_ session: WriteSession) { self.session = session }

  /// Assigns the final keys once the file has its ident: to objects, to unresolved links, and in the changesets that are to be
  /// sent.
  ///
  /// - Complexity: O(*n* log *n*) in these objects, and O(*n*) in the history.
  func assign(for file: FileIdent) throws {
    for layout in writer.catalog.classes {
      try rename(try provisionalRows(layout), layout) { key, _ in key.resolved(for: file) }
    }
    try renameUnresolved { key, _ in key.resolved(for: file) }
    try renameHistory(for: file)
  }

  /// Makes the key of every object provisional: for a copy that is to be sent to a server where the idents in its keys belong
  /// to other files.
  ///
  /// - Complexity: O(*n* log *n*) in the objects without primary key.
  func makeProvisional() throws {
    for layout in writer.catalog.classes where layout.key?.globalColumn != nil {
      try rename(try writer.readView.rows(layout), layout) { _, row in .global(GlobalKey(madeHereIn: row)) }
    }
    // Rows never get so far, so that these are names of nothing, also where the copy is sent.
    try renameUnresolved { key, name in
      guard case .global = key else { return nil }
      return .global(GlobalKey(high: 0, low: GlobalKey.lowLimit - 1 - UInt64(bitPattern: name.rawValue)))
    }
  }

  /// The rows of objects with provisional keys, which begin with 0.
  private func provisionalRows(_ layout: ClassLayout) throws -> [RowKey] {
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
      let old = try writer.readView.key(row, layout)
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
      try session.transaction.remove(unresolvedEntry(old, table), row: name, from: unresolved.index)
      try session.transaction.insert(unresolvedEntry(new, table), row: name, into: unresolved.index)
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
        // The server refuses a changeset that cannot be read, and the reset that follows reports it.
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
