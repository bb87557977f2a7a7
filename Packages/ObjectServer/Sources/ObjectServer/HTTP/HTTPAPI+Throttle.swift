import Telemetry
import Transport

extension HTTPAPI {
  /// The network of a client, by which attempts are counted.
  static func network(of request: HTTPRequest) -> String { PeerGroup(remoteAddress: request.remoteAddress).description }

  /// Runs work that tells whether a password is right, unless too many were wrong: at the arrival of the request, and at
  /// its turn, so that many at a time gain nothing.
  func answerPassword(
    of name: String, _ request: HTTPRequest, _ responder: any HTTPResponder,
    refusal: @escaping @Sendable (APIError) -> HTTPResponse = JSONAnswer.refusal,
    _ work: @escaping @Sendable () throws -> HTTPResponse
  ) {
    let network = Self.network(of: request)
    let attempt: @Sendable () throws -> HTTPResponse = { [self] in
      try checkThrottle(name, network)
      do {
        let response = try reportingRefusals(of: AuthProvider.password.rawValue, name: name, network, work)
        metrics.logins.increment()
        throttle.withLock { $0.succeeded(name: name, network: network, at: context.scheduler.now) }
        return response
      } catch let error as APIError where error.code == APIError.wrongPassword.code {
        metrics.failedLogins.increment()
        throttle.withLock { $0.failed(name: name, network: network, at: context.scheduler.now) }
        throw error
      }
    }
    do {
      try checkThrottle(name, network)
      answer(queue(of: name), responder, refusal: refusal, attempt)
    } catch {
      responder.respond(refusal(error))
    }
  }

  /// Runs work that tells whether a name exists: `tells` finds the refusals that do. So many names may be tried per network
  /// as passwords.
  func countingNames(
    _ request: HTTPRequest, tells: APIError, _ work: () throws -> HTTPResponse
  ) throws -> HTTPResponse {
    let network = Self.network(of: request)
    try refuse(throttle.withLock { $0.networkWait(network, at: context.scheduler.now) })
    do {
      return try work()
    } catch let error as APIError where error.code == tells.code {
      throttle.withLock { $0.guessedName(network: network, at: context.scheduler.now) }
      throw error
    }
  }

  private func checkThrottle(_ name: String, _ network: String) throws(APIError) {
    let wait = throttle.withLock { $0.wait(name: name, network: network, at: context.scheduler.now) }
    if wait > .zero { logger.detail("login put off", ["address": .string(network), "wait": LogValue("\(wait)")]) }
    try refuse(wait)
  }

  private func refuse(_ wait: Duration) throws(APIError) {
    guard wait > .zero else { return }
    metrics.throttledLogins.increment()
    throw .tooManyAttempts(wait)
  }
}
