import StorageEngine
import RecordStore

extension RealmView {
  /// The view of a realm for a confinement: the one that is open already, or a new one.
  ///
  /// - Throws: ``Realm/Error`` when the file cannot be opened or migrated.
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmView {
    configuration.checkCombination()
    confinement.check()
    let (file, read) = try configuration.openAndRead()
    return try open(file, read, configuration, confinement)
  }

  /// The view of an open file for a confinement.
  ///
  /// - Parameter read: the latest version, if opening the file read it.
  static func open(
    _ file: RealmFile, _ read: Snapshot?, _ configuration: Realm.Configuration, _ confinement: Confinement
  ) throws -> RealmView {
    if let view = ifOpen(file, confinement, isReadOnly: configuration.readOnly) {
      try file.attach(as: configuration)
      return view
    }
    let first = try fittingSnapshot(of: file, configuration, read)
    let view = RealmView(file, configuration, confinement)
    confinement.mark()
    try translatingErrors { try view.advance(to: first) }
    view.register()
    log(.detail, "DB: Opened \(configuration).")
    log(.trace, "DB: Reads version \(view.snapshot.map { "\($0.version.rawValue)" } ?? "none") of \(configuration).")
    try file.attach(as: configuration)
    return view
  }

  /// The latest version of a file, after its schema was updated to the model classes.
  ///
  /// - Parameter read: the latest version, if opening the file read it.
  private static func fittingSnapshot(
    of file: RealmFile, _ configuration: Realm.Configuration, _ read: Snapshot?
  ) throws -> Snapshot {
    let model = configuration.model
    try configuration.checkAsymmetricClasses(model)
    return try translatingErrors {
      try SchemaUpdate(file: file, configuration: configuration, model: model).perform(on: read)
    }
  }

  /// Opens a file and updates its schema to the model classes. Any thread may call this.
  static func prepareFile(_ configuration: Realm.Configuration) throws -> RealmFile {
    let (file, read) = try configuration.openAndRead()
    _ = try fittingSnapshot(of: file, configuration, read)
    return file
  }

  // MARK: Frozen and live

  /// A frozen view of the version that is read; within a write transaction, of the version that the transaction began
  /// with.
  func frozen() -> RealmView {
    guard !isFrozen else { return self }
    checkConfinement()
    checkNotMigrating()
    let view = RealmView(file, configuration, .none, frozen: (snapshot ?? firstSnapshot(), snapshotCatalog))
    if let readFailure { view.showBlank(because: readFailure) }
    view.origin = confinement
    if HandoverScope.isOn { view.outcome = session?.outcome }
    return view
  }

  /// The frozen form of a collection.
  ///
  /// - Parameter move: gives the collection in another view; nil when it does not exist there, which stops the program.
  func freezing<T>(_ move: (RealmView) -> T?) -> T {
    guard let frozen = move(frozen()) else {
      violated(
        isWriting
          ? "Cannot freeze a collection in the same write transaction as its object was created in."
          : "A deleted collection cannot be frozen.")
    }
    return frozen
  }

  /// The live view of a frozen one, for the calling code: of the queue or actor that it was frozen on, when called
  /// there, or else of the thread. When the realm cannot be opened, the view is blank until it moves to a version that
  /// can be read.
  func thawed() -> RealmView {
    checkNotMigrating()
    if let target = ThawTarget.view, target.file === file { return target }
    let confinement = origin.flatMap { $0.isCurrent ? $0 : nil } ?? .current
    do { return try RealmView.open(configuration, confinement) } catch {
      let view = RealmView(file, configuration, confinement)
      confinement.mark()
      view.showBlank(because: error, knowing: fileCatalog)
      view.register()
      return view
    }
  }
}
