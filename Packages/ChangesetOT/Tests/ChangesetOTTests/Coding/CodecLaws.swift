import ChangesetOT
import ChangesetOTTestSupport
import TestKit
import Testing

@Suite("laws of the bytes (Docs/ChangesetFormat.md)")
struct CodecLaws {
  @Test("every changeset goes through its bytes unchanged, in both orders of strings")
  func roundTrip() throws {
    for seed in Seeds.some(500) {
      let pair = try ConcurrentPair(seed: seed, edits: 12)
      for changeset in pair.a + pair.b {
        for order in [ChangesetWriter.StringOrder.atFront, .beforeFirstUse] {
          let bytes = changeset.encoded(strings: order)
          let decoded = try Changeset(decoding: bytes, origin: changeset.origin)
          #expect(decoded == changeset, "SEED=\(seed)")
          #expect(decoded.encoded(strings: order) == bytes, "SEED=\(seed)")
        }
      }
    }
  }

  @Test("bytes cut anywhere give fewer instructions or an error with a position inside, never a trap")
  func truncation() throws {
    for seed in Seeds.some(20) {
      let pair = try ConcurrentPair(seed: seed, edits: 8)
      for changeset in pair.a {
        let bytes = changeset.encoded(strings: .beforeFirstUse)
        for length in bytes.indices {
          do {
            let part = try Changeset(decoding: bytes[..<length], origin: changeset.origin)
            #expect(part.instructions == Array(changeset.instructions.prefix(part.instructions.count)))
          } catch {
            #expect((0...length).contains(error.position), "SEED=\(seed) length \(length)")
          }
        }
      }
    }
  }

  @Test("flipped bytes decode to something that encodes canonically, or are refused")
  func flips() throws {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      let pair = try ConcurrentPair(seed: seed, edits: 8)
      let bytes = (pair.a + pair.b).flatMap { $0.encoded() }
      for _ in 0..<50 where !bytes.isEmpty {
        var broken = bytes
        for _ in 0...random.below(3) { broken[random.below(broken.count)] = UInt8(random.below(256)) }
        check(broken, seed)
      }
    }
  }

  @Test("random bytes never trap")
  func noise() {
    for seed in Seeds.some(2_000) {
      var random = SeededGenerator(seed: seed)
      // Small numbers make plausible codes; a definition in front makes string 0 known.
      let noise = (0..<random.below(60)).map { _ in UInt8(random.below(random.oneIn(4) ? 256 : 16)) }
      check([0x3F, 0x00, 0x01, 0x41] + noise, seed)
    }
  }

  private func check(_ bytes: [UInt8], _ seed: UInt64) {
    guard let decoded = try? Changeset(decoding: bytes, origin: anyOrigin) else { return }
    let canonical = decoded.encoded()
    let again = try? Changeset(decoding: canonical, origin: anyOrigin)
    #expect(again == decoded && again?.encoded() == canonical, "SEED=\(seed)")
    // Whatever was decoded can be printed and merged: refused or not, it does not trap.
    #expect(decoded.description.isEmpty == decoded.isEmpty)
    var (left, right) = ([decoded], [decoded])
    right[0].origin.file = FileIdent(3)
    _ = try? Transformer().transform(local: &left, incoming: &right)
    var state = ModelState.sample()
    try? state.apply(decoded)
  }
}
