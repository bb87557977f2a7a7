import StorageEngine

extension RealmView {
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmView {
    configuration.checkCombination()
    confinement.check()
    let (file, read) = try configuration.openAndRead()
    if let view = ifOpen(file, confinement, isReadOnly: configuration.readOnly) {
      if let replication = configuration.replication { try file.attach(replication) }
      return view
    }
    let first = try fittingSnapshot(of: file, configuration, read)
    let view = RealmView(file, configuration, confinement)
    confinement.mark()
    try translatingErrors { try view.advance(to: first) }
    view.enlist()
    log(.debug, "Opened \(configuration) at version \(view.snapshot.map { "\($0.version.rawValue)" } ?? "none").")
    if let replication = configuration.replication { try file.attach(replication) }
    return view
  }

  /// The latest version of a file, after making it fit the model classes.
  ///
  /// - Parameter read: the latest version, if opening the file read it.
  private static func fittingSnapshot(
    of file: RealmFile, _ configuration: Realm.Configuration, _ read: Snapshot?
  ) throws -> Snapshot {
    try translatingErrors {
      let model = configuration.objectTypes.map { ModelSchema.of($0) } ?? .ofProgram
      return try SchemaUpdate(file: file, configuration: configuration, model: model).perform(on: read)
    }
  }

  /// Opens a file and makes it fit the model classes, without a view. Any thread may do that.
  static func prepareFile(_ configuration: Realm.Configuration) throws -> RealmFile {
    let (file, read) = try configuration.openAndRead()
    _ = try fittingSnapshot(of: file, configuration, read)
    return file
  }

  // MARK: Frozen and live

  /// The version that is read, which never changes. Within a write transaction it is the one that the transaction began
  /// with.
  func frozen() -> RealmView {
    guard !isFrozen else { return self }
    checkConfinement()
    checkNotMigrating()
    let view = RealmView(file, configuration, .none, frozen: (snapshot ?? firstSnapshot(), snapshotCatalog))
    if let absence { view.showNothing(because: absence) }
    view.origin = confinement
    if Carrying.isOn { view.outcome = session?.outcome }
    return view
  }

  /// The frozen form of something, as `move` finds it in the frozen view.
  func freezing<T>(_ move: (RealmView) -> T?) -> T {
    guard let frozen = move(frozen()) else {
      violated(
        isWriting
          ? "Cannot freeze a collection in the same write transaction as its object was created in."
          : "A deleted collection cannot be frozen.")
    }
    return frozen
  }

  /// The live view of where code runs now: of the queue or actor that this one was frozen on, or else of the thread. One
  /// that cannot be opened shows nothing until it moves to a version that can be read.
  func thawed() -> RealmView {
    checkNotMigrating()
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
