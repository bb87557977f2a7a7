extension AccessDecision {
  /// The level that the user has, and the rule that gives it: "read, by a grant to everyone". Contains no names of other
  /// users.
  ///
  ///     let facts = RealmFacts(exists: true, grants: [Grant(path: path, grantee: .everyone, level: .read)])
  ///     AccessRules().decide(ben, wants: .write, of: facts).rule     // read, by a grant to everyone
  public var rule: String {
    switch reason {
    case .administrator: "\(level), because administrators may do everything"
    case .owner: "\(level), because the realm is the user's own"
    case .grant(.everyone): "\(level), by a grant to everyone"
    case .grant(.user): "\(level), by a grant to the user"
    case .publicRealm: "\(level), because realms at the root can be read by everyone"
    case .partitionRule: "\(level), which every user of the app has on its partitions"
    case .appRule: "\(level), which every user of the app has"
    case .noGrant: "\(level), because there is no grant"
    case .missingRealm: "\(level), because there is no such realm"
    case .foreignPartialView: "\(level), because the partial view is of another user"
    case .tokenForOtherRealm: "\(level), because the access token is for another realm"
    case .tokenLevel: "\(level), because the access token allows no more"
    }
  }
}
