import Telemetry

/// Slows down the guessing of passwords and names. No account is locked: failures delay the next attempt. A value.
///
/// Three things are counted: failures for a name from one network (an address, or a /64 of IPv6), failures for a name from all
/// networks from which its owner never logged in, and failures of a network for all names. From a network where the owner
/// logged in before only the first counts. So:
///
/// - Against one name at most ``guessesPerHour`` passwords are tried within an hour, from however many networks.
/// - From a network where they logged in before, the owner waits at most ``longestOwnWait``, whatever others do elsewhere.
/// - Memory stays bounded; what is forgotten first are the names and networks with the fewest failures.
///
/// The throttle treats existing and unknown names alike.
struct LoginThrottle: Sendable {
  /// Guesses against a name within an hour, from networks that are not its owner's.
  static let guessesPerHour = 31
  /// The longest wait at a network where the owner logged in before.
  static let longestOwnWait = Duration.seconds(60)

  private struct Pair: Hashable, Sendable {
    var name: String
    var network: String
  }

  private var pairs: FailureDelays<Pair>
  private var names: FailureDelays<String>
  private var networks: RateLimit
  private var known: KnownNetworks

  /// Failures for a name from one network.
  static let ofPairs = DelayRule(free: 5, first: .seconds(1), cap: longestOwnWait, forgiving: .seconds(120))
  /// Failures for a name from networks that are not its owner's: 10 at once, then after 1, 2, 4, … 256 seconds, then one in five
  /// minutes: 31 in the first hour, 12 in each after it.
  static let ofNames = DelayRule(
    free: 9, first: .seconds(1), cap: .seconds(300), forgiving: .seconds(600))
  /// Failures, and names that were told to exist or not, of a network.
  static let ofNetworks = RateRule(perSecond: 2, burst: 100)

  init(capacity: Int = 20_000) {
    pairs = FailureDelays(Self.ofPairs, capacity: capacity)
    names = FailureDelays(Self.ofNames, capacity: capacity)
    networks = RateLimit(Self.ofNetworks)
    known = KnownNetworks(capacity: capacity)
  }

  /// The delay of an attempt; zero when it may be made now.
  func wait(name: String, network: String, at now: MonotonicInstant) -> Duration {
    let name = Self.key(name)
    let own = pairs.wait(Pair(name: name, network: network), at: now)
    guard !known.contains(network, of: name) else { return own }
    return max(own, names.wait(name, at: now), networkWait(network, at: now))
  }

  /// The delay of a network that guesses names; zero when it may go on now.
  func networkWait(_ network: String, at now: MonotonicInstant) -> Duration {
    networks.wait(network, at: now)
  }

  /// Counts a wrong password.
  mutating func failed(name: String, network: String, at now: MonotonicInstant) {
    let name = Self.key(name)
    pairs.failed(Pair(name: name, network: network), at: now)
    guard !known.contains(network, of: name) else { return }
    names.failed(name, at: now)
    guessedName(network: network, at: now)
  }

  /// Counts a name that was tried and told to exist or not.
  mutating func guessedName(network: String, at now: MonotonicInstant) { _ = networks.admits(network, at: now) }

  /// Counts an attempt as failed, when it may be made now.
  mutating func admit(name: String, network: String, at now: MonotonicInstant) -> AccountAdmission {
    let wait = wait(name: name, network: network, at: now)
    let counters = known.contains(network, of: Self.key(name)) ? 1 : 3
    if wait == .zero { failed(name: name, network: network, at: now) }
    return AccountAdmission(wait: wait, counters: counters)
  }

  /// Takes back what ``admit(name:network:at:)`` counted, in so many counters.
  mutating func withdraw(name: String, network: String, counters: Int) {
    let name = Self.key(name)
    pairs.withdraw(Pair(name: name, network: network))
    guard counters > 1 else { return }
    names.withdraw(name)
    networks.withdraw(network)
  }

  /// Counts a name that is tried, when the network may go on now.
  mutating func admitGuess(network: String, at now: MonotonicInstant) -> AccountAdmission {
    let wait = networkWait(network, at: now)
    if wait == .zero { guessedName(network: network, at: now) }
    return AccountAdmission(wait: wait, counters: 1)
  }

  /// Takes back what ``admitGuess(network:at:)`` counted.
  mutating func withdrawGuess(network: String) { networks.withdraw(network) }

  /// Counts a right password: the network is one of the owner's from now on. What failed elsewhere stays counted.
  mutating func succeeded(name: String, network: String, at now: MonotonicInstant) {
    let name = Self.key(name)
    pairs.forget(Pair(name: name, network: network))
    known.add(network, of: name, at: now)
  }

  /// The numbers of remembered entries.
  var counts: (pairs: Int, names: Int, known: Int) { (pairs.count, names.count, known.count) }

  /// Longer names cannot exist, and are all one here.
  private static func key(_ name: String) -> String {
    name.utf8.count <= Accounts.maximumNameBytes ? name : ""
  }
}
