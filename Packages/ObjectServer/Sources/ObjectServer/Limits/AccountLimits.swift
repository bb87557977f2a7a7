/// Counts what clients do to accounts, and says how long each has to wait. A server that is alone counts in its memory
/// (``MemoryAccountLimits``), the nodes of a cluster count together in its database.
///
///     let event = AccountEvent.login(name: "ann", network: "203.0.113.7")
///     let admission = try limits.admit(event)
///     guard admission.wait == .zero else { … }               // 429
///     …                                                      // a wrong password stays counted
///     try limits.settle(event, admission, as: .succeeded)    // a right one does not
///
/// From any thread.
public protocol AccountLimits: Sendable {
  /// The wait of an event as far as it is known without asking others: never longer than the true one, but where an event was
  /// withdrawn meanwhile. Does not block, and counts nothing.
  func knownWait(_ event: AccountEvent) -> Duration
  /// Counts an event when it may happen now, and nothing otherwise; of many at a time no more are admitted than of as many one after
  /// another. Blocks.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when it cannot be counted: the event may not happen then.
  func admit(_ event: AccountEvent) throws(ServerError) -> AccountAdmission
  /// Ends an event that was admitted and shall not stay counted. Blocks.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``; the event stays counted.
  func settle(
    _ event: AccountEvent, _ admission: AccountAdmission, as outcome: AccountOutcome
  ) throws(ServerError)
  /// The time until a message may be sent, which counts as sent then; nil for one that is not to be sent, because the same was ordered a
  /// moment ago. Blocks.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  func delay(ofMail mail: PacedMail) throws(ServerError) -> Duration?
}

/// The answer to an event: whether it was counted.
public struct AccountAdmission: Hashable, Sendable {
  /// The time after which the event may happen; zero when it was counted and may happen now.
  public var wait: Duration
  /// The number of ``AccountEvent/counters`` that counted it, from the first one on.
  public var counters: Int

  /// An answer.
  public init(wait: Duration, counters: Int) {
    self.wait = wait
    self.counters = counters
  }
}

/// How an event ended that does not stay counted.
public enum AccountOutcome: Hashable, Sendable {
  /// The password was right: failures from this network are forgotten, which is one of the owner's from now on.
  case succeeded
  /// It was no such event after all.
  case withdrawn
}

/// A message whose times are limited: by its address, and by what it is about.
public struct PacedMail: Hashable, Sendable {
  /// Its subject, about which there is one message within ``interval``.
  public var subject: String
  /// Its kind and address, which have at most one message within ``interval`` on average.
  public var address: String
  /// The shortest time between two messages.
  public static let interval: Duration = .seconds(60)
  /// The longest time for which a message is put off: of the registrations that are ordered for one time, all but the newest few have
  /// ended by then.
  public static let longestDelay = interval * PendingAccountRules.maximumOfName

  /// A message about something, to somebody.
  public init(subject: String, address: String) {
    self.subject = subject
    self.address = address
  }

  /// - Parameter registration: the one that a confirmation is for; nil for a reset.
  init(_ kind: MailOrder.Kind, _ address: String, registration: String?) {
    subject = "\(kind.rawValue) \(registration ?? address)"
    self.address = "\(kind.rawValue) \(address)"
  }
}
