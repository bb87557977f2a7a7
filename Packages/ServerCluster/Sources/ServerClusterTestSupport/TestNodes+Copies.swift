import ObjectServer
import PostgresClient
import PostgresClientTestSupport

// An operator copies the database of a server that is stopped, and puts the copy back.
extension TestNodes {
  /// Ends the node of a folder; the next call of ``node(of:)`` enters it anew, as a server that is started again.
  func leave(_ folder: String) {
    let parts = state.withLock { state in
      defer { state.entries[folder]?.parts = nil }
      return state.entries[folder]?.parts
    }
    parts?.leave()
  }

  /// Copies the database of a folder, in the place of an earlier copy.
  func backUp(_ folder: String) throws {
    try withDatabase(of: folder) { try Self.copy($0, to: $0 + "_copy", on: $1) }
  }

  /// Puts the copy in the place of the database. The copies of realms in the folder stay, and are ahead of their record then.
  func restore(_ folder: String) throws {
    try withDatabase(of: folder) { try Self.copy($0 + "_copy", to: $0, on: $1) }
  }

  private func withDatabase(of folder: String, _ body: (String, PostgresConnection) throws -> Void) throws {
    leave(folder)
    try state.withLock { state in
      guard let postgres = state.postgres, let entry = state.entries[folder] else { return }
      try body(entry.database, PostgresConnection(postgres.parameters()))
    }
  }

  private static func copy(_ source: String, to target: String, on connection: PostgresConnection) throws {
    // A database that somebody uses is not copied; the directory of a stopped server connects anew.
    try connection.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [source])
    try connection.query("DROP DATABASE IF EXISTS \(target) WITH (FORCE)")
    try connection.query("CREATE DATABASE \(target) TEMPLATE \(source)")
  }
}
