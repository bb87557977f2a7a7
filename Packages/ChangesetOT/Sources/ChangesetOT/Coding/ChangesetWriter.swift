import ByteCoding
import DataModel

/// Writes instructions straight to the bytes of a changeset, without building ``Instruction`` values.
///
///     var writer = ChangesetWriter()
///     let item = writer.intern("Item"), n = writer.intern("n")
///     writer.createObject(item, .int(1))
///     writer.update(item, .int(1), n, payload: .int(5))
///     writer.finish()                  // 24 bytes
///
/// Names are interned: each use of an ``InternedString`` costs one or two bytes and no look-up. One owner at a time.
///
/// - Complexity: each call is O(*n*) in the bytes that it appends.
public struct ChangesetWriter: Sendable {
  /// The position of string definitions.
  public enum StringOrder: Sendable {
    /// Just before the first use: the order of a transaction recorder.
    case beforeFirstUse
    /// All before the first instruction: the order of a merge.
    case atFront
  }

  /// The number of instructions written.
  public private(set) var instructionCount = 0

  let order: StringOrder
  var body: ByteWriter
  private var definitions = ByteWriter()
  private var strings = StringInterner()

  /// An empty changeset; `capacity` bytes are reserved ahead.
  public init(order: StringOrder = .beforeFirstUse, capacity: Int = 0) {
    self.order = order
    body = ByteWriter(capacity: capacity)
  }

  /// Whether no instruction was written.
  public var isEmpty: Bool { instructionCount == 0 }
  /// The number of bytes of ``finish()``.
  public var count: Int { isEmpty ? 0 : definitions.count + body.count }

  /// The number of a string in this changeset; defines a new string.
  ///
  /// The result is valid for this writer only.
  public mutating func intern(_ text: String) -> InternedString {
    let (index, isNew) = strings.number(of: text)
    guard isNew else { return InternedString(index: index) }
    switch order {
    case .beforeFirstUse: Self.define(index, text, in: &body)
    case .atFront: Self.define(index, text, in: &definitions)
    }
    return InternedString(index: index)
  }

  private static func define(_ index: UInt32, _ text: String, in writer: inout ByteWriter) {
    writer.writeByte(63)
    writer.writeVarint(index)
    writer.writeString(text)
  }

  /// The bytes of the changeset; none when no instruction was written.
  ///
  /// - Complexity: O(*n*) in the number of bytes with definitions at the front, else O(1).
  public consuming func finish() -> [UInt8] {
    guard instructionCount > 0 else { return [] }
    guard definitions.count > 0 else { return body.bytes }
    var bytes = definitions.bytes
    bytes.append(contentsOf: body.bytes)
    return bytes
  }

  /// Begins a record.
  mutating func begin(_ code: InstructionCode) {
    body.writeByte(code.rawValue)
    instructionCount += 1
  }
}

/// The number of a string in one ``ChangesetWriter``.
public struct InternedString: Hashable, Sendable {
  let index: UInt32
}
