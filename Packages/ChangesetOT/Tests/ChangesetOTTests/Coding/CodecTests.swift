import ByteCoding
import ChangesetOT
import DataModel
import Testing

let anyOrigin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))

@Suite("the bytes of changesets")
struct CodecTests {
  @Test("a worked example decodes to its instructions and encodes to its bytes", arguments: WorkedExample.all)
  func workedExample(example: WorkedExample) throws {
    #expect(!example.bytes.isEmpty)
    let changeset = try Changeset(decoding: example.bytes, origin: anyOrigin)
    #expect(changeset.instructions == example.instructions)
    #expect(hexText(changeset.encoded()) == hexText(example.bytes))
  }

  @Test("worked examples have the documented sizes")
  func sizes() { #expect(WorkedExample.all.map(\.bytes.count) == [42, 77, 166, 211, 66]) }

  @Test("a recorder defines each string just before its first use")
  func recorderOrder() throws {
    let bytes = try #require(hexBytes(WorkedExample.firstCommitRecorded))
    let changeset = try Changeset(decoding: bytes, origin: anyOrigin)
    #expect(changeset.instructions == WorkedExample.firstCommit.instructions)
    #expect(changeset.encoded(strings: .beforeFirstUse) == bytes)
  }

  @Test("the sixth example: the first one behind the head of an upload entry is 42 bytes of 64")
  func uploadEntry() {
    let head = "2 0 361234567890 0 42 "
    #expect(head.utf8.count == 22)
    #expect(head.utf8.count + WorkedExample.firstCommit.bytes.count == 64)
    #expect(OriginTimestamp(unixMilliseconds: 1_781_304_967_890).rawValue == 361_234_567_890)
  }

  @Test("the writer makes the bytes of the example without instruction values")
  func writer() {
    var writer = ChangesetWriter()
    let item = writer.intern("Item")
    writer.addTable(item, kind: .topLevel, primaryKey: PrimaryKeyColumn(field: "_id", type: .int))
    let n = writer.intern("n")
    writer.addColumn(item, n, type: .int, isNullable: false, collection: .single)
    writer.createObject(item, .int(1))
    writer.update(item, .int(1), n, payload: .int(5))
    #expect(writer.instructionCount == 4)
    #expect(writer.count == 42)
    #expect(writer.finish() == hexBytes(WorkedExample.firstCommitRecorded))
  }

  @Test("definitions without an instruction are zero bytes, and zero bytes are the empty changeset")
  func empty() throws {
    var writer = ChangesetWriter()
    _ = writer.intern("Item")
    #expect(writer.finish().isEmpty)
    #expect(try Changeset(decoding: [], origin: anyOrigin).isEmpty)
    #expect(try Changeset(decoding: [0x3F, 0x00, 0x01, 0x41], origin: anyOrigin).encoded().isEmpty)
  }

  @Test("canonically equivalent names with different bytes stay different")
  func canonicalEquivalence() throws {
    let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
    let object = ObjectReference(className: "C", key: .int(1))
    let changeset = Changeset(
      instructions: [composed, decomposed].map {
        .update(Update(target: Target(object: object, field: "d", path: [.name($0)]), payload: .string($0)))
      }, origin: anyOrigin)
    let decoded = try Changeset(decoding: changeset.encoded(), origin: anyOrigin)
    #expect(decoded.encoded() == changeset.encoded())
    let texts = decoded.instructions.compactMap { instruction -> [UInt8]? in
      guard case .update(let update) = instruction, case .name(let name)? = update.target.path.last else { return nil }
      return Array(name.utf8)
    }
    #expect(texts == [Array(composed.utf8), Array(decomposed.utf8)])
  }

  @Test(
    "a key survives its text form",
    arguments: [
      (ObjectKey.null, "AA=="), (.int(5), "AQU="), (.int(-1), "AUA="), (.string("ab"), "AwJhYg=="),
      (.global(GlobalKey(high: 2, low: 0)), "QAIA"), (.objectId(.zero), "CgAAAAAAAAAAAAAAAA=="),
    ])
  func keyText(key: ObjectKey, text: String) throws {
    #expect(key.encodedText == text)
    #expect(try ObjectKey(encodedText: text) == key)
  }

  @Test("infinities and NaNs survive", arguments: [UInt64(0x7800) << 48, 0xF800 << 48, 0x7C00 << 48, 0x3040 << 48])
  func decimals(high: UInt64) throws {
    let target = Target(object: ObjectReference(className: "C", key: .null), field: "d")
    let changeset = Changeset(
      instructions: [.update(Update(target: target, payload: .decimal128(Decimal128(high: high, low: 7))))],
      origin: anyOrigin)
    #expect(try Changeset(decoding: changeset.encoded(), origin: anyOrigin) == changeset)
  }

  @Test("equal bytes get equal numbers, few names and many")
  func numbersOfNames() {
    var writer = ChangesetWriter()
    let names = (0..<40).map { "name \($0)" } + ["\u{E9}", "e\u{301}"]
    let first = names.map { writer.intern($0) }
    #expect(Set(first).count == names.count)
    #expect(names.map { writer.intern($0) } == first)

    var other = ChangesetWriter()
    let (composed, decomposed) = (other.intern("\u{E9}"), other.intern("e\u{301}"))
    #expect(composed != decomposed)
    #expect(other.intern("\u{E9}") == composed)
  }
}
