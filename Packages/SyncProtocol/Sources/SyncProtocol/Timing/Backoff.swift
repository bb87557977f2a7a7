/// The growth of delays from attempt to attempt.
public struct BackoffPolicy: Hashable, Sendable {
  /// The first delay.
  public var first: Duration
  /// The longest delay.
  public var maximum: Duration
  /// The factor from each delay to the next.
  public var multiplier: Int

  /// A policy; by itself 1 s, doubling, at most 5 min.
  public init(first: Duration = .seconds(1), maximum: Duration = .seconds(300), multiplier: Int = 2) {
    self.first = first
    self.maximum = maximum
    self.multiplier = multiplier
  }

  /// The policy of a server's advice, limited to an hour and a factor of 100.
  public init(_ advice: BackoffAdvice) {
    first = .seconds(Int64(min(advice.interval, 3_600)))
    maximum = max(first, .seconds(Int64(min(advice.maximum, 3_600))))
    multiplier = Int(min(max(advice.multiplier, 1), 100))
  }
}

/// The delays between attempts: they grow, are reduced by a random share, and start over when the kind of failure changes.
///
///     backoff.next(after: .lost, using: &random)     // 1 s less up to a quarter
///     backoff.next(after: .lost, using: &random)     // 2 s less up to a quarter
public struct Backoff: Hashable, Sendable {
  /// Kinds of failure; a change of kind starts over.
  public enum Kind: Hashable, Sendable {
    case unreachable, refused, lost, closed, violation, server, session
  }
  /// The growth of the delays.
  public var policy: BackoffPolicy
  private var kind: Kind?
  private var delay: Duration = .zero

  /// A back-off before its first delay.
  public init(_ policy: BackoffPolicy = BackoffPolicy()) { self.policy = policy }

  /// The delay before the next attempt: reduced by a random share of up to a quarter.
  public mutating func next(after kind: Kind, using random: inout MachineRandom) -> Duration {
    if self.kind != kind { delay = .zero }
    self.kind = kind
    delay = delay == .zero ? policy.first : min(delay * policy.multiplier, policy.maximum)
    return delay - random.share(of: delay / 4)
  }

  /// Starts over.
  public mutating func reset() {
    kind = nil
    delay = .zero
  }
}

/// A SplitMix64 generator as part of the state of a machine: equal seeds replay equal runs. Not for secrets.
public struct MachineRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator with a seed.
  public init(seed: UInt64) { state = seed }

  /// The next random number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A random part of `duration`, in whole milliseconds, from nothing to all of it.
  mutating func share(of duration: Duration) -> Duration {
    let milliseconds = max(0, duration.wholeMilliseconds)
    return .milliseconds(Int64.random(in: 0...milliseconds, using: &self))
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero, clamped.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue
  }
}
