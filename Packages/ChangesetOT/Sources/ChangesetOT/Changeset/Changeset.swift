/// The instructions of one write transaction, in order, with their origin.
///
/// The bytes (``encoded(strings:)``, ``init(decoding:origin:)-([UInt8],_)``) contain the instructions only; messages and
/// histories store origin and versions beside them.
public struct Changeset: Hashable, Sendable {
  /// The instructions, in the order of their execution.
  public var instructions: [Instruction]
  /// The time and the file of the transaction; decides conflicts.
  public var origin: ChangesetOrigin

  /// A changeset; by itself an empty one.
  public init(instructions: [Instruction] = [], origin: ChangesetOrigin) {
    self.instructions = instructions
    self.origin = origin
  }

  /// Whether there is no instruction.
  public var isEmpty: Bool { instructions.isEmpty }
}
