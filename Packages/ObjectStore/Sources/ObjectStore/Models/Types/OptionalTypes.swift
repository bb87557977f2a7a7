import DataModel
import Foundation
public import StorageEngine
import RecordStore

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  /// Stored as `Wrapped.PersistedType`.
  public typealias PersistedType = Wrapped.PersistedType
}

extension Optional: RealmCollectionValue where Wrapped: _PersistableInsideOptional {
  /// The stored type.
  public static var _valueType: _ValueType {
    var type = Wrapped._valueType
    type.hasFallback = { true }
    type.isOptional = true
    return type
  }
  /// Decodes a stored value. A value of another type gives a neutral one.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Wrapped? {
    Wrapped._decodedOptional(stored, view)
  }
  /// The stored form of the wrapped value; null for nil.
  public func _encoded(_ view: RealmView) -> StoredValue { self?._encoded(view) ?? .null }
  /// Converts a literal; nil when it stands for no such value.
  public static func _converted(_ any: Any) -> Wrapped?? {
    if any is NSNull { return .some(nil) }
    if let optional = any as? any AnyOptional, optional.isNil { return .some(nil) }
    return Wrapped._convertedOptional(any)
  }
  /// The object of the wrapped value; nil for none.
  public var _underlyingObject: ObjectBase? { self?._underlyingObject }
}

extension Optional: _Persistable, _PersistableValue where Wrapped: _PersistableInsideOptional {
  /// Properties start with `nil`.
  public static func _defaultValue() -> Wrapped? { nil }
  /// The value before any was assigned.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Wrapped? {
    state.pointee.isTracing ? KeyPathTracer.elements(Wrapped.self).first : nil
  }

  /// Reads a cell that is not null.
  @inlinable public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Wrapped? {
    Wrapped._loadOptional(cluster, column, state)
  }

  /// Writes a cell.
  ///
  /// - Throws: ``StorageError`` when the cluster of the row cannot be read.
  public static func _store(_ value: Wrapped?, _ writer: TableWriter, _ column: ColumnID, _ row: RowKey) throws {
    if let value { try Wrapped._store(value, writer, column, row) } else { try writer.setNull(column, row: row) }
  }

  /// Sets a property.
  public static func _assign(_ value: Wrapped?, _ object: ObjectBase, _ number: Int) {
    let state = object.state
    if let cell = state.plainCell(number) {
      cell.writer._withUnsafeGuaranteedRef { writer in
        object.writing { try _store(value, writer, cell.column, state.pointee.row) }
        state.notePlainWrite(writer)
      }
      return
    }
    let (view, access) = object.prepareForWriting()
    let field = access.fields[number]
    let row = object.state.pointee.row
    if field.isEmbedded {
      view.setEmbedded(value?._underlyingObject as? EmbeddedObject, field, row, access)
    } else if field.isPlain, let writer = view.plainWriter(access) {
      view.writing { try _store(value, writer, field.column, row) }
      view.wrote()
    } else {
      view.set(value._encoded(view), field, row, access)
    }
  }

  /// Writes the optional value of an unmanaged object into its new row.
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    Wrapped._promoteOptional(memory, object, number, promotion)
  }
}

/// An optional of any type.
protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var isNil: Bool { get }
  var unwrapped: Any? { get }
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
  var unwrapped: Any? { self }
}

// MARK: Links

extension ObjectBase: _PersistableInsideOptional {
  /// Stored as itself.
  public typealias PersistedType = ObjectBase

  /// Stored as a link to the class.
  public class var _valueType: _ValueType { _ValueType(.object, objectType: self) }

  /// The live object that a cell links to.
  public static func _load(
    _ cluster: Cluster, _ column: ColumnID, _ state: UnsafeMutablePointer<ObjectState>
  ) -> Self {
    guard let view = state.pointee.access?.takeUnretainedValue().view else {
      violated("An unmanaged object has no links.")
    }
    let row = cluster.link(column, slot: state.pointee.slot)
    let access = view.access(self)
    view.prefetch(row, access)
    return view.live(self, access, row)
  }

  /// Whether a cell is null.
  @inlinable public static func _isNull(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) -> Bool {
    cluster.link(column, slot: slot).rawValue < 0
  }

  /// The live object of a link.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    // A value other than a link comes from an element that cannot be read; the object then shows defaults.
    let (table, row) = if case .link(let table, let row) = stored { (table, row) } else { (TableID(-1), RowKey.none) }
    if self == DynamicObject.self, let object = view.dynamicAccess(table).dynamicObject(row) as? Self { return object }
    return view.live(self, row)
  }

  /// The link to the object; an unmanaged object is added to the realm.
  public final func _encoded(_ view: RealmView) -> StoredValue { view.link(to: self) }
  /// The object itself.
  public final var _underlyingObject: ObjectBase? { self }

  /// Writes the optional value of an unmanaged object into its new row.
  public static func _promoteOptional(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    // Wrappers of optional references have one layout, whatever the class.
    let wrapper = memory.assumingMemoryBound(to: Persisted<ObjectBase?>.self)
    promotion.isDefault = !wrapper.pointee.isAssigned
    if promotion.isDefault && promotion.skipsUnassigned && !promotion.isNew { return }
    let field = promotion.access.fields[number]
    let value = wrapper.pointee.value ?? nil
    wrapper.pointee.value = nil
    if field.isEmbedded {
      promotion.writeEmbedded(value as? EmbeddedObject, field)
    } else if promotion.isNew, let link = field.link, promotion.plainWriter != nil {
      // A new cell is null already.
      if let value { promotion.writeLink(promotion.row(of: value), link) }
    } else {
      promotion.write(value.map { promotion.view.link(to: $0) } ?? .null, field)
    }
  }

  /// An object from itself, a dictionary, an array, or a dynamic object of the class; nil for any other literal.
  public static func _converted(_ any: Any) -> Self? {
    if let object = any as? Self { return ObjectCopies.replacement(for: object) }
    // An object of another class with the same properties is a literal of the outermost object only.
    guard any is [String: Any] || any is [Any] || (any as? ObjectBase)?.literalClassName == className() else {
      return nil
    }
    let object = self.init()
    object.fill(from: any)
    return object
  }
}
