import DataModel
import StorageEngine
import RecordStore

/// An object whose properties are accessed by their stored names, for classes that the program may not have. For a
/// class of the program the names in code are valid, too.
///
///     person["name"] as? String          // "Ada"
///     person.age                          // 36, by dynamic member look-up
///
/// Integers are `NSNumber`, which casts to `Int` and to every smaller type; other values are Swift types. A link is an
/// object of the program's class where the realm has that class, and a dynamic object otherwise, as within a migration.
/// Collections are live `List`, `MutableSet` and `Map`. An unknown name, and a value of another type, stop the program.
///
/// A link takes an object of the realm, an unmanaged object, which is added, and a dictionary or an array, from which an
/// object is made.
@dynamicMemberLookup
public final class DynamicObject: Object {
  private var className: String { state.pointee.access?.takeUnretainedValue().layout.name ?? "" }
  var row: RowKey { state.pointee.row }
  /// The stored name of the object's class.
  var storedClassName: String { className }
  /// The stored names of the properties.
  var storedNames: [String] { layout().fields.map(\.name) }

  public override class func shouldIncludeInDefaultSchema() -> Bool { false }

  private var readView: ReadView { live.view.readView }
  private var faults: ReadFaults { live.view.faults }

  /// The layout of the object's class, after a check of thread and row.
  private var live: ClassAccess {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("A dynamic object is made by dynamicCreate() and has no properties before.")
    }
    access.view.checkConfinement()
    _ = state.currentCluster()
    return access
  }

  private func layout() -> ClassLayout {
    guard let layout = readView.catalog[className] ?? missingLayout else {
      violated("Object type '\(className)' does not exist here.")
    }
    return layout
  }

  /// The empty layout of a class that does not exist, to which a link of a damaged file leads.
  private var missingLayout: ClassLayout? {
    className.isEmpty ? state.pointee.access?.takeUnretainedValue().layout : nil
  }

  private func field(_ name: String, _ layout: ClassLayout) -> FieldLayout {
    if let field = layout.field(name) { return field }
    guard let type = ClassBinding.named(className),
      let property = ClassBinding.of(type).declaration.schema[name], let field = layout.field(property.columnName)
    else { violated("Class '\(className)' has no property '\(name)'.") }
    return field
  }

  /// A property by its stored name. An unknown name, or a value of another type, stops the program.
  public override subscript(key: String) -> Any? {
    get {
      let layout = layout()
      let field = field(key, layout)
      if field.collection != .single, let found = live.field(named: field.name) {
        return CollectionAccessor(live, row, found.number).dynamicCollection(of: found.property)
      }
      return faults.reading(or: nil) { any(try readView.value(Cell(layout, row, field))) }
    }
    set {
      rule(
        view?.isFrozen != true || view?.migratedSchema == nil, "An object of the old version cannot be changed.")
      let (view, access) = prepareForWriting()
      let field = field(key, access.layout)
      rule(
        access.layout.keyField?.column != field.column || view.migratedSchema != nil,
        "Primary key can't be changed after an object is inserted.")
      DynamicWriter(view).assign(newValue, Cell(access.layout, row, field))
    }
  }

  /// A property by its stored name.
  public func value(forUndefinedKey key: String) -> Any? { self[key] }
  /// Sets a property by its stored name.
  public func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }

  /// A property by its stored name. An unknown name, or a value of another type, stops the program.
  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }

  private func any(_ value: StoredValue) -> Any? {
    guard case .link(let table, let target) = value else { return value.namedValue }
    guard target.rawValue >= 0, readView.catalog[table] != nil else { return nil }
    let view = live.view
    let access = view.dynamicAccess(table)
    if view.migratedSchema == nil, let type = access.modelClass { return view.live(type, target) }
    return access.dynamicObject(target)
  }
}
