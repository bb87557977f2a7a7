extension ObjectBase: ThreadConfined {
  /// A copy of a live object that never changes and may be read from any thread. Within a write transaction it is as it
  /// was before; freezing what the transaction created stops the program.
  public func freeze() -> Self {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("Unmanaged objects cannot be frozen.")
    }
    let view = access.view
    guard !view.isFrozen else { return self }
    rule(!isInvalidated, "Object has been deleted or invalidated.")
    // The view has to outlive its access until the object keeps it.
    let frozen = view.frozen()
    return withExtendedLifetime(frozen) {
      let row = state.pointee.row
      rule(
        !view.isWriting || frozen.outcome != nil || frozen.has(row, access.layout.table),
        "Cannot freeze an object in the same write transaction as it was created in.")
      return unsafeDowncast(access.moved(to: frozen).live(row), to: Self.self)
    }
  }

  /// The live object of this thread; nil when it was deleted meanwhile.
  public func thaw() -> Self? {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("Unmanaged objects cannot be thawed.")
    }
    let view = access.view
    guard view.isFrozen else { return self }
    let live = view.thawed()
    let object = withExtendedLifetime(live) { access.moved(to: live).live(state.pointee.row) }
    return object.isInvalidated ? nil : unsafeDowncast(object, to: Self.self)
  }
}

extension Realm {
  /// A frozen copy of an object.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }
  /// The live form of a frozen object; nil when it was deleted meanwhile.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thaw() }
  /// A frozen copy of a collection.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}
