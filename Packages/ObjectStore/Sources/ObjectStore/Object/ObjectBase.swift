import StorageEngine

/// What all model classes have in common: an object is unmanaged, an ordinary object in memory, or managed, a live
/// view of a row of a realm.
open class ObjectBase: Hashable, CustomStringConvertible {
  /// What is known of the row; see ``ObjectState``.
  @usableFromInline final let state: UnsafeMutablePointer<ObjectState>

  /// An unmanaged object with the defaults of its properties.
  public required init() {
    state = .allocate(capacity: 1)
    state.initialize(to: ObjectState())
    ClassBinding.number(type(of: self), propertiesOf: Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    state.pointee.cluster?.release()
    state.pointee.view?.pointee.released()
    state.deallocate()
  }

  // MARK: Overridden by models

  /// The name of the primary key property; only for models that do not use `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }
  /// Properties that are not stored.
  open class func ignoredProperties() -> [String] { [] }
  /// Properties with an index; only for models that do not use `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }
  /// Stored names that differ from those in code.
  open class func propertiesMapping() -> [String: String] { [:] }
  /// False keeps a class out of realms that name no object types.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  /// The stored name of the class, when it differs from the Swift name.
  open class func _realmObjectName() -> String? { nil }

  /// The name of the class without its module.
  public class func className() -> String { _realmObjectName() ?? String(describing: self) }

  // MARK: State

  /// Whether the object was deleted, or its realm invalidated; false while unmanaged.
  public final var isInvalidated: Bool {
    if state.pointee.isDetached { return true }
    guard let view else { return false }
    view.checkConfinement()
    return !state.locate()
  }

  /// Whether the object belongs to a frozen realm.
  public final var isFrozen: Bool { view?.isFrozen ?? false }

  final var view: RealmView? { state.pointee.access?.takeUnretainedValue().view }

  /// Whether the object belongs to a realm.
  final var isManaged: Bool { state.pointee.access != nil }

  /// Lets the object be the live view of a row.
  final func attach(_ access: ClassAccess, _ row: RowKey) {
    let view = access.viewState
    view.pointee.retained()
    state.pointee.access = Unmanaged.passUnretained(access)
    state.pointee.view = view
    state.pointee.columns = access.columns
    state.pointee.row = row
    state.pointee.epoch = 0
    state.pointee.birth = view.pointee.birth
    state.pointee.generation = view.pointee.generation
    state.pointee.livedAt = view.pointee.deletions
    if view.pointee.isFrozen { _ = state.locate() }
  }

  // MARK: Equality

  /// Whether both are the same row of the same realm, or the same unmanaged instance.
  public final func isSameObject(as object: ObjectBase?) -> Bool {
    guard let object else { return false }
    guard let left = state.pointee.access?.takeUnretainedValue(),
      let right = object.state.pointee.access?.takeUnretainedValue()
    else { return self === object }
    return left.view.file === right.view.file && left.layout.table == right.layout.table
      && state.pointee.row == object.state.pointee.row
  }

  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    left === right || (left.isManaged && right.isManaged && left.isSameObject(as: right))
  }

  public func hash(into hasher: inout Hasher) {
    if let access = state.pointee.access?.takeUnretainedValue() {
      hasher.combine(access.layout.table)
      hasher.combine(state.pointee.row)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  open var description: String { describe(depth: 0) }
}

/// Base class of models.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: Int
///       @Persisted var name: String
///       @Persisted var owner: Person?
///     }
///     let dog = Dog(value: ["id": 1, "name": "Rex"])       // unmanaged
///     try realm.write { realm.add(dog) }                    // now it is live
///
/// A live object reads and writes the realm directly and always shows its present state. It belongs to the thread (or
/// queue) of its realm.
open class Object: ObjectBase {
  public required init() { super.init() }

  /// An unmanaged object from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    fill(from: value)
  }
}

/// Base class of objects that live inside exactly one parent and die with it.
open class EmbeddedObject: ObjectBase {
  public required init() { super.init() }

  /// An unmanaged object from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    fill(from: value)
  }
}
