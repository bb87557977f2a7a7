/// The instructions of one write transaction, in order, with their origin.
///
/// The bytes (``encoded()``, ``init(decoding:)``) hold the instructions only; origin and versions travel beside them.
public struct Changeset: Hashable, Sendable {
  public var instructions: [Instruction]
  /// When and where the transaction was made.
  public var origin: ChangesetOrigin

  public init(instructions: [Instruction] = [], origin: ChangesetOrigin) {
    self.instructions = instructions
    self.origin = origin
  }

  /// Whether nothing is left to apply.
  public var isEmpty: Bool { instructions.isEmpty }
}
