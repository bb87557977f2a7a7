import DataModel
import StorageEngine
import RecordStore

extension RealmView {
  /// The layout of a model class in the view's file. A class that the file lacks is added, or shown without objects.
  func access(_ type: ObjectBase.Type) -> ClassAccess {
    if let last = state.pointee.lastAccess, last._withUnsafeGuaranteedRef({ $0.binding.type == type }) {
      return last.takeUnretainedValue()
    }
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let found = lookUp(type)
    // A class of `placeholders` is looked up anew each time: the file may have the class by then.
    if !isFrozen, !found.layout.isPlaceholder { state.pointee.lastAccess = Unmanaged.passUnretained(found) }
    return found
  }

  private func lookUp(_ type: ObjectBase.Type) -> ClassAccess {
    let known = accesses[ObjectIdentifier(type)]
    if let known, !known.layout.isPlaceholder { return known }
    let binding = ClassBinding.of(type)
    let name = binding.declaration.schema.className
    if !isFitting(binding) {
      addLateClass(binding)
    } else if known != nil {
      removePlaceholder(binding)
    }
    if let known { return known }
    guard let layout = catalog[name] else {
      violated("Object type '\(name)' is not managed by the Realm. Name it in the configuration's objectTypes.")
    }
    let access = ClassAccess(self, binding, layout)
    accesses[ObjectIdentifier(type)] = access
    return access
  }

  /// Takes over a changed catalog. A class that another process changed is shown without objects.
  func updateAccesses() {
    state.pointee.lastAccess = nil
    for access in accesses.values where !access.layout.isPlaceholder && !isFitting(access.binding) {
      stand(
        in: access.binding,
        because: schemaMismatch(SchemaPlan(Schema([access.binding.declaration.schema]), fileCatalog)))
    }
    updateLayouts()
  }

  private func updateLayouts() {
    let catalog = self.catalog
    for access in Array(accesses.values) + Array(dynamicAccesses.values) {
      if let layout = catalog[access.layout.name] { access.update(layout, catalog) }
    }
  }

  /// The error because of which a class, or the whole view, is shown without objects; nil when it is not.
  func readFailure(of access: ClassAccess?) -> Realm.Error? {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    if let readFailure, session == nil { return readFailure }
    return access.flatMap { placeholders.reason($0.name) }
  }

  /// Whether the file has a class as the program declares it.
  private func isFitting(_ binding: ClassBinding) -> Bool {
    let schema = binding.declaration.schema
    guard let layout = fileCatalog[schema.className] else { return false }
    return SchemaPlan.fits(schema, layout)
  }

  // MARK: Late classes

  /// Adds a class that was not known when the realm was opened to the file. When that fails, the class is shown without
  /// objects.
  private func addLateClass(_ binding: ClassBinding) {
    if let types = configuration.objectTypes, !types.contains(where: { $0 == binding.type }) { return }
    do {
      let model = ModelSchema([binding.type], isClosed: false)
      let plan = SchemaPlan(model.schema, fileCatalog)
      guard !plan.isDestructive, plan.newProperties.isEmpty else { throw schemaMismatch(plan) }
      // A file that is not written has no objects of the class.
      if isFrozen || configuration.readOnly { return stand(in: binding, because: nil) }
      if let session {
        try session.writer.addWhatIsNew(plan)
      } else {
        try file.write { try $0.writer.addWhatIsNew(SchemaPlan(model.schema, $0.writer.catalog)) }
        try advance(to: file.store.latestSnapshot())
      }
      removePlaceholder(binding)
      wrote()
    } catch {
      let name = binding.type.className()
      rule(
        !accesses.values.contains { $0.name == name && $0.binding.type != binding.type && isFitting($0.binding) },
        "Two model classes with different properties are named '\(name)'. Rename one.")
      stand(in: binding, because: error)
    }
  }

  /// Shows a class as the file has it, and no longer without objects.
  private func removePlaceholder(_ binding: ClassBinding) {
    placeholders.remove(binding.type.className())
    updateLayouts()
  }

  private func stand(in binding: ClassBinding, because error: (any Error)?) {
    placeholders.put(binding.declaration.schema, because: error.map { faults.note($0) })
    updateLayouts()
  }

  private func schemaMismatch(_ plan: SchemaPlan) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "Migration is required due to the following errors:\n\(plan.description)\nName the class in objectTypes, so that it is known when the realm is opened, and open the realm again."
    )
  }
}
