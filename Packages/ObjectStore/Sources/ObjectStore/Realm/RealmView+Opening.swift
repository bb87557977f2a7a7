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
    let view = RealmView(file, configuration, .none, frozen: (snapshot ?? firstSnapshot(), fileCatalog))
    if let absence { view.showNothing(because: absence) }
    view.origin = confinement
    return view
  }

  /// The live view of where code runs now: of the queue or actor that this one was frozen on, or else of the thread. One
  /// that cannot be opened shows nothing until it moves to a version that can be read.
  func thawed() -> RealmView {
    if let target = ThawTarget.view, target.file === file { return target }
    let home = origin.flatMap { $0.isCurrent ? $0 : nil } ?? .current
    do { return try RealmView.open(configuration, home) } catch {
      let view = RealmView(file, configuration, home)
      home.mark()
      view.showNothing(because: error, knowing: fileCatalog)
      view.enlist()
      return view
    }
  }
}
