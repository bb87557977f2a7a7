import StorageEngine

/// The base class of all model classes. An object is unmanaged, with its values in memory, or live: then it shows a row
/// of a realm.
///
/// A live object belongs to the thread, queue or actor of its realm, a frozen one to none. An unmanaged object is an
/// ordinary Swift object, which one thread uses at a time.
open class ObjectBase: Hashable, CustomStringConvertible {
  /// The state of the object. Must stay the first stored property, and is used through ``state`` only.
  private final var content = ObjectState()

  /// The state of the object, by its address behind the header of the instance: access costs neither a load nor an
  /// exclusivity check, and a live object is one allocation. Serves store.property-int and store.read-all.
  @inlinable final var state: UnsafeMutablePointer<ObjectState> {
    @inline(__always) get {
      (Unmanaged.passUnretained(self).toOpaque() + ObjectState.offset).assumingMemoryBound(to: ObjectState.self)
    }
  }

  /// An unmanaged object with the defaults of its properties.
  public required init() {
    ClassBinding.number(type(of: self), propertiesOf: Unmanaged.passUnretained(self).toOpaque(), state)
  }

  deinit {
    state.pointee.cluster?.release()
    state.pointee.view?.pointee.released()
  }

  // MARK: Overridden by models

  /// The name of the primary key property, for models that do not use `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }
  /// The names of properties that are not stored.
  open class func ignoredProperties() -> [String] { [] }
  /// The names of indexed properties, for models that do not use `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }
  /// The stored names of properties, by their names in code, where they differ.
  open class func propertiesMapping() -> [String: String] { [:] }
  /// The names of links that own their targets: deleting an object also deletes the objects that it owns, directly or
  /// not, unless another object owns them, too.
  ///
  ///     override class func cascadingProperties() -> [String] { ["pages"] }
  ///
  /// `realm.delete` follows the rule with ordinary deletions, which other devices merge as such. Replacing a link or
  /// removing an element from a list deletes nothing. Objects that own each other in a cycle are deleted together.
  open class func cascadingProperties() -> [String] { [] }
  /// Whether realms without `objectTypes` hold the class.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  /// The stored name of the class, when it differs from the Swift name.
  open class func _realmObjectName() -> String? { nil }

  /// The name of the class without its module.
  public class func className() -> String { _realmObjectName() ?? String(describing: self) }

  // MARK: State

  /// Whether the object was deleted, its transaction cancelled, or its realm invalidated; false while unmanaged.
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

  /// Makes the object the live object of a row.
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
    if view.pointee.isFrozen, !state.locate() {
      // A row that an open transaction created is not committed yet; any other missing row is damage.
      if access.view.outcome != nil { state.pointee.isDetached = true } else { state.showBlankCluster(view) }
    }
  }

  // MARK: Equality

  /// Whether both are the same row of the same realm, or the same unmanaged instance. A frozen object is not the same as
  /// a live one, nor as one that was frozen at another version.
  public final func isSameObject(as object: ObjectBase?) -> Bool {
    guard let object else { return false }
    guard let left = state.pointee.access?.takeUnretainedValue(),
      let right = object.state.pointee.access?.takeUnretainedValue()
    else { return self === object }
    return left.view.file === right.view.file && left.view.isFrozen == right.view.isFrozen
      && (!left.view.isFrozen || left.view.snapshot?.version == right.view.snapshot?.version)
      && left.layout.table == right.layout.table
      && state.pointee.row == object.state.pointee.row
  }

  /// Whether both are equal by ``isEqual(_:)``.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    left === right || left.isEqual(right)
  }

  /// Whether the objects are equal: the same row for frozen objects and classes with a primary key, the same instance
  /// for others.
  open func isEqual(_ object: Any?) -> Bool {
    guard let object = object as? ObjectBase else { return false }
    if self === object { return true }
    guard let access = state.pointee.access?.takeUnretainedValue(), access.layout.keyField != nil || isFrozen else {
      return false
    }
    return isSameObject(as: object)
  }

  /// The hash value; equal for equal objects.
  open var hash: Int {
    var hasher = Hasher()
    if let access = state.pointee.access?.takeUnretainedValue(), access.layout.keyField != nil || isFrozen {
      hasher.combine(access.layout.table)
      hasher.combine(state.pointee.row)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
    return hasher.finalize()
  }

  /// Hashes in accordance with `==`.
  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  open var description: String { describe(depth: descriptionDepth) }

  /// A property by its name in code; an integer as `NSNumber`, which casts to `Int` and to every smaller type. An unknown
  /// name, or a value of another type, stops the program.
  open subscript(key: String) -> Any? {
    get { namedValue(property(named: key)) }
    set { setProperty(named: key, newValue) }
  }
}

/// The base class of models whose objects stand by themselves.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: Int
///       @Persisted var name: String
///       @Persisted var owner: Person?
///     }
///     let dog = Dog(value: ["id": 1, "name": "Rex"])       // unmanaged
///     try realm.write { realm.add(dog) }                    // now it is live
///
/// A live object always shows the present state of its row. It belongs to the thread, queue or actor of its realm; use
/// elsewhere stops the program.
open class Object: ObjectBase {
  /// An unmanaged object with the defaults of its properties.
  public required init() { super.init() }

  /// An unmanaged object from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    fill(from: value)
  }
}

/// The base class of objects that belong to exactly one parent and are deleted with it.
open class EmbeddedObject: ObjectBase {
  /// An unmanaged object with the defaults of its properties.
  public required init() { super.init() }

  /// An unmanaged object from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    fill(from: value)
  }
}
