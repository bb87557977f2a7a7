import DataModel
import Foundation
public import StorageEngine
import RecordStore

extension AnyRealmValue: _PersistableValue, MinMaxType, AddableType, SortableType {
  /// Stored as itself.
  public typealias PersistedType = AnyRealmValue
  /// The stored type.
  public static var _valueType: _ValueType { _ValueType(.any, isOptional: true) }
  /// Properties start with `.none`.
  public static func _defaultValue() -> AnyRealmValue { .none }

  /// Reads a cell. A collection comes live.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> AnyRealmValue {
    var stored = StoredValue.null
    do { stored = try cluster.mixed(column, slot: state.pointee.slot) } catch { state.noteFault(error) }
    guard let access = state.pointee.access?.takeUnretainedValue() else { return .none }
    guard let kind = stored.collectionKind,
      let number = access.fields.firstIndex(where: { $0.isStored && $0.column == column })
    else { return _decoded(stored, access.view) }
    return live(CollectionAccessor(access, state.pointee.row, number, kind, []))
  }

  /// Stops the program: the value is not stored as a plain cell.
  ///
  /// - Throws: never.
  public static func _store(
    _ value: AnyRealmValue, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey
  ) throws {
    violated("A mixed value may link, and is not stored as a plain cell.")
  }

  /// Sets a property. Live collections of the previous value become invalid.
  public static func _assign(_ value: AnyRealmValue, _ object: ObjectBase, _ number: Int) {
    let (view, access) = object.prepareForWriting()
    let stored = value._encoded(view)
    view.nestedCollections.forgetAll(in: access, object.state.pointee.row, number)
    view.set(stored, access.fields[number], object.state.pointee.row, access)
  }

  private static func live(_ accessor: CollectionAccessor) -> AnyRealmValue {
    accessor.kind == .list ? .list(List(accessor)) : .dictionary(Map(accessor))
  }

  /// Decodes a stored value. A collection comes live where `accessor` and the step lead to.
  public static func _decoded(
    _ stored: StoredValue, in accessor: CollectionAccessor, _ step: _CollectionStep
  ) -> AnyRealmValue {
    guard let kind = stored.collectionKind else { return _decoded(stored, accessor.view) }
    return live(accessor.child(step, kind))
  }

  /// Decodes a stored value. Nested collections are unmanaged copies.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> AnyRealmValue {
    switch stored {
    case .null: .none
    case .int(let value): .int(Int(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Data(value))
    case .timestamp(let value): .date(Date(value))
    case .decimal128(let value): .decimal128(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .link(let table, let row): view.anyObject(table, row).map { .object($0) } ?? .none
    case .list(let elements): .list(List(elements.map { _decoded($0, view) }))
    case .dictionary(let entries): .dictionary(Map(entries.mapValues { _decoded($0, view) }))
    }
  }

  /// The stored form; an unmanaged object is added to the realm.
  public func _encoded(_ view: RealmView) -> StoredValue {
    switch self {
    case .none: .null
    case .int(let value): .int(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Array(value))
    case .date(let value): .timestamp(Timestamp(value))
    case .object(let value): view.link(to: value)
    case .objectId(let value): .objectId(value)
    case .decimal128(let value): .decimal128(value)
    case .uuid(let value): .uuid(value)
    case .list(let list): .list(Array(list).map { $0._encoded(view) })
    case .dictionary(let map):
      .dictionary(
        Dictionary(map.entries().map { ($0.key, $0.value._encoded(view)) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The object of the case ``object(_:)-enum.case``; nil for other cases.
  public var _underlyingObject: ObjectBase? { if case .object(let object) = self { object } else { nil } }

  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> AnyRealmValue? {
    switch any {
    case AnyRealmValue.object(let value): return .object(ObjectCopies.replacement(for: value))
    case let value as AnyRealmValue: return value
    case is NSNull: return AnyRealmValue.none
    case let value as Object: return .object(ObjectCopies.replacement(for: value))
    default: break
    }
    if let optional = any as? any AnyOptional {
      guard let unwrapped = optional.unwrapped else { return AnyRealmValue.none }
      if !(unwrapped is any AnyOptional) { return _converted(unwrapped) }
    }
    return scalar(any)
  }

  private static func scalar(_ any: Any) -> AnyRealmValue? {
    if let number = NumberLiteral(any) {
      return switch number {
      case .bool(let value): .bool(value)
      case .int(let value): .int(Int(value))
      case .float(let value): .float(value)
      case .double(let value): .double(value)
      case .decimal(let value): .double(NSDecimalNumber(decimal: value).doubleValue)
      }
    }
    switch any {
    case let value as AnyRealmValue: return value
    case let value as String: return .string(value)
    case let value as Data: return .data(value)
    case let value as Date: return .date(value)
    case let value as ObjectId: return .objectId(value)
    case let value as Decimal128: return .decimal128(value)
    case let value as UUID: return .uuid(value)
    case let value as Object: return .object(value)
    default: return collection(any)
    }
  }

  private static func collection(_ any: Any) -> AnyRealmValue? {
    if let entries = entriesOfLiteral(any) {
      var values: [String: AnyRealmValue] = [:]
      for (key, entry) in entries {
        guard let value = _converted(entry) else { return nil }
        values[key] = value
      }
      return .fromDictionary(values)
    }
    // A set cannot be nested.
    guard !(any is any DistinctElements), let elements = elementsOfLiteral(any) else { return nil }
    var values: [AnyRealmValue] = []
    for element in elements {
      guard let value = _converted(element) else { return nil }
      values.append(value)
    }
    return .fromArray(values)
  }
}

extension AnyRealmValue: _QueryNumeric, _QueryString, _QueryLiteral {
  /// The content; nil for ``none``.
  public var _queryLiteral: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .list(let value): value
    case .dictionary(let value): value
    }
  }
}

extension RealmView {
  /// The live object of a row; nil for a class that the program does not have, and for an unresolved link.
  ///
  /// Of classes with one name it has the one that the realm was opened with.
  func anyObject(_ table: TableID, _ row: RowKey) -> Object? {
    guard row.rawValue >= 0, let name = catalog[table]?.name else { return nil }
    let own = configuration.objectTypes?.first { $0.className() == name }
    guard let type = own ?? ClassBinding.named(name) ?? ModelClasses.all.first(where: { $0.className() == name }) else {
      return nil
    }
    return live(type, row) as? Object
  }
}
