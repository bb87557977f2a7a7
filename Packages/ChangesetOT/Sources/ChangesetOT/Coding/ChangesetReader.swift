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
  public internal(set) var instructionPosition = 0
  /// How many instructions were read.
  public internal(set) var instructionCount = 0

  var input: ByteReader
  /// The object that an instruction addressed last, and where that stands: most say something of the same one again.
  var lastObject: (reference: ObjectReference, bytes: Range<Int>)?
  /// The texts defined so far, all different; while everything is as expected, also those that are expected to follow.
  private var texts = StringDefinitions()
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
  public init(_ bytes: ArraySlice<UInt8>) { input = ByteReader(bytes) }

  /// Goes to the first instruction of other bytes; is quicker when they define the same texts first, in the same order.
  mutating func restart(_ bytes: ArraySlice<UInt8>) {
    input = ByteReader(bytes)
    (instructionPosition, instructionCount) = (0, 0)
    lastObject = nil
    definedCount = 0
    if isAsExpected { return }
    isAsExpected = true
    known = []
    if !texts.areFew { texts = StringDefinitions() }
  }

  /// How many bytes were consumed.
  public var position: Int { input.position }

  /// The next instruction; nil at the end of the bytes.
  ///
  /// - Throws: ``ChangesetDecodingError``; the reader must not be used afterwards.
  public mutating func next() throws(ChangesetDecodingError) -> Instruction? {
    try passDefinitions()
    guard !input.isAtEnd else { return nil }
    let start = input.position
    let instruction = try readInstruction(code: try integer(Int64.self), at: start)
    passed(start)
    return instruction
  }

  /// Notes that an instruction was read which begins at a position.
  mutating func passed(_ start: Int) {
    instructionPosition = start
    instructionCount += 1
  }

  /// Reads the definitions that stand here.
  mutating func passDefinitions() throws(ChangesetDecodingError) {
    // Codes of one byte below that of a definition are those of instructions.
    while let code = input.peek(), code >= 63 {
      if isAsExpected, texts.skip(definedCount, in: &input) {
        definedCount += 1
        continue
      }
      let start = input.position
      guard try integer(Int64.self) == 63 else { return input.goBack(to: start) }
      try defineString(at: start)
    }
  }

  private mutating func defineString(at start: Int) throws(ChangesetDecodingError) {
    let index = try integer(UInt32.self)
    if isAsExpected { texts.removeAll(from: definedCount) }
    isAsExpected = false
    let text = try inlineString(limit: Self.valueLimit)
    guard Int(index) == definedCount else {
      throw failure(.stringOutOfTurn(index: index, expected: definedCount), at: start)
    }
    guard isNew(text) else { throw failure(.duplicateString(text), at: start) }
    input.withBytes(at: start..<position) { texts.append(text, definedBy: $0) }
    definedCount += 1
  }

  private mutating func isNew(_ text: String) -> Bool {
    guard texts.all.count >= Self.fewStrings else { return !texts.all.contains { $0.isIdentical(to: text) } }
    if known.isEmpty { known = Set(texts.all.map(ExactString.init)) }
    return known.insert(ExactString(text)).inserted
  }

  /// A string by the number of its definition.
  mutating func internedString() throws(ChangesetDecodingError) -> String { texts.all[try internedNumber()] }

  /// The number of the definition of a string, below the count of definitions.
  @inline(__always) mutating func internedNumber() throws(ChangesetDecodingError) -> Int {
    let start = input.position
    let index = try integer(UInt32.self)
    guard Int(index) < definedCount else { throw failure(.unknownString(index: index), at: start) }
    return Int(index)
  }

  /// The text of a definition.
  public func text(_ number: Int) -> String { number >= 0 && number < definedCount ? texts.all[number] : "" }

  /// A string in place: length and bytes.
  mutating func inlineString(limit: Int = Self.valueLimit) throws(ChangesetDecodingError) -> String {
    do { return try input.readString(limit: limit) } catch { throw failure(error) }
  }

  @inline(__always)
  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
    if let byte = input.readSmallVarint() { return T(truncatingIfNeeded: byte) }
    return try longInteger(type)
  }

  @inline(never)
  private mutating func longInteger<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
    do { return try input.readVarint(type) } catch { throw failure(error) }
  }

  @inline(__always) mutating func boolean() throws(ChangesetDecodingError) -> Bool {
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
