import DataModel
import StorageEngine

extension RealmView {
  /// Makes an object live. Gives the live object: the same one, or the one of this realm when that is a copy.
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
      quickRow(for: object, access)
      ?? modify(or: (.none, false)) { try self.row(for: object, access, policy, $0) }
    promote(object, access, row, isNew: isNew)
    return object
  }

  /// A new row for an object whose class has an integer key that is not taken, when nothing is recorded and nothing waits
  /// for the object; nil otherwise.
  private func quickRow(for object: ObjectBase, _ access: ClassAccess) -> (row: RowKey, isNew: Bool)? {
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

  /// The row that an object gets: a new one, or that of the object with its key.
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
    if let row = try writer.frame.row(key, layout) {
      guard policy != .error else {
        violated("Attempting to create an object of type '\(layout.name)' with an existing primary key value '\(key)'.")
      }
      return (row, false)
    }
    return (try writer.createNew(key, layout, indexesDefaults: false), true)
  }

  /// Writes the values of an object into its row and lets the object be the view of it.
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

  /// The row of an object that is linked to; an unmanaged one is added first.
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

  /// The link to an object, which is added first when it is unmanaged.
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
      try writer.set(value, field.layout, row, access.layout)
    }
  }

  /// Puts an embedded object into a property of a live object: a new row with the values of an unmanaged one.
  func setEmbedded(_ object: EmbeddedObject?, _ field: FieldAccess, _ row: RowKey, _ access: ClassAccess) {
    guard let object else { return modify { try $0.set(.null, field.layout, row, access.layout) } }
    if object.view === self, !object.isInvalidated,
      reading(
        or: false,
        {
          try frame.value(field.layout, row, access.layout)
            == .link(self.access(type(of: object)).layout.table, object.state.pointee.row)
        })
    {
      // It lies there already.
      return modify { _ in }
    }
    let source = unmanagedEmbedded(object, "Can't set link to existing managed embedded object.")
    let child = modify(or: .none) { try $0.createEmbedded(field.layout, row, access.layout) }
    promote(source, self.access(type(of: source)), child, isNew: true)
  }

  /// The object itself when it is unmanaged; only such ones become part of a parent.
  ///
  /// - Parameter refusal: what is said of one that has a parent.
  func unmanagedEmbedded(_ object: EmbeddedObject, _ refusal: @autoclosure () -> String) -> EmbeddedObject {
    rule(!object.isManaged || promotionRules.copiesForeign, "\(refusal()) Copy it first.")
    guard object.isManaged else { return object }
    let copy = type(of: object).init()
    copy.fill(from: object)
    return copy
  }
}
