import ChangesetOT
import DataModel
import StorageEngine

/// The treatment of links to an object that is erased.
package enum IncomingLinks {
  /// Links become null and leave their lists, and that is recorded: a local deletion.
  case nullify
  /// Links keep the name of the object, in case it is created again: an erasure by a peer.
  case unresolve
}

extension StoreWriter {
  /// Makes an object, or gives the one that has this key.
  func create(_ key: ObjectKey, _ layout: ClassLayout) throws -> RowKey {
    if case .int(let number) = key, let keys = layout.key, keys.hasIntegerIndex {
      // Integers and strings, as most keys are, are looked up without a read view.
      if let row = try transaction.firstRow(number, in: keys.index) { return row }
    } else if let row = try readView.row(key, layout) {
      return row
    }
    return try createNew(key, layout, indexesDefaults: true)
  }

  /// Makes an object whose key is not taken.
  ///
  /// - Parameter indexesDefaults: whether other indexed fields get entries for what they now hold. Not needed by
  ///   callers that initialise every indexed field.
  package func createNew(_ key: ObjectKey, _ layout: ClassLayout, indexesDefaults: Bool) throws -> RowKey {
    let table = try writer(layout)
    let row: RowKey
    if let former = deferred.restore(key, layout.table) {
      // The links to the object never left this row.
      try table.restoreRow(former)
      row = former
    } else {
      row = try table.insertRow()
    }
    recorder?.createObject(layout, key, row)
    if let keys = layout.key {
      if let column = layout.keyColumn {
        try write(key, column, row, table)
      } else if let column = keys.globalColumn {
        try table.setData(key.bytes, column, row: row)
      }
      if let entry = keys.entry(key) { try insert(entry, row, keys.index) }
      if catalog.unresolved != nil { try resolveLinks(to: key, row, layout) }
    }
    if indexesDefaults, layout.hasIndexedFields { try indexDefaults(row, layout) }
    changed()
    return row
  }

  /// Writes the cell of a primary key.
  private func write(_ key: ObjectKey, _ column: ColumnID, _ row: RowKey, _ table: TableWriter) throws {
    switch key {
    case .null: try table.setNull(column, row: row)
    case .int(let value): try table.setInt(value, column, row: row)
    case .string(let value): try table.setString(value, column, row: row)
    case .objectId(let value): try table.setObjectId(value, column, row: row)
    case .uuid(let value): try table.setUUID(value, column, row: row)
    case .global: break
    }
  }

  private func indexDefaults(_ row: RowKey, _ layout: ClassLayout) throws {
    for (number, field) in layout.fields.enumerated() where number != layout.key?.field {
      guard let index = field.index else { continue }
      if let key = IndexKey(try readView.value(Cell(layout, row, field)), of: field) { try insert(key, row, index) }
    }
  }

  /// The key of a new object of a class without primary key: the file's ident and the object's row.
  ///
  /// Keys that came with an import may be taken already; then one follows of the upper half, where rows never get.
  ///
  /// - Parameter file: what the key names as the file it was made in; nil for this one.
  package func nextGlobalKey(_ layout: ClassLayout, file: FileIdent? = nil) throws -> ObjectKey {
    var key = GlobalKey(madeHereIn: transaction.nextRow(of: layout.table))
    key.high = try file?.rawValue ?? ownIdent().rawValue
    let upperHalf = GlobalKey.lowLimit / 2
    while try readView.row(.global(key), layout) != nil { key.low = upperHalf + (key.low + 40_503) % upperHalf }
    return .global(key)
  }

  /// Lets the links that wait for this object lead to it.
  private func resolveLinks(to key: ObjectKey, _ row: RowKey, _ layout: ClassLayout) throws {
    guard let name = try unresolvedRow(key, layout) else { return }
    if defersLinks { return deferred.resolve(name, to: row, of: layout.table) }
    try redirectLinks(from: name, to: row, layout)
  }

  // MARK: Erasing

  /// Erases an object with everything embedded in it.
  package func erase(_ row: RowKey, _ layout: ClassLayout, incoming: IncomingLinks) throws {
    if layout.kind != .embedded {
      switch incoming {
      case .nullify: try nullifyLinks(to: row, layout)
      case .unresolve:
        let key = try readView.key(row, layout)
        let isLinked = try isLinkedTo(row, layout)
        if defersLinks {
          if !deferred.resolved.isEmpty, let name = try unresolvedRow(key, layout) {
            deferred.resolve(name, to: nil, of: layout.table)
          }
          if isLinked { deferred.erase(row, key, layout.table) }
        } else if isLinked {
          try unresolveLinks(to: row, key, layout)
        }
      }
      if let recorder { recorder.eraseObject(layout, try readView.key(row, layout)) }
    }
    try drop(row, layout)
  }

  /// Removes a row with its index entries, outgoing links and embedded objects, and nothing else.
  package func drop(_ row: RowKey, _ layout: ClassLayout) throws {
    let readView = self.readView
    if let keys = layout.key, let entry = keys.entry(try readView.key(row, layout)) {
      try remove(entry, row, keys.index)
    }
    for (number, field) in layout.fields.enumerated() {
      if let index = field.index, number != layout.key?.field,
        let key = IndexKey(try readView.value(Cell(layout, row, field)), of: field)
      {
        try remove(key, row, index)
      }
      guard field.canLink else { continue }
      for value in try readView.elements(Cell(layout, row, field)) {
        try relink(field, from: value, to: .null, origin: row)
        if case .link(let table, let child) = value { try eraseIfEmbedded(child, table) }
      }
    }
    try writer(layout).deleteRow(row)
    deleted()
  }

  func eraseIfEmbedded(_ row: RowKey, _ table: TableID) throws {
    guard row.rawValue >= 0, let layout = catalog[table], layout.kind == .embedded else { return }
    guard try readView.reader.contains(row, in: table) else { return }
    try drop(row, layout)
  }

  /// Whether any object links to a row.
  func isLinkedTo(_ row: RowKey, _ layout: ClassLayout) throws -> Bool {
    for incoming in catalog.incoming(layout.table) {
      guard let backlinks = incoming.field.backlinks else { continue }
      if try readView.firstRow(linkKey(incoming.field, layout.table, row), backlinks) != nil { return true }
    }
    return false
  }

  private func unresolveLinks(to row: RowKey, _ key: ObjectKey, _ layout: ClassLayout) throws {
    // The name must not be found as the object while links are moved to it.
    if let keys = layout.key, let entry = keys.entry(key) { try remove(entry, row, keys.index) }
    let name = try linkRow(key, layout)
    try redirectLinks(from: row, to: name, catalog[layout.table] ?? layout)
    if let keys = layout.key, let entry = keys.entry(key) { try insert(entry, row, keys.index) }
  }
}

extension ReadView {
  /// Everything that a field holds: its value, elements or entries.
  package func elements(_ cell: Cell) throws -> [StoredValue] {
    switch cell.field.collection {
    case .single: return [try value(cell)]
    case .list: return try list(cell).elements()
    case .set, .dictionary:
      var values: [StoredValue] = []
      try map(cell).forEach { _, value in
        values.append(value)
        return true
      }
      return values
    }
  }
}
