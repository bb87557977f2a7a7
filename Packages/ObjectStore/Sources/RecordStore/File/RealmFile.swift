public import ChangesetOT
import Foundation
import StorageEngine
import Synchronization

/// The location of a realm.
public enum RealmLocation: Hashable, Sendable {
  /// A file, by its path.
  case file(path: String)
  /// In memory of this process, under a name; gone when the last holder lets go.
  case inMemory(name: String)
}

/// One realm file, opened once per process and shared by everything that reads, writes or replicates it.
///
///     let file = try RealmFile.open(.inMemory(name: "notes"), options: .init(recordsChangesets: true))
///     let history = ClientHistory(file)
///
/// Safe to use from any thread. `Realm` is the view of one thread onto such a file; ``ClientHistory`` and
/// ``ServerHistory`` replicate it.
public final class RealmFile: Sendable {
  /// The options of an opening.
  public struct Options: Sendable {
    /// Whether every write transaction leaves its changeset in the history. Kept in the file: once on, always on.
    public var recordsChangesets: Bool
    /// Whether a commit is on disk before it returns.
    public var isDurable: Bool
    /// Whether the file is created when it does not exist.
    public var createsIfMissing: Bool
    /// 64 bytes that encrypt the file; nil keeps it in clear.
    public var encryptionKey: [UInt8]?
    /// Whether writes are refused; lets a file be opened where nothing can be written.
    public var isReadOnly = false
    /// The most bytes of the changeset of one write transaction in a client file; a larger one is refused when it is
    /// committed, as no server takes it.
    public var maximumChangesetBytes = ChangesetLimit.usual
    /// The clock that dates write transactions.
    public var clock: @Sendable () -> OriginTimestamp
    /// Called at the end of each write transaction; what it throws fails the commit as a full disk does. For simulations.
    public var beforeCommit: (@Sendable () throws -> Void)?
    /// A record outside of the file that gets each commit first; nil for none. See ``CommitJournal``.
    public var journal: (any CommitJournal)?

    /// Options; by default of a durable file in clear that is created when it does not exist and records nothing.
    public init(
      recordsChangesets: Bool = false, isDurable: Bool = true, createsIfMissing: Bool = true,
      encryptionKey: [UInt8]? = nil, clock: @escaping @Sendable () -> OriginTimestamp = RealmFile.systemClock
    ) {
      self.recordsChangesets = recordsChangesets
      self.isDurable = isDurable
      self.createsIfMissing = createsIfMissing
      self.encryptionKey = encryptionKey
      self.clock = clock
    }
  }

  /// The location of the file.
  public let location: RealmLocation
  /// The options of the first opening.
  public let options: Options
  package let store: Store
  /// The root records read last; they change only with the schema.
  private let records = Mutex<KnownRecords?>(nil)
  /// Write sets of the changesets that are not acknowledged, filled by merges of this process.
  let pendingWriteSets = Mutex(PendingWriteSets())
  /// Decoder with the names that the last download defined.
  let changesetDecoder = Mutex(ChangesetDecoder())
  /// The newest entries that this process added to a client's history.
  let recentEntries = Mutex(RecentEntries())
  /// The marks of what this process writes to a server's file.
  private let serverIncarnation = Mutex(ServerIncarnation())
  /// Attachments of sync clients, by the identity of their configuration.
  package let attachments = Mutex<[String: any Sendable & AnyObject]>([:])

  private init(location: RealmLocation, options: Options, store: Store) {
    self.location = location
    self.options = options
    self.store = store
  }

  deinit { Self.openFiles.remove(self, for: location) }

  /// Opens a realm file, or gives the one that this process has open already, whose options then stay.
  ///
  /// - Throws: ``RecordStoreError``: `invalidDatabase` for a file that is no realm, is damaged, or is not readable with that
  ///   key; `fileAccess`, `filePermissionDenied` or `outOfDiskSpace` when the disk refuses; `unsupportedFileFormatVersion`
  ///   for a file of a newer release.
  public static func open(_ location: RealmLocation, options: Options = Options()) throws -> RealmFile {
    try openAndRead(location, options: options, atLaunch: nil).file
  }

  /// - Parameter atLaunch: called when the file was not open in this process, before anybody else gets it.
  /// - Returns: the file; and its version when this call had to read it and nothing was written since.
  package static func openAndRead(
    _ location: RealmLocation, options: Options, atLaunch: ((RealmFile) throws -> Void)?
  ) throws -> (file: RealmFile, snapshot: Snapshot?) {
    try translatingErrors {
      if let file = try joined(location, options) { return (file, nil) }
      guard let atLaunch else { return try launched(location, options, atLaunch: nil) }
      return try openings.withLock(location) {
        if let file = try joined(location, options) { return (file, nil) }
        return try launched(location, options, atLaunch: atLaunch)
      }
    }
  }

  /// The file, opened now.
  private static func launched(
    _ location: RealmLocation, _ options: Options, atLaunch: ((RealmFile) throws -> Void)?
  ) throws -> (file: RealmFile, snapshot: Snapshot?) {
    var (store, snapshot) = try Store.openAndRead(location.storage, configuration: configuration(options))
    let new = RealmFile(location: location, options: options, store: store)
    if let atLaunch {
      snapshot = nil
      try atLaunch(new)
    }
    let file = openFiles.add(new, for: location)
    if !options.isReadOnly { try file.prepareHistory(recording: options.recordsChangesets) }
    return (file, snapshot.flatMap { $0.version == store.knownVersion ? $0 : nil })
  }

  /// The file that is open already.
  private static func joined(_ location: RealmLocation, _ options: Options) throws -> RealmFile? {
    guard let file = openFiles[location] else { return nil }
    guard file.options.encryptionKey == options.encryptionKey else {
      throw RecordStoreError(
        .invalidDatabase, "The realm is open with another encryption key. Use the same key, or close it first.")
    }
    guard !options.isReadOnly else { return file }
    if file.options.isReadOnly {
      // Now it is to be written too, if it can be.
      _ = try Store.open(location.storage, configuration: configuration(options))
    }
    try file.prepareHistory(recording: options.recordsChangesets)
    return file
  }

  private static func configuration(_ options: Options) throws -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.isDurable = options.isDurable
    configuration.createsIfMissing = options.createsIfMissing
    configuration.isReadOnly = options.isReadOnly
    configuration.journal = options.journal
    configuration.key = options.encryptionKey.map(EncryptionKey.init(checking:))
    return configuration
  }

  /// The files that this process has open.
  private static let openFiles = WeakRegistry<RealmLocation, RealmFile>()
  /// Held while it is decided what to do with a file before it is open, so that it is decided once.
  private static let openings = KeyedLock<RealmLocation>()

  /// Whether this process has the realm at a location open.
  package static func isOpen(_ location: RealmLocation) -> Bool { ifOpen(location) != nil }

  /// The realm file at a location, if this process has it open.
  package static func ifOpen(_ location: RealmLocation) -> RealmFile? { openFiles[location] }

  /// The marks of what this process writes to a server's file; none for a file that no server of this process has opened.
  var incarnation: ServerIncarnation { serverIncarnation.withLock { $0 } }

  /// Takes the marks of a server of this process; what it leaves open stays as it was.
  func take(_ new: ServerIncarnation) {
    serverIncarnation.withLock { known in
      known = ServerIncarnation(salt: new.salt ?? known.salt, epoch: new.epoch ?? known.epoch)
    }
  }

  /// The catalog that a reader's snapshot holds.
  package func catalog(of reader: any StorageReader) throws -> Catalog { try known(to: reader).catalog }

  /// The root records of a reader's snapshot; decoded only when they changed.
  func known(to reader: any StorageReader) throws -> KnownRecords {
    let version = reader.recordsVersion
    let last = records.withLock { $0 }
    if let last, last.version == version, version != nil { return last }
    let known = try KnownRecords(reader, last: last)
    if version != nil { records.withLock { $0 = known } }
    return known
  }

  /// The latest version, to read from.
  package func latestReadView() throws -> ReadView {
    let snapshot = try store.latestSnapshot()
    return ReadView(snapshot, try catalog(of: snapshot))
  }

  /// Everything the latest version holds, as plain values.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func dump() throws -> StateDump {
    try translatingErrors { try latestReadView().dump() }
  }
}

extension RealmLocation {
  var storage: StoreLocation {
    switch self {
    case .file(let path): .file(path: path)
    case .inMemory(let name): .inMemory(name: name)
    }
  }
}
