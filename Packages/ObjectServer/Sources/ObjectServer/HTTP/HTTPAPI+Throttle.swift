import Telemetry
import Transport

extension HTTPAPI {
  /// The network of a client, by which attempts are counted.
  static func network(of request: HTTPRequest) -> String { PeerGroup(remoteAddress: request.remoteAddress).description }

  // MARK: Passwords and names

  /// Runs work that tells whether a password is right, unless too many were wrong: at the arrival of the request, and at
  /// its turn, so that many at a time gain nothing. An attempt counts as failed until it succeeded, so that attempts at several
  /// nodes gain nothing either.
  func answerPassword(
    of name: String, _ request: HTTPRequest, _ responder: any HTTPResponder,
    refusal: @escaping @Sendable (APIError) -> HTTPResponse = JSONAnswer.refusal,
    _ work: @escaping @Sendable () throws -> HTTPResponse
  ) {
    let network = Self.network(of: request)
    // Names that are none count as one: what is remembered of attempts has a bounded size.
    let event = AccountEvent.login(name: name.utf8.count <= Accounts.maximumNameBytes ? name : "", network: network)
    do {
      try refuse(limits.knownWait(event), network)
    } catch {
      return responder.respond(refusal(error))
    }
    answer(queue(of: name), responder, refusal: refusal) { [self] in
      let admission = try limits.admit(event)
      try refuse(admission.wait, network)
      do {
        let response = try reportingRefusals(of: AuthProvider.password.rawValue, name: name, network, work)
        metrics.logins.increment()
        settle(event, admission, as: .succeeded)
        return response
      } catch let error as APIError where error.code == APIError.wrongPassword.code {
        metrics.failedLogins.increment()
        throw error
      } catch {
        settle(event, admission, as: .withdrawn)
        throw error
      }
    }
  }

  /// Runs work that tells whether a name exists: `tells` finds the refusals that do. So many names may be tried per network
  /// as passwords. Blocks.
  func countingNames(
    _ request: HTTPRequest, tells: APIError, _ work: () throws -> HTTPResponse
  ) throws -> HTTPResponse {
    let network = Self.network(of: request)
    let event = AccountEvent.guessedName(network: network)
    let admission = try limits.admit(event)
    try refuse(admission.wait, network)
    do {
      let response = try work()
      settle(event, admission, as: .withdrawn)
      return response
    } catch {
      if (error as? APIError)?.code != tells.code { settle(event, admission, as: .withdrawn) }
      throw error
    }
  }

  private func refuse(_ wait: Duration, _ network: String) throws(APIError) {
    guard wait > .zero else { return }
    logger.detail("login put off", ["address": .string(network), "wait": LogValue("\(wait)")])
    metrics.throttledLogins.increment()
    throw .tooManyAttempts(wait)
  }

  /// An event that cannot be settled stays counted: the answer to its request stands.
  private func settle(_ event: AccountEvent, _ admission: AccountAdmission, as outcome: AccountOutcome) {
    do throws(ServerError) {
      try limits.settle(event, admission, as: outcome)
    } catch {
      logger.warn("a login stays counted as failed", ["reason": LogValue("\(error)")])
    }
  }

  // MARK: New users

  /// Refuses a new user from a network that is known to make too many: at the arrival of a request, which
  /// ``countNewUser(_:)`` counts at its turn.
  ///
  /// - Throws: ``APIError`` with 429.
  func checkNewUsers(_ request: HTTPRequest) throws(APIError) {
    try refuseNewUser(limits.knownWait(newUser(request)))
  }

  /// Limits the rate of new users for each network. Blocks.
  ///
  /// - Throws: ``APIError`` with 429; ``ServerError`` when it cannot be counted.
  func countNewUser(_ request: HTTPRequest) throws { try refuseNewUser(try limits.admit(newUser(request)).wait) }

  private func newUser(_ request: HTTPRequest) -> AccountEvent {
    .newUser(network: Self.network(of: request), perSecond: accountsPerSecond)
  }

  private func refuseNewUser(_ wait: Duration) throws(APIError) {
    guard wait > .zero else { return }
    metrics.throttledAccounts.increment()
    throw .tooManyAccounts
  }
}
