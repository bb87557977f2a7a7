import DataModel
import StorageEngine
import RecordStore

/// A class that shows some properties of a model class, under names of its own.
///
///     class PersonName: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.home?.street) var street
///       @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
///     }
///     realm.objects(PersonName.self).filter("age > 18").first?.street
///
/// Filters, sort orders and `where` use the properties of the underlying objects. Writing a projected stored property
/// writes the object's property. A projection belongs to the thread, queue or actor of its object.
open class Projection<Root: ObjectBase>: RealmCollectionValue, CustomStringConvertible {
  /// The object that is shown.
  public let rootObject: Root

  /// Shows an object.
  ///
  /// A class that projects a property which the object does not store stops the program.
  public required init(projecting object: Root) {
    rootObject = object
    ProjectionChecks.check(self)
  }

  /// Whether both are of one class and show the same object.
  public static func == (left: Projection, right: Projection) -> Bool {
    type(of: left) == type(of: right) && left.rootObject.isSameObject(as: right.rootObject)
  }

  /// Hashes in accordance with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    guard let access = rootObject.state.pointee.access?.takeUnretainedValue() else { return hasher.combine(rootObject) }
    hasher.combine(access.layout.table)
    hasher.combine(rootObject.state.pointee.row)
  }

  open var description: String {
    let lines = projectedProperties.map { name, property in
      "\t\(name)(\\.\(KeyPathTracer.shownName(property.path))) = \(property.text(of: rootObject));"
    }
    return "\(type(of: self))<\(Root.self)> \(address(of: self)) {\n\t" + lines.joined(separator: "\n") + "\n}"
  }

  // MARK: Elements of results

  /// Stored as `Root.PersistedType`.
  public typealias PersistedType = Root.PersistedType
  /// Stored as a link to the underlying class.
  public static var _valueType: _ValueType { Root._valueType }
  /// The projection of a link's object.
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    self.init(projecting: Root._decoded(stored, view))
  }
  /// The link to the underlying object.
  public func _encoded(_ view: RealmView) -> StoredValue { rootObject._encoded(view) }
  /// The projection itself; nil for any other literal.
  public static func _converted(_ any: Any) -> Self? { any as? Self }
  /// The object that is shown.
  public var _underlyingObject: ObjectBase? { rootObject }
}

/// A projection of any class of objects, as constraints of generic code name it.
public protocol ProjectionObservable: AnyObject, SendableMetatype {
  /// The class of the objects that are shown.
  associatedtype Root: ObjectBase
  var rootObject: Root { get }
  init(projecting object: Root)
}

extension Projection: ProjectionObservable {}

extension ProjectionObservable {
  /// The projected properties by their names, in the order of their declaration.
  var projectedProperties: [(name: String, property: any ProjectedProperty)] {
    var found: [(String, any ProjectedProperty)] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let current = mirror {
      let own = current.children.compactMap { child -> (String, any ProjectedProperty)? in
        guard let label = child.label, let property = child.value as? any ProjectedProperty else { return nil }
        return (label.hasPrefix("_") ? String(label.dropFirst()) : label, property)
      }
      found = own + found
      mirror = current.superclassMirror
    }
    return found
  }
}

extension Projection: ThreadConfined {
  /// The realm of the underlying object.
  public var realm: Realm? { rootObject.realm }
  /// Whether the underlying object is invalid.
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the underlying object is frozen.
  public var isFrozen: Bool { rootObject.isFrozen }
  /// The projection of a frozen copy of the object.
  public func freeze() -> Self { isFrozen ? self : Self(projecting: rootObject.freeze()) }
  /// The projection of the live object; nil when it was deleted since.
  public func thaw() -> Self? { isFrozen ? rootObject.thaw().map { Self(projecting: $0) } : self }
}

/// Shows a property of the underlying object of a projection, or one behind its links.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// Shows the property at the end of a key path.
  public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

  /// Unavailable: only subclasses of ``Projection`` have projected properties.
  @available(*, unavailable, message: "@Projected can only be used on properties of Projection subclasses")
  public var wrappedValue: Value {
    get { violated("@Projected can only be used on properties of Projection subclasses") }
    set { violated("@Projected can only be used on properties of Projection subclasses") }
  }

  /// The value at the end of the key path. Writing through a read-only key path stops the program.
  public static subscript<EnclosingSelf: Projection<T>>(
    _enclosingInstance object: EnclosingSelf, wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    get { object.rootObject[keyPath: object[keyPath: storage].keyPath] }
    set {
      guard let writable = object[keyPath: storage].keyPath as? ReferenceWritableKeyPath<T, Value> else {
        violated("The projected key path '\(object[keyPath: storage].keyPath)' cannot be written.")
      }
      object.rootObject[keyPath: writable] = newValue
    }
  }
}

/// A property of a projection.
protocol ProjectedProperty {
  /// The key path from the object to the shown property.
  var path: AnyKeyPath { get }
  func value(of root: ObjectBase) -> Any?
  /// The value in words.
  func text(of root: ObjectBase) -> String
}

extension Projected: ProjectedProperty {
  var path: AnyKeyPath { keyPath }
  func value(of root: ObjectBase) -> Any? {
    guard let root = root as? T else { return nil }
    let value: Any = root[keyPath: keyPath]
    if let optional = value as? any AnyOptional { return optional.unwrapped }
    return value
  }
  func text(of root: ObjectBase) -> String { (root as? T).map { "\($0[keyPath: keyPath])" } ?? "nil" }
}
