/// The rules about one realm and one user in their order, with the one that decides.
///
///     let explanation = rules.explain(ben, wants: .write, of: facts)
///     print(explanation)
///     // refused: write is needed and only read is granted; ask the owner of the realm for more
///     //   …
///     // * a grant to the user: read
///     //   the default of this kind of realm: none
public struct AccessExplanation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// One rule.
  public struct Step: Hashable, Sendable, Codable {
    /// The rule, and the level that it gives; without names of users.
    public var text: String
    /// Whether this rule decides.
    public var decides: Bool
  }

  /// The realm.
  public var path: String
  /// The level asked for.
  public var wanted: String
  /// The level that the user has.
  public var level: String
  /// Whether the user may do what was asked for.
  public var isAllowed: Bool
  /// The answer as a sentence; for a refusal with a remedy.
  public var sentence: String
  /// The rules in the order in which they are asked.
  public var steps: [Step]

  /// The sentence, and a line for each rule; the one that decides begins with `*`.
  public var description: String {
    let lines = steps.map { ($0.decides ? "* " : "  ") + $0.text }
    return ([(isAllowed ? "allowed: " : "refused: ") + sentence] + lines).joined(separator: "\n")
  }
}

extension AccessRules {
  /// The decision of ``decide(_:wants:of:)``, with all rules that were asked.
  ///
  /// - Complexity: O(*n*) for *n* grants on the realm.
  public func explain(
    _ subject: AccessSubject, wants wanted: AccessLevel, of realm: RealmFacts
  ) -> AccessExplanation {
    let decision = decide(subject, wants: wanted, of: realm)
    let path = realm.path.partialView?.realm ?? realm.path
    var steps: [AccessExplanation.Step] = []
    func add(_ text: String, _ reasons: AccessDecision.Reason...) {
      steps.append(AccessExplanation.Step(text: text, decides: reasons.contains(decision.reason)))
    }
    let token = subject.tokenPath
    add("the token is for \(token.map { "\($0) alone" } ?? "all realms")", .tokenForOtherRealm)
    add("the user is \(subject.isAdministrator ? "an administrator" : "no administrator")", .administrator)
    if let view = realm.path.partialView {
      let isOwn = view.user == subject.user
      add("a partial view of \(view.realm), for \(isOwn ? "the user" : "another user")", .foreignPartialView)
    }
    add("the realm is \(path.isOwned(by: subject.user) ? "" : "not ")in the user's own folder", .owner)
    let own = grant(to: .user(subject.user), in: realm), everyone = grant(to: .everyone, in: realm)
    add("a grant to the user: \(own.map(\.name) ?? "none there is")", .grant(.user(subject.user)))
    add("a grant to everyone: \(everyone.map(\.name) ?? "none there is")", .grant(.everyone))
    let standard = defaultLevel(path, exists: realm.referenceExists ?? realm.exists)
    add(
      "the default of this kind of realm: \(standard.0)\(standard.1 == .missingRealm ? ", it does not exist" : "")",
      .publicRealm, .partitionRule, .appRule, .noGrant, .missingRealm)
    add("the token allows at most \(subject.tokenLevel)", .tokenLevel)
    return AccessExplanation(
      path: realm.path.description, wanted: wanted.name, level: decision.level.name, isAllowed: decision.isAllowed,
      sentence: decision.isAllowed ? decision.rule : decision.explanation, steps: steps)
  }
}
