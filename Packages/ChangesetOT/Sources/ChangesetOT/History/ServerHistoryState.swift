/// The extent of a server file's history, as a client's IDENT is checked against it.
public struct ServerHistoryState: Hashable, Sendable {
  /// The newest version with its salt.
  public var current: SaltedServerVersion
  /// The oldest version from which a download can resume; 0 when nothing is trimmed. Version 0 itself can always be resumed
  /// from when ``canBootstrap``.
  public var base: ServerVersion
  /// Whether a client at version 0 can be brought up from the current state.
  public var canBootstrap: Bool
  /// The salt of the version that the client claims as its latest; nil when unknown.
  public var saltOfClaim: Int64?

  /// A state; by default of an untrimmed history.
  public init(
    current: SaltedServerVersion, base: ServerVersion = .zero, canBootstrap: Bool = true, saltOfClaim: Int64?
  ) {
    self.current = current
    self.base = base
    self.canBootstrap = canBootstrap
    self.saltOfClaim = saltOfClaim
  }
}
