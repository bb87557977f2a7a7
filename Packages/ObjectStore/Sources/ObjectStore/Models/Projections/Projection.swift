import DataModel
import StorageEngine
import RecordStore

/// A view of objects that shows some of their properties under names of its own.
///
///     class PersonName: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.home?.street) var street
///       @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
///     }
///     realm.objects(PersonName.self).filter("age > 18").first?.street
///
/// Filters, orders and `where` use the properties of the objects behind. Writing a projected stored property writes the
/// object's.
open class Projection<Root: ObjectBase>: RealmCollectionValue, CustomStringConvertible {
  /// The object that is shown.
  public let rootObject: Root

  /// Shows an object.
  public required init(projecting object: Root) { rootObject = object }

  /// Whether both show the same object in the same way.
  public static func == (left: Projection, right: Projection) -> Bool {
    type(of: left) == type(of: right) && left.rootObject.isSameObject(as: right.rootObject)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    guard let access = rootObject.state.pointee.access?.takeUnretainedValue() else { return hasher.combine(rootObject) }
    hasher.combine(access.layout.table)
    hasher.combine(rootObject.state.pointee.row)
  }

  open var description: String {
    let lines = projectedProperties.map {
      "\t\($0.name) = \($0.property.value(of: rootObject).map { "\($0)" } ?? "(null)");"
    }
    return "\(type(of: self))<\(Root.className())> {\n" + lines.joined(separator: "\n") + "\n}"
  }

  // MARK: Elements of results

  public typealias PersistedType = Root.PersistedType
  public static var _valueType: _ValueType { Root._valueType }
  public static func _decoded(_ stored: StoredValue, _ view: RealmView) -> Self {
    self.init(projecting: Root._decoded(stored, view))
  }
  public func _encoded(_ view: RealmView) -> StoredValue { rootObject._encoded(view) }
  public static func _converted(_ any: Any) -> Self? { any as? Self }
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
  public var realm: Realm? { rootObject.realm }
  public var isInvalidated: Bool { rootObject.isInvalidated }
  public var isFrozen: Bool { rootObject.isFrozen }
  public func freeze() -> Self { isFrozen ? self : Self(projecting: rootObject.freeze()) }
  public func thaw() -> Self? { isFrozen ? rootObject.thaw().map { Self(projecting: $0) } : self }
}

/// Shows a property of the object behind a projection, or one behind its links.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// Shows what a key path leads to.
  public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

  @available(*, unavailable, message: "@Projected can only be used on properties of Projection subclasses")
  public var wrappedValue: Value {
    get { violated("@Projected can only be used on properties of Projection subclasses") }
    set { violated("@Projected can only be used on properties of Projection subclasses") }
  }

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

/// What a projection asks of its properties.
protocol ProjectedProperty {
  /// The way from the object to what is shown.
  var path: AnyKeyPath { get }
  func value(of root: ObjectBase) -> Any?
}

extension Projected: ProjectedProperty {
  var path: AnyKeyPath { keyPath }
  func value(of root: ObjectBase) -> Any? {
    guard let root = root as? T else { return nil }
    let value: Any = root[keyPath: keyPath]
    if let optional = value as? any AnyOptional { return optional.unwrapped }
    return value
  }
}
