import Foundation
import StorageEngine

extension RealmView {
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmView {
    rule(
      !(configuration.readOnly && configuration.deleteRealmIfMigrationNeeded),
      "A read-only Realm cannot be emptied: readOnly excludes deleteRealmIfMigrationNeeded.")
    confinement.check()
    let file = try openFile(configuration)
    if let view = RealmViews.shared.view(file, confinement) {
      if let replication = configuration.replication { try file.attach(replication) }
      return view
    }
    try translatingErrors {
      let types = configuration.objectTypes ?? ModelClasses.all
      let model = ModelSchema(types, isClosed: configuration.objectTypes != nil)
      try SchemaUpdate(file: file, configuration: configuration, model: model).perform()
    }
    let view = try RealmView(file, configuration, confinement)
    try translatingErrors { try view.advance(to: file.store.latestSnapshot()) }
    RealmViews.shared.add(view)
    if let replication = configuration.replication { try file.attach(replication) }
    return view
  }

  private static func openFile(_ configuration: Realm.Configuration) throws -> RealmFile {
    let location = configuration.location
    var options = RealmFile.Options(
      recordsChangesets: configuration.recordsChangesets || configuration.replication != nil,
      createsIfMissing: !configuration.readOnly, encryptionKey: configuration.encryptionKey.map { Array($0) })
    rule(configuration.encryptionKey.map { $0.count == 64 } ?? true, "An encryption key has exactly 64 bytes.")
    guard case .file(let path) = location else {
      options.isDurable = false
      return try RealmFile.open(location, options: options)
    }
    let url = URL(fileURLWithPath: path)
    let exists = FileManager.default.fileExists(atPath: path)
    guard exists || !configuration.readOnly else {
      throw Realm.Error(.fileNotFound, "There is no realm at \(path) to be opened read-only.", fileURL: url)
    }
    if !exists {
      do {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw Realm.Error(.fileAccess, "The folder of \(path) cannot be made.", fileURL: url, cause: error)
      }
    }
    do { return try RealmFile.open(location, options: options) } catch var error as Realm.Error {
      error.fileURL = url
      throw error
    }
  }

  // MARK: Frozen and live

  func frozen() -> RealmView {
    guard !isFrozen else { return self }
    rule(session == nil, "Cannot freeze a Realm within a write transaction. Commit it first.")
    _ = reader
    guard let snapshot else { violated("The realm has no version to freeze.") }
    return storageMustWork { try RealmView(file, configuration, .none, frozen: snapshot) }
  }

  func thawed() -> RealmView {
    storageMustWork { try RealmView.open(configuration, .currentThread) }
  }
}
