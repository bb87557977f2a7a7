/// An act of a client at accounts that may happen only so often.
public enum AccountEvent: Hashable, Sendable {
  /// A password is tried for a name, from a network (an address, or a /64 of IPv6).
  case login(name: String, network: String)
  /// A name is tried from a network, and told to exist or not.
  case guessedName(network: String)
  /// A user is made, or a message to one is ordered, from a network.
  case newUser(network: String, perSecond: Int)
  /// A user changes the password.
  case passwordChange(user: String)

  /// The counters that all have to admit the event, in the order in which those who lock them do so. Of a login from a network from
  /// which the owner logged in before, only the first counts.
  public var counters: [EventCounter] {
    switch self {
    case .login(let name, let network):
      // Longer names cannot exist, and are all one here.
      let name = name.utf8.count <= Accounts.maximumNameBytes ? name : ""
      return [
        EventCounter(.loginsOfNameFromNetwork, "\(network) \(name)", .delays(LoginThrottle.ofPairs)),
        EventCounter(.loginsOfName, name, .delays(LoginThrottle.ofNames)),
        EventCounter(.guessesFromNetwork, network, .rate(LoginThrottle.ofNetworks)),
      ]
    case .guessedName(let network):
      return [EventCounter(.guessesFromNetwork, network, .rate(LoginThrottle.ofNetworks))]
    case .newUser(let network, let rate):
      return [EventCounter(.newUsers, network, .rate(RateRule(perSecond: rate)))]
    case .passwordChange(let user): return [EventCounter(.passwordChanges, user, .rate(.passwordChanges))]
    }
  }
}
