import ChangesetOT
import DataModel
import StorageEngine

/// The declaration of a field.
package struct FieldDeclaration: Hashable {
  package var name: String
  package var type: PropertyType
  package var collection: CollectionKind = .single
  package var isNullable = false
  /// The class linked to; empty for links to any class, nil for everything that is no link.
  package var target: String?
}

extension StoreWriter {
  /// A new class with nothing but its key.
  func addClass(_ name: String, kind: ObjectKind, key: PrimaryKeyColumn?) throws -> ClassLayout {
    if let recorder { recorder.append(.addTable(AddTable(table: name, kind: kind, primaryKey: key))) }
    let table = try transaction.createTable("class_" + name)
    var fields: [FieldLayout] = []
    var keys: KeyLayout?
    if let key, kind != .embedded {
      keys = KeyLayout(
        field: nil, type: key.type, isNullable: key.isNullable,
        index: try transaction.createIndex("key", key.type == .int && !key.isNullable ? .int : .bytes, on: table),
        globalColumn: nil)
      if key.type == .global {
        keys?.globalColumn = try transaction.addColumn("!key", .data, to: table)
      } else {
        keys?.field = 0
        fields.append(try keyField(key, index: keys?.index, table))
      }
    }
    let layout = ClassLayout(name: name, table: table, kind: kind, key: keys, fields: fields)
    putClass(layout)
    return layout
  }

  private func keyField(_ key: PrimaryKeyColumn, index: IndexID?, _ table: TableID) throws -> FieldLayout {
    let type: PropertyType =
      switch key.type {
      case .string: .string
      case .objectId: .objectId
      case .uuid: .UUID
      case .int, .null, .global: .int
      }
    let draft = FieldLayout(
      name: key.field, column: ColumnID(0), type: type, collection: .single, isNullable: key.isNullable, target: nil)
    return FieldLayout(
      name: key.field,
      column: try transaction.addColumn(key.field, draft.columnType, isNullable: key.isNullable, to: table),
      type: type, collection: .single, isNullable: key.isNullable, target: nil, index: index)
  }

  /// A new field of a class.
  @discardableResult
  func addField(_ declaration: FieldDeclaration, to layout: ClassLayout) throws -> ClassLayout {
    let draft = FieldLayout(
      name: declaration.name, column: ColumnID(0), type: declaration.type, collection: declaration.collection,
      isNullable: declaration.isNullable, target: declaration.target)
    recorder?.append(.addColumn(draft.instruction(in: layout.name)))
    let target = draft.isFixedLink ? catalog[draft.target ?? ""]?.table : nil
    let isSingle = draft.collection == .single
    let column = try transaction.addColumn(
      draft.name, draft.columnType, isNullable: isSingle && draft.isNullable && draft.columnType != .link,
      target: target, to: layout.table)
    var (backlinks, repeats): (IndexID?, IndexID?)
    if draft.canLink {
      let kind: IndexKind = draft.isFree ? .bytes : .int
      backlinks = try transaction.createIndex("backlinks \(column.rawValue)", kind, on: layout.table)
      if !isSingle || draft.isFree {
        repeats = try transaction.createIndex("repeats \(column.rawValue)", .bytes, on: layout.table)
      }
    }
    let field = FieldLayout(
      name: draft.name, column: column, type: draft.type, collection: draft.collection, isNullable: draft.isNullable,
      target: draft.target, backlinks: backlinks, repeats: repeats)
    let changed = layout.adding(field)
    putClass(changed, adding: field)
    return changed
  }

  package func eraseClass(_ layout: ClassLayout) throws {
    recorder?.append(.eraseTable(EraseTable(table: layout.name)))
    try forgetErased(layout)
    try unrecorded { try eraseAll(layout) }
    try transaction.dropTable(layout.table)
    removeClass(layout)
  }

  @discardableResult
  package func eraseField(_ field: FieldLayout, of layout: ClassLayout) throws -> ClassLayout {
    recorder?.append(.eraseColumn(EraseColumn(table: layout.name, field: field.name)))
    let rowCount = readView.reader.rowCount(of: layout.table)
    if field.canLink, let backlinks = field.backlinks, try transaction.index(backlinks).count > 0 {
      try work.charge(rowCount)
      for row in try readView.rows(layout) {
        for value in try readView.elements(Cell(layout, row, field)) { try forgetElement(value, field, row) }
      }
    }
    // Cells of variable length are looked through for what lies elsewhere.
    try work.charge(rowCount / 8)
    for index in [field.index, field.backlinks, field.repeats].compactMap({ $0 }) { try transaction.dropIndex(index) }
    try transaction.dropColumn(field.column, of: layout.table)
    let fields = layout.fields.filter { $0.column != field.column }
    var key = layout.key
    if let number = key?.field { key?.field = fields.firstIndex { $0.column == layout.fields[number].column } }
    let changed = layout.with(fields: fields, key: .some(key))
    putClass(changed)
    return changed
  }

  /// Begins or ends to keep an index over a field that is not the key.
  @discardableResult
  func setIndexed(_ isIndexed: Bool, _ field: FieldLayout, of layout: ClassLayout) throws -> ClassLayout {
    guard (field.index != nil) != isIndexed, layout.keyField?.column != field.column else { return layout }
    let changed: FieldLayout
    if let index = field.index {
      try transaction.dropIndex(index)
      changed = field.indexed(by: nil)
    } else {
      let index = try transaction.createIndex(
        "index \(field.column.rawValue)", field.hasIntegerIndex ? .int : .bytes, on: layout.table)
      changed = field.indexed(by: index)
      for row in try readView.rows(layout) {
        if let key = IndexKey(try readView.value(Cell(layout, row, field)), of: field) { try insert(key, row, index) }
      }
    }
    let next = layout.with(fields: layout.fields.map { $0.column == field.column ? changed : $0 })
    putClass(next)
    return next
  }

  /// Erases all objects of a class, links to them included, without recording.
  private func eraseAll(_ layout: ClassLayout) throws {
    for row in try readView.rows(layout) { try erase(row, layout, incoming: .nullify) }
  }
}

extension FieldLayout {
  /// The instruction that declares the field.
  func instruction(in table: String) -> AddColumn {
    AddColumn(
      table: table, field: name, type: payloadType, isNullable: isNullable, collection: collection,
      linkTarget: type == .object ? target ?? "" : nil)
  }
}

extension ReadView {
  /// The rows of a class, ascending.
  package func rows(_ layout: ClassLayout) throws -> [RowKey] {
    var rows: [RowKey] = []
    rows.reserveCapacity(reader.rowCount(of: layout.table))
    try reader.forEachRow(of: layout.table) { rows.append($0) }
    return rows
  }
}
