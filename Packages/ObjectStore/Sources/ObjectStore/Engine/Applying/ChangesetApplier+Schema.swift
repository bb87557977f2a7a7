import ChangesetOT
import DataModel
import StorageEngine

extension ChangesetApplier {
  func addTable(_ it: AddTable) throws {
    guard let present = writer.catalog[it.table] else {
      guard !it.table.isEmpty, it.table.utf8.count <= 57 else { throw Refusal("the name of a class has 1 to 57 bytes") }
      guard it.primaryKey?.type != .null else { throw Refusal("a key is never of type null") }
      guard (it.kind == .embedded) == (it.primaryKey == nil) else { throw Refusal("embedded classes have no key") }
      _ = try writer.addClass(it.table, kind: it.kind, key: it.primaryKey)
      return
    }
    guard present.kind == it.kind, present.declaredKey == it.primaryKey else {
      throw Refusal("the class is declared differently")
    }
  }

  func eraseTable(_ it: EraseTable) throws {
    let layout = try layout(it.table)
    for other in writer.catalog.classes where other.table != layout.table {
      guard !other.fields.contains(where: { $0.target == it.table }) else { throw Refusal("the class is linked to") }
    }
    try writer.eraseClass(layout)
  }

  func addColumn(_ it: AddColumn) throws {
    let layout = try layout(it.table)
    guard let type = PropertyType(it.type) else { throw Refusal("no field has that type") }
    let target = type == .object ? it.linkTarget ?? "" : nil
    if let target, !target.isEmpty, writer.catalog[target] == nil { throw Refusal("no class \(target)") }
    if let present = layout.field(it.field) {
      guard present.type == type, present.collection == it.collection, present.target == target else {
        throw Refusal("the field is declared differently")
      }
      return
    }
    guard !it.field.isEmpty, it.field.utf8.count <= 63 else { throw Refusal("the name of a field has 1 to 63 bytes") }
    if let target, writer.catalog[target]?.kind == .embedded, it.collection == .set {
      throw Refusal("a set holds no embedded objects")
    }
    let isSingleLink = type == .object && it.collection == .single
    try writer.addField(
      FieldDeclaration(
        name: it.field, type: type, collection: it.collection,
        isNullable: it.isNullable || isSingleLink || type == .any, target: target),
      to: layout)
  }

  func eraseColumn(_ it: EraseColumn) throws {
    let layout = try layout(it.table)
    guard let field = layout.field(it.field) else { throw Refusal("no field \(it.field)") }
    guard layout.keyField?.column != field.column else { throw Refusal("the key of a class cannot be erased") }
    try writer.eraseField(field, of: layout)
  }
}

extension ClassLayout {
  /// The key as AddTable declares it.
  var declaredKey: PrimaryKeyColumn? {
    key.map { PrimaryKeyColumn(field: keyField?.name ?? "", type: $0.type, isNullable: $0.isNullable) }
  }
}
