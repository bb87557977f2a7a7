/// The embedded directory: one SQLite file, every change flushed to disk before it counts.
///
/// Several processes may use the file: the server, and tools that add users meanwhile.
public typealias SQLiteDirectory = SQLDirectory<SQLiteDirectoryStorage>

extension SQLDirectory where Storage == SQLiteDirectoryStorage {
  /// The directory in the file at `path`, made when missing; `:memory:` for one that goes with the process. Its records are
  /// sealed with `keys/directory.key` beside the file, which is made with the first seal.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``; ``ServerError/Code/badKey`` when the key is missing or none.
  public convenience init(path: String) throws(ServerError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try self.init(path: path) { isSealed throws(ServerError) in
      path == ":memory:" ? .random() : try DirectoryKey.load(from: folder + "/keys", isSealed: isSealed)
    }
  }

  /// - Parameter key: the key of the seals, told whether there are seals already.
  convenience init(
    path: String, key: @Sendable (_ isSealed: Bool) throws(ServerError) -> DirectoryKey
  ) throws(ServerError) {
    try self.init { try SQLiteDirectoryStorage(path: path, key: key) }
  }
}
