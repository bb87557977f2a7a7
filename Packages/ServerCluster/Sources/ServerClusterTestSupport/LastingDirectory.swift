import ObjectServer
import ServerCluster

/// The directory of a cluster for servers of a test that come and go over it: the end of one does not close it, as it does not close one
/// in memory.
typealias LastingDirectory = SQLDirectory<LastingStorage>

extension SQLDirectory where Storage == LastingStorage {
  /// - Parameter isShared: whether the tables are changed over other directories, too, so that servers ask for changes all the time:
  ///   those in simulated time would ask very often.
  convenience init(_ address: String, keys folder: String, isShared: Bool = true) throws(ServerError) {
    try self.init {
      LastingStorage(
        inner: try PostgresDirectoryStorage(ClusterDatabase(address), keys: folder, nil), isShared: isShared)
    }
  }
}

final class LastingStorage: DirectoryStorage {
  private let inner: PostgresDirectoryStorage

  let isShared: Bool

  init(inner: PostgresDirectoryStorage, isShared: Bool) { (self.inner, self.isShared) = (inner, isShared) }

  func read<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try inner.read(body)
  }
  func snapshot<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try inner.snapshot(body)
  }
  func write<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value {
    try inner.write(body)
  }
  static func remedy(for error: any Error) -> String { PostgresDirectoryStorage.remedy(for: error) }
  func close() {}
}
