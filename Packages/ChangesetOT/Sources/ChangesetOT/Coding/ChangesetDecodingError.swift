public import ByteCoding

/// A fault in the bytes of a changeset, with its position.
///
///     do { _ = try Changeset(decoding: [0x02], origin: origin) } catch {
///       error.description               // "byte 1, instruction 0: input ends 1 byte(s) too early"
///     }
public struct ChangesetDecodingError: Error, Equatable, Sendable {
  /// The kind of fault.
  public enum Reason: Equatable, Sendable {
    /// An item that is cut short, an integer that is too large, or text that is not UTF-8.
    case malformed(ByteDecodingError)
    /// The record is neither a string definition (63) nor one of the instructions 0 to 13.
    case unknownInstruction(code: Int64)
    /// A payload type that does not exist or is not allowed here.
    case unknownPayloadType(code: Int64)
    /// A key type other than null, int, string, ObjectId, UUID and global.
    case unknownKeyType(code: Int64)
    /// A class kind other than 0, 1 and 2.
    case unknownObjectKind(code: Int64)
    /// A collection kind other than 0 to 3.
    case unknownCollection(code: Int64)
    /// A column of single mixed values, or of lists or sets of them, that claims not to be nullable.
    case mixedColumnNotNullable
    /// A dictionary column whose keys are not strings.
    case dictionaryKeyNotString(code: Int64)
    /// A string definition whose number is not the next one.
    case stringOutOfOrder(index: UInt32, expected: Int)
    /// A second definition of the same text.
    case duplicateString(String)
    /// A use of a string that was not defined before.
    case unknownString(index: UInt32)
    /// A list instruction whose path does not end in an index.
    case missingListIndex
    /// A path element that is neither an index nor a name.
    case invalidPathElement(Int64)
    /// A path of more elements than ``ChangesetReader/pathLimit``.
    case pathTooLong(count: UInt32)
    /// A truth value other than 0 and 1.
    case invalidBoolean(code: Int64)
    /// Halves of a timestamp that disagree in sign, or a second of more than 999,999,999 nanoseconds.
    case invalidTimestamp
    /// A decimal coefficient of more than 113 bits or an exponent out of range.
    case invalidDecimal
    /// Text that is not the Base64 form of an object key.
    case invalidKeyText
  }

  /// The kind of fault.
  public var reason: Reason
  /// The byte at which the offending item begins, counted from the start of the changeset.
  public var position: Int
  /// The number of complete instructions before it.
  public var instruction: Int

  /// An error.
  public init(_ reason: Reason, position: Int, instruction: Int) {
    self.reason = reason
    self.position = position
    self.instruction = instruction
  }
}

extension ChangesetDecodingError: CustomStringConvertible {
  /// Position, instruction and fault.
  public var description: String { "byte \(position), instruction \(instruction): \(reason)" }
}

extension ChangesetDecodingError.Reason: CustomStringConvertible {
  /// The fault in words.
  public var description: String {
    switch self {
    case .malformed(.truncated(_, let missing)): "input ends \(missing) byte(s) too early"
    case .malformed(.integerOutOfRange): "integer does not fit its type"
    case .malformed(.lengthTooLarge(let length, let limit, _)): "length \(length) exceeds the limit \(limit)"
    case .malformed(.invalidUTF8): "text is not UTF-8"
    case .malformed(.unexpectedByte(let byte, _)): "unexpected byte \(byte)"
    case .unknownInstruction(let code): "unknown instruction \(code)"
    case .unknownPayloadType(let code): "payload type \(code) is unknown or not allowed here"
    case .unknownKeyType(let code): "unknown key type \(code)"
    case .unknownObjectKind(let code): "unknown class kind \(code)"
    case .unknownCollection(let code): "unknown collection kind \(code)"
    case .mixedColumnNotNullable: "a mixed column must be nullable"
    case .dictionaryKeyNotString(let code): "dictionary keys must be strings, not type \(code)"
    case .stringOutOfOrder(let index, let expected): "string \(index) is defined where \(expected) is due"
    case .duplicateString(let text): "string \"\(text)\" is defined twice"
    case .unknownString(let index): "string \(index) is not defined"
    case .missingListIndex: "the path of a list instruction must end in an index"
    case .invalidPathElement(let code): "path element \(code) is neither index nor name"
    case .pathTooLong(let count): "a path of \(count) elements exceeds the limit \(ChangesetReader.pathLimit)"
    case .invalidBoolean(let code): "truth value \(code) is neither 0 nor 1"
    case .invalidTimestamp: "the halves of a timestamp do not belong together"
    case .invalidDecimal: "decimal out of range"
    case .invalidKeyText: "not the text form of an object key"
    }
  }
}
