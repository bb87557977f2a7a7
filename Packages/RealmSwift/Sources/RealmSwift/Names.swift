// Names of RealmSwift that other modules of this platform use for things of their own.

/// Receives what the store has to say about itself.
public typealias Logger = RealmLogger

/// How much is logged.
public typealias LogLevel = RealmLogLevel

/// A key to sort by; `RealmSwift.SortDescriptor` tells it from Foundation's.
public typealias SortDescriptor = ObjectStore.SortDescriptor

/// Whether two errors have one domain and one code.
public func == (left: any Error, right: any Error) -> Bool {
  let (left, right) = (left as NSError, right as NSError)
  return left.domain == right.domain && left.code == right.code
}
