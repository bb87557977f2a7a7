import DataModel
import StorageEngine

extension RealmView {
  func access(_ type: ObjectBase.Type) -> ClassAccess {
    if let last = state.pointee.lastAccess, last._withUnsafeGuaranteedRef({ $0.binding.type == type }) {
      return last.takeUnretainedValue()
    }
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let found = lookUp(type)
    // What stands in is looked up anew each time: the class may come.
    if !isFrozen, !found.layout.isStandIn { state.pointee.lastAccess = Unmanaged.passUnretained(found) }
    return found
  }

  private func lookUp(_ type: ObjectBase.Type) -> ClassAccess {
    let known = accesses[ObjectIdentifier(type)]
    if let known, !known.layout.isStandIn { return known }
    let binding = ClassBinding.of(type)
    let name = binding.declaration.schema.className
    if !isFitting(binding) {
      bring(binding)
    } else if known != nil {
      unmask(binding)
    }
    if let known { return known }
    guard let layout = catalog[name] else {
      violated("Object type '\(name)' is not managed by the Realm. Name it in the configuration's objectTypes.")
    }
    let access = ClassAccess(self, binding, layout)
    accesses[ObjectIdentifier(type)] = access
    return access
  }

  /// Takes over a changed catalog. A class that somebody made another meanwhile is shown without objects from here on.
  func updateAccesses() {
    state.pointee.lastAccess = nil
    for access in accesses.values where !access.layout.isStandIn && !isFitting(access.binding) {
      stand(in: access.binding, because: misfit(SchemaPlan(Schema([access.binding.declaration.schema]), fileCatalog)))
    }
    takeOverCatalog()
  }

  private func takeOverCatalog() {
    let catalog = self.catalog
    for access in Array(accesses.values) + Array(dynamicAccesses.values) {
      if let layout = catalog[access.layout.name] { access.update(layout, catalog) }
    }
  }

  /// Why a class, or all of them, is shown without objects; nil when it is not.
  func absence(of access: ClassAccess?) -> Realm.Error? {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    if let absence, session == nil { return absence }
    return access.flatMap { standIns.reason($0.name) }
  }

  /// Whether the file has a class as the program declares it.
  private func isFitting(_ binding: ClassBinding) -> Bool {
    let schema = binding.declaration.schema
    guard let layout = fileCatalog[schema.className] else { return false }
    return SchemaPlan.fits(schema, layout)
  }

  // MARK: Late classes

  /// Brings a class that was not known when the realm was opened into the file. Where that cannot be done, it is shown
  /// without objects.
  private func bring(_ binding: ClassBinding) {
    if let types = configuration.objectTypes, !types.contains(where: { $0 == binding.type }) { return }
    do {
      let model = ModelSchema([binding.type], isClosed: false)
      let plan = SchemaPlan(model.schema, fileCatalog)
      guard !plan.isDestructive, plan.newProperties.isEmpty else { throw misfit(plan) }
      // What is not written has no objects of it.
      if isFrozen || configuration.readOnly { return stand(in: binding, because: nil) }
      if let session {
        try session.writer.addWhatIsNew(plan)
      } else {
        try file.write { try $0.writer.addWhatIsNew(SchemaPlan(model.schema, $0.writer.catalog)) }
        try advance(to: file.store.latestSnapshot())
      }
      unmask(binding)
      wrote()
    } catch {
      let name = binding.type.className()
      rule(
        !accesses.values.contains { $0.name == name && $0.binding.type != binding.type && isFitting($0.binding) },
        "Two model classes with different properties are named '\(name)'. Rename one.")
      stand(in: binding, because: error)
    }
  }

  /// Shows a class as the file has it again.
  private func unmask(_ binding: ClassBinding) {
    standIns.remove(binding.type.className())
    takeOverCatalog()
  }

  private func stand(in binding: ClassBinding, because error: (any Error)?) {
    standIns.put(binding.declaration.schema, because: error.map { faults.note($0) })
    takeOverCatalog()
  }

  private func misfit(_ plan: SchemaPlan) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "Migration is required due to the following errors:\n\(plan.description)\nName the class in objectTypes, so that it is known when the realm is opened, and open the realm again."
    )
  }
}
