import DataModel
import StorageEngine
import RecordStore

extension RealmView {
  /// Adds an object, which becomes live.
  ///
  /// - Parameters:
  ///   - policy: the treatment of an existing object with the same primary key.
  ///   - skipsUnassigned: whether an update leaves properties alone to which nothing was assigned.
  ///   - copiesForeign: whether a live object of another realm is copied; otherwise it stops the program.
  /// - Returns: the live object: the given one, or its copy.
  @discardableResult
  func add<T: ObjectBase>(
    _ object: T, policy: Realm.UpdatePolicy, skipsUnassigned: Bool = false, copiesForeign: Bool = false
  ) -> T {
    checkConfinement()
    rule(!(object is EmbeddedObject), "Embedded objects are added with their parent.")
    if let view = object.view {
      rule(!object.isInvalidated, "Adding a deleted or invalidated object to a Realm is not permitted.")
      if view === self { return object }
      guard copiesForeign else {
        violated("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
      }
      let copy = type(of: object).init()
      copy.fill(from: object)
      return add(copy, policy: policy, skipsUnassigned: skipsUnassigned, copiesForeign: true)
    }
    rule(!object.state.pointee.isDetached, "Adding a deleted or invalidated object to a Realm is not permitted.")
    if refusal != nil { return object }
    let access = self.access(type(of: object))
    let saved = promotionRules
    promotionRules = (policy, skipsUnassigned, copiesForeign)
    defer { promotionRules = saved }
    let (row, isNew) =
      plainRow(for: object, access)
      ?? modify(or: (.none, false)) { try self.row(for: object, access, policy, $0) }
    promote(object, access, row, isNew: isNew)
    return object
  }

  /// Records the creation of an object whose row goes at once. The changeset has all of it, and nothing of the removal.
  func send(_ object: AsymmetricObject) {
    rule(
      configuration.isQueryBased,
      "Objects of asymmetric class '\(type(of: object).className())' are created in realms that are synchronised by queries."
    )
    let live = add(object, policy: .error, skipsUnassigned: true, copiesForeign: true)
    guard let access = live.state.pointee.access?.takeUnretainedValue() else { return }
    let row = live.state.pointee.row
    modify { try $0.drop(row, access.layout) }
  }

  /// A new row for an object with a free integer key, in a transaction that records nothing and in a file without
  /// unresolved links; nil otherwise. Does the work of ``row(for:_:_:_:)`` in three storage calls. Serves
  /// store.insert-1m.
  private func plainRow(for object: ObjectBase, _ access: ClassAccess) -> (row: RowKey, isNew: Bool)? {
    let layout = access.layout
    guard let keys = layout.key, keys.hasIntegerIndex, let number = access.declaration.primaryKey,
      let table = plainWriter(access), writer.catalog.unresolved == nil
    else { return nil }
    let property = access.binding.properties[number]
    guard case .int(let key)? = property.access.key(object.memory + property.offset, self) else { return nil }
    let transaction = writer.transaction
    return reading(or: nil) {
      guard try transaction.firstRow(key, in: keys.index) == nil else { return nil }
      let row = try table.insertRow()
      try table.setInt(key, access.fields[number].column, row: row)
      try transaction.insert(key, row: row, into: keys.index)
      return (row, true)
    }
  }

  /// The row for an object: that of the existing object with its key, or a new one.
  private func row(
    for object: ObjectBase, _ access: ClassAccess, _ policy: Realm.UpdatePolicy, _ writer: StoreWriter
  ) throws -> (row: RowKey, isNew: Bool) {
    let layout = access.layout
    guard let field = layout.keyField, let number = access.declaration.primaryKey else {
      return (try writer.createNew(writer.nextGlobalKey(layout), layout, indexesDefaults: false), true)
    }
    let property = access.binding.properties[number]
    guard let stored = property.access.key(object.memory + property.offset, self),
      let key = stored.scalar.flatMap({ ObjectKey($0) })
    else {
      violated("Primary key property '\(layout.name).\(field.name)' has no valid value.")
    }
    if let row = try writer.readView.row(key, layout) {
      guard policy != .error else {
        violated("Attempting to create an object of type '\(layout.name)' with an existing primary key value '\(key)'.")
      }
      return (row, false)
    }
    return (try writer.createNew(key, layout, indexesDefaults: false), true)
  }

  /// Writes the values of an unmanaged object into a row. The object becomes the live object of that row.
  func promote(_ object: ObjectBase, _ access: ClassAccess, _ row: RowKey, isNew: Bool) {
    if refusal != nil { return }
    let promotion = Promotion(
      self, access, row, isNew: isNew, policy: promotionRules.policy, skipsUnassigned: promotionRules.skipsUnassigned)
    object.attach(access, row)
    let memory = object.memory
    for (number, property) in access.binding.properties.enumerated() {
      property.access.promote(memory + property.offset, object, number, promotion)
    }
    wrote()
  }

  /// The row of a link's target; an unmanaged target is added first.
  func row(of object: ObjectBase) -> RowKey {
    if let known = object.state.knownRow(in: state) { return known }
    guard object.state.pointee.view == state else {
      _ = link(to: object)
      return object.state.pointee.row
    }
    rule(object.state.locate(), "Object has been deleted or invalidated.")
    object.state.pointee.livedAt = state.pointee.deletions
    return object.state.pointee.row
  }

  /// The link to an object; an unmanaged object is added first.
  func link(to object: ObjectBase) -> StoredValue {
    if let view = object.state.pointee.view, view == state {
      let row = self.row(of: object)
      if let access = object.state.pointee.access {
        return .link(access._withUnsafeGuaranteedRef { $0.layout.table }, row)
      }
    }
    let rules = promotionRules
    let live = add(
      object, policy: rules.policy, skipsUnassigned: rules.skipsUnassigned, copiesForeign: rules.copiesForeign)
    guard let access = live.state.pointee.access?.takeUnretainedValue() else { return .null }
    return .link(access.layout.table, live.state.pointee.row)
  }

  // MARK: Values

  /// Sets a property of a live object.
  func set(_ value: StoredValue, _ field: FieldAccess, _ row: RowKey, _ access: ClassAccess) {
    modify { writer in
      rule(!field.isKey, "Primary key can't be changed after an object is inserted.")
      try writer.set(value, Cell(access.layout, row, field.layout))
    }
  }

  /// Sets a property to an embedded object: creates a row in the parent with the values of an unmanaged object. Nil
  /// deletes the previous one.
  func setEmbedded(_ object: EmbeddedObject?, _ field: FieldAccess, _ row: RowKey, _ access: ClassAccess) {
    let cell = Cell(access.layout, row, field.layout)
    guard let object else { return modify { try $0.set(.null, cell) } }
    if object.view === self, !object.isInvalidated,
      reading(
        or: false,
        {
          try readView.value(cell)
            == .link(self.access(type(of: object)).layout.table, object.state.pointee.row)
        })
    {
      // The property holds this very object.
      return modify { _ in }
    }
    let source = unmanagedEmbedded(object, "Can't set link to existing managed embedded object.")
    let child = modify(or: .none) { try $0.createEmbedded(cell) }
    promote(source, self.access(type(of: source)), child, isNew: true)
  }

  /// The object, if it is unmanaged, or a copy where foreign objects are copied. Any other object has a parent and
  /// stops the program.
  ///
  /// - Parameter refusal: the message for an object with a parent.
  func unmanagedEmbedded(_ object: EmbeddedObject, _ refusal: @autoclosure () -> String) -> EmbeddedObject {
    rule(!object.isManaged || promotionRules.copiesForeign, "\(refusal()) Copy it first.")
    guard object.isManaged else { return object }
    let copy = type(of: object).init()
    copy.fill(from: object)
    return copy
  }
}
