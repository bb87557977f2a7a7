import RecordStore

extension ObjectBase: ThreadConfined {
  /// A copy of the live object that never changes and may be read from any thread. Within a write transaction the copy
  /// shows the state before the transaction. An unmanaged or invalid object, and one that the open transaction created,
  /// stop the program.
  public func freeze() -> Self {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("Unmanaged objects cannot be frozen.")
    }
    let view = access.view
    guard !view.isFrozen else { return self }
    view.checkConfinement()
    rule(!isInvalidated, "Object has been deleted or invalidated.")
    // The view owns the access; the object keeps the view only once it is attached.
    let frozen = view.frozen()
    return withExtendedLifetime(frozen) {
      let row = state.pointee.row
      rule(
        !view.isWriting || frozen.outcome != nil || frozen.has(row, access.layout.table),
        "Cannot freeze an object in the same write transaction as it was created in.")
      guard let copy = access.moved(to: frozen).live(row) as? Self else { violated("A frozen copy has another class.") }
      return copy
    }
  }

  /// The live object on the calling thread; nil when it was deleted since. A live object gives itself.
  public func thaw() -> Self? {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("Unmanaged objects cannot be thawed.")
    }
    let view = access.view
    guard view.isFrozen else { return self }
    let live = view.thawed()
    let object = withExtendedLifetime(live) { access.moved(to: live).live(state.pointee.row) }
    return object.isInvalidated ? nil : object as? Self
  }
}

extension Realm {
  /// A frozen copy of an object.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }
  /// The live form of a frozen object; nil when it was deleted since.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thaw() }
  /// A frozen copy of a collection.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}
