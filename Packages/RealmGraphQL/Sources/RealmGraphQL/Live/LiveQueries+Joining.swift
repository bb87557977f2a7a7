import ChangesetOT
import CommitFeed
public import GraphQL
import QueryLanguage
public import RecordStore
import SubscriptionMatching

/// Subscriptions that come and go.
extension LiveQueries {
  /// The outcome of ``add(_:_:for:in:)``.
  public struct Admission: Sendable {
    /// The responses of other subscribers, if there were commits meanwhile; then the present result of the new one.
    public var deliveries: [Delivery]
    /// The reasons why the new one is refused; nil when it has begun.
    public var refusal: LiveQueryError?
  }

  /// Begins a subscription.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read; the next ``update(_:)`` then evaluates everything.
  public func add(
    _ id: Subscriber, _ request: GraphQLRequest, for access: ViewAccess, in history: ServerHistory
  ) throws -> Admission {
    var admission = Admission(deliveries: try update(history))
    do {
      admission.deliveries.append(Delivery(subscribers: [id], response: try join(id, request, access, history)))
    } catch let error as LiveQueryError {
      admission.refusal = error
      if isEmpty { suspend() }
    } catch {
      restart()
      throw error
    }
    return admission
  }

  func join(
    _ id: Subscriber, _ request: GraphQLRequest, _ access: ViewAccess, _ history: ServerHistory
  ) throws -> [UInt8] {
    let readable = try history.readableContents(by: access)
    let key = LiveCohort.Key(
      query: request.query, operation: request.operationName, variables: request.variables.text,
      audience: readable.isBounded ? access.user : nil)
    if follower == nil { follower = try CommitFollower(history) }
    let known = numbers[key]
    let cohort: LiveCohort
    if let known, let found = cohorts[known] {
      cohort = found
    } else {
      do { cohort = try LiveCohort(key, request, access, try cache.graphQL(for: readable)) } catch let error
        as GraphQLRequestError
      { throw LiveQueryError(errors: error.errors) }
    }
    let first: [UInt8]
    do { first = try begin(cohort, readable, history) } catch {
      if known == nil { keep(nil, in: cohort) }
      throw error
    }
    let number = known ?? nextNumber
    if cohorts[number] == nil {
      nextNumber += 1
      cohorts[number] = cohort
      numbers[key] = number
      watch(number, cohort)
    }
    cohort.subscribers.insert(id)
    members[id] = Member(cohort: number, request: request, access: access)
    return first
  }

  /// Ends a subscription.
  public func remove(_ id: Subscriber) { remove(id, keepsFollowing: false) }

  func remove(_ id: Subscriber, keepsFollowing: Bool) {
    guard let number = members.removeValue(forKey: id)?.cohort, let cohort = cohorts[number] else { return }
    cohort.subscribers.remove(id)
    if cohort.subscribers.isEmpty { forget(number, cohort) }
    if isEmpty, !keepsFollowing { suspend() }
  }

  func forget(_ number: Int, _ cohort: LiveCohort) {
    cohorts[number] = nil
    numbers[cohort.key] = nil
    matcher?.remove(number)
    reaches.remove(number)
    keep(nil, in: cohort)
  }

  /// Puts a cohort into the matcher, if the objects of its query alone decide about its members.
  func watch(_ number: Int, _ cohort: LiveCohort) {
    reaches.set(number, cohort.reach, ownClass: match(number, cohort) ? nil : cohort.type.className)
  }

  private func match(_ number: Int, _ cohort: LiveCohort) -> Bool {
    guard cohort.key.audience == nil, let query = cohort.query, let schema = follower?.contents.schema else {
      return false
    }
    if matcher == nil { matcher = SubscriptionMatcher(schema: QuerySchema(schema)) }
    matcher?.remove(number)
    do {
      try matcher?.add(query.text, className: cohort.type.className, arguments: query.arguments, id: number)
      return true
    } catch { return false }
  }
}
