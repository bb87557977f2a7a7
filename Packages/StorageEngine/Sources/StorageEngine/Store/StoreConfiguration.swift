/// Where a store lives.
public enum StoreLocation: Hashable, Sendable {
  /// A file; `<path>-wal`, `<path>-shm` and `<path>.lock` stand beside it while it is in use.
  case file(path: String)
  /// In memory of this process, under a name by which it can be opened again while somebody holds it.
  case inMemory(name: String)
}

/// How a store is opened.
public struct StoreConfiguration: Sendable {
  /// How long a write waits for another writer before it throws ``StorageError/Code/locked``.
  public var busyTimeout: Duration = .seconds(60)
  /// What the cache of decoded nodes may hold before it evicts, in bytes. Shared by all snapshots and threads.
  public var cacheBudgetInBytes: Int = 512 << 20
  /// Encryption; nil keeps the content in clear.
  public var sealing: (any Sealing)?
  /// Whether a commit is on disk before it returns. Without, a power loss may lose the last commits, never more.
  public var isDurable: Bool = true
  /// Whether a file that does not exist is created.
  public var createsIfMissing: Bool = true

  public init() {}
}
