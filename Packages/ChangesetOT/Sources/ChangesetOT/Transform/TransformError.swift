/// Two changesets that cannot be carried over each other: one of them is not what an honest author, starting from the
/// same state, could have made.
///
/// A transform that fails is final: repeating it fails again. A server refuses the upload with error 212, a client
/// reports it and is reset.
public struct TransformError: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// The sides declare one class or one field differently.
    case schemaMismatch
    /// Prior sizes that differ, or an index out of range, in one list.
    case inconsistentList
    /// An index on one side where the other has a name, below a common list.
    case inconsistentPath
  }

  /// One of the two instructions, as it stood when they met.
  public struct ConflictingInstruction: Equatable, Sendable {
    public var instruction: Instruction
    /// The place of its changeset in the sequence that was handed in, from 0.
    public var changeset: Int
    /// Its place in that changeset as handed in, from 0.
    public var position: Int

    public init(instruction: Instruction, changeset: Int, position: Int) {
      self.instruction = instruction
      self.changeset = changeset
      self.position = position
    }
  }

  public var reason: Reason
  /// What disagrees, in words.
  public var message: String
  public var local: ConflictingInstruction
  public var incoming: ConflictingInstruction

  public init(reason: Reason, message: String, local: ConflictingInstruction, incoming: ConflictingInstruction) {
    self.reason = reason
    self.message = message
    self.local = local
    self.incoming = incoming
  }
}

extension TransformError: CustomStringConvertible {
  public var description: String {
    """
    \(message): local changeset \(local.changeset), instruction \(local.position): \(local.instruction); \
    incoming changeset \(incoming.changeset), instruction \(incoming.position): \(incoming.instruction)
    """
  }
}
