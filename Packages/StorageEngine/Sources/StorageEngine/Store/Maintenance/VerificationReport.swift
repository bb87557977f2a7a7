/// What ``Store/verify()`` walked.
public struct VerificationReport: Hashable, Sendable {
  public internal(set) var nodes = 0
  public internal(set) var rows = 0
  public internal(set) var indexEntries = 0
  /// Entries of logs.
  public internal(set) var entries = 0

  public init() {}
}
