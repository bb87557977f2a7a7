public import ChangesetOT
import Foundation
import StorageEngine
import Synchronization

/// Where a realm lives.
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
/// Safe to use from any thread. ``Realm`` is the view of one thread onto such a file; ``ClientHistory`` and
/// ``ServerHistory`` replicate it.
public final class RealmFile: Sendable {
  /// How a file is opened.
  public struct Options: Sendable {
    /// Whether every write transaction leaves its changeset in the history. Kept in the file: once on, always on.
    public var recordsChangesets: Bool
    /// Whether a commit is on disk before it returns.
    public var isDurable: Bool
    /// Whether the file is created when it does not exist.
    public var createsIfMissing: Bool
    /// 64 bytes that encrypt the file; nil keeps it in clear.
    public var encryptionKey: [UInt8]?
    /// What a write transaction is dated with.
    public var clock: @Sendable () -> OriginTimestamp

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

  /// Where the file is.
  public let location: RealmLocation
  /// How it was opened first.
  public let options: Options
  let store: Store
  /// Decoded catalogs by the bytes they come from; the last one is nearly always the right one.
  private let catalogs = Mutex<(bytes: [UInt8], catalog: Catalog)>(([], .empty))
  let listeners = CommitListeners()
  /// What sync clients hung on the file, by what they replicate it with.
  let attachments = Mutex<[String: any Sendable & AnyObject]>([:])

  private init(location: RealmLocation, options: Options, store: Store) {
    self.location = location
    self.options = options
    self.store = store
  }

  /// Opens a realm file, or gives the one that this process has open already, whose options then stay.
  ///
  /// - Throws: ``Realm/Error``.
  public static func open(_ location: RealmLocation, options: Options = Options()) throws -> RealmFile {
    try translatingErrors {
      if let file = openFiles.file(location) {
        try file.prepareHistory(recording: options.recordsChangesets)
        return file
      }
      var configuration = StoreConfiguration()
      configuration.isDurable = options.isDurable
      configuration.createsIfMissing = options.createsIfMissing
      if options.encryptionKey != nil {
        throw Realm.Error(.invalidInput, "This build opens no encrypted files. Open the file without a key.")
      }
      let store = try Store.open(location.storage, configuration: configuration)
      let file = openFiles.add(RealmFile(location: location, options: options, store: store))
      try file.prepareHistory(recording: options.recordsChangesets)
      return file
    }
  }

  private static let openFiles = OpenFiles()

  /// Whether this process has the realm at a location open.
  static func isOpen(_ location: RealmLocation) -> Bool { openFiles.file(location) != nil }

  /// The catalog that a reader's snapshot holds.
  func catalog(of reader: any StorageReader) throws -> Catalog {
    guard let bytes = try reader.rootRecord(Catalog.recordName) else { return .empty }
    if let known = catalogs.withLock({ $0.bytes == bytes ? $0.catalog : nil }) { return known }
    let catalog: Catalog
    do { catalog = try Catalog(decoding: bytes) } catch {
      throw StorageError(
        .corrupt, "The catalog of the realm cannot be read. Restore the file from a backup.", cause: error)
    }
    catalogs.withLock { $0 = (bytes, catalog) }
    return catalog
  }

  /// The latest version, to read from.
  func latestFrame() throws -> Frame {
    let snapshot = try store.latestSnapshot()
    return Frame(snapshot, try catalog(of: snapshot))
  }

  /// Everything the latest version holds, as plain values.
  public func dump() throws -> StateDump {
    try translatingErrors { try latestFrame().dump() }
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

/// The files that this process has open, held weakly.
private final class OpenFiles: Sendable {
  private struct Entry: Sendable {
    weak let file: RealmFile?
  }
  private let files = Mutex<[RealmLocation: Entry]>([:])

  func file(_ location: RealmLocation) -> RealmFile? { files.withLock { $0[location]?.file } }

  /// Registers a file; when another thread was quicker, gives its file.
  func add(_ file: RealmFile) -> RealmFile {
    files.withLock { files in
      if let present = files[file.location]?.file { return present }
      files = files.filter { $0.value.file != nil }
      files[file.location] = Entry(file: file)
      return file
    }
  }
}
