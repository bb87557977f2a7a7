import Synchronization
public import Telemetry

/// The limits of a server that is alone: counted in memory, and forgotten when it stops.
public final class MemoryAccountLimits: AccountLimits {
  private struct State {
    var throttle = LoginThrottle()
    /// Made with the first event, whose rate is that of all.
    var newUsers: RateLimit?
    var passwordChanges = RateLimit(.passwordChanges)
    var mail = MailPacing()
  }

  private let state = Mutex(State())
  private let clock: any MonotonicClock

  /// Limits that have counted nothing.
  public init(clock: any MonotonicClock) { self.clock = clock }

  /// The wait of an event. Counts nothing.
  public func knownWait(_ event: AccountEvent) -> Duration {
    let now = clock.now
    return state.withLock { state in
      switch event {
      case .login(let name, let network): state.throttle.wait(name: name, network: network, at: now)
      case .guessedName(let network): state.throttle.networkWait(network, at: now)
      case .newUser(let network, _): state.newUsers?.wait(network, at: now) ?? .zero
      case .passwordChange(let user): state.passwordChanges.wait(user, at: now)
      }
    }
  }

  /// Counts an event when it may happen now.
  public func admit(_ event: AccountEvent) -> AccountAdmission {
    let now = clock.now
    return state.withLock { state in
      switch event {
      case .login(let name, let network): return state.throttle.admit(name: name, network: network, at: now)
      case .guessedName(let network): return state.throttle.admitGuess(network: network, at: now)
      case .newUser(let network, let rate):
        var limit = state.newUsers ?? RateLimit(RateRule(perSecond: rate))
        defer { state.newUsers = limit }
        return limit.admission(network, at: now)
      case .passwordChange(let user): return state.passwordChanges.admission(user, at: now)
      }
    }
  }

  /// Ends an event that was admitted and shall not stay counted.
  public func settle(_ event: AccountEvent, _ admission: AccountAdmission, as outcome: AccountOutcome) {
    let now = clock.now
    state.withLock { state in
      switch event {
      case .login(let name, let network):
        state.throttle.withdraw(name: name, network: network, counters: admission.counters)
        if outcome == .succeeded { state.throttle.succeeded(name: name, network: network, at: now) }
      case .guessedName(let network): state.throttle.withdrawGuess(network: network)
      case .newUser(let network, _): state.newUsers?.withdraw(network)
      case .passwordChange(let user): state.passwordChanges.withdraw(user)
      }
    }
  }

  /// The time until a message may be sent.
  public func delay(ofMail mail: PacedMail) -> Duration? {
    let now = clock.now
    return state.withLock { $0.mail.delay(of: mail, at: now) }
  }
}

extension RateLimit {
  /// Counts an event when it is admitted now.
  fileprivate mutating func admission(_ key: String, at now: MonotonicInstant) -> AccountAdmission {
    AccountAdmission(wait: admits(key, at: now) ? .zero : wait(key, at: now), counters: 1)
  }
}
