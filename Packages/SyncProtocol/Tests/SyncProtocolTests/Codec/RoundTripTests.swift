import SyncProtocol
import SyncProtocolTestSupport
import TestKit
import Testing

/// Encoding and decoding are inverse, in every dialect.
struct RoundTripTests {
  static let dialects = SyncFlavour.allCases.flatMap { flavour in
    (8...14).map { Dialect(flavour, ProtocolVersion(UInt16($0))) }
  }

  @Test("every message survives encoding and decoding", arguments: dialects)
  func messagesReadBack(dialect: Dialect) throws {
    let decoder = MessageDecoder(dialect: dialect)
    for seed in Seeds.some(150) {
      var messages = RandomMessages(seed: seed, dialect: dialect)
      let client = messages.clientMessage()
      let clientBack = try decoder.clientMessage(client.encoded(for: dialect))
      #expect(clientBack == client, "SEED=\(seed) \(dialect)")
      let server = messages.serverMessage()
      let serverBack = try decoder.serverMessage(server.encoded(for: dialect))
      #expect(serverBack == server, "SEED=\(seed) \(dialect)")
    }
  }

  @Test("damaged messages give a value or a typed error with a position inside the message")
  func damageIsReported() {
    for seed in Seeds.some(400) {
      let dialect = Self.dialects[Int(seed % UInt64(Self.dialects.count))]
      let decoder = MessageDecoder(dialect: dialect)
      var messages = RandomMessages(seed: seed, dialect: dialect)
      let sound = messages.clientMessage().encoded(for: dialect)
      let answer = messages.serverMessage().encoded(for: dialect)
      for _ in 0..<20 {
        let bytes = Damage.random(of: sound, using: &messages.random)
        check(bytes, seed) { () throws(MessageDecodingError) in _ = try decoder.clientMessage(bytes) }
        let other = Damage.random(of: answer, using: &messages.random)
        check(other, seed) { () throws(MessageDecodingError) in _ = try decoder.serverMessage(other) }
      }
    }
  }

  private func check(_ bytes: [UInt8], _ seed: UInt64, _ read: () throws(MessageDecodingError) -> Void) {
    do {
      try read()
    } catch {
      #expect(error.position >= 0, "SEED=\(seed)")
      #expect(!error.failure.code.wire.crashesStockClients, "SEED=\(seed)")
    }
  }

  @Test("every proper prefix of a message is refused")
  func prefixesAreRefused() {
    for seed in Seeds.some(60) {
      var messages = RandomMessages(seed: seed)
      let bytes = messages.clientMessage().encoded()
      for cut in Damage.truncations(of: bytes) {
        #expect(throws: MessageDecodingError.self, "SEED=\(seed)") { try MessageDecoder().clientMessage(cut) }
      }
    }
  }
}
