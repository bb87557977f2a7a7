import StorageEngine
import DataModel
import RecordStore

/// A collection as a property: each object keeps one instance of it. Assigning to the property replaces the elements.
public protocol _CollectionProperty: AnyObject, _Persistable, Equatable {
  init()
  /// The live collection of an accessor.
  init(_ accessor: CollectionAccessor)
  /// The accessor of a live collection; nil while unmanaged.
  var _accessor: CollectionAccessor? { get }
  /// Drops the elements and becomes the live collection of an accessor.
  func _attach(_ accessor: CollectionAccessor)
  /// A collection for ``KeyPathTracer``: with one tracer, or without elements when they are no objects.
  static func _tracing() -> Self
  /// An unmanaged collection of the same elements.
  func _copy() -> Self
  /// Takes over the elements of an unmanaged collection.
  func _replace(with other: Self)
  /// Takes over the elements of an unmanaged collection, and writes only the differences.
  func _update(to other: Self)
  /// Whether it has no elements.
  var _isEmpty: Bool { get }
}

extension _CollectionProperty {
  /// The object keeps the one instance, also while it is live.
  public static var _isStoredInObject: Bool { true }

  /// The value before any was assigned.
  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    guard number >= 0, let access = state.pointee.access?.takeUnretainedValue() else {
      return state.pointee.isTracing ? _tracing() : Self()
    }
    return Self(CollectionAccessor(access, state.pointee.row, number, livedAt: state.pointee.livedAt))
  }

  /// Reads a property of a live object.
  public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    _initialValue(state, number)
  }

  /// Sets a property.
  public static func _assign(_ value: Self, _ object: ObjectBase, _ number: Int) {
    let own: Self
    if let access = object.state.pointee.access?.takeUnretainedValue() {
      own = Self(CollectionAccessor(access, object.state.pointee.row, number, livedAt: object.state.pointee.livedAt))
    } else {
      guard let held = object.propertyValue(number) as? Self else { return }
      own = held
    }
    if own != value { own._replace(with: value._copy()) }
  }

  /// Writes the value of an unmanaged object into its new row.
  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    guard let value = wrapper.pointee.value else {
      // Never read, so it is empty. An update empties the existing one, unless it skips unassigned properties.
      if !promotion.isNew, !promotion.skipsUnassigned {
        Self(CollectionAccessor(promotion.access, promotion.row, number))._replace(with: Self())
      }
      return
    }
    value.promote(number, promotion, wasAssigned: wrapper.pointee.isAssigned)
  }

  /// Writes the elements of an unmanaged collection into a row. The collection becomes the live one of that row.
  func promote(_ number: Int, _ promotion: Promotion, wasAssigned: Bool) {
    promotion.isDefault = !wasAssigned
    let elements = _copy()
    _attach(CollectionAccessor(promotion.access, promotion.row, number))
    if promotion.isNew {
      if !elements._isEmpty { _replace(with: elements) }
      return
    }
    if promotion.skipsUnassigned && !wasAssigned && elements._isEmpty { return }
    if promotion.policy == .modified { _update(to: elements) } else { _replace(with: elements) }
  }
}

extension ObjectBase {
  /// The value of a property, made when there is none yet.
  func propertyValue(_ number: Int) -> Any? {
    let property = binding.properties[number]
    return property.access.read(self, memory + property.offset, number)
  }
}

extension CollectionAccessor {
  /// The stored form of an element; an unmanaged object is added to the realm.
  func encoded<Element: RealmCollectionValue>(_ element: Element) -> StoredValue {
    if let object = element._underlyingObject, let other = object.view, other !== view,
      !view.promotionRules.copiesForeign
    {
      violated("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
    }
    let stored = element._encoded(view)
    rule(
      kind != .set || stored.collectionKind == nil, "A set cannot contain collections; a List or a Map can.")
    return stored
  }

  /// The unmanaged embedded object of an element; nil for an element that is none. One with a parent stops the program.
  func embedded<Element: RealmCollectionValue>(_ element: Element) -> EmbeddedObject? {
    guard let object = element._underlyingObject as? EmbeddedObject else { return nil }
    return view.unmanagedEmbedded(
      object,
      "Cannot add an existing managed embedded object to a \(kind == .dictionary ? "Dictionary" : kind == .set ? "Set" : "List")."
    )
  }

  /// Writes an unmanaged embedded object into a row, of which it becomes the live object.
  func promote(_ source: EmbeddedObject, _ child: RowKey, isNew: Bool) {
    view.promote(source, view.access(type(of: source)), child, isNew: isNew)
  }

  /// The row of an embedded object that a stored value links to; nil for any other value.
  func embeddedRow(_ stored: StoredValue?) -> RowKey? {
    guard case .link(_, let row)? = stored, row.rawValue >= 0 else { return nil }
    return row
  }
}
