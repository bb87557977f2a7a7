import Telemetry

/// Slows down who guesses passwords, as a value: so many attempts may fail per user name and per address, and time
/// forgives.
struct LoginThrottle: Sendable {
  private var names = RateLimit(perSecond: 0.2, burst: 10)
  private var addresses = RateLimit(perSecond: 2, burst: 100)

  /// Whether an attempt may be made now.
  func admits(name: String, address: String, at now: MonotonicInstant) -> Bool {
    names.hasRoom(name, at: now) && addresses.hasRoom(address, at: now)
  }

  /// Counts a failure.
  mutating func failed(name: String, address: String, at now: MonotonicInstant) {
    _ = names.admits(name, at: now)
    _ = addresses.admits(address, at: now)
  }

  /// Forgets the failures of a name after a success; those of the address stay.
  mutating func succeeded(name: String) { names.forget(name) }
}
