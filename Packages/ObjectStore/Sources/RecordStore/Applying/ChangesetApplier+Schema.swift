import ChangesetOT
import DataModel
import StorageEngine

extension ChangesetApplier {
  /// Declares or erases a class or a column.
  func changeSchema(_ instruction: Instruction) throws {
    last.forget()
    try close()
    switch instruction {
    case .addTable(let it): try addTable(it)
    case .eraseTable(let it): try eraseTable(it)
    case .addColumn(let it): try addColumn(it)
    case .eraseColumn(let it): try eraseColumn(it)
    default: break
    }
  }

  private func addTable(_ it: AddTable) throws {
    guard let present = writer.catalog[it.table] else {
      guard !it.table.isEmpty, it.table.utf8.count <= 57 else { throw Refusal(.invalidClassName) }
      if let key = it.primaryKey, key.type != .global { try checkFieldName(key.field) }
      guard it.primaryKey?.type != .null else { throw Refusal(.invalidClassKey, "a key is never of type null") }
      guard (it.kind == .embedded) == (it.primaryKey == nil) else {
        throw Refusal(.invalidClassKey, "embedded classes have no key, all others have one")
      }
      if let key = it.primaryKey, key.type == .global, !key.field.isEmpty || key.isNullable {
        throw Refusal(.invalidClassKey, "a class without a key field names none")
      }
      _ = try writer.addClass(it.table, kind: it.kind, key: it.primaryKey)
      return
    }
    guard present.kind == it.kind, present.declaredKey == it.primaryKey else {
      throw Refusal(.classDeclaredDifferently)
    }
  }

  private func eraseTable(_ it: EraseTable) throws {
    let layout = try layout(it.table)
    guard !writer.catalog.isTarget(layout) else { throw Refusal(.classLinkedTo) }
    try writer.eraseClass(layout)
  }

  private func addColumn(_ it: AddColumn) throws {
    let layout = try layout(it.table)
    guard let type = PropertyType(it.type) else { throw Refusal(.invalidFieldType) }
    let target = type == .object ? it.linkTarget ?? "" : nil
    if let target, !target.isEmpty, writer.catalog[target] == nil { throw Refusal(.unknownClass, "no class \(target)") }
    if let present = layout.field(it.field) {
      guard present.type == type, present.collection == it.collection, present.target == target else {
        throw Refusal(.fieldDeclaredDifferently)
      }
      return
    }
    try checkFieldName(it.field)
    if let target, writer.catalog[target]?.kind == .embedded, it.collection == .set {
      throw Refusal(.embeddedSet)
    }
    let isSingleLink = type == .object && it.collection == .single
    try writer.addField(
      FieldDeclaration(
        name: it.field, type: type, collection: it.collection,
        isNullable: it.isNullable || isSingleLink || type == .any, target: target),
      to: layout)
  }

  /// Names that begin with an exclamation mark are the store's own.
  private func checkFieldName(_ name: String) throws {
    guard !name.isEmpty, name.utf8.count <= 63, name.utf8.first != UInt8(ascii: "!") else {
      throw Refusal(.invalidFieldName)
    }
  }

  private func eraseColumn(_ it: EraseColumn) throws {
    let layout = try layout(it.table)
    guard let field = layout.field(it.field) else { throw Refusal(.unknownField, "no field \(it.field)") }
    guard layout.keyField?.column != field.column else { throw Refusal(.keyErased) }
    try writer.eraseField(field, of: layout)
  }
}

extension ClassLayout {
  /// The key as AddTable declares it.
  var declaredKey: PrimaryKeyColumn? {
    key.map { PrimaryKeyColumn(field: keyField?.name ?? "", type: $0.type, isNullable: $0.isNullable) }
  }
}
