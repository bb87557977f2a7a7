import Telemetry

/// How many networks count as those of the owners of accounts.
public enum AccountOwners {
  /// The most networks of one name.
  public static let networksPerName = 8
  /// The most names of one network.
  public static let namesPerNetwork = 256
}

/// The networks from which the owner of each name logged in before, as a value.
///
/// A name has at most ``AccountOwners/networksPerName``, those of the latest logins; a network counts for at most ``AccountOwners/namesPerNetwork`` names,
/// so that many accounts at one place push out each other; and at most `capacity` names are remembered, those of the latest
/// logins.
struct KnownNetworks: Sendable {
  let capacity: Int
  private var times: [String: [String: MonotonicInstant]] = [:]
  private var names: [String: [String: MonotonicInstant]] = [:]

  init(capacity: Int = 20_000) { self.capacity = capacity }

  /// The number of remembered names.
  var count: Int { times.count }

  /// Whether the owner of a name logged in from a network. O(1).
  func contains(_ network: String, of name: String) -> Bool { times[name]?[network] != nil }

  /// Remembers a login. O(1), amortised O(log names) when there are too many.
  mutating func add(_ network: String, of name: String, at now: MonotonicInstant) {
    times[name, default: [:]][network] = now
    names[network, default: [:]][name] = now
    if let all = times[name], all.count > AccountOwners.networksPerName, let oldest = Self.oldest(all) {
      remove(oldest, of: name)
    }
    if let all = names[network], all.count > AccountOwners.namesPerNetwork, let oldest = Self.oldest(all) {
      remove(network, of: oldest)
    }
    guard times.count > capacity else { return }
    let order = times.map { (name: $0.key, last: $0.value.values.max() ?? .zero) }.sorted { $0.last < $1.last }
    for (name, _) in order.prefix(max(1, capacity / 8)) {
      for network in (times[name] ?? [:]).keys { remove(network, of: name) }
    }
  }

  private mutating func remove(_ network: String, of name: String) {
    times[name]?[network] = nil
    if times[name]?.isEmpty == true { times[name] = nil }
    names[network]?[name] = nil
    if names[network]?.isEmpty == true { names[network] = nil }
  }

  private static func oldest(_ times: [String: MonotonicInstant]) -> String? {
    times.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
