import Foundation
import ObjectServer
import ObjectServerTestSupport
import Permissions
import PostgresClientTestSupport
import ServerCluster
import Synchronization
import Telemetry
import TestKit
import Testing

@Suite("the directory of a cluster whose database is killed", .serialized, .enabled(if: PostgresServer.isThere))
struct PostgresDirectoryKillTests {
  /// The users that were acknowledged.
  private final class Acknowledged: Sendable {
    let names = Mutex<[String]>([])
    let isOver = Mutex(false)
  }

  @Test("what was acknowledged before PostgreSQL was killed is there when it is back, and nothing by halves")
  func killed() async throws {
    let server = try await PostgresServer()
    let address = server.address()
    let keys = KeysFolder()
    let directory = try await onOwnThread { try PostgresDirectory(ClusterDatabase(address), keys: keys.path) }
    let acknowledged = Acknowledged()
    var number = 0
    for _ in 0..<3 {
      let (first, goal) = (number, acknowledged.names.withLock { $0.count } + 20)
      async let failure = onOwnThread { Self.write(directory, from: first, acknowledged) }
      try await eventually { acknowledged.names.withLock { $0.count } >= goal }
      await server.kill()
      let (error, next) = try await failure
      #expect(error.code == .directoryFailure)
      number = next
      try await server.start()
    }
    try await onOwnThread {
      let there = Set(try directory.users().map(\.user.id.rawValue))
      let missing = acknowledged.names.withLock { $0 }.filter { !there.contains($0) }
      #expect(missing == [])
      // Of a user whose creation failed, all is there or nothing.
      #expect(try directory.users().allSatisfy { $0.identities.count == 1 })
      #expect(try directory.problems() == [])
    }
    await server.remove()
  }

  /// Creates users until that fails.
  private static func write(
    _ directory: any Directory, from first: Int, _ acknowledged: Acknowledged
  ) -> (ServerError, next: Int) {
    var number = first
    while true {
      number += 1
      let name = "user-\(number)"
      do throws(ServerError) {
        let time = WallTime(secondsSince1970: Int64(number))
        let identity = IdentityRecord(provider: "p", name: name, user: UserId(name))
        let user = UserRecord(id: identity.user, createdAt: time)
        guard try directory.createUser(user, identity: identity) else { continue }
        acknowledged.names.withLock { $0.append(name) }
      } catch { return (error, number) }
    }
  }
}
