import DataModel
import StorageEngine
import RecordStore

/// The layout of a model class in the file of one view, updated when the file's schema changes.
final class ClassAccess {
  // unowned(unsafe): the view owns its accesses, and live objects, which refer to accesses, keep the view. Serves
  // store.read-live.
  unowned(unsafe) let view: RealmView
  let viewState: UnsafeMutablePointer<ViewState>
  let binding: ClassBinding
  private(set) var declaration: ClassDeclaration
  /// Whether the class is accessed by its stored names, through ``DynamicObject``.
  let isDynamic: Bool
  /// The model class that dynamic objects link to; nil when the realm has none, and for accesses of model classes.
  let modelClass: ObjectBase.Type?
  /// The name of the class. Unlike the layout it never changes, and any thread may read it.
  let name: String
  private(set) var layout: ClassLayout
  /// By property number.
  private(set) var fields: [FieldAccess] = []
  /// The storage columns by property number, for inlined reads.
  let columns: UnsafeMutablePointer<ColumnID>
  /// The writer of the running transaction and the transaction's number.
  private(set) var writer: (transaction: UInt64, writer: TableWriter)?
  /// The part of the layout that reads and writes of single objects use by address.
  let fastPath: UnsafeMutablePointer<FastPath>

  init(_ view: RealmView, _ binding: ClassBinding, _ layout: ClassLayout, isDynamic: Bool = false) {
    self.view = view
    viewState = view.state
    self.binding = binding
    self.isDynamic = isDynamic
    name = layout.name
    modelClass = isDynamic ? view.modelClass(named: layout.name) : nil
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

/// The field of one property of a model class.
final class FieldAccess {
  let property: Property
  let number: Int
  /// Nil for an inverse relationship; see ``layout``.
  private let field: FieldLayout?
  let isKey: Bool
  /// The storage column.
  let column: ColumnID
  /// Whether the property is a cell without index and links.
  let isPlain: Bool
  /// Whether the property holds one embedded object.
  let isEmbedded: Bool
  /// The column and the index of backlinks of a single link to a class that is not embedded.
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
