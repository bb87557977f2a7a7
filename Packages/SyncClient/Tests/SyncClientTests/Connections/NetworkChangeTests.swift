import Concurrency
@testable import SyncClient
import Synchronization
import Testing
import TestKit
import Transport
import TransportSimulated

/// Whether a network that comes back is noticed.
struct NetworkChangeTests {
  /// Changes that a test makes.
  private final class Changes: NetworkChangeSource {
    private let handlers = Mutex<[@Sendable () -> Void]>([])

    func observe(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
      handlers.withLock { $0.append(handler) }
      return ()
    }

    func announce() { for handler in handlers.withLock({ $0 }) { handler() } }
  }

  @Test("a network that comes back ends the back-off at once, and many announcements are one attempt")
  func endsBackOff() {
    let stage = Stage()
    let changes = Changes()
    let client = SyncClient(
      SyncEnvironment(
        network: stage.network.host("one"), executor: LoopExecutor(loop: stage.network.loop, delay: .zero),
        seed: { 7 }, networkChanges: changes))
    let session = stage.open(PlainFile(), by: client)
    stage.run()
    #expect(session.connectionState == .connected)
    stage.network.partition(["one"], from: ["server"])
    // Long enough for the back-off to be minutes.
    stage.run(.seconds(3_000))
    #expect(session.connectionState != .connected)
    stage.network.heal()
    stage.run(.seconds(1))
    #expect(session.connectionState != .connected)
    let before = stage.server.connections
    for _ in 0..<50 { changes.announce() }
    stage.run(.seconds(2))
    #expect(session.connectionState == .connected)
    #expect(stage.server.connections == before + 1)
  }

  @Test("a suspended session stays suspended")
  func suspended() {
    let stage = Stage()
    let changes = Changes()
    let client = SyncClient(
      SyncEnvironment(
        network: stage.network.host("one"), executor: LoopExecutor(loop: stage.network.loop, delay: .zero),
        seed: { 7 }, networkChanges: changes))
    let session = stage.open(PlainFile(), by: client)
    stage.run()
    session.suspend()
    stage.run()
    changes.announce()
    stage.run(.seconds(5))
    #expect(session.state == .inactive)
    #expect(session.connectionState == .disconnected)
  }

  // MARK: Messages of Linux

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    return bytes(UInt32(16 + body.count)) + bytes(type) + [UInt8](repeating: 0, count: 10) + body + padding
  }

  private static func link(flags: UInt32) -> [UInt8] {
    message(16, [0, 0, 1, 0] + bytes(Int32(2)) + bytes(flags) + bytes(UInt32.max))
  }

  private static func address(scope: UInt8) -> [UInt8] { message(20, [2, 24, 0, scope] + bytes(UInt32(2))) }

  private static func route(destinationBits: UInt8, table: UInt8) -> [UInt8] {
    message(24, [2, destinationBits, 0, 0, table, 0, 0, 1] + bytes(UInt32(0)))
  }

  @Test("running interfaces, addresses and default routes announce a network, others do not")
  func table() {
    let cases: [([UInt8], Bool)] = [
      (Self.link(flags: 0x1 | 0x40), true), (Self.link(flags: 0x1), false), (Self.link(flags: 0x49), false),
      (Self.message(17, Array(repeating: 0xFF, count: 16)), false),
      (Self.address(scope: 0), true), (Self.address(scope: 254), false),
      (Self.route(destinationBits: 0, table: 254), true), (Self.route(destinationBits: 24, table: 254), false),
      (Self.route(destinationBits: 0, table: 255), false),
      (Self.link(flags: 0x1) + Self.address(scope: 0), true), ([], false),
    ]
    for (datagram, expected) in cases { #expect(NetlinkMessages.announceNetwork(datagram) == expected) }
  }

  @Test("cut off and changed messages never trap")
  func damage() {
    var random = SeededGenerator(seed: 11)
    let whole = Self.link(flags: 0x1) + Self.address(scope: 254) + Self.route(destinationBits: 3, table: 9)
    for count in 0...whole.count { _ = NetlinkMessages.announceNetwork(Array(whole.prefix(count))) }
    for _ in 0..<20_000 {
      var datagram = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        datagram[Int.random(in: datagram.indices, using: &random)] = .random(in: 0 ... .max, using: &random)
      }
      _ = NetlinkMessages.announceNetwork(datagram)
    }
    #expect(NetlinkMessages.announceNetwork([UInt8](repeating: 0, count: 64)) == false)
  }
}
