@testable import StorageEngine

extension Store {
  /// The content of every node of the file, pending ones included.
  func nodeContents() throws -> [[UInt8]] {
    var contents = current.withLock { $0.pending.map(\.content) }
    try database.reading { connection in
      let select = try connection.statement("SELECT content FROM node")
      defer { select.reset() }
      while try select.step() { contents.append(select.bytes(at: 0)) }
    }
    return contents
  }
}
