import SyncProtocol
import SyncProtocolTestSupport
import TestKit
import Testing

/// The wire is frozen: a digest over many messages of every dialect changes only on purpose.
struct FreezeTests {
  @Test("the bytes of all messages are frozen")
  func wireIsFrozen() {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for dialect in RoundTripTests.dialects {
      for seed in 1...40 as ClosedRange<UInt64> {
        var messages = RandomMessages(seed: seed, dialect: dialect)
        for bytes in [messages.clientMessage().encoded(for: dialect), messages.serverMessage().encoded(for: dialect)] {
          for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
      }
    }
    #expect(
      digest == 4_173_442_795_724_305_203,
      """
      The bytes on the wire changed. If a released peer must still understand us, undo the change. If a new protocol \
      version brings it, encode it for that version only, and put the new digest here.
      """)
  }

  @Test("the table of errors is frozen")
  func errorsAreFrozen() {
    let names = ProtocolErrorCode.known.map { "\($0.rawValue) \($0.name)" }.joined(separator: "\n")
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in names.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    #expect(
      digest == 14_967_040_380_336_384_942, "Numbers and names of errors are a promise to peers and applications.")
  }
}
