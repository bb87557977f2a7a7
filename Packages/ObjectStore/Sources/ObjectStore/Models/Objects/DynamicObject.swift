import DataModel
import StorageEngine
import RecordStore

/// An object whose properties are accessed by their stored names, for classes that the program may not have. For a
/// class of the program the names in code are valid, too.
///
///     person["name"] as? String          // "Ada"
///     person.age                          // 36, by dynamic member look-up
///
/// Values are Swift types, links are dynamic objects, collections are live `List`, `MutableSet` and `Map`. An unknown
/// name, and a value of another type, stop the program.
@dynamicMemberLookup
public final class DynamicObject: Object {
  private var className: String { state.pointee.access?.takeUnretainedValue().layout.name ?? "" }
  var row: RowKey { state.pointee.row }

  public override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// The stored names and values.
  public override var description: String {
    if isInvalidated { return "\(className) [invalid object]" }
    let layout = layout()
    let lines = layout.fields.map { field in
      if field.isFixedLink, field.collection == .single {
        return "\t\(field.name) = \(self[field.name] == nil ? "(null)" : "\(field.target ?? "") {…}");"
      }
      return "\t\(field.name) = \(self[field.name].map { "\($0)" } ?? "(null)");"
    }
    return "\(className) {\n" + lines.joined(separator: "\n") + "\n}"
  }

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
      view.modify { writer in
        let field = self.field(key, access.layout)
        rule(
          access.layout.keyField?.column != field.column || view.migratedSchema != nil,
          "Primary key can't be changed after an object is inserted.")
        set(newValue, Cell(access.layout, row, field), writer)
      }
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
    guard case .link(let table, let target) = value else { return value.literal }
    guard target.rawValue >= 0, readView.catalog[table] != nil else { return nil }
    return live.view.dynamicAccess(table).dynamicObject(target)
  }

  private func set(_ value: Any?, _ cell: Cell, _ writer: StoreWriter) {
    faults.reading(or: ()) {
      switch cell.field.collection {
      case .single:
        let stored = stored(value, cell.field, writer)
        if cell.layout.keyField?.column == cell.field.column {
          try writer.write(stored, cell)
        } else {
          try writer.set(stored, cell)
        }
      case .list:
        let elements = Self.elements(value)
        try writer.clearList(cell)
        try writer.append(elements.map { self.stored($0, cell.field, writer) }, cell)
      case .set:
        let elements = Self.elements(value)
        try writer.clearMap(cell)
        for element in elements {
          try writer.insertMember(self.stored(element, cell.field, writer), cell)
        }
      case .dictionary:
        let entries = value.flatMap { entriesOfLiteral($0) } ?? [:]
        try writer.clearMap(cell)
        for (key, element) in entries {
          try writer.setEntry(self.stored(element, cell.field, writer), for: key, cell)
        }
      }
    }
  }

  /// The elements of a collection that is assigned to a property.
  private static func elements(_ value: Any?) -> [Any] {
    guard let value else { return [] }
    return (value as? any LiteralElements)?.literalElements ?? value as? [Any] ?? []
  }

  private func stored(_ value: Any?, _ field: FieldLayout, _ writer: StoreWriter) -> StoredValue {
    if let any = value, let object = (any as? DynamicObject) {
      guard [.object, .any].contains(field.type), field.type == .any || object.className == field.target,
        let table = writer.catalog[object.className]?.table
      else { violated("Property '\(className).\(field.name)' does not link to a '\(object.className)'.") }
      return .link(table, object.row)
    }
    if let any = value, let object = any as? ObjectBase,
      let access = object.state.pointee.access?.takeUnretainedValue(),
      field.type == .any || access.layout.name == field.target
    {
      return .link(access.layout.table, object.state.pointee.row)
    }
    guard let stored = StoredValue(literal: value, field) else {
      violated("Invalid value for property '\(className).\(field.name)' of type '\(field.type)'.")
    }
    return stored
  }

  /// Values by stored name, from a dictionary, or from an array in the order of the fields.
  static func values(of value: Any, _ layout: ClassLayout) -> [String: Any] {
    if let values = value as? [String: Any] { return values }
    guard let values = value as? [Any] else { violated("An object is made from a dictionary or an array.") }
    rule(values.count <= layout.fields.count, "Class '\(layout.name)' has only \(layout.fields.count) properties.")
    return Dictionary(zip(layout.fields.map(\.name), values), uniquingKeysWith: { first, _ in first })
  }
}
