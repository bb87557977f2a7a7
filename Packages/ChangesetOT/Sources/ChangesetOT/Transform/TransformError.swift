/// Two changesets that cannot be transformed: no honest authors make them from one state.
///
/// The failure is final: repeating the transform fails again. A server refuses the upload with error 212; a client
/// reports the failure and resets.
public struct TransformError: Error, Equatable, Sendable {
  /// The kind of contradiction.
  public enum Reason: Equatable, Sendable {
    /// The sides declare one class or one field differently.
    case schemaMismatch
    /// Prior sizes that differ, or an index out of range, in one list.
    case inconsistentList
    /// An index on one side where the other has a name, below a common list.
    case inconsistentPath
  }

  /// One of the two instructions, in its form at the failure.
  public struct ConflictingInstruction: Equatable, Sendable {
    /// The instruction.
    public var instruction: Instruction
    /// The index of its changeset in the sequence, from 0.
    public var changeset: Int
    /// The position in that changeset before the transform, from 0.
    public var position: Int

    /// An instruction of one side.
    public init(instruction: Instruction, changeset: Int, position: Int) {
      self.instruction = instruction
      self.changeset = changeset
      self.position = position
    }
  }

  /// The kind of contradiction.
  public var reason: Reason
  /// The contradiction in words, for people.
  public var message: String
  /// The instruction of the local side.
  public var local: ConflictingInstruction
  /// The instruction of the incoming side.
  public var incoming: ConflictingInstruction

  /// An error.
  public init(reason: Reason, message: String, local: ConflictingInstruction, incoming: ConflictingInstruction) {
    self.reason = reason
    self.message = message
    self.local = local
    self.incoming = incoming
  }
}

extension TransformError: CustomStringConvertible {
  /// The message, and both instructions with their indices.
  public var description: String {
    """
    \(message): local changeset \(local.changeset), instruction \(local.position): \(local.instruction); \
    incoming changeset \(incoming.changeset), instruction \(incoming.position): \(incoming.instruction)
    """
  }
}

extension TransformError.ConflictingInstruction {
  init(_ slot: Slot) {
    self.init(instruction: slot.instruction, changeset: slot.changeset, position: slot.position)
  }
}
