import DataModel
import StorageEngine
import RecordStore

/// How a model class lies in the file of one view. Kept up to date when the file's schema changes.
final class ClassAccess {
  // unowned(unsafe): the view owns its accesses, and live objects, which lead here, keep the view.
  unowned(unsafe) let view: RealmView
  let viewState: UnsafeMutablePointer<ViewState>
  let binding: ClassBinding
  // Unchecked, like what else every write looks at: used by the view's thread, which reads or writes each at once.
  @exclusivity(unchecked) private(set) var declaration: ClassDeclaration
  /// Whether the class is seen by its stored names, as ``DynamicObject``.
  let isDynamic: Bool
  /// The name of the class; never changes, unlike the layout, and so may be read anywhere.
  let name: String
  @exclusivity(unchecked) private(set) var layout: ClassLayout
  /// By property number.
  @exclusivity(unchecked) private(set) var fields: [FieldAccess] = []
  /// The storage columns by property number, for inlined reads.
  let columns: UnsafeMutablePointer<ColumnID>
  /// The writer of the running transaction and the transaction's number.
  @exclusivity(unchecked) private(set) var writer: (transaction: UInt64, writer: TableWriter)?
  /// What reads and writes of single objects need, behind a pointer so that it costs no exclusivity checks.
  let fastPath: UnsafeMutablePointer<FastPath>

  init(_ view: RealmView, _ binding: ClassBinding, _ layout: ClassLayout, isDynamic: Bool = false) {
    self.view = view
    viewState = view.state
    self.binding = binding
    self.isDynamic = isDynamic
    name = layout.name
    declaration = isDynamic ? ClassDeclaration(layout) : binding.declaration
    self.layout = layout
    columns = .allocate(capacity: max(binding.properties.count, 1))
    columns.initialize(repeating: ColumnID(-1), count: max(binding.properties.count, 1))
    fastPath = .allocate(capacity: 1)
    fastPath.initialize(to: FastPath(layout.table, propertyCount: binding.properties.count))
    update(layout, view.catalog)
  }

  deinit {
    columns.deallocate()
    fastPath.pointee.columns.deallocate()
    fastPath.deallocate()
  }

  /// Keeps the writer of the running transaction.
  func keep(_ writer: TableWriter, _ transaction: UInt64) {
    self.writer = (transaction, writer)
    fastPath.pointee.writer = Unmanaged.passUnretained(writer)
    fastPath.pointee.transaction = transaction
  }

  /// Takes over a changed layout.
  func update(_ layout: ClassLayout, _ catalog: Catalog) {
    self.layout = layout
    writer = nil
    if isDynamic { declaration = ClassDeclaration(layout) }
    fastPath.pointee.transaction = 0
    fastPath.pointee.writer = nil
    fields = declaration.schema.properties.enumerated().map { number, property in
      let field = layout.field(property.columnName)
      if !isDynamic { columns[number] = field?.column ?? ColumnID(-1) }
      return FieldAccess(property, field, number: number, layout, catalog)
    }
    fastPath.pointee.update(layout, fields)
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
