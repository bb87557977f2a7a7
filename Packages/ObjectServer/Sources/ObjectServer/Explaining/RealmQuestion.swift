import AccessTokens
import ChangesetOT
import Permissions
import struct RecordStore.ViewQuestion

/// A question about one object and one user, with the decision about the path of the realm that comes before it.
///
/// Administrators ask about everybody, others about themselves. Nothing is learned that opening the realm would not tell.
struct RealmQuestion: Sendable {
  let path: RealmPath
  let decision: AccessDecision
  /// Whether a realm is at the path.
  let exists: Bool
  let question: ViewQuestion

  /// The question about an object of the realm at a path.
  ///
  /// - Parameters:
  ///   - subject: the user who is asked about.
  ///   - asker: the user who asks; nil for the operator of the server.
  /// - Throws: ``ServerError`` when the directory cannot be read.
  init(
    _ object: Object, at named: RealmPath, for subject: AccessSubject, by asker: UserId?, isAdministrator: Bool,
    _ rules: AccessRules, _ directory: any Directory
  ) throws(ServerError) {
    path = try directory.renamedPath(of: named) ?? named
    let facts = try directory.facts(of: path)
    decision = rules.decide(subject, wants: .read, of: facts)
    exists = facts.exists
    question = ViewQuestion(
      className: object.className, key: object.key,
      access: ViewAccess(
        user: subject.user.rawValue, isAdministrator: subject.isAdministrator,
        tokenBound: Privileges(bound: subject.tokenLevel).rawValue, followsLinks: true,
        mayHoldWhole: decision.level >= .admin || subject.isAdministrator),
      device: object.device, isOwn: asker == subject.user && !isAdministrator)
  }

  /// The object that is asked for, and the device of the user if it is about one.
  struct Object: Sendable {
    var className: String
    /// Nil for the primary key null.
    var key: String?
    var device: FileIdent?
  }

  /// The explanation by the path alone; nil when the realm itself is to be looked at.
  var explanationOfPath: SyncExplanation? {
    let (user, className) = ("user '\(question.access.user)'", question.className)
    guard decision.isAllowed else {
      return SyncExplanation(
        .notReadable, "nothing of \(path) is for \(user), who may not open it",
        steps: [.init(.realm, "opening \(path): \(decision.explanation)", decides: true)])
    }
    guard !exists else { return nil }
    return SyncExplanation(
      .absent, "there is no object of class '\(className)': there is no realm at \(path) yet",
      steps: [pathStep, .init(.realm, "nobody has opened \(path) yet", decides: true)])
  }

  /// The explanation that the realm gives, with the step of the path before it.
  func completed(_ explanation: SyncExplanation) -> SyncExplanation {
    var explanation = explanation
    explanation.steps.insert(pathStep, at: 0)
    return explanation
  }

  private var pathStep: SyncExplanation.Step { .init(.realm, "access to \(path): \(decision.rule)") }
}
