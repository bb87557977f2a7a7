import DataModel
import StorageEngine
import RecordStore

/// The links that own their targets, in one catalog: those that the model classes name in
/// ``ObjectBase/cascadingProperties()``.
struct CascadeRules {
  let revision: UInt64
  private let fields: [TableID: [FieldLayout]]
  /// The fields with embedded objects, through which a class owns the targets of those.
  private let embedding: [TableID: [FieldLayout]]

  var isEmpty: Bool { fields.isEmpty }

  init(_ catalog: Catalog, _ types: [ObjectBase.Type]) {
    revision = catalog.revision
    var fields: [TableID: [FieldLayout]] = [:]
    for type in types {
      let names = type.cascadingProperties()
      guard !names.isEmpty, let layout = catalog[type.className()] else { continue }
      let schema = ClassBinding.of(type).declaration.schema
      for name in names {
        guard let property = schema[name], property.type == .object else {
          violated("Class '\(type.className())' names '\(name)' in cascadingProperties(), which is no link of it.")
        }
        // Several model classes may share a table, and name one field by different names.
        guard let field = layout.field(property.columnName),
          !fields[layout.table, default: []].contains(where: { $0.column == field.column })
        else { continue }
        fields[layout.table, default: []].append(field)
      }
    }
    self.fields = fields
    guard !fields.isEmpty else {
      embedding = [:]
      return
    }
    var embedding: [TableID: [FieldLayout]] = [:]
    for layout in catalog.classes {
      let parts = layout.fields.filter { $0.target.flatMap { catalog[$0] }?.kind == .embedded }
      if !parts.isEmpty { embedding[layout.table] = parts }
    }
    self.embedding = embedding
  }

  /// The fields of a class through which it owns objects.
  func owning(_ table: TableID) -> [FieldLayout] { (fields[table] ?? []) + (embedding[table] ?? []) }

  /// Whether a field owns its targets.
  func owns(_ field: FieldLayout, of table: TableID) -> Bool { owning(table).contains { $0.column == field.column } }
}
