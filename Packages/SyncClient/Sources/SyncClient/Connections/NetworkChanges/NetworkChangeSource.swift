/// Tells when this machine's network may have come back: an interface is up, or has an address or a way out. A hint only:
/// whoever hears it tries again, and nobody relies on it.
public protocol NetworkChangeSource: Sendable {
  /// Calls `handler` at every such change, on any thread, as long as the token lives.
  func observe(_ handler: @escaping @Sendable () -> Void) -> any Sendable
}
