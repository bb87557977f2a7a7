import ByteCoding
import ChangesetOT
import Testing

@Suite("bytes that are no changeset")
struct BadBytesTests {
  typealias Reason = ChangesetDecodingError.Reason

  struct Row: Sendable, CustomStringConvertible {
    var description: String
    var hex: String
    var position: Int
    var reason: Reason

    init(_ description: String, _ hex: String, at position: Int, _ reason: Reason) {
      (self.description, self.hex, self.position, self.reason) = (description, hex, position, reason)
    }
  }

  // Strings: 0 "A", 1 "b"; 8 bytes.
  static let ab = "3F 00 01 41 3F 01 01 62 "

  @Test(
    "each broken rule is named with its byte",
    arguments: [
      Row("unknown instruction 14", "0E", at: 0, .unknownInstruction(code: 14)),
      Row("a negative code", "40", at: 0, .unknownInstruction(code: -1)),
      Row("a string out of order", "3F 01 01 41", at: 0, .stringOutOfOrder(index: 1, expected: 0)),
      Row("a second definition", "3F 00 01 41 3F 01 01 41", at: 4, .duplicateString("A")),
      Row("an undefined string", "01 00", at: 1, .unknownString(index: 0)),
      Row("a key of type 2", ab + "02 00 02 01", at: 10, .unknownKeyType(code: 2)),
      Row("a class of kind 3", ab + "00 00 03", at: 10, .unknownObjectKind(code: 3)),
      Row("a payload of type 12", ab + "04 00 00 01 00 0C", at: 13, .unknownPayloadType(code: 12)),
      Row("a global key as payload", ab + "04 00 00 01 00 40", at: 13, .unknownPayloadType(code: -1)),
      Row("a payload of type -7", ab + "04 00 00 01 00 46", at: 13, .unknownPayloadType(code: -7)),
      Row("a collection of kind 4", ab + "06 00 01 01 00 04", at: 13, .unknownCollection(code: 4)),
      Row("a clear of kind 4", ab + "0B 00 00 01 00 04", at: 13, .unknownCollection(code: 4)),
      Row("a list insert without index", ab + "08 00 00 01 00 00 00", at: 9, .missingListIndex),
      Row("a list erase at a name", ab + "0A 00 00 01 01 40 01 01", at: 9, .missingListIndex),
      Row("a list move without index", ab + "09 00 00 01 00 01 02", at: 9, .missingListIndex),
      Row("a path element of -2", ab + "05 00 00 01 01 41 01", at: 13, .invalidPathElement(-2)),
      Row("a path of 1025", ab + "05 00 00 01 81 08", at: 12, .pathTooLong(count: 1_025)),
      Row("timestamp halves of two signs", ab + "04 00 00 01 00 05 01 40 00", at: 14, .invalidTimestamp),
      Row(
        "a second of 10^9 nanoseconds", ab + "04 00 00 01 00 05 01 80 94 EB DC 03 00", at: 14, .invalidTimestamp),
      Row("a truth value of 2", ab + "04 00 00 01 00 02 02 00", at: 14, .invalidBoolean(code: 2)),
      Row("a default flag of 2", ab + "04 00 00 01 00 00 02", at: 14, .invalidBoolean(code: 2)),
      Row("a mixed column that is not nullable", ab + "06 00 01 00 00 00", at: 9, .mixedColumnNotNullable),
      Row("integer keys of a dictionary", ab + "06 00 01 01 00 02 01", at: 14, .dictionaryKeyNotString(code: 1)),
      Row("a column of dictionaries", ab + "06 00 01 42 01 00", at: 11, .unknownPayloadType(code: -3)),
      Row("a string that is cut short", "3F 00 05 41", at: 2, .malformed(.truncated(at: 2, missing: 4))),
      Row("a string that is not UTF-8", "3F 00 01 FF", at: 3, .malformed(.invalidUTF8(at: 3))),
      Row(
        "a value of 16 MiB", ab + "04 00 00 01 00 04 80 80 80 08 00", at: 14,
        .malformed(.lengthTooLarge(0x100_0000, limit: UInt64(ChangesetReader.valueLimit), at: 14))),
      Row("an index that is negative", "01 41", at: 1, .malformed(.integerOutOfRange(at: 1))),
      Row("an ObjectId that is cut short", ab + "02 00 0A 01", at: 11, .malformed(.truncated(at: 11, missing: 11))),
    ])
  func brokenRule(row: Row) throws {
    let bytes = try #require(hexBytes(row.hex))
    #expect {
      _ = try Changeset(decoding: bytes, origin: anyOrigin)
    } throws: { error in
      let error = error as? ChangesetDecodingError
      return error?.reason == row.reason && error?.position == row.position && !"\(row)".isEmpty
    }
  }

  @Test("the error says how many instructions were complete")
  func instructionCount() throws {
    let bytes = try #require(hexBytes(Self.ab + "02 00 01 01 02 00 01 02 0F"))
    #expect(throws: ChangesetDecodingError(.unknownInstruction(code: 15), position: 16, instruction: 2)) {
      _ = try Changeset(decoding: bytes, origin: anyOrigin)
    }
  }
}
