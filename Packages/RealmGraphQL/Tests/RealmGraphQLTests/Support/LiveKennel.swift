import ByteCoding
import ChangesetOT
import DataModel
import Foundation
import GraphQL
import RecordStore
import TestKit

@testable import RealmGraphQL

/// A server's realm in memory with its subscriptions, and one user whom nothing bounds.
final class LiveKennel {
  let history: ServerHistory
  let cache = RealmGraphQLCache()
  let live: LiveQueries
  let access = ViewAccess(user: "ann", isAdministrator: true)
  /// The last response of each subscription.
  private(set) var last: [UInt64: String] = [:]
  /// The number of responses.
  private(set) var pushes = 0

  init(_ random: inout SeededGenerator) throws {
    let file = try RealmFile.open(.inMemory(name: "live-\(UUID().uuidString)"))
    history = try ServerHistory(file, random: &random)
    live = LiveQueries(cache)
    try file.edit { try $0.addClasses(Kennel.schema) }
  }

  var store: ServedRealm { ServedRealm(history, access) }

  func ask(_ query: String) throws -> String {
    try cache.graphQL(for: try store.read()).execute(GraphQLRequest(query), store).text
  }

  func subscribe(_ id: UInt64, _ query: String) throws {
    let admission = try live.add(id, GraphQLRequest(query), for: access, in: history)
    take(admission.deliveries)
    if let refusal = admission.refusal { throw refusal }
  }

  func update() throws { take(try live.update(history)) }

  private func take(_ deliveries: [LiveQueries.Delivery]) {
    for delivery in deliveries {
      pushes += 1
      for id in delivery.subscribers { last[id] = String(decoding: delivery.response, as: UTF8.self) }
    }
  }
}
