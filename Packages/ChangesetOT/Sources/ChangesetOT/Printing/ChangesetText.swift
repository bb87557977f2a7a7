/// A changeset as text: one line per instruction, each behind the position of its first byte.
///
///     ChangesetText(bytes).description
///
///          0  addTable Item topLevel key _id: int
///         17  create Item[1]
///         24  update Item[1].n = 5
///     3 instructions in 33 bytes: 1 addTable, 1 createObject, 1 update
///
/// Bytes that are no changeset are printed up to the first fault; the last line then names the fault and its position.
/// Never traps, whatever the bytes are.
///
/// - Complexity: O(*n*) in the number of bytes; ``write(to:)`` holds one instruction at a time.
public struct ChangesetText: Sendable, CustomStringConvertible {
  /// The bytes of the changeset.
  public let bytes: [UInt8]
  /// Whether the position of its first byte precedes each instruction.
  public var showsPositions = true

  /// The text of these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Prints into a stream.
  ///
  /// - Returns: the first fault of the bytes; nil when all could be read.
  /// - Complexity: O(*n*) in the number of bytes; memory for one instruction.
  @discardableResult
  public func write(to stream: inout some TextOutputStream) -> ChangesetDecodingError? {
    var reader = ChangesetReader(bytes)
    var counts: [InstructionCode: Int] = [:]
    do {
      while let instruction = try reader.next() {
        counts[instruction.code, default: 0] += 1
        stream.write(prefix(reader.instructionPosition) + Self.printable(instruction.description) + "\n")
      }
    } catch {
      stream.write("unreadable from here: \(Self.printable(error.description))\n")
      return error
    }
    stream.write(Self.summary(counts, bytes.count) + "\n")
    return nil
  }

  /// The whole text.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func prefix(_ position: Int) -> String {
    guard showsPositions else { return "" }
    let digits = String(position)
    return String(repeating: " ", count: max(0, 6 - digits.count)) + digits + "  "
  }

  /// The text with control characters and bidirectional overrides escaped: names come from outside and must not control a
  /// terminal.
  private static func printable(_ text: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x202E ~= scalar.value
        || 0x2066...0x2069 ~= scalar.value
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      result += isControl(scalar) ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
    }
  }

  private static func summary(_ counts: [InstructionCode: Int], _ size: Int) -> String {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return "the empty changeset" }
    let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(total) instruction\(total == 1 ? "" : "s") in \(size) bytes: " + kinds.joined(separator: ", ")
  }
}
