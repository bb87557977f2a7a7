import ChangesetOT
import DataModel
import StorageEngine

extension StateSynthesis {
  /// Writes what is next: a declaration, or objects until the piece is full or their cluster ends.
  mutating func advance(_ piece: inout ChangesetWriter) throws {
    switch steps[step] {
    case .declareClass(let layout):
      piece.addTable(piece.intern(layout.name), kind: layout.kind, primaryKey: layout.declaredKey)
      step += 1
    case .declareField(let layout, let field):
      piece.append(.addColumn(field.instruction(in: layout.name)))
      step += 1
    case .createObjects(let layout, let fields): try advance(layout, fields, creating: true, &piece)
    case .fillObjects(let layout, let fields): try advance(layout, fields, creating: false, &piece)
    }
  }

  private mutating func advance(
    _ layout: ClassLayout, _ fields: [FieldLayout], creating: Bool, _ piece: inout ChangesetWriter
  ) throws {
    if let rows = selection?[layout.table] { return try advance(rows, layout, fields, creating: creating, &piece) }
    let index = row.clusterIndex
    guard index < snapshot.clusterCount(of: layout.table) else {
      step += 1
      row = RowKey(0)
      return
    }
    guard let cluster = try snapshot.cluster(index, of: layout.table) else {
      row = RowKey(clusterIndex: index + 1, slot: 0)
      return
    }
    while row.clusterIndex == index, piece.count < pieceSize {
      if cluster.isAlive(row.slot) {
        guard try write(cluster, layout, fields, creating: creating, &piece) else { return }
      }
      row = RowKey(row.rawValue + 1)
      (isCreated, field, element) = (false, 0, 0)
    }
  }

  private mutating func advance(
    _ rows: [RowKey], _ layout: ClassLayout, _ fields: [FieldLayout], creating: Bool, _ piece: inout ChangesetWriter
  ) throws {
    while selected < rows.count, piece.count < pieceSize {
      row = rows[selected]
      if let cluster = try snapshot.cluster(of: row, in: layout.table), cluster.isAlive(row.slot) {
        guard try write(cluster, layout, fields, creating: creating, &piece) else { return }
      }
      selected += 1
      (isCreated, field, element) = (false, 0, 0)
    }
    guard selected == rows.count else { return }
    step += 1
    selected = 0
  }

  /// Writes what is left of a row; returns false when the piece is full before that is done.
  private mutating func write(
    _ cluster: Cluster, _ layout: ClassLayout, _ fields: [FieldLayout], creating: Bool, _ piece: inout ChangesetWriter
  ) throws -> Bool {
    let readView = ReadView(snapshot, catalog)
    let key = try readView.key(row, layout)
    let table = piece.intern(layout.name)
    if creating, !isCreated {
      piece.createObject(table, key)
      isCreated = true
    }
    while field < fields.count {
      guard piece.count < pieceSize else { return false }
      let values = ValueSynthesis(readView: readView, table: table, key: key, field: piece.intern(fields[field].name))
      guard try write(fields[field], cluster, layout, values, &piece) else { return false }
      field += 1
      element = 0
    }
    return true
  }

  /// Writes what is left of a field; returns false when the piece is full before that is done.
  private mutating func write(
    _ field: FieldLayout, _ cluster: Cluster, _ layout: ClassLayout, _ values: ValueSynthesis,
    _ piece: inout ChangesetWriter
  ) throws -> Bool {
    switch field.collection {
    case .single:
      let value = try values.readView.value(field, cluster, slot: row.slot)
      if !value.isInitial(in: field) { try values.write(value, [], &piece) }
      return true
    case .list:
      let list = try values.readView.list(Cell(layout, row, field))
      try list.forEach(in: element..<list.count) { position, value in
        try values.write(value, [.index(UInt32(position))], &piece)
        element = position + 1
        return piece.count < pieceSize
      }
      return element == list.count
    case .set, .dictionary:
      let map = try values.readView.map(Cell(layout, row, field))
      let count = try map.count
      while element < count, piece.count < pieceSize {
        let entry = try map.entry(at: element)
        try values.writeEntry(entry.key, entry.value, field, [], &piece)
        element += 1
      }
      return element == count
    }
  }
}
