import ChangesetOT
import DataModel
import StorageEngine
import RecordStore

extension StoreWriter {
  /// The values of a single field whose property only became optional or required; empty for any other change.
  func keptValues(
    of field: FieldLayout, _ layout: ClassLayout, becoming property: Property
  ) throws -> [(row: RowKey, value: StoredValue)] {
    guard field.type == property.type, field.collection == .single, property.collection == .single,
      !field.canLink
    else { return [] }
    return try readView.rows(layout).map { ($0, try readView.value(Cell(layout, $0, field))) }
  }

  /// Writes kept values into a field that was made anew.
  func restore(_ values: [(row: RowKey, value: StoredValue)], _ property: Property, _ className: String) throws {
    guard let layout = catalog[className], let field = layout.field(property.columnName) else { return }
    for (row, value) in values where value != .null || field.isNullable { try assign(value, Cell(layout, row, field)) }
  }

  /// Copies the value or the elements of one field to another of the same type.
  func copy(_ source: FieldLayout, to cell: Cell) throws {
    switch source.collection {
    case .single:
      let value = try readView.value(Cell(cell.layout, cell.row, source))
      if value != .null || cell.field.isNullable { try assign(value, cell) }
    case .list:
      try append(try readView.elements(Cell(cell.layout, cell.row, source)), cell)
    case .set, .dictionary:
      for (key, value) in try readView.entries(Cell(cell.layout, cell.row, source)) {
        try assignEntry(value, for: key, cell)
      }
    }
  }

  /// Changes or removes the primary key of a class.
  ///
  /// - Throws: ``Realm/Error`` with code `schemaMismatch` for a change from or to an asymmetric class.
  func changeKey(of className: String, to object: ObjectSchema) throws {
    guard var layout = catalog[className] else { return }
    if layout.kind == .asymmetric || object.kind == .asymmetric, layout.kind != object.kind {
      throw Realm.Error(
        .schemaMismatch,
        "Class '\(className)' cannot become \(object.kind) by a migration. Use another class name.")
    }
    // A class that becomes embedded keeps independent objects, without primary key, until the migration is done.
    let column = object.keyColumn ?? PrimaryKeyColumn(field: "", type: .global)
    layout = layout.with(kind: .topLevel)
    if let keys = layout.key { try transaction.dropIndex(keys.index) }
    var fields = layout.fields
    for number in fields.indices where fields[number].index == layout.key?.index {
      fields[number] = fields[number].indexed(by: nil)
    }
    layout = layout.with(fields: fields)
    putClass(layout)
    if let property = object.primaryKeyProperty, layout.field(property.columnName) == nil {
      try addProperty(
        Property(name: property.columnName, type: property.type, isOptional: property.isOptional), to: className)
      layout = catalog[className] ?? layout
    }
    let index = try transaction.createIndex(
      "key \(catalog.revision)", column.type == .int && !column.isNullable ? .int : .bytes, on: layout.table)
    var keys = KeyLayout(
      field: layout.number(of: column.field), type: column.type, isNullable: column.isNullable, index: index)
    fields = layout.fields
    if let number = keys.field {
      fields[number] = fields[number].indexed(by: index)
    } else {
      keys.globalColumn = try transaction.addColumn("!key \(catalog.revision)", .data, to: layout.table)
    }
    putClass(layout.with(fields: fields, key: .some(keys)))
  }

  /// Turns a class into an embedded one, whose objects belong to the object that links to them.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` unless each has exactly one parent.
  func embed(_ className: String) throws {
    guard let layout = catalog[className], layout.kind != .embedded else { return }
    func refuse(_ reason: String) -> Realm.Error {
      Realm.Error(
        .fail,
        "Cannot convert '\(className)' to embedded: \(reason). Give each object exactly one parent in the migrationBlock, "
          + "or delete it there.")
    }
    let incoming = catalog.incoming(layout.table)
    for row in try readView.rows(layout) {
      var links = 0
      for reference in incoming {
        for origin in try readView.origins(reference.field, of: layout.table, row) {
          guard reference.field.isFixedLink, reference.field.collection != .set else {
            throw refuse("'\(reference.layout.name).\(reference.field.name)' cannot hold embedded objects")
          }
          links += 1 + Int(try repeatCount(reference.field, layout.table, row, origin))
        }
      }
      if links == 0 { throw refuse("at least one object has no incoming links and would be deleted") }
      if links > 1 { throw refuse("at least one object has more than one incoming link") }
    }
    if let keys = layout.key {
      try transaction.dropIndex(keys.index)
      if let column = keys.globalColumn { try transaction.dropColumn(column, of: layout.table) }
    }
    putClass(layout.with(kind: .embedded, key: .some(nil)))
  }

  /// Completes the index of a class's primary key.
  ///
  /// - Throws: ``Realm/Error`` with code `fail` when two objects have one key.
  func checkKeys(_ className: String) throws {
    guard let layout = catalog[className], let keys = layout.key else { return }
    for row in try readView.rows(layout) {
      if let column = keys.globalColumn {
        if try readView.key(row, layout) == .null {
          let key = ObjectKey.global(GlobalKey(madeHereIn: row))
          try writer(layout).setData(key.bytes, column, row: row)
          if let entry = keys.entry(key) { try insert(entry, row, keys.index) }
        }
        continue
      }
      let key = try readView.key(row, layout)
      guard let entry = keys.entry(key) else { continue }
      if let other = try readView.firstRow(entry, keys.index) {
        guard other == row else {
          throw Realm.Error(
            .fail,
            "Primary key property '\(className).\(layout.keyField?.name ?? "")' has duplicate values after migration: \(key)."
          )
        }
      } else {
        try insert(entry, row, keys.index)
      }
    }
  }
}
