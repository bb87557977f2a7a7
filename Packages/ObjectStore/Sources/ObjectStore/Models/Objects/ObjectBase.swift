import StorageEngine

/// What all model classes have in common: an object is unmanaged, an ordinary object in memory, or managed, a live
/// view of a row of a realm.
open class ObjectBase: Hashable, CustomStringConvertible {
  /// What is known of the row. Must stay the first stored property; used through ``state`` alone.
  private final var content = ObjectState()

  /// What is known of the row; see ``ObjectState``. It lies in the object, right behind the header of every instance: a
  /// live object is one allocation, and reaching its state costs neither a load nor an exclusivity check.
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

  /// The name of the primary key property; only for models that do not use `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }
  /// Properties that are not stored.
  open class func ignoredProperties() -> [String] { [] }
  /// Properties with an index; only for models that do not use `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }
  /// Stored names that differ from those in code.
  open class func propertiesMapping() -> [String: String] { [:] }
  /// Links that own what they lead to: with an object, everything dies that it owns through these properties, directly or
  /// not, unless another object owns it too.
  ///
  ///     override class func cascadingProperties() -> [String] { ["pages"] }
  ///
  /// The rule holds for `realm.delete` and becomes ordinary deletions, which other devices merge as such. Replacing a link
  /// or taking an element out of a list deletes nothing. Objects that own each other in a circle die together.
  open class func cascadingProperties() -> [String] { [] }
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
    if view.pointee.isFrozen, !state.locate() {
      // What a transaction created that is still open is not there yet; anything else is missing.
      if access.view.outcome != nil { state.pointee.isDetached = true } else { state.showBlankCluster(view) }
    }
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
    left === right || left.isEqual(right)
  }

  /// Whether both are equal: of classes with a primary key the same row, of others the same instance.
  open func isEqual(_ object: Any?) -> Bool {
    guard let object = object as? ObjectBase else { return false }
    if self === object { return true }
    guard let access = state.pointee.access?.takeUnretainedValue(), access.layout.keyField != nil || isFrozen else {
      return false
    }
    return isSameObject(as: object)
  }

  /// The hash value; equal objects have one.
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

  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  open var description: String { describe(depth: 0) }

  /// A property by its name in code. An unknown name, or a value of another type, stops the program.
  open subscript(key: String) -> Any? {
    get { property(named: key) }
    set { setProperty(named: key, newValue) }
  }
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
