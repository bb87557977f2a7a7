import StorageEngine

extension RealmView {
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmView {
    configuration.checkCombination()
    confinement.check()
    let file = try configuration.openFile()
    if let view = ifOpen(file, confinement) {
      if let replication = configuration.replication { try file.attach(replication) }
      return view
    }
    let first = try fittingSnapshot(of: file, configuration)
    let view = RealmView(file, configuration, confinement)
    confinement.mark()
    try translatingErrors { try view.advance(to: first) }
    view.enlist()
    log(.debug, "Opened \(configuration) at version \(view.snapshot.map { "\($0.version.rawValue)" } ?? "none").")
    if let replication = configuration.replication { try file.attach(replication) }
    return view
  }

  /// The latest version of a file, after making it fit the model classes.
  private static func fittingSnapshot(
    of file: RealmFile, _ configuration: Realm.Configuration
  ) throws -> Snapshot {
    try translatingErrors {
      let model = configuration.objectTypes.map { ModelSchema.of($0) } ?? .ofProgram
      return try SchemaUpdate(file: file, configuration: configuration, model: model).perform()
    }
  }

  /// Opens a file and makes it fit the model classes, without a view. Any thread may do that.
  static func prepareFile(_ configuration: Realm.Configuration) throws -> RealmFile {
    let file = try configuration.openFile()
    _ = try fittingSnapshot(of: file, configuration)
    return file
  }

  // MARK: Frozen and live

  func frozen() -> RealmView {
    guard !isFrozen else { return self }
    rule(!isWriting, "Cannot freeze a Realm within a write transaction. Commit it first.")
    _ = reader
    guard let snapshot else { violated("The realm has no version to freeze.") }
    let view = RealmView(file, configuration, .none, frozen: (snapshot, catalog))
    view.origin = confinement
    return view
  }

  /// The live view of where code runs now: of the queue or actor that this one was frozen on, or else of the thread.
  func thawed() -> RealmView {
    if let target = ThawTarget.view, target.file === file { return target }
    if let origin, origin.isCurrent { return storageMustWork { try RealmView.open(configuration, origin) } }
    return storageMustWork { try RealmView.open(configuration, .current) }
  }
}
