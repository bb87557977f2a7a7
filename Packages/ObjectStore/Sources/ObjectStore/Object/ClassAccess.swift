import DataModel
import StorageEngine

/// How a model class lies in the file of one view. Kept up to date when the file's schema changes.
final class ClassAccess {
  // unowned(unsafe): the view owns its accesses, and live objects, which lead here, keep the view.
  unowned(unsafe) let view: RealmView
  let viewState: UnsafeMutablePointer<ViewState>
  let binding: ClassBinding
  let declaration: ClassDeclaration
  private(set) var layout: ClassLayout
  /// By property number.
  private(set) var fields: [FieldAccess] = []
  /// The storage columns by property number, for inlined reads.
  let columns: UnsafeMutablePointer<ColumnID>
  /// The writer of the running transaction and the transaction's number.
  var writer: (transaction: UInt64, writer: TableWriter)?

  init(_ view: RealmView, _ binding: ClassBinding, _ layout: ClassLayout) {
    self.view = view
    viewState = view.state
    self.binding = binding
    declaration = binding.declaration
    self.layout = layout
    columns = .allocate(capacity: max(binding.properties.count, 1))
    columns.initialize(repeating: ColumnID(-1), count: max(binding.properties.count, 1))
    update(layout, view.catalog)
  }

  deinit { columns.deallocate() }

  /// Takes over a changed layout.
  func update(_ layout: ClassLayout, _ catalog: Catalog) {
    self.layout = layout
    writer = nil
    fields = declaration.schema.properties.enumerated().map { number, property in
      let field = layout.field(property.columnName)
      columns[number] = field?.column ?? ColumnID(-1)
      return FieldAccess(property, field, number: number, layout, catalog)
    }
  }

  /// The field of a property by its name in code.
  func field(named name: String) -> FieldAccess? { fields.first { $0.property.name == name } }
}

/// How one property of a model class lies in the file.
final class FieldAccess {
  let property: Property
  let number: Int
  /// Inverse relationships have none; see ``layout``.
  private let field: FieldLayout?
  let isKey: Bool
  /// The storage column.
  let column: ColumnID
  /// Whether a write is nothing but a write of the cell: no index, no backlinks, no key.
  let isPlain: Bool
  /// Whether the property holds one embedded object.
  let isEmbedded: Bool
  /// The column, and the index of backlinks, of a single link to an object of one class that stands by itself.
  let link: (column: ColumnID, backlinks: IndexID)?

  init(_ property: Property, _ field: FieldLayout?, number: Int, _ layout: ClassLayout, _ catalog: Catalog) {
    self.property = property
    self.number = number
    self.field = field
    isKey = field != nil && layout.keyField?.column == field?.column
    isPlain = field.map { $0.collection == .single && $0.index == nil && !$0.canLink } ?? false
    let isSingleLink = field.map { $0.collection == .single && $0.isFixedLink } ?? false
    isEmbedded = isSingleLink && catalog[field?.target ?? ""]?.kind == .embedded
    link = isSingleLink && !isEmbedded ? field.flatMap { field in field.backlinks.map { (field.column, $0) } } : nil
    column = field?.column ?? ColumnID(-1)
  }

  /// The field.
  /// - Precondition: the property is no inverse relationship.
  var layout: FieldLayout {
    guard let field else { violated("Property '\(property.name)' is not stored.") }
    return field
  }

  var isStored: Bool { field != nil }
}
