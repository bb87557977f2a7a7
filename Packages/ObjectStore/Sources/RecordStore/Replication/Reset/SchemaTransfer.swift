import ChangesetOT
import DataModel

/// Adds the classes and fields that another file has. Nothing is ever removed.
struct SchemaTransfer {
  let target: StoreWriter

  /// - Throws: ``Refusal`` when a class or field is declared differently on both sides.
  func add(_ source: Catalog) throws {
    for layout in source.classes {
      guard let present = target.catalog[layout.name] else {
        _ = try target.addClass(layout.name, kind: layout.kind, key: layout.declaredKey)
        continue
      }
      guard present.kind == layout.kind, present.declaredKey == layout.declaredKey else {
        throw Refusal("class \(layout.name) is declared differently on the server")
      }
    }
    for layout in source.classes {
      for field in layout.fields where layout.keyField?.column != field.column {
        guard let present = target.catalog[layout.name] else { continue }
        try add(field, to: present)
      }
    }
  }

  private func add(_ field: FieldLayout, to layout: ClassLayout) throws {
    guard let present = layout.field(field.name) else {
      try target.addField(
        FieldDeclaration(
          name: field.name, type: field.type, collection: field.collection, isNullable: field.isNullable,
          target: field.target),
        to: layout)
      return
    }
    guard present.type == field.type, present.collection == field.collection, present.target == field.target else {
      throw Refusal("field \(layout.name).\(field.name) is declared differently on the server")
    }
  }
}
