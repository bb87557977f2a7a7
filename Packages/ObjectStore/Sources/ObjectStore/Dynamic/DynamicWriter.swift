import ChangesetOT
import DataModel
import StorageEngine
import RecordStore

/// Writes literals into objects whose classes are known by their names only. Dictionaries and arrays in the place of links
/// become new objects of the linked class, and unmanaged objects are added, or copied where an object is created.
///
/// One instance serves one assignment: an unmanaged object that occurs several times is copied once.
final class DynamicWriter {
  let view: RealmView
  private let update: Realm.UpdatePolicy
  /// Whether unmanaged objects are copied, rather than added, and objects of other realms, too, which otherwise stop the
  /// program.
  private let isCreating: Bool
  /// The rows of the unmanaged objects that were copied.
  private var copies: [ObjectIdentifier: (original: ObjectBase, row: RowKey)] = [:]

  /// - Parameter update: the treatment of an existing object with the primary key of a created one.
  init(_ view: RealmView, _ update: Realm.UpdatePolicy = .error, isCreating: Bool = false) {
    (self.view, self.update, self.isCreating) = (view, update, isCreating)
  }

  // MARK: Objects

  /// Creates an object, or finds the one that is to be updated, and sets the given properties. The other properties of a
  /// new object get the defaults of the program's class, if it has one of that name.
  func create(_ value: Any, _ layout: ClassLayout) -> RowKey {
    rule(layout.kind != .embedded, "Embedded objects cannot be created directly: they are added with their parent.")
    rule(
      update == .error || layout.keyField != nil,
      "'\(layout.name)' does not have a primary key and can not be updated.")
    let values = values(of: value, layout)
    let completed = values.merging(defaults(of: layout)) { given, _ in given }
    let (row, isNew) = view.modify(or: (.none, false)) { try self.row(for: completed, layout, $0) }
    remember(value, row)
    fill(row, isNew ? completed : values, layout)
    return row
  }

  /// The defaults that the program's class declares, by stored names; none for a class that the program does not have.
  private func defaults(of layout: ClassLayout) -> [String: Any] {
    guard let prototype = view.modelClass(named: layout.name)?.init() else { return [:] }
    var defaults: [String: Any] = [:]
    for (name, column) in prototype.literalNames {
      guard let field = layout.field(column), let value = prototype.literal(named: name) else { continue }
      // A new collection is empty already.
      let isEmpty =
        switch field.collection {
        case .single: false
        case .list, .set: elementsOfLiteral(value)?.isEmpty ?? true
        case .dictionary: entriesOfLiteral(value)?.isEmpty ?? true
        }
      if !isEmpty { defaults[column] = value }
    }
    return defaults
  }

  private func row(
    for values: [String: Any], _ layout: ClassLayout, _ writer: StoreWriter
  ) throws -> (row: RowKey, isNew: Bool) {
    let isMigrating = view.migratedSchema != nil
    guard let field = layout.keyField else {
      let key = try writer.nextGlobalKey(layout, file: isMigrating ? FileIdent.none : nil)
      return (try writer.createNew(key, layout, indexesDefaults: true), true)
    }
    guard let stored = StoredValue(literal: values[field.name], field)?.scalar, let key = ObjectKey(stored) else {
      violated("Missing or invalid value for primary key '\(layout.name).\(field.name)'.")
    }
    if let row = try writer.readView.row(key, layout) {
      rule(
        update != .error,
        "Attempting to create an object of type '\(layout.name)' with an existing primary key value '\(key)'.")
      return (row, false)
    }
    return (try writer.createNew(key, layout, indexesDefaults: true), true)
  }

  private func remember(_ value: Any, _ row: RowKey) {
    if let object = value as? ObjectBase { copies[ObjectIdentifier(object)] = (object, row) }
  }

  /// Sets properties of an object, in the order of their names.
  private func fill(_ row: RowKey, _ values: [String: Any], _ layout: ClassLayout) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where name != layout.keyField?.name {
      guard let field = layout.field(name) else { violated("Class '\(layout.name)' has no property '\(name)'.") }
      assign(value, Cell(layout, row, field))
    }
  }

  // MARK: Properties

  /// Sets a property. A value of another type stops the program.
  func assign(_ value: Any?, _ cell: Cell) {
    let isKey = cell.layout.keyField?.column == cell.field.column
    if let target = embeddedTarget(of: cell.field) { return assignEmbedded(value, cell, target) }
    switch cell.field.collection {
    case .single:
      let stored = stored(value, cell.field)
      view.modify { writer in
        if isKey { try writer.write(stored, cell) } else { try writer.set(stored, cell) }
      }
    case .list:
      let elements = elements(value).map { stored($0, cell.field) }
      view.modify { writer in
        try writer.clearList(cell)
        try writer.append(elements, cell)
      }
    case .set:
      let elements = elements(value).map { stored($0, cell.field) }
      view.modify { writer in
        try writer.clearMap(cell)
        for element in elements { try writer.insertMember(element, cell) }
      }
    case .dictionary:
      let entries = (value.flatMap { entriesOfLiteral($0) } ?? [:]).mapValues { stored($0, cell.field) }
      view.modify { writer in
        try writer.clearMap(cell)
        for (key, element) in entries { try writer.setEntry(element, for: key, cell) }
      }
    }
  }

  /// The class of a property of embedded objects; nil for any other.
  private func embeddedTarget(of field: FieldLayout) -> ClassLayout? {
    guard field.isFixedLink, let target = view.catalog[field.target ?? ""], target.kind == .embedded else { return nil }
    return target
  }

  private func assignEmbedded(_ value: Any?, _ cell: Cell, _ target: ClassLayout) {
    func literal(_ value: Any?) -> [String: Any]? {
      guard let value = unwrapped(value) else { return nil }
      rule(
        (value as? ObjectBase).map { !$0.isManaged || isCreating && $0.view !== view } ?? true,
        "Can't set link to existing managed embedded object. Copy it first.")
      return values(of: value, target)
    }
    func add(_ values: [String: Any], _ make: (StoreWriter) throws -> RowKey) {
      fill(view.modify(or: .none, make), values.merging(defaults(of: target)) { given, _ in given }, target)
    }
    switch cell.field.collection {
    case .single:
      guard let values = literal(value) else { return view.modify { try $0.set(.null, cell) } }
      add(values) { try $0.createEmbedded(cell) }
    case .list, .set:
      let elements = elements(value).compactMap { literal($0) }
      view.modify { try $0.clearList(cell) }
      for (position, values) in elements.enumerated() { add(values) { try $0.insertEmbedded(at: position, cell) } }
    case .dictionary:
      let entries = (value.flatMap { entriesOfLiteral($0) } ?? [:]).mapValues { literal($0) }
      view.modify { try $0.clearMap(cell) }
      for (key, values) in entries {
        guard let values else {
          view.modify { try $0.setEntry(.null, for: key, cell) }
          continue
        }
        add(values) { try $0.createEmbedded(for: key, cell) }
      }
    }
  }

  // MARK: Values

  /// The stored form of a single value. One that does not fit the property stops the program.
  private func stored(_ value: Any?, _ field: FieldLayout) -> StoredValue {
    let value = unwrapped(value)
    switch field.type {
    case .object:
      if let value { return link(to: value, className: field.target ?? "", field) }
    case .any:
      if let value, let mixed = AnyRealmValue._converted(value) {
        guard case .object(let object) = mixed else { return mixed._encoded(view) }
        return link(
          to: object, className: object.literalClassName, field)
      }
    case .int, .bool, .string, .data, .date, .float, .double, .linkingObjects, .objectId, .decimal128, .UUID: break
    }
    guard let stored = StoredValue(literal: value, field) else {
      violated("Invalid value '\(value ?? "nil")' for property '\(field.name)' of type '\(field.type.text)'.")
    }
    return stored
  }

  /// The link to an object of the realm, or to a new object that is made from the value.
  private func link(to value: Any, className: String, _ field: FieldLayout) -> StoredValue {
    guard let layout = view.catalog[className] else {
      violated("Object type '\(className)' is not managed by the Realm.")
    }
    guard let object = value as? ObjectBase else { return .link(layout.table, create(value, layout)) }
    if let copy = copies[ObjectIdentifier(object)] { return .link(layout.table, copy.row) }
    guard let own = object.state.pointee.access?.takeUnretainedValue() else {
      rule(
        object.literalClassName == className,
        "Property '\(field.name)' does not link to a '\(object.literalClassName)'.")
      if isCreating || object is EmbeddedObject { return .link(layout.table, create(object, layout)) }
      return view.link(to: object)
    }
    rule(own.layout.name == className, "Property '\(field.name)' does not link to a '\(own.layout.name)'.")
    rule(!object.isInvalidated, "Object has been deleted or invalidated.")
    // The old objects of a migration have the rows of the new ones.
    if own.view === view || view.migratedSchema != nil && own.view.file === view.file {
      return .link(layout.table, object.state.pointee.row)
    }
    rule(
      isCreating,
      "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    return .link(layout.table, create(object, layout))
  }

  private func elements(_ value: Any?) -> [Any] {
    guard let value = unwrapped(value) else { return [] }
    guard let elements = elementsOfLiteral(value) else { violated("'\(value)' is no collection.") }
    return elements
  }

  /// The value out of its optionals; nil for none and for `NSNull`.
  private func unwrapped(_ value: Any?) -> Any? {
    var value = value
    while let any = value, let optional = any as? any AnyOptional { value = optional.unwrapped }
    return value.flatMap { isNull($0) ? nil : $0 }
  }

  /// Values by stored name, from a dictionary, an array in the order of the properties, or an object.
  private func values(of value: Any, _ layout: ClassLayout) -> [String: Any] {
    let properties = view.declaredProperties(layout)
    switch value {
    case let values as [String: Any]:
      let stored = Dictionary(properties.map { ($0.name, $0.columnName) }, uniquingKeysWith: { first, _ in first })
      return Dictionary(
        values.map { (layout.field($0.key) == nil ? stored[$0.key] ?? $0.key : $0.key, $0.value) },
        uniquingKeysWith: { first, _ in first })
    case let values as [Any]:
      rule(
        values.count <= properties.count,
        "Invalid array input: more values (\(values.count)) than properties (\(properties.count)).")
      return Dictionary(zip(properties.map(\.columnName), values), uniquingKeysWith: { first, _ in first })
    case let object as ObjectBase:
      var values: [String: Any] = [:]
      for (name, column) in object.literalNames where layout.field(column) != nil {
        values[column] = object.literal(named: name) ?? Optional<Any>.none as Any
      }
      return values
    default:
      violated("An object of '\(layout.name)' is made from a dictionary, an array or an object, not from '\(value)'.")
    }
  }
}
