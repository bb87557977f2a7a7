import RecordStore

/// Makes a property of a model class stored.
///
///     @Persisted var name: String
///     @Persisted var age = 18
///     @Persisted(primaryKey: true) var id: Int
///     @Persisted(indexed: true) var email: String
///     @Persisted var dogs: List<Dog>
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///
/// An unmanaged object keeps the value itself; a live object reads and writes the row of its realm.
///
/// - Complexity: O(1) for numbers, O(*n*) in the bytes of strings and data.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  /// The number of the property in its class; -1 for an ignored property. The object's initialiser writes it by
  /// address, so it must stay the first stored property.
  @usableFromInline var number: Int32 = -1
  /// Whether the value was assigned, rather than being a default.
  @usableFromInline var isAssigned = false
  /// The arguments of the attribute.
  @usableFromInline let options: PersistedOptions
  /// The state of the object, in classes that can be encoded. The object's initialiser writes it by address, so it must
  /// stay the second word.
  @usableFromInline var owner: UnsafeMutablePointer<ObjectState>?
  /// The value of an unmanaged object; a collection is kept here also by a live one.
  @usableFromInline var value: Value?

  /// A property with its type's default.
  @inlinable public init() {
    value = nil
    options = PersistedOptions(rawValue: 0)
  }

  /// A property with a default of its own.
  @inlinable public init(wrappedValue: Value) {
    value = wrappedValue
    options = PersistedOptions(rawValue: 0)
  }

  /// A property that an index accelerates in queries for equality.
  @inlinable public init(indexed: Bool) where Value.PersistedType: _Indexable {
    value = nil
    options = indexed ? .indexed : []
  }

  /// An indexed property with a default of its own.
  @inlinable public init(wrappedValue: Value, indexed: Bool) where Value.PersistedType: _Indexable {
    value = wrappedValue
    options = indexed ? .indexed : []
  }

  /// The primary key, by which an object is found and which never changes once the object is live.
  @inlinable public init(primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    value = nil
    options = primaryKey ? .primaryKey : []
  }

  /// The primary key, with a default of its own.
  @inlinable public init(wrappedValue: Value, primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    value = wrappedValue
    options = primaryKey ? .primaryKey : []
  }

  /// The inverse of the link property `originProperty` of the linking class.
  public init(originProperty: String) where Value: LinkingObjectsProtocol {
    value = Value(originProperty: originProperty)
    options = PersistedOptions(rawValue: 0)
  }

  /// Unavailable: only subclasses of ``Object`` and ``EmbeddedObject`` have persisted properties.
  @available(
    *, unavailable, message: "@Persisted can only be used on properties of Object and EmbeddedObject subclasses"
  )
  public var wrappedValue: Value {
    get { violated("@Persisted can only be used on properties of Object and EmbeddedObject subclasses") }
    set { violated("@Persisted can only be used on properties of Object and EmbeddedObject subclasses") }
  }

  // Inlined into the program's own properties. Serves store.property-int and store.property-write.

  /// The value: of the live object's row, or of the unmanaged object itself.
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

/// The arguments of a property's attribute.
@usableFromInline struct PersistedOptions: OptionSet {
  @usableFromInline let rawValue: UInt8
  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable static var primaryKey: PersistedOptions { PersistedOptions(rawValue: 1) }
  @inlinable static var indexed: PersistedOptions { PersistedOptions(rawValue: 2) }
}
