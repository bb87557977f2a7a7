@testable import ObjectServer
import TestKit
import Testing

/// Two devices of ann with one realm, and four peers that say anything, three of them with her token.
final class FuzzCrowd {
  private let stage: Stage
  private let token: String
  private let seed: UInt64
  let devices: [Device]
  private let offenders: [Offender]

  /// Codes at which stock clients end their process.
  private static let deadly: Set<Int> = [104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224]

  init(on stage: Stage, seed: UInt64) throws {
    self.stage = stage
    self.seed = seed
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    token = ann.token
    devices = try (0..<2).map { number in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
    }
    offenders = try (0..<4).map { number in
      try Offender(
        "offender\(number)", number: UInt64(number), token: number < 3 ? ann.token : ben.token,
        seed: seed &+ UInt64(number))
    }
  }

  private func connect() throws { for device in devices { try device.connect(stage, token: token) } }

  /// Random steps; each in some of a dozen is an edit, a connection, or a peer's turn.
  ///
  /// - Parameter event: what else happens, by the number of a step from 3 to 5; false leaves the turn to a peer.
  func act(
    steps: Int, using random: inout SeededGenerator, _ event: (Int, inout SeededGenerator) throws -> Bool
  ) throws {
    for _ in 0..<steps {
      let step = Int.random(in: 0..<12, using: &random)
      switch step {
      case 0, 1: try devices.randomElement(using: &random)?.edit(2)
      case 2: try connect()
      case _:
        if try step > 5 || !event(step, &random) {
          try offenders.randomElement(using: &random)?.act(on: stage, using: &random)
        }
      }
      if random.oneIn(2) { stage.run(.milliseconds(3)) }
    }
  }

  /// Lets the devices come to their end, and expects them to be equal and nobody to have heard what ends a stock client.
  func expectEqualEnds() throws {
    for _ in 0..<50 {
      try connect()
      stage.run(.seconds(1))
      if devices.allSatisfy({ $0.isSettled && $0.isConnected }) { break }
    }
    stage.run(.seconds(1))
    for device in devices {
      #expect(device.failures == [], "SEED=\(seed)")
      #expect(device.isSettled, "SEED=\(seed): \(device.name) has unacknowledged commits")
      #expect(device.state == devices.first?.state, "SEED=\(seed): \(device.name) differs")
    }
    for offender in offenders {
      offender.listen()
      #expect(offender.codes.isDisjoint(with: Self.deadly), "SEED=\(seed): \(offender.codes)")
    }
  }
}
