import Cryptography
import Synchronization
import Telemetry
import Transport

/// The providers of tokens with the keys that they publish now.
///
/// A key set is fetched before a token of its provider is verified, when there is none yet, when it is older than
/// ``freshness``, or when the token names a key that is not in it; after a fetch, not again within ``patience``. While the
/// provider does not answer, the keys that were fetched before go on counting.
// @unchecked Sendable: `fetches` is touched on the loop only; everything else does not change or is behind a lock.
final class TokenProviders: @unchecked Sendable {
  /// The age at which a key set is fetched again.
  static let freshness = Duration.seconds(600)
  /// The least time between two fetches of one key set.
  static let patience = Duration.seconds(30)
  /// The most bytes of a key set.
  static let maximumBytes = 256 << 10
  /// The most logins that wait for one fetch; further ones are decided by the keys that are there.
  static let maximumWaiting = 1_000

  private struct Fetched: Sendable {
    var keys: [VerificationKey] = []
    var at: MonotonicInstant?
  }

  /// In the order in which they are asked.
  let all: [TokenProvider]
  private let fetched = Mutex<[String: Fetched]>([:])
  private let network: (any Network)?
  private let logger: Logger
  /// The logins that wait for a fetch that is under way, by provider.
  private var fetches: [String: [@Sendable () -> Void]] = [:]

  init(_ all: [TokenProvider], network: (any Network)? = nil, logger: Logger = .disabled) {
    self.all = all
    self.network = network
    self.logger = logger
  }

  var isEmpty: Bool { all.isEmpty }

  /// The providers that a token of an issuer may be of.
  ///
  /// - Parameter name: the provider that the client chose; nil for any.
  func candidates(issuer: String?, named name: String?) -> [TokenProvider] {
    all.filter { provider in
      guard name == nil || provider.name == name else { return false }
      return provider.rules.issuers.isEmpty || issuer.map(provider.rules.issuers.contains) ?? false
    }
  }

  /// The keys of a provider: those of its configuration, and those that it published last.
  func keys(of provider: TokenProvider) -> [VerificationKey] {
    provider.keys + fetched.withLock { $0[provider.name]?.keys ?? [] }
  }

  /// Fetches the keys that a token may need, then calls `work`. On the loop.
  func prepare(for token: String, named name: String?, _ work: @escaping @Sendable () -> Void) {
    guard let network, let parsed = try? JSONWebToken.parseWithoutVerification(token) else { return work() }
    let now = network.scheduler.now
    let due = candidates(issuer: parsed.registered.issuer, named: name).filter { provider in
      provider.keySetURL != nil && isDue(provider, kid: parsed.header.keyIdentifier, at: now)
    }
    guard let first = due.first, let url = first.keySetURL else { return work() }
    // One after the other; what was fetched is not due any more.
    let next: @Sendable () -> Void = { [self] in prepare(for: token, named: name, work) }
    if let waiting = fetches[first.name] {
      guard waiting.count < Self.maximumWaiting else { return work() }
      fetches[first.name]?.append(next)
      return
    }
    fetches[first.name] = [next]
    let request = HTTPClientRequest(url: url, timeout: .seconds(10), maximumResponseBytes: Self.maximumBytes)
    network.send(request) { [self] result in finish(first, result, at: network.scheduler.now) }
  }

  private func isDue(_ provider: TokenProvider, kid: String?, at now: MonotonicInstant) -> Bool {
    guard let known = fetched.withLock({ $0[provider.name] }), let time = known.at else { return true }
    let age = now - time
    guard age >= Self.patience else { return false }
    let isUnknown = kid.map { kid in !known.keys.contains { $0.keyIdentifier == kid } } ?? false
    return age >= Self.freshness || isUnknown
  }

  private func finish(
    _ provider: TokenProvider, _ result: Result<HTTPResponse, TransportError>, at now: MonotonicInstant
  ) {
    var keys: [VerificationKey]?
    var failure: String?
    switch result {
    case .success(let response) where response.status == 200:
      do throws(CryptographyError) {
        keys = try JSONWebKeySet(json: response.body).keys
      } catch {
        failure = error.message
      }
    case .success(let response): failure = "status \(response.status)"
    case .failure(let error): failure = error.message
    }
    if let failure {
      logger.warn(
        "the keys of a login provider cannot be fetched",
        [
          "provider": .string(provider.name), "reason": .string(failure),
        ])
    }
    fetched.withLock { fetched in
      fetched[provider.name, default: Fetched()].at = now
      if let keys { fetched[provider.name]?.keys = keys }
    }
    for work in fetches.removeValue(forKey: provider.name) ?? [] { work() }
  }
}
