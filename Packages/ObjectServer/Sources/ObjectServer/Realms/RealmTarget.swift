import ChangesetOT
import Permissions
import RecordStore
import Telemetry

/// The realm that a request names, with what its user may do there.
struct RealmTarget: Sendable {
  /// The realm whose file is read and written.
  let path: RealmPath
  let subject: AccessSubject
  let decision: AccessDecision
  /// Whether the realm is opened by queries.
  let isQueryBased: Bool

  /// The target of a path as it stands in a URL.
  ///
  /// - Throws: ``APIError``: 400 for no path, 403 without access, 404 for a realm that does not exist; ``ServerError``.
  init(_ text: String, for bearer: Bearer, _ rules: AccessRules, _ directory: any Directory) throws {
    let named: RealmPath
    do {
      let user = bearer.user == Accounts.administratorTokenUser ? nil : bearer.user
      named = try RealmPath(text.hasPrefix("/") ? text : "/" + text, for: user)
    } catch { throw APIError(400, .invalidParameter, "\(error)") }
    var subject = bearer.subject
    let renamed = try directory.renamedPath(of: named) ?? named
    if subject.tokenPath == named { subject.tokenPath = renamed }
    let view = renamed.partialView
    let facts = try directory.facts(of: renamed)
    decision = rules.decide(subject, wants: .read, of: facts)
    path = view?.realm ?? renamed
    self.subject = subject
    isQueryBased = view != nil || rules.appRealms.contains(renamed)
    guard decision.isAllowed else { throw APIError(403, .permissionDenied, decision.explanation) }
    let exists = try view.map { try directory.facts(of: $0.realm).exists } ?? facts.exists
    guard exists else { throw APIError(404, .notFound, "there is no realm at \(path)") }
  }

  /// Everybody as an administrator, where no tokens are asked for.
  static let anyone = Bearer(
    subject: AccessSubject(user: Accounts.administratorTokenUser, isAdministrator: true), app: "",
    expiresAt: WallTime(millisecondsSince1970: .max))

  /// The user as views and uploads know them.
  var access: ViewAccess {
    ViewAccess(
      user: subject.user.rawValue, isAdministrator: subject.isAdministrator,
      tokenBound: Privileges(bound: subject.tokenLevel).rawValue, followsLinks: true,
      mayHoldWhole: decision.level >= .admin || subject.isAdministrator)
  }

  /// The refusal of every write; nil when roles inside the realm decide.
  var writeRefusal: WriteRefusal? {
    guard decision.level < .write else { return nil }
    return WriteRefusal(
      object: .init(className: "", key: .null),
      reason: "write not allowed: the realm is read-only for this user (\(decision.rule)); ask its owner for more")
  }
}
