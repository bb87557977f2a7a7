import AdapterKit
import ByteCoding
import ChangesetOT
import Foundation
import Permissions
import SyncClient
import Transport

/// The calls of a notifier to the administration API of a server that is reached over the network.
struct RemoteServer: Sendable {
  /// The largest answer that is taken, in bytes: all of a realm in lines.
  static let maximumAnswer = 1 << 30
  /// The seconds that a call waits for transactions.
  static let patience = 20

  let user: SyncUser
  /// The name of the adapter whose positions are those of the handler; nil for calls about no handler.
  var handler = ""

  /// The calls of a handler.
  func of(_ handler: HandlerIdentity) -> RemoteServer { RemoteServer(user: user, handler: handler.name) }

  /// Sends a call.
  ///
  /// - Returns: the answer, which is a success or one of the statuses that the caller knows.
  /// - Throws: ``UnavailableRealm`` when the server cannot be reached or asks to come again; ``EventError`` for other refusals.
  func call(
    _ method: String, _ name: String, query: [(String, String)] = [], body: [(key: String, value: JSONValue)]? = nil,
    known: Set<Int> = []
  ) async throws -> HTTPResponse {
    let parameters = query.map { "\($0)=\(PercentCoding.encoded($1))" }.joined(separator: "&")
    let path = "/api/openrealm/v1/admin/adapters/" + PercentCoding.encoded("handler:" + handler) + name
    let response: HTTPResponse
    do {
      response = try await user.response(
        method, parameters.isEmpty ? path : path + "?" + parameters,
        body: body.map { Array(JSONValue.object($0).text.utf8) } ?? [], timeout: .seconds(90),
        maximumResponseBytes: Self.maximumAnswer)
    } catch let error as CancellationError {
      throw error
    } catch let error as SyncAuthError {
      throw UnavailableRealm(reason: "\(error)", delay: nil)
    }
    if (200..<300).contains(response.status) || known.contains(response.status) { return response }
    let words = (try? JSONValue(parsing: response.body))?["error"]?.string ?? "status \(response.status)"
    let wait = response.headers["Retry-After"].flatMap { Int($0) }
    if response.status >= 500 || [401, 403, 429].contains(response.status) || wait != nil {
      throw UnavailableRealm(reason: words, delay: wait.map { .seconds($0) })
    }
    throw EventError(
      .server, "the server refuses a call of the notifier: \(words)",
      remedy: "check that the user is an administrator, and the effect against the schema")
  }

  /// The lines of an answer.
  static func lines(_ response: HTTPResponse) throws -> [JSONValue] {
    try response.body.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }

  /// The fault of an answer without what was asked for.
  static func lacks(_ name: String) -> EventError {
    EventError(
      .server, "an answer of the server lacks '\(name)'", remedy: "use a server of the same release as the notifier")
  }
}

extension JSONValue {
  /// A position among the members.
  func position(_ name: String = "position") throws -> SaltedServerVersion {
    guard let position = self[name]?.string.flatMap(AdapterPosition.position) else { throw RemoteServer.lacks(name) }
    return position
  }
}
