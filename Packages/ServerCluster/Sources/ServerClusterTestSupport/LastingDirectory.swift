import ObjectServer
import ServerCluster

/// The directory of a cluster for servers of a test that come and go over it: the end of one does not close it, as it does not close one
/// in memory.
typealias LastingDirectory = SQLDirectory<LastingStorage>

extension SQLDirectory where Storage == LastingStorage {
  convenience init(_ address: String, keys folder: String) throws(ServerError) {
    try self.init { LastingStorage(inner: try PostgresDirectoryStorage(ClusterDatabase(address), keys: folder, nil)) }
  }
}

final class LastingStorage: DirectoryStorage {
  private let inner: PostgresDirectoryStorage

  init(inner: PostgresDirectoryStorage) { self.inner = inner }

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
