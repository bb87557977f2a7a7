/// A changeset that cannot be decoded, merged or applied. Nothing of it is left in the store.
public struct BadChangesetError: Error, Sendable, CustomStringConvertible {
  /// The step that failed.
  public enum Stage: String, Hashable, Sendable {
    /// The bytes are no changeset.
    case decoding
    /// Merging: it contradicts the history.
    case merging
    /// An instruction does not fit the state.
    case applying
  }

  /// The step that failed.
  public var stage: Stage
  /// The fault in words.
  public var reason: String
  /// The place of the changeset in what was handed in, from 0.
  public var changeset: Int
  /// The place of the offending instruction in its changeset as handed in, from 0; nil when it is the whole changeset.
  public var instruction: Int?
  /// The byte at which the offending instruction, or what could not be decoded, begins in the changeset as handed in.
  public var position: Int?
  /// Which rule an instruction breaks, when it does not fit the state.
  public var refusal: ChangesetRefusal?
  /// Whether it declares a class or a field in another way than the history does. Repeating it never helps: the model
  /// classes of its author contradict those of others.
  public var contradictsSchema = false

  /// An error; `changeset` and the positions are nil when unknown.
  public init(
    _ stage: Stage, _ reason: String, changeset: Int = 0, instruction: Int? = nil, position: Int? = nil,
    refusal: ChangesetRefusal? = nil
  ) {
    self.stage = stage
    self.reason = reason
    self.changeset = changeset
    self.instruction = instruction
    self.position = position
    self.refusal = refusal
    switch refusal {
    case .classDeclaredDifferently?, .fieldDeclaredDifferently?: contradictsSchema = true
    default: break
    }
  }

  /// Step, place and reason.
  public var description: String {
    "bad changeset \(changeset)" + (instruction.map { ", instruction \($0)" } ?? "")
      + (position.map { " at byte \($0)" } ?? "") + " (\(stage.rawValue)): \(reason)"
  }
}
