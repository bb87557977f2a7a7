@testable import SyncClient
import SyncProtocol
import Testing
import TransportSimulated

struct BackPressureTests {
  @Test("downloads that wait for a slow disk are bounded, and all arrive")
  func slowDisk() throws {
    let stage = Stage()
    let one = PlainFile()
    let two = PlainFile()
    let writer = stage.open(one, by: stage.client("one"))
    // Slower in sum than the timeout of PONG: a paused server must not be taken for dead.
    let reader = stage.open(two, by: stage.client("two", disk: .seconds(20)))
    stage.run(.seconds(300))
    #expect(reader.connectionState == .connected)
    #expect(writer.connectionState == .connected)
    let size = 256 << 10
    var most = 0
    for number in 0..<24 {
      one.commit([UInt8](repeating: UInt8(number), count: size))
      stage.run(.milliseconds(100))
      most = max(most, reader.connection?.waitingBytes ?? 0)
    }
    #expect(stage.server.realm("/ann/todo").history.count == 24)
    #expect(most > SharedConnection.readHighWater, "\(most) bytes waited")
    #expect(most <= SharedConnection.readHighWater + size, "\(most) bytes waited")
    for _ in 0..<100 where two.content.withLock({ $0.remote.count }) < 24 {
      stage.run(.seconds(10))
      most = max(most, reader.connection?.waitingBytes ?? 0)
    }
    #expect(most <= SharedConnection.readHighWater + size, "\(most) bytes waited")
    #expect(two.content.withLock { $0.remote.map(\.first) } == (0..<24).map { UInt8($0) })
    #expect(stage.server.connections == 2, "no session reconnected")
  }
}
