import AccessTokens
import Synchronization
import Telemetry

/// The keys of tokens as they are now: they may be rotated while the server runs. From any thread.
final class LiveTokenKeys: Sendable {
  private let state: Mutex<TokenIssuer>
  private let read: (@Sendable () throws(ServerError) -> TokenIssuer)?

  /// - Parameter read: reads the keys again; nil where they do not change.
  init(_ issuer: TokenIssuer, read: (@Sendable () throws(ServerError) -> TokenIssuer)? = nil) {
    state = Mutex(issuer)
    self.read = read
  }

  /// The issuer that signs and verifies now.
  var issuer: TokenIssuer { state.withLock { $0 } }

  /// Reads the keys again. Blocks.
  ///
  /// - Returns: whether access tokens are refused since then that were good before.
  /// - Throws: ``ServerError/Code/badKey``; the keys stay as they were.
  func reload(at now: WallTime) throws(ServerError) -> Bool {
    guard let read else { return false }
    let new = try read()
    return state.withLock { old in
      defer { old = new }
      return old.keyIdentifier != new.keyIdentifier && new.retired.contains { $0.acceptsAccessUntil <= now }
    }
  }
}
