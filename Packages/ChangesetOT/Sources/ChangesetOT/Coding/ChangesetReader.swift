import ByteCoding
import DataModel

/// A forward reader of the instructions of a changeset, with positions in every error.
///
///     var reader = ChangesetReader(bytes)
///     while let instruction = try reader.next() { print(reader.instructionPosition, instruction) }
///
/// Accepts string definitions at the front and just before the first use. Guarantee: no bytes make it trap, and it
/// allocates at most a small multiple of their number. One owner at a time.
///
/// - Complexity: O(*n*) in the number of bytes; every definition is decoded once.
public struct ChangesetReader: Sendable {
  /// The most elements that a path may have.
  public static let pathLimit: UInt32 = 1_024
  /// The most bytes that a string or binary value may have: slightly under 16 MiB.
  public static let valueLimit = 0xFF_FFF0

  /// The position of the first byte of the last instruction.
  public internal(set) var instructionPosition = 0
  /// The number of instructions read.
  public internal(set) var instructionCount = 0

  var input: ByteReader
  /// The object that an instruction addressed last, and its bytes: the next instruction mostly repeats both.
  var lastObject: (reference: ObjectReference, bytes: Range<Int>)?
  /// The strings defined so far, all different. While all definitions were expected, also the strings expected next.
  private var texts = StringDefinitions()
  private var definedCount = 0
  /// Whether all definitions so far are those of the changeset before.
  private var isAsExpected = true
  /// The set of ``texts``; empty while they are fewer than ``fewStrings`` and compared one by one.
  private var known: Set<ExactString> = []
  /// Fewer definitions than this are compared one by one.
  private static let fewStrings = 16

  /// A reader at the first instruction of `bytes`.
  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// A reader over a slice; positions count from its start.
  public init(_ bytes: ArraySlice<UInt8>) { input = ByteReader(bytes) }

  /// Moves to the first instruction of other bytes. Definitions equal to those of the last bytes cost no allocation.
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

  /// The number of bytes consumed.
  public var position: Int { input.position }

  /// The next instruction; nil at the end of the bytes.
  ///
  /// - Throws: ``ChangesetDecodingError`` for the first fault; the reader must not be used afterwards.
  /// - Complexity: O(*n*) in the bytes of the instruction and of the definitions before it.
  public mutating func next() throws(ChangesetDecodingError) -> Instruction? {
    try passDefinitions()
    guard !input.isAtEnd else { return nil }
    let start = input.position
    let instruction = try readInstruction(code: try integer(Int64.self), at: start)
    passed(start)
    return instruction
  }

  /// Records an instruction that begins at a position.
  mutating func passed(_ start: Int) {
    instructionPosition = start
    instructionCount += 1
  }

  /// Reads the string definitions before the next instruction.
  mutating func passDefinitions() throws(ChangesetDecodingError) {
    // Instructions have codes of one byte below 63, the code of a definition.
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
      throw failure(.stringOutOfOrder(index: index, expected: definedCount), at: start)
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
  mutating func internedNumber() throws(ChangesetDecodingError) -> Int {
    let start = input.position
    let index = try integer(UInt32.self)
    guard Int(index) < definedCount else { throw failure(.unknownString(index: index), at: start) }
    return Int(index)
  }

  /// The text of a definition; empty for a number that is not defined.
  public func text(_ number: Int) -> String { number >= 0 && number < definedCount ? texts.all[number] : "" }

  /// A string in place: length and bytes.
  mutating func inlineString(limit: Int = Self.valueLimit) throws(ChangesetDecodingError) -> String {
    do { return try input.readString(limit: limit) } catch { throw failure(error) }
  }

  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
    if let byte = input.readSmallVarint() { return T(truncatingIfNeeded: byte) }
    return try longInteger(type)
  }

  @inline(never)
  private mutating func longInteger<T: FixedWidthInteger>(_ type: T.Type) throws(ChangesetDecodingError) -> T {
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
