import ChangesetOT
import CommitFeed
import GraphQL
import Permissions
public import RecordStore
import SubscriptionMatching

/// Commits.
extension LiveQueries {
  /// Brings everybody up to date.
  ///
  /// - Returns: the responses that are others now, each with its subscribers.
  /// - Throws: `RecordStoreError` when the file cannot be read; the next update then evaluates everything.
  /// - Complexity: that of matching the changed objects, and of evaluating those subscriptions that they concern.
  public func update(_ history: ServerHistory) throws -> [Delivery] {
    guard !isEmpty else { return [] }
    do { return try advance(history) } catch {
      restart()
      throw error
    }
  }

  /// Forgets what subscribers were sent, because some of it may not have reached them.
  func restart() {
    suspend()
    for cohort in cohorts.values {
      cohort.digest = 0
      keep(nil, in: cohort)
    }
  }

  private func advance(_ history: ServerHistory) throws -> [Delivery] {
    let step: CommitFollower.Step
    if follower == nil {
      follower = try CommitFollower(history)
      step = .everything
    } else {
      step = try follower?.advance(history) ?? .nothing
    }
    switch step {
    case .nothing: return []
    case .everything:
      return try regroup(history) + evaluate(Array(cohorts.keys), history, changed: nil, isNewSchema: true)
    case .changes(let changes):
      let concerned = try concerned(by: changes)
      return try (Self.touchRoles(changes) ? regroup(history) : [])
        + evaluate(concerned, history, changed: changes, isNewSchema: false)
    }
  }

  /// Whether roles inside the realm may be others now: they are objects, and decide about others.
  private static func touchRoles(_ changes: [ObjectChange]) -> Bool {
    changes.contains { PermissionClass(rawValue: $0.className) != nil }
  }

  /// Gives those whom roles inside the realm bound from now on, or no more, a subscription of their own.
  private func regroup(_ history: ServerHistory) throws -> [Delivery] {
    var bounds: [ViewAccess: Bool] = [:]
    var deliveries: [Delivery] = []
    for (id, member) in members.sorted(by: { $0.key < $1.key }) {
      let isBounded = try bounds[member.access] ?? history.readableContents(by: member.access).isBounded
      bounds[member.access] = isBounded
      guard let cohort = cohorts[member.cohort], cohort.key.audience != (isBounded ? member.access.user : nil) else {
        continue
      }
      remove(id, keepsFollowing: true)
      do {
        let response = try join(id, member.request, member.access, history)
        deliveries.append(Delivery(subscribers: [id], response: response))
      } catch let error as LiveQueryError {
        let response = GraphQLResponse(refused: error.errors).bytes
        deliveries.append(Delivery(subscribers: [id], response: response, isFinal: true))
      }
    }
    return deliveries
  }

  private func concerned(by changes: [ObjectChange]) throws -> [Int] {
    if Self.touchRoles(changes) { return Array(cohorts.keys) }
    var found = reaches.cohorts(showing: Set(changes.map(\.className)))
    if var matching = matcher {
      let answer = try matching.match(changes)
      matcher = matching
      for match in answer.matches { found.formUnion(matching.subscribers(of: match.cohort)) }
      for concern in answer.concerns { found.formUnion(matching.subscribers(of: concern.cohort)) }
    }
    return Array(found)
  }

  private func evaluate(
    _ numbers: [Int], _ history: ServerHistory, changed: [ObjectChange]?, isNewSchema: Bool
  ) throws -> [Delivery] {
    if isNewSchema { (matcher, reaches) = (nil, ReachIndex()) }
    var deliveries: [Delivery] = []
    var readables: [String?: ReadableContents] = [:]
    for number in numbers.sorted() {
      guard let cohort = cohorts[number] else { continue }
      let readable = try readables[cohort.key.audience] ?? history.readableContents(by: cohort.access)
      readables[cohort.key.audience] = readable
      let subscribers = cohort.subscribers.sorted()
      do {
        if try cohort.prepare(with: try cache.graphQL(for: readable)) || isNewSchema { watch(number, cohort) }
        if let response = try next(cohort, readable, changed) {
          deliveries.append(Delivery(subscribers: subscribers, response: response))
        }
      } catch let error as GraphQLRequestError {
        deliveries.append(
          Delivery(
            subscribers: subscribers, response: GraphQLResponse(refused: error.errors).bytes, isFinal: true))
        for id in subscribers { members[id] = nil }
        forget(number, cohort)
      }
    }
    return deliveries
  }
}
