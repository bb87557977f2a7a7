import RecordStore

/// Marks a property of a model as stored.
///
///     @Persisted var name: String
///     @Persisted var age = 18
///     @Persisted(primaryKey: true) var id: Int
///     @Persisted(indexed: true) var email: String
///     @Persisted var dogs: List<Dog>
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// - Complexity: reading a number of a live object takes about two nanoseconds.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  /// The place of the property in its class; written by the object's initialiser, right here in memory. Must stay the
  /// first stored property.
  @usableFromInline var number: Int32 = -1
  /// Whether the value was assigned, rather than being a default.
  @usableFromInline var isAssigned = false
  /// What the attribute says.
  @usableFromInline let options: PersistedOptions
  /// The state of the object, written by the initialiser of objects that can be encoded. Must stay the second word.
  @usableFromInline var owner: UnsafeMutablePointer<ObjectState>?
  /// The value while unmanaged; for collections also the instance once managed.
  @usableFromInline var value: Value?

  @inlinable public init() {
    value = nil
    options = PersistedOptions(rawValue: 0)
  }

  @inlinable public init(wrappedValue: Value) {
    value = wrappedValue
    options = PersistedOptions(rawValue: 0)
  }

  @inlinable public init(indexed: Bool) where Value.PersistedType: _Indexable {
    value = nil
    options = indexed ? .indexed : []
  }

  @inlinable public init(wrappedValue: Value, indexed: Bool) where Value.PersistedType: _Indexable {
    value = wrappedValue
    options = indexed ? .indexed : []
  }

  @inlinable public init(primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    value = nil
    options = primaryKey ? .primaryKey : []
  }

  @inlinable public init(wrappedValue: Value, primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    value = wrappedValue
    options = primaryKey ? .primaryKey : []
  }

  /// The inverse of the link property `originProperty` of the linking class.
  public init(originProperty: String) where Value: LinkingObjectsProtocol {
    value = Value(originProperty: originProperty)
    options = PersistedOptions(rawValue: 0)
  }

  @available(
    *, unavailable, message: "@Persisted can only be used on properties of Object and EmbeddedObject subclasses"
  )
  public var wrappedValue: Value {
    get { violated("@Persisted can only be used on properties of Object and EmbeddedObject subclasses") }
    set { violated("@Persisted can only be used on properties of Object and EmbeddedObject subclasses") }
  }

  @inlinable
  public static subscript<EnclosingSelf: ObjectBase>(
    _enclosingInstance object: EnclosingSelf, wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    @inline(__always) get {
      let state = object.state
      if state.pointee.view != nil && !Value._isStoredInObject {
        let number = object[keyPath: storage].number
        if number >= 0 { return Value._read(state, Int(number)) }
      }
      if let value = object[keyPath: storage].value { return value }
      let number = Int(object[keyPath: storage].number)
      let value = Value._initialValue(state, number)
      if Value._isKept(state) || number < 0 { object[keyPath: storage].value = value }
      return value
    }
    @inline(__always) set {
      let state = object.state
      if (state.pointee.view == nil && !Value._isStoredInObject) || object[keyPath: storage].number < 0 {
        object[keyPath: storage].value = newValue
        object[keyPath: storage].isAssigned = true
      } else {
        Value._assign(newValue, object, Int(object[keyPath: storage].number))
      }
    }
  }
}

/// What the attribute of a property says.
@usableFromInline struct PersistedOptions: OptionSet {
  @usableFromInline let rawValue: UInt8
  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable static var primaryKey: PersistedOptions { PersistedOptions(rawValue: 1) }
  @inlinable static var indexed: PersistedOptions { PersistedOptions(rawValue: 2) }
}
