public import DataModel
import StorageEngine

extension Realm {
  /// What happens when an object with the same primary key exists.
  public enum UpdatePolicy: Int, Sendable {
    /// The program stops.
    case error = 1
    /// Every property is written.
    case all = 2
    /// Properties with another value are written; others are not touched, locally and for everybody who syncs.
    case modified = 3
  }

  /// Makes an unmanaged object live, with everything it links to. A live one is left as it is.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    checkUpdatable(type(of: object), update)
    view.add(object, policy: update)
  }

  /// Objects without a primary key cannot be found again to be updated.
  private func checkUpdatable(_ type: ObjectBase.Type, _ update: UpdatePolicy) {
    rule(
      update == .error || ClassBinding.of(type).declaration.primaryKey != nil,
      "'\(type.className())' does not have a primary key and can not be updated")
  }

  /// Makes unmanaged objects live.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// A new live object from a dictionary by property names, an array in the order of the properties, or another object.
  ///
  /// Properties that a dictionary does not name get their defaults; on an update they stay as they are. Unmanaged objects
  /// among the values are copied, and stay unmanaged.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
    checkUpdatable(type, update)
    let object = type.init()
    ObjectCopies.fill(object, from: value)
    return view.add(object, policy: update, skipsUnassigned: true, copiesForeign: true)
  }
}

extension ObjectBase {
  /// Checks that the object may be written, and where.
  func prepareForWriting() -> (RealmView, ClassAccess) {
    guard let access = state.pointee.access?.takeUnretainedValue() else { violated("The object is not managed.") }
    let view = access.view
    view.checkConfinement()
    rule(state.livesForWriting(), "Object has been deleted or invalidated.")
    rule(view.isWriting, "Cannot modify managed objects outside of a write transaction.")
    return (view, access)
  }

  /// The realm that the object belongs to; nil while it is unmanaged.
  public var realm: Realm? { view.map { Realm($0) } }

  /// The class as the realm's schema says it, in a migration that of the object's version: its stored properties, without
  /// inverse relationships.
  public var objectSchema: ObjectSchema {
    let access = state.pointee.access?.takeUnretainedValue()
    if let schema = access.flatMap({ $0.view.migratedSchema?[$0.layout.name] }) { return schema }
    // A dynamic object has the properties of the program's class, where there is one.
    let program = access.flatMap { $0.isDynamic ? $0.view.schema[$0.layout.name] : nil }
    var schema = program ?? (access?.declaration ?? binding.declaration).schema
    schema.properties.removeAll { $0.type == .linkingObjects }
    return schema
  }
}
