public import DataModel
import StorageEngine
import RecordStore

extension Realm {
  /// The treatment of an existing object with the primary key of an object that is added.
  public enum UpdatePolicy: Int, Sendable {
    /// The program stops.
    case error = 1
    /// Every property of the existing object is written.
    case all = 2
    /// Properties whose value differs are written; the others stay untouched, here and in all synchronised copies.
    case modified = 3
  }

  /// Adds an unmanaged object, and the unmanaged objects that it links to. The object itself becomes live. An object
  /// that this realm manages already is left as it is.
  ///
  ///     try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
  ///
  /// Outside of a write transaction, and for an object of another realm, the program stops.
  ///
  /// - Parameter update: the treatment of an existing object with the same primary key.
  /// - Complexity: O(log *n*) in the objects of the class, for each object added.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    checkUpdatable(type(of: object), update)
    view.add(object, policy: update)
  }

  /// Stops the program when objects of a class without a primary key are to be updated.
  private func checkUpdatable(_ type: ObjectBase.Type, _ update: UpdatePolicy) {
    rule(
      update == .error || ClassBinding.of(type).declaration.primaryKey != nil,
      "'\(type.className())' does not have a primary key and can not be updated.")
  }

  /// Adds several unmanaged objects, each as ``add(_:update:)-(Object,_)`` does.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Creates a live object from a dictionary by property names, an array in the order of the properties, or another
  /// object.
  ///
  ///     let dog = realm.create(Dog.self, value: ["id": 1, "name": "Rex"], update: .modified)
  ///
  /// Properties that a dictionary does not name get their defaults; in an update they stay as they are. Unmanaged
  /// objects among the values are copied, and stay unmanaged.
  ///
  /// - Parameter update: the treatment of an existing object with the same primary key.
  /// - Returns: the new object, or the updated one.
  /// - Complexity: O(log *n*) in the objects of the class.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
    checkUpdatable(type, update)
    let object = type.init()
    ObjectCopies.fill(object, from: value)
    return view.add(object, policy: update, skipsUnassigned: true, copiesForeign: true)
  }

  /// Creates an object that is sent to the server and not kept here, from a dictionary by property names, an array in the
  /// order of the properties, or an unmanaged object, which stays unmanaged.
  ///
  ///     realm.create(Reading.self, value: ["_id": ObjectId.generate(), "degrees": 21.5])
  ///
  /// The object is on its way once the transaction is committed, as all other changes are, and survives the end of the
  /// program. Outside of a write transaction the program stops.
  ///
  /// - Complexity: O(*m*) in the properties.
  public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    let object = type.init()
    ObjectCopies.fill(object, from: value)
    view.send(object)
  }
}

extension ObjectBase {
  /// The view and class of the object, after a check that it may be written.
  func prepareForWriting() -> (RealmView, ClassAccess) {
    guard let access = state.pointee.access?.takeUnretainedValue() else { violated("The object is not managed.") }
    let view = access.view
    view.checkConfinement()
    rule(state.livesForWriting(), "Object has been deleted or invalidated.")
    rule(!view.isFrozen, "Attempting to modify a frozen object - call thaw on the Object instance first.")
    rule(view.isWriting, "Cannot modify managed objects outside of a write transaction.")
    return (view, access)
  }

  /// The realm of the object; nil while it is unmanaged.
  public var realm: Realm? { view.map { Realm($0) } }

  /// The object's class: its stored properties, without inverse relationships. In a migration, the class at the
  /// object's version.
  public var objectSchema: ObjectSchema {
    let access = state.pointee.access?.takeUnretainedValue()
    if let schema = access.flatMap({ $0.view.migratedSchema?[$0.layout.name] }) { return schema.shown }
    // A dynamic object shows the properties of the program's class, if there is one.
    let program = access.flatMap { $0.isDynamic ? $0.view.schema[$0.layout.name] : nil }
    var schema = program ?? (access?.declaration ?? binding.declaration).schema.shown
    schema.properties.removeAll { $0.type == .linkingObjects }
    return schema.shown
  }
}
