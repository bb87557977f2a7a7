import ChangesetOT
import Foundation
public import RecordStore
public import Permissions
public import Telemetry

/// The realms of one server as object store files below a folder, or in memory.
public struct EmbeddedHistories: HistoryStores {
  /// The storage of the files.
  public enum Storage: Hashable, Sendable {
    /// Files below a folder, given by its path.
    case folder(String)
    /// In memory, under names that begin with a prefix; lost with the process.
    case memory(prefix: String)
  }

  let storage: Storage
  private let random: RandomSource
  private let isDurable: Bool
  private let clock: any WallClock
  /// The salt of the versions that this server process creates; a restored server has another.
  private let incarnation: Int64
  private let policy: RetentionPolicy
  /// The statistics of realms that are closed.
  private let stats = RetentionStatsTable()
  private let beforeCommit: (@Sendable () throws -> Void)?
  private let record: (any RealmRecord)?

  /// The realms in a storage.
  ///
  /// - Parameters:
  ///   - random: draws the salts of histories and client files.
  ///   - isDurable: whether a commit is on disk before it returns; false only for tests.
  ///   - clock: dates the last connections of clients.
  ///   - retention: how long history is kept, and when clients get the state instead of it.
  ///   - record: gets each commit of files in a folder before they do, and makes them again; nil when the files are all there is.
  ///   - beforeCommit: called at the end of each write transaction; its error fails the commit as a full disk does.
  ///     For simulations.
  public init(
    _ storage: Storage, random: RandomSource, isDurable: Bool = true, clock: any WallClock = SystemWallClock(),
    retention: RetentionPolicy = RetentionPolicy(), record: (any RealmRecord)? = nil,
    beforeCommit: (@Sendable () throws -> Void)? = nil
  ) {
    self.record = record
    self.beforeCommit = beforeCommit
    policy = retention
    self.clock = clock
    incarnation = random.salt()
    self.storage = storage
    self.random = random
    self.isDurable = isDurable
  }

  /// Opens the file of a realm, and creates it with its folders when it is missing.
  ///
  /// - Throws: ``ServerError`` when a folder cannot be made; the errors of ObjectStore when the file cannot be opened.
  public func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    let location = location(of: path)
    var options = options
    if case .file(let file) = location {
      try PrivateFolder.make(ofFile: file)
      options.journal = try record?.prepare(path, file: file, createsIfMissing: true)
    }
    return try EmbeddedHistory(
      opened(location, options), random: random, incarnation: incarnation, isNew: isNew,
      policy: policy, stats: StoredRetentionStats(stats, path))
  }

  /// The history of a realm that has files.
  ///
  /// - Throws: the errors of ObjectStore when the file cannot be opened.
  public func history(of path: Permissions.RealmPath) throws -> ServerHistory? {
    let location = location(of: path)
    var options = options
    if case .file(let file) = location {
      if let record {
        try PrivateFolder.make(ofFile: file)
        guard let journal = try record.prepare(path, file: file, createsIfMissing: false) else { return nil }
        options.journal = journal
      } else if access(file, F_OK) != 0 {
        return nil
      }
    }
    options.createsIfMissing = false
    var generator = RandomSource.Generator(source: random)
    return try ServerHistory(
      opened(location, options), random: &generator, incarnation: incarnation, isNew: false)
  }

  /// The file at a location, whose commits go to the journal of the options.
  private func opened(_ location: RealmLocation, _ options: RealmFile.Options) throws -> RealmFile {
    let file = try RealmFile.open(location, options: options)
    guard file.options.journal === options.journal else {
      throw ServerError(
        .realmFailure, "the realm is open in this process without its record", remedy: "try again when it is closed")
    }
    return file
  }

  private func location(of path: Permissions.RealmPath) -> RealmLocation {
    switch storage {
    case .memory(let prefix): .inMemory(name: prefix + path.description)
    case .folder(let folder): .file(path: folder + "/" + RealmFileName.relativePath(of: path, in: folder))
    }
  }

  /// ServerHistory keeps the server's history; recorded changesets are those of clients.
  private var options: RealmFile.Options {
    let clock = clock
    var options = RealmFile.Options(
      recordsChangesets: false, isDurable: isDurable,
      clock: { OriginTimestamp(unixMilliseconds: clock.wallTime.millisecondsSince1970) })
    options.beforeCommit = beforeCommit
    return options
  }
}

extension EmbeddedHistories {
  /// Removes the file of a realm with its companions.
  ///
  /// - Throws: ``ServerError/Code/realmFailure`` when a file cannot be removed.
  public func remove(_ path: Permissions.RealmPath) throws {
    stats.forget(path)
    try record?.remove(path)
    // A realm in memory is released with its last holder.
    if case .folder(let folder) = storage { try RealmFiles(folder: folder).remove(path) }
  }

  /// Moves the file of a realm.
  ///
  /// - Throws: ``ServerError/Code/realmFailure`` when a file cannot be moved, and for realms in memory.
  public func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    guard case .folder(let folder) = storage else {
      throw ServerError(.realmFailure, "a realm in memory cannot be renamed", remedy: "keep realms in a folder")
    }
    stats.forget(path)
    guard let record else { return try RealmFiles(folder: folder).move(path, to: newPath) }
    try record.move(path, to: newPath)
    // The file at the new path is made from the record, on whichever node has it then.
    try RealmFiles(folder: folder).remove(path)
  }

  /// Returns free pages of the heap to the system.
  ///
  /// - Complexity: O(heap).
  public func releaseMemory() {
    // SQLite and the node caches freed memory in the heaps of the threads; whole pages of it go back to the system.
    if case .folder = storage { ProcessMemory.release() }
  }
}
