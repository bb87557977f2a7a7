import AccessTokens
import Cryptography
import Synchronization
import Telemetry

/// The keys of tokens as they are now: they may be rotated while the server runs. From any thread.
final class LiveTokenKeys: Sendable {
  private struct State {
    var issuer: TokenIssuer
    /// Whether access tokens are refused that were good before, and ``reload(at:)`` has not told it yet.
    var isImmediate = false
  }

  /// The time between two looks for keys that are not known.
  static let pause = Duration.seconds(1)

  private let state: Mutex<State>
  private let read: (@Sendable () throws(ServerError) -> TokenIssuer)?
  private let isShared: Bool
  /// Held while keys are looked for, with the time of the last look.
  private let lastLook = Mutex<WallTime?>(nil)

  /// - Parameters:
  ///   - read: reads the keys again; nil where they do not change.
  ///   - isShared: whether other servers sign, and may do so with a key that is not known here yet.
  init(
    _ issuer: TokenIssuer, read: (@Sendable () throws(ServerError) -> TokenIssuer)? = nil, isShared: Bool = false
  ) {
    state = Mutex(State(issuer: issuer))
    self.read = read
    self.isShared = isShared
  }

  /// The issuer that signs and verifies now.
  var issuer: TokenIssuer { state.withLock { $0.issuer } }

  /// The claims of one of our own tokens. One that names another key than the present one is looked at again, when it is not good,
  /// with the keys that are read then: at most once in ``pause``, so strangers' tokens cost little. Blocks.
  ///
  /// - Throws: `TokenError` when the token has expired, is of the other kind, or is invalid.
  func verify(_ text: String, kind: TokenKind, at now: WallTime) throws(TokenError) -> TokenClaims {
    let known = issuer
    do throws(TokenError) {
      return try known.verifier.verify(text, kind: kind, at: now)
    } catch {
      guard error.code == .invalid, isShared, Self.namesOther(text, known), hasOthers(than: known, at: now) else {
        throw error
      }
      return try issuer.verifier.verify(text, kind: kind, at: now)
    }
  }

  /// Reads the keys again. Blocks.
  ///
  /// - Returns: whether access tokens are refused that were good before the last call.
  /// - Throws: ``ServerError/Code/badKey``; the keys stay as they were.
  func reload(at now: WallTime) throws(ServerError) -> Bool {
    try load(at: now)
    return state.withLock { state in
      defer { state.isImmediate = false }
      return state.isImmediate
    }
  }

  private func load(at now: WallTime) throws(ServerError) {
    guard let read else { return }
    let new = try read()
    state.withLock { state in
      let old = state.issuer
      let retired = new.retired.filter { key in
        !old.retired.contains { $0.acceptsAccessUntil == key.acceptsAccessUntil }
      }
      if old.keyIdentifier != new.keyIdentifier, retired.contains(where: { $0.acceptsAccessUntil <= now }) {
        state.isImmediate = true
      }
      state.issuer = new
    }
  }

  /// Whether there are other keys than `known` by now: read meanwhile, or by this call.
  private func hasOthers(than known: TokenIssuer, at now: WallTime) -> Bool {
    lastLook.withLock { last in
      guard isPresent(known) else { return true }
      if let last, now >= last, now < last + Self.pause { return false }
      last = now
      // Keys that cannot be read stay as they were, and the token is refused.
      try? load(at: now)
      return !isPresent(known)
    }
  }

  private func isPresent(_ known: TokenIssuer) -> Bool {
    let present = issuer
    return present.keyIdentifier == known.keyIdentifier && present.retired.count == known.retired.count
  }

  private static func namesOther(_ text: String, _ issuer: TokenIssuer) -> Bool {
    guard let name = (try? JSONWebToken.parseWithoutVerification(text))?.header.keyIdentifier else { return false }
    return name != issuer.keyIdentifier
  }
}
