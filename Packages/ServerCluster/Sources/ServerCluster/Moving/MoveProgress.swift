/// How far the move of a data directory is.
public struct MoveProgress: Hashable, Sendable {
  /// The parts of the work.
  public enum Step: String, Hashable, Sendable {
    /// Realms are copied.
    case copying
    /// The copies are read and compared.
    case verifying
  }

  /// The part that is under way.
  public var step: Step
  /// Bytes of realms that are done, and of all, about.
  public var done, known: Int
}

/// The result of an import or export of all realms and users.
public struct MoveReport: Hashable, Sendable {
  /// Realms that are at the target now.
  public var realms = 0
  /// Those of them that an earlier, interrupted run had brought there.
  public var found = 0
  /// Bytes of their copies.
  public var bytes = 0
  /// Records of the directory of users.
  public var records = 0
  /// Realms whose files, or rows, the directory does not know, and which were left out.
  public var leftOut: [String] = []
  /// Names in the data directory of what was not moved.
  public var remainder: [String] = []
}
