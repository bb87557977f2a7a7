import Foundation
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

/// One PostgreSQL for all tests of a suite, each of which has a database of its own.
struct OnePostgres: SuiteTrait, TestScoping {
  @TaskLocal private static var server: PostgresServer?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let server = try await PostgresServer()
    do { try await Self.$server.withValue(server) { try await body() } } catch {
      await server.remove()
      throw error
    }
    await server.remove()
  }

  /// Makes a database, and calls `body` with its address on a thread of its own.
  static func withDatabase<Value: Sendable>(_ body: @escaping @Sendable (String) throws -> Value) async throws -> Value
  {
    let server = try #require(server)
    return try await onOwnThread {
      let name = "test_" + UUID().uuidString.prefix(8).lowercased()
      try PostgresConnection(server.parameters()).query("CREATE DATABASE \(name)")
      return try body(server.address(name))
    }
  }
}

extension Trait where Self == OnePostgres {
  /// One PostgreSQL for all tests of the suite.
  static var onePostgres: OnePostgres { OnePostgres() }
}
