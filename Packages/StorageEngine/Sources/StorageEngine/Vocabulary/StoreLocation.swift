/// The location of a store.
public enum StoreLocation: Hashable, Sendable {
  /// A file; `<path>-wal`, `<path>-shm` and `<path>.lock` stand beside it while it is in use.
  case file(path: String)
  /// In memory of this process, under a name by which it can be opened again while a reference to the store is held.
  case inMemory(name: String)
}
