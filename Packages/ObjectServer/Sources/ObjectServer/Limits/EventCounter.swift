/// A counter of events with one key.
public struct EventCounter: Hashable, Sendable {
  /// The events that a counter counts. The numbers are stored; their order is that in which the counters of one event are locked.
  public enum Kind: Int, CaseIterable, Hashable, Sendable {
    case loginsOfNameFromNetwork = 1, loginsOfName, guessesFromNetwork, newUsers, passwordChanges
  }

  /// The events that it counts.
  public var kind: Kind
  /// The name, network or user whose events it counts.
  public var key: String
  /// When it admits events.
  public var rule: CounterRule

  init(_ kind: Kind, _ key: String, _ rule: CounterRule) {
    self.kind = kind
    self.key = key
    self.rule = rule
  }
}

/// When a counter admits events, and how it forgets them.
public enum CounterRule: Hashable, Sendable {
  /// Delays that grow.
  case delays(DelayRule)
  /// So many in a time.
  case rate(RateRule)
}

/// Delays after failures: some are free, then the delay doubles up to a cap; time without failures forgives one after the other. See
/// ``FailureDelays``.
public struct DelayRule: Hashable, Sendable {
  /// The number of failures without delay.
  public var free: Int
  /// The first delay.
  public var first: Duration
  /// The longest delay.
  public var cap: Duration
  /// One failure is forgiven after so much quiet time; longer than ``cap``, so that failing at every chance forgives none.
  public var forgiving: Duration
  /// The failures beyond the free ones that are counted: more change no delay, and would only take longer to be forgiven.
  public static let mostBeyondFree = 24
}

/// A number of events per second, and a burst. See ``RateLimit``.
public struct RateRule: Hashable, Sendable {
  /// The events that are admitted in a second, on average.
  public var perSecond: Double
  /// The most events at once.
  public var burst: Double

  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// At least one per second, and five times as many at once.
  init(perSecond: Int) {
    let rate = Double(max(1, perSecond))
    self.init(perSecond: rate, burst: rate * 5)
  }

  /// The password changes of a user: every one hashes a password.
  static let passwordChanges = RateRule(perSecond: 1.0 / 30, burst: 5)
}
