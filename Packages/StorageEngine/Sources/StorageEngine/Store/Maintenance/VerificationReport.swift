/// The counts of a successful ``Store/verify()``.
public struct VerificationReport: Hashable, Sendable {
  /// Nodes of the version.
  public internal(set) var nodes = 0
  /// Live rows of all tables.
  public internal(set) var rows = 0
  /// Entries of all indexes.
  public internal(set) var indexEntries = 0
  /// Entries of logs.
  public internal(set) var entries = 0

  /// Zeros.
  public init() {}
}
