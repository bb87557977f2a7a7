// Names of RealmSwift for types that have another name in this platform.

/// Receives the log messages of the store.
public typealias Logger = RealmLogger

/// The severity of log messages.
public typealias LogLevel = RealmLogLevel

/// A key to sort by. `RealmSwift.SortDescriptor` distinguishes it from Foundation's type of that name.
public typealias SortDescriptor = ObjectStore.SortDescriptor

/// Whether two errors have one domain and one code.
public func == (left: any Error, right: any Error) -> Bool {
  let (left, right) = (left as NSError, right as NSError)
  return left.domain == right.domain && left.code == right.code
}
