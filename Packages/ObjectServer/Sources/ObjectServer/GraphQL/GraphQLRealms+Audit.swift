import GraphQL
import Permissions

/// A mutation that ran, as the audit log tells of it: which fields, never their values.
struct PerformedMutation: Sendable {
  /// The names of its root fields, in their order; each is a transaction.
  var fields: [String]
  /// The version of the realm's history in which it is there.
  var version: UInt64
  /// `ok`, or the code of the first error.
  var outcome: String

  init(_ operation: PreparedOperation, _ response: GraphQLResponse, version: UInt64) {
    fields = operation.fields.map(\.name)
    self.version = version
    outcome = response.errors.first.map { $0.code ?? "FAILED" } ?? "ok"
  }
}

extension GraphQLRealms {
  /// Notes a mutation in the audit log, then calls `completion` on the loop. Those of administrators are all noted, those of other
  /// users up to the rate of ``AuditTrail``.
  ///
  /// - Parameter address: that of the peer.
  func note(
    _ mutation: PerformedMutation?, at target: RealmTarget, from address: String,
    then completion: @escaping @Sendable () -> Void
  ) {
    guard let mutation, let audit = hub.audit else { return completion() }
    audit.note(
      AuditLog.Event(
        "graphql.mutation", actor: target.subject.user.rawValue, subject: target.path.description, address: address,
        outcome: mutation.outcome,
        details: [
          .init("fields", mutation.fields.joined(separator: " ")), .init("version", String(mutation.version)),
        ]), from: target.subject.isAdministrator ? .administrators : .users, then: completion)
  }
}
