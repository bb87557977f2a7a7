import Glibc

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
  /// What the cache of decoded nodes may hold before it evicts, in bytes. Shared by all snapshots and threads of the
  /// store. By default an eighth of the machine's memory, from 256 MiB to 2 GiB; a process that opens many stores
  /// gives each less.
  public var cacheBudgetInBytes: Int = defaultCacheBudget
  /// Encryption; nil keeps the content in clear.
  public var sealing: (any Sealing)?
  /// Whether a commit is on disk before it returns. Without, a power loss may lose the last commits, never more.
  public var isDurable: Bool = true
  /// Whether a file that does not exist is created.
  public var createsIfMissing: Bool = true

  public init() {}

  private static let defaultCacheBudget: Int = {
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return min(max(memory / 8, 256 << 20), 2 << 30)
  }()
}
