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

  @Test("the result of a decoder does not depend on earlier changesets, whole or broken")
  func inARow() throws {
    var decoder = ChangesetDecoder()
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      let pair = try ConcurrentPair(seed: seed, edits: 6)
      for changeset in pair.a + pair.b {
        for order in [ChangesetWriter.StringOrder.atFront, .beforeFirstUse] {
          var bytes = changeset.encoded(strings: order)
          if random.below(4) == 0, !bytes.isEmpty { bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8)) }
          let alone = Result { try Changeset(decoding: bytes, origin: changeset.origin) }
          let inARow = Result { try decoder.decode(bytes[...], origin: changeset.origin) }
          switch (alone, inARow) {
          case (.success(let left), .success(let right)): #expect(left == right, "SEED=\(seed)")
          case (.failure(let left), .failure(let right)): #expect("\(left)" == "\(right)", "SEED=\(seed)")
          default: Issue.record("SEED=\(seed): \(alone), and \(inARow) after others")
          }
        }
      }
    }
  }

  @Test("a second definition of a string is refused, among few strings and many", arguments: [2, 15, 16, 17, 40])
  func definedTwice(count: Int) throws {
    func definition(_ number: Int, _ text: String) -> [UInt8] {
      [63, UInt8(number)] + [UInt8(text.utf8.count)] + text.utf8
    }
    let names = (0..<count).map { "name \($0)" }
    let bytes = names.enumerated().flatMap { definition($0, $1) }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(1))
    var decoder = ChangesetDecoder()
    for _ in 0..<2 {
      #expect(try decoder.decode(bytes[...], origin: origin).isEmpty)
      for twice in [0, count / 2, count - 1] {
        let error = #expect(throws: ChangesetDecodingError.self) {
          try decoder.decode((bytes + definition(count, names[twice]))[...], origin: origin)
        }
        #expect(error?.reason == .duplicateString(names[twice]))
        #expect(error?.position == bytes.count)
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

  @Test("flipped bytes are refused or decode to a changeset that encodes canonically")
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
    #expect(again == decoded, "SEED=\(seed)")
    #expect(again?.encoded() == canonical, "SEED=\(seed)")
    // Printing, merging and applying a decoded changeset never trap.
    #expect(decoded.description.isEmpty == decoded.isEmpty)
    var (left, right) = ([decoded], [decoded])
    right[0].origin.file = FileIdent(3)
    _ = try? Transformer().transform(local: &left, incoming: &right)
    var state = ModelState.sample()
    try? state.apply(decoded)
  }
}
