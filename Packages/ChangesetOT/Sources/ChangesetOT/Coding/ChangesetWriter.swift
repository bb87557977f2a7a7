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
/// Names are interned: pass the ``InternedString`` of a class or field again and again, it costs one or two bytes
/// and no look-up.
///
/// - Complexity: each call is O(1), apart from the bytes that it appends.
public struct ChangesetWriter: Sendable {
  /// Where the definitions of strings stand.
  public enum StringOrder: Sendable {
    /// Just before the first use, as a transaction recorder writes them.
    case beforeFirstUse
    /// All before the first instruction, as a merge writes them.
    case atFront
  }

  /// How many instructions were written.
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

  /// Whether nothing was written that could be applied.
  public var isEmpty: Bool { instructionCount == 0 }
  /// How many bytes ``finish()`` would return.
  public var count: Int { isEmpty ? 0 : definitions.count + body.count }

  /// The number of a string in this changeset; defines it when it is new.
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

/// A string that a ``ChangesetWriter`` knows by number.
public struct InternedString: Hashable, Sendable {
  let index: UInt32
}

/// The number by which the bytes name a kind of instruction; rules are written for the higher on the left.
enum InstructionCode: UInt8, Comparable, Sendable, CaseIterable {
  case addTable = 0
  case eraseTable = 1
  case createObject = 2
  case eraseObject = 3
  case update = 4
  case addInteger = 5
  case addColumn = 6
  case eraseColumn = 7
  case arrayInsert = 8
  case arrayMove = 9
  case arrayErase = 10
  case clear = 11
  case setInsert = 12
  case setErase = 13

  static func < (left: InstructionCode, right: InstructionCode) -> Bool { left.rawValue < right.rawValue }
}

extension Instruction {
  var code: InstructionCode {
    switch self {
    case .addTable: .addTable
    case .eraseTable: .eraseTable
    case .createObject: .createObject
    case .eraseObject: .eraseObject
    case .update: .update
    case .addInteger: .addInteger
    case .addColumn: .addColumn
    case .eraseColumn: .eraseColumn
    case .arrayInsert: .arrayInsert
    case .arrayMove: .arrayMove
    case .arrayErase: .arrayErase
    case .clear: .clear
    case .setInsert: .setInsert
    case .setErase: .setErase
    }
  }
}
