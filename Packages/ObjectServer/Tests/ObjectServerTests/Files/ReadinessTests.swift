import Foundation
@testable import ObjectServer
import ServerClusterTestSupport
import Synchronization
import Telemetry
import TestKit
import Testing
import TransportSimulated

@Suite("readiness and modes")
struct ReadinessTests {
  /// A disk that may be full, how often it was written to, and a clock that is set.
  private final class Disk: MonotonicClock {
    let state = Mutex((isFull: false, writes: 0, seconds: 0))
    var now: MonotonicInstant { MonotonicInstant(nanoseconds: UInt64(state.withLock { $0.seconds }) * 1_000_000_000) }

    struct Full: Error, CustomStringConvertible { let description = "No space left on device" }

    func write() throws {
      let isFull = state.withLock { state in
        state.writes += 1
        return state.isFull
      }
      if isFull { throw Full() }
    }

    func set(isFull: Bool, after seconds: Int) {
      state.withLock { state in
        state.isFull = isFull
        state.seconds += seconds
      }
    }
  }

  @Test("a server that cannot write is not ready and says why, asks the disk seldom, and recovers by itself")
  func full() throws {
    let disk = Disk()
    let stage = try Stage(writeProbe: WriteProbe(clock: disk) { try disk.write() })
    #expect(try stage.send("GET", "/health/ready").status == 200)
    disk.set(isFull: true, after: 5)
    let refused = try stage.send("GET", "/health/ready")
    #expect(refused.status == 503)
    #expect(refused.text.contains("nothing can be written: No space left on device"))
    // The process is live all the same.
    #expect(try stage.send("GET", "/health/live").status == 200)
    for _ in 0..<20 { #expect(try stage.send("GET", "/health/ready").status == 503) }
    #expect(disk.state.withLock { $0.writes } == 2)
    disk.set(isFull: false, after: 5)
    #expect(try stage.send("GET", "/health/ready").status == 200)
  }

  @Test("a node that lost its place in the cluster is not ready and says why")
  func replaced() throws {
    let cluster = try ClusterStage()
    #expect(try cluster.stage.send("GET", "/health/ready").status == 200)
    cluster.placements["a"]?.refuse("another server has its name")
    let refused = try cluster.stage.send("GET", "/health/ready")
    #expect(refused.status == 503)
    #expect(refused.text.contains("another server has its name"))
    #expect(try cluster.stage.send("GET", "/health/live").status == 200)
  }

  @Test("a folder is probed by a file that does not stay; one that is gone fails")
  func folder() throws {
    let folder = NSTemporaryDirectory() + "openrealm-probe-" + UUID().uuidString
    #expect(WriteProbe(folder: folder).failure() == "No such file or directory")
    try PrivateFolder.make(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(WriteProbe(folder: folder).failure() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test(
    "what an earlier start left open to others is closed: folders, the directory of users, its log, keys",
    .enabled(if: TestStorage.isEmbedded, "the directory's own files"))
  func modes() throws {
    let data = NSTemporaryDirectory() + "openrealm-modes-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = EmbeddedServer(path: data)
    let before = try server.openDirectory()
    let names = ["", "/directory.db", "/directory.db-wal", "/directory.db-shm", "/keys", "/keys/directory.key"]
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: data + name)[.posixPermissions] as? Int
    }
    for name in names { #expect(try (mode(name) ?? 0o777) & 0o077 == 0, "\(name) as made") }
    for name in names { chmod(data + name, name == "" || name == "/keys" ? 0o755 : 0o644) }
    let after = try server.openDirectory()
    for name in names { #expect(try (mode(name) ?? 0o777) & 0o077 == 0, "\(name) as found") }
    before.close()
    after.close()
  }
}
