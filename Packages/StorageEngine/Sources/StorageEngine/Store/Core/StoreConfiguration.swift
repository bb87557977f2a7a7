/// The configuration with which a store is opened.
public struct StoreConfiguration: Sendable {
  /// The time that a write waits for another writer before it throws ``StorageError/Code/locked``.
  public var busyTimeout: Duration = .seconds(60)
  /// Bytes of decoded nodes that the cache of this store alone may hold before it evicts. Nil, the default, makes the
  /// store share one budget with all such stores of the process: an eighth of the machine's memory, from 256 MiB to
  /// 2 GiB.
  public var cacheBudgetInBytes: Int?
  /// Encryption; nil keeps the content in clear.
  public var key: (any SealingKey)?
  /// Whether a commit is on disk before it returns. Without, a power loss may lose the last commits, never more.
  public var isDurable: Bool = true
  /// Whether a file that does not exist is created.
  public var createsIfMissing: Bool = true
  /// Whether writes are refused. A file that this process may not write, or that stands in a folder that it may not
  /// write, can be opened in no other way; it must not change meanwhile then.
  public var isReadOnly: Bool = false
  /// Called when old snapshots make the file grow; the default writes a line to the standard error. See
  /// ``StoreWarning``.
  public var warn: @Sendable (StoreWarning) -> Void = { StoreWarning.print($0) }
  /// A record outside of the file that gets each commit first; nil for none. It is a programmer error to encrypt the store then: the record
  /// has its nodes as they are in the file, and another file has another salt.
  public var journal: (any CommitJournal)?
  /// The name of the SQLite file system that the file is on; nil for the system's own.
  package var fileSystem: String?
  /// The time that a read waits while another process opens or closes the file.
  package var readTimeout: Duration = .seconds(10)
  /// Pages in the write-ahead log from which on a commit moves them to the file.
  package var walPages = FileLayout.walPages

  /// The default configuration: durable, writable, in clear.
  public init() {}

  var databaseSettings: Database.Settings {
    Database.Settings(
      busyTimeout: busyTimeout, readTimeout: readTimeout, isDurable: isDurable, walPages: walPages, journal: journal)
  }
}
