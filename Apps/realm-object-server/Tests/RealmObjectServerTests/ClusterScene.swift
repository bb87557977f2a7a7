import Foundation
import PostgresClientTestSupport

/// A PostgreSQL and a folder for servers over it, which go when a test ends.
enum ClusterScene {
  static func run(
    _ body: (_ postgres: PostgresServer, _ folder: String) async throws -> Void
  ) async throws {
    let postgres = try await PostgresServer()
    let folder = ServerProcess.temporaryFolder()
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(postgres, folder)) } catch { outcome = .failure(error) }
    await postgres.remove()
    try? FileManager.default.removeItem(atPath: folder)
    try outcome.get()
  }
}
