import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@Suite("updates that are read as cells")
struct CellLaws {
  @Test("cells and instructions read the same updates, from whole bytes and broken ones")
  func sameAsInstructions() throws {
    var decoder = ChangesetDecoder()
    var cells = 0
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      let pair = try ConcurrentPair(seed: seed, edits: 8)
      for changeset in pair.a + pair.b {
        for order in [ChangesetWriter.StringOrder.atFront, .beforeFirstUse] {
          var bytes = changeset.encoded(strings: order)
          if random.below(3) == 0, !bytes.isEmpty { bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8)) }
          var whole = ChangesetReader(bytes)
          decoder.start(bytes[...])
          let mixed = Result { try read(&decoder.reader, &random, &cells) }
          let plain = Result { () throws -> [Instruction] in
            var all: [Instruction] = []
            while let instruction = try whole.next() { all.append(instruction.asUpdateWithoutDefault) }
            return all
          }
          switch (plain, mixed) {
          case (.success(let left), .success(let right)): #expect(left == right, "SEED=\(seed)")
          case (.failure(let left), .failure(let right)): #expect("\(left)" == "\(right)", "SEED=\(seed)")
          default: Issue.record("SEED=\(seed): \(plain), and \(mixed) with cells")
          }
          #expect(decoder.reader.instructionCount == whole.instructionCount, "SEED=\(seed)")
        }
      }
    }
    #expect(cells > 100, "the law is not vacuous")
  }

  /// The instructions, some of them read as cells, of which some are returned.
  private func read(
    _ reader: inout ChangesetReader, _ random: inout SeededGenerator, _ cells: inout Int
  ) throws -> [Instruction] {
    var all: [Instruction] = []
    while true {
      if random.below(4) > 0, let cell = try reader.nextCell() {
        if random.below(4) > 0 {
          let object = try #require(reader.addressed)
          let payload = reader.withBytes(of: cell) { Payload(cell.value, $0) }
          all.append(.update(Update(target: Target(object: object, field: reader.text(cell.field)), payload: payload)))
          cells += 1
          continue
        }
        reader.returnCell()
      }
      guard let instruction = try reader.next() else { return all }
      all.append(instruction.asUpdateWithoutDefault)
    }
  }

  @Test("a write set collected from bytes equals that of the instructions")
  func writeSets() throws {
    var decoder = ChangesetDecoder()
    for seed in Seeds.some(100) {
      let pair = try ConcurrentPair(seed: seed, edits: 6)
      for side in [pair.a, pair.b] {
        var collector = WriteSetCollector()
        for changeset in side { try collector.add(changeset.encoded(strings: .beforeFirstUse)[...], with: &decoder) }
        #expect(collector.writeSet == WriteSet(side), "SEED=\(seed)")
      }
    }
  }

  @Test("exactly the plain payloads are cells", arguments: Self.payloads)
  func payload(payload: Payload, isPlain: Bool) {
    let back = payload.withCell { Payload($0, $1) }
    #expect(back == (isPlain ? payload : nil))
  }

  static let payloads: [(Payload, Bool)] = [
    (.null, true), (.int(-5), true), (.bool(true), true), (.string("text"), true), (.string(""), true),
    (.data([1, 2]), true), (.float(3), true), (.double(4), true), (.objectId(.zero), true), (.objectValue, false),
    (.dictionary, false), (.erased, false), (.list, false), (.set, false),
    (.link(ObjectReference(className: "Item", key: .int(1))), false),
  ]
}

extension Payload {
  fileprivate init(_ cell: CellValue, _ bytes: UnsafeRawBufferPointer) {
    switch cell {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .string: self = .string(String(decoding: bytes, as: UTF8.self))
    case .data: self = .data(Array(bytes))
    case .timestamp(let value): self = .timestamp(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal128(let value): self = .decimal128(value)
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(value)
    }
  }
}

extension Instruction {
  /// Cells do not say whether a value is the default of its field.
  fileprivate var asUpdateWithoutDefault: Instruction {
    guard case .update(var update) = self else { return self }
    update.isDefault = false
    return .update(update)
  }
}
