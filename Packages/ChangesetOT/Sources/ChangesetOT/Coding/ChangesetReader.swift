import ByteCoding
import DataModel

/// Reads the instructions of a changeset one by one, with positions in every error.
///
///     var reader = ChangesetReader(bytes)
///     while let instruction = try reader.next() { print(reader.instructionPosition, instruction) }
///
/// Accepts strings defined at the front and strings defined just before their first use. Never traps, whatever the
/// bytes are, and never allocates more than a small multiple of their number.
///
/// - Complexity: O(*n*) in the number of bytes; every text is decoded once.
public struct ChangesetReader: Sendable {
  /// The most elements that a path may have.
  public static let pathLimit: UInt32 = 1_024
  /// The most bytes that a string or binary value may have: slightly under 16 MiB.
  public static let valueLimit = 0xFF_FFF0

  /// The byte at which the instruction that ``next()`` returned last begins.
  public private(set) var instructionPosition = 0
  /// How many instructions were read.
  public private(set) var instructionCount = 0

  var input: ByteReader
  /// The object that an instruction addressed last, and where that stands: most say something of the same one again.
  var lastObject: (reference: ObjectReference, bytes: Range<Int>)?
  /// The texts defined so far, all different; while everything is as expected, also those that are expected to follow.
  private var texts: [String]
  private var definedCount = 0
  /// Whether everything defined so far was expected.
  private var isAsExpected = true
  /// Those of ``texts`` beyond ``fewStrings``, and all before them: to find equal ones.
  private var known: Set<ExactString> = []
  /// Up to so many definitions are compared one by one.
  private static let fewStrings = 16

  /// A reader at the first instruction of `bytes`.
  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// A reader over a slice; positions count from its start.
  public init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, expecting: []) }

  /// A reader that is quicker when `bytes` define these texts first, in this order.
  /// - Parameter strings: all different, as another reader found them.
  init(_ bytes: ArraySlice<UInt8>, expecting strings: [String]) {
    input = ByteReader(bytes)
    texts = strings
  }

  /// The texts defined so far.
  var strings: [String] { definedCount == texts.count ? texts : Array(texts[..<definedCount]) }

  /// How many bytes were consumed.
  public var position: Int { input.position }

  /// The next instruction; nil at the end of the bytes.
  ///
  /// - Throws: ``ChangesetDecodingError``; the reader must not be used afterwards.
  public mutating func next() throws(ChangesetDecodingError) -> Instruction? {
    while !input.isAtEnd {
      let start = input.position
      let code = try integer(Int64.self)
      if code == 63 {
        try defineString(at: start)
        continue
      }
      let instruction = try readInstruction(code: code, at: start)
      instructionPosition = start
      instructionCount += 1
      return instruction
    }
    return nil
  }

  private mutating func defineString(at start: Int) throws(ChangesetDecodingError) {
    let index = try integer(UInt32.self)
    if isAsExpected, definedCount < texts.count, Int(index) == definedCount, input.skipString(texts[definedCount]) {
      definedCount += 1
      return
    }
    if isAsExpected { texts.removeSubrange(definedCount...) }
    isAsExpected = false
    let text = try inlineString(limit: Self.valueLimit)
    guard Int(index) == definedCount else {
      throw failure(.stringOutOfTurn(index: index, expected: definedCount), at: start)
    }
    guard isNew(text) else { throw failure(.duplicateString(text), at: start) }
    texts.append(text)
    definedCount += 1
  }

  private mutating func isNew(_ text: String) -> Bool {
    guard texts.count >= Self.fewStrings else { return !texts.contains { $0.isIdentical(to: text) } }
    if known.isEmpty { known = Set(texts.map(ExactString.init)) }
    return known.insert(ExactString(text)).inserted
  }

  /// A string by the number of its definition.
  mutating func internedString() throws(ChangesetDecodingError) -> String {
    let start = input.position
    let index = try integer(UInt32.self)
    guard Int(index) < definedCount else { throw failure(.unknownString(index: index), at: start) }
    return texts[Int(index)]
  }

  /// A string in place: length and bytes.
  mutating func inlineString(limit: Int = Self.valueLimit) throws(ChangesetDecodingError) -> String {
    do { return try input.readString(limit: limit) } catch { throw failure(error) }
  }

  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
    do { return try input.readVarint(type) } catch { throw failure(error) }
  }

  mutating func boolean() throws(ChangesetDecodingError) -> Bool {
    let start = input.position
    let code = try integer(Int64.self)
    guard code == 0 || code == 1 else { throw failure(.invalidBoolean(code: code), at: start) }
    return code == 1
  }

  mutating func rawBytes(_ count: Int) throws(ChangesetDecodingError) -> ArraySlice<UInt8> {
    do { return try input.readSlice(count) } catch { throw failure(error) }
  }

  func failure(_ reason: ChangesetDecodingError.Reason, at position: Int) -> ChangesetDecodingError {
    ChangesetDecodingError(reason, position: position, instruction: instructionCount)
  }

  func failure(_ error: ByteDecodingError) -> ChangesetDecodingError {
    ChangesetDecodingError(.malformed(error), position: error.position, instruction: instructionCount)
  }
}
