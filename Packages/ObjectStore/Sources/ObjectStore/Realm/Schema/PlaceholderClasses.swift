import DataModel
import StorageEngine
import RecordStore

/// Classes that a view shows without objects: those that the file has otherwise than the program, or could not take.
///
/// They lie in tables that no file has, so that reads find nothing and writes throw.
struct PlaceholderClasses {
  private var classes: [String: (layout: ClassLayout, reason: Realm.Error?)] = [:]
  private var made = 0
  /// The catalog of the file as it was when the substitutes were made, and the catalog that was shown.
  private var last: (real: Catalog, shown: Catalog)?

  var isEmpty: Bool { classes.isEmpty }

  /// Why a class is shown without objects; nil when the file has none, or when it is shown as it is.
  func reason(_ className: String) -> Realm.Error? { classes[className]?.reason }

  mutating func put(_ schema: ObjectSchema, because reason: Realm.Error?) {
    last = nil
    let known = classes[schema.className]?.layout
    if known == nil { made += 1 }
    classes[schema.className] = (known ?? ClassLayout(placeholderFor: schema, number: made), reason)
  }

  mutating func remove(_ className: String) {
    guard classes.removeValue(forKey: className) != nil else { return }
    last = nil
  }

  /// A catalog with the placeholders in place of the classes of their names.
  mutating func shown(in real: Catalog) -> Catalog {
    if isEmpty { return real }
    if let last, last.real === real { return last.shown }
    let shown = Catalog(
      revision: real.revision, schemaVersion: real.schemaVersion,
      classes: real.classes.filter { classes[$0.name] == nil } + classes.values.map(\.layout),
      unresolved: real.unresolved)
    last = (real, shown)
    return shown
  }
}

extension ClassLayout {
  /// A class as a program declares it, in a table that no file has.
  convenience init(placeholderFor schema: ObjectSchema, number: Int) {
    var fields: [FieldLayout] = []
    for property in schema.properties where property.type != .linkingObjects {
      guard !fields.contains(where: { $0.name == property.columnName }) else { continue }
      let declared = property.declaration
      fields.append(
        FieldLayout(
          name: declared.name, column: ColumnID(-2 - fields.count), type: declared.type,
          collection: declared.collection, isNullable: declared.isNullable, target: declared.target))
    }
    let key = schema.keyColumn.map { column in
      let field = fields.firstIndex { $0.name == column.field }
      return KeyLayout(
        field: field, type: column.type, isNullable: column.isNullable, index: .missing,
        globalColumn: field == nil ? ColumnID(-1) : nil)
    }
    self.init(name: schema.className, table: TableID(-1 - number), kind: schema.kind, key: key, fields: fields)
  }

  /// Whether no file has the class like this.
  var isPlaceholder: Bool { table.rawValue < 0 }
}

extension IndexID {
  /// One that no file has.
  static let missing = IndexID(-1)
}
