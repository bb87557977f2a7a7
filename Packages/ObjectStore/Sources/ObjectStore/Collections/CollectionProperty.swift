import StorageEngine
import DataModel
import RecordStore

/// A collection of which every object holds one instance, managed or not, for as long as the object lives. Assigning
/// to the property replaces the contents.
public protocol _CollectionProperty: AnyObject, _Persistable, Equatable {
  init()
  /// The live collection of a place.
  init(_ accessor: CollectionAccessor)
  /// Where it lies; nil while unmanaged.
  var _accessor: CollectionAccessor? { get }
  /// Drops what is in it and becomes the live collection of a place.
  func _attach(_ accessor: CollectionAccessor)
  /// What an object that key paths are followed on holds: one such object, or nothing.
  static func _tracing() -> Self
  /// An unmanaged collection of the same elements.
  func _copy() -> Self
  /// Takes over the elements of another one.
  func _replace(with other: Self)
  /// Takes over the elements of an unmanaged one, writing only what differs.
  func _update(to other: Self)
  /// Whether it has no elements.
  var _isEmpty: Bool { get }
}

extension _CollectionProperty {
  public static var _isStoredInObject: Bool { true }

  public static func _initialValue(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    guard number >= 0, let access = state.pointee.access?.takeUnretainedValue() else {
      return state.pointee.isTracing ? _tracing() : Self()
    }
    return Self(CollectionAccessor(access, state.pointee.row, number, livedAt: state.pointee.livedAt))
  }

  public static func _read(_ state: UnsafeMutablePointer<ObjectState>, _ number: Int) -> Self {
    _initialValue(state, number)
  }

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

  public static func _promoteWrapper(
    _ memory: UnsafeMutableRawPointer, _ object: ObjectBase, _ number: Int, _ promotion: Promotion
  ) {
    let wrapper = memory.assumingMemoryBound(to: Persisted<Self>.self)
    guard let value = wrapper.pointee.value else {
      // Never looked at: empty, which an update takes over unless it leaves out what was not named.
      if !promotion.isNew, !promotion.skipsUnassigned {
        Self(CollectionAccessor(promotion.access, promotion.row, number))._replace(with: Self())
      }
      return
    }
    value.promote(number, promotion, wasAssigned: wrapper.pointee.isAssigned)
  }

  /// Writes the elements of an unmanaged collection into a row and lets the collection be the live one there.
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
  /// The instance that a property holds, made when there is none yet.
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

  /// The unmanaged embedded object that an element is, or is stored as.
  func embedded<Element: RealmCollectionValue>(_ element: Element) -> EmbeddedObject? {
    guard let object = element._underlyingObject as? EmbeddedObject else { return nil }
    return view.unmanagedEmbedded(
      object,
      "Cannot add an existing managed embedded object to a \(kind == .dictionary ? "Dictionary" : kind == .set ? "Set" : "List")."
    )
  }

  /// Lets an unmanaged embedded object be the view of a row.
  func promote(_ source: EmbeddedObject, _ child: RowKey, isNew: Bool) {
    view.promote(source, view.access(type(of: source)), child, isNew: isNew)
  }

  /// Lies where an embedded object lies already: a row of the place's class.
  func embeddedRow(_ stored: StoredValue?) -> RowKey? {
    guard case .link(_, let row)? = stored, row.rawValue >= 0 else { return nil }
    return row
  }
}
