public import ChangesetOT
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

    /// Options; everything else by its property.
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
  /// How it was opened.
  public let options: Options

  init(location: RealmLocation, options: Options) {
    self.location = location
    self.options = options
  }

  /// Opens a realm file, or gives the one that this process has open already.
  ///
  /// - Throws: ``Realm/Error``.
  public static func open(_ location: RealmLocation, options: Options = Options()) throws -> RealmFile {
    RealmFile(location: location, options: options)
  }
}
