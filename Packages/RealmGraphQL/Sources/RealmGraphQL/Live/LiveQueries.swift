public import ChangesetOT
import CommitFeed
import DataModel
public import GraphQL
import Permissions
import QueryLanguage
public import RecordStore
import SubscriptionMatching

// @unchecked Sendable: its owner calls it from the realm's queue alone.

/// The subscriptions to one realm: after each commit, which of them have another result, and its bytes.
///
///     let live = LiveQueries(cache)
///     let first = try live.add(7, request, for: access, in: history)     // the present result
///     for delivery in try live.update(history) { … }                     // after commits
///
/// Equal subscriptions of users with equal permissions are one: evaluated once, with the same bytes. A commit is matched against
/// the queries of all of them, and only those are evaluated whose objects it touched; a result that is the same is not sent. It
/// knows neither users' sockets nor time. Used from one thread at a time; it holds a snapshot of the realm until ``suspend()``.
public final class LiveQueries: @unchecked Sendable {
  /// The name that the owner gives a subscription.
  public typealias Subscriber = UInt64

  /// A response for some subscribers.
  public struct Delivery: Sendable {
    /// The subscribers, ascending.
    public var subscribers: [Subscriber]
    /// The response as JSON: the same bytes for all.
    public var response: [UInt8]
    /// Whether the subscription ends with it, because the schema has what it asks for no more.
    public var isFinal = false
  }

  /// One subscription.
  private struct Member {
    var cohort: Int
    var request: GraphQLRequest
    var access: ViewAccess
  }

  /// The schemas of the open file; another one after the files were closed and opened again.
  public var cache: RealmGraphQLCache
  private var cohorts: [Int: LiveCohort] = [:]
  private var numbers: [LiveCohort.Key: Int] = [:]
  private var members: [Subscriber: Member] = [:]
  private var nextNumber = 0
  /// The state that the cohorts saw last; nil before the first, and while suspended.
  private var follower: CommitFollower?
  private var matcher: SubscriptionMatcher<Int>?
  /// Cohorts that the matcher does not know: any commit to their classes concerns them.
  private var unmatched: Set<Int> = []
  /// The results behind tokens that were given out.
  private var tokens = TokenStates()
  /// How many results were made.
  public private(set) var evaluationCount = 0
  /// Asked while a result is made.
  public var budget: @Sendable () -> ExecutionBudget = { .unlimited }

  /// No subscriptions yet.
  public init(_ cache: RealmGraphQLCache) { self.cache = cache }

  /// Whether there are no subscriptions.
  public var isEmpty: Bool { members.isEmpty }
  /// The number of subscriptions.
  public var count: Int { members.count }
  /// The number of different ones.
  public var cohortCount: Int { cohorts.count }

  // MARK: Coming and going

  /// Begins a subscription.
  ///
  /// - Returns: what the other subscribers get, if there were commits meanwhile, and the present result for this one.
  /// - Throws: ``LiveQueryError`` when it is refused; `RecordStoreError` when the file cannot be read.
  public func add(
    _ id: Subscriber, _ request: GraphQLRequest, for access: ViewAccess, in history: ServerHistory
  ) throws -> [Delivery] {
    var deliveries = try update(history)
    deliveries.append(Delivery(subscribers: [id], response: try join(id, request, access, history)))
    return deliveries
  }

  private func join(
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
    let first = try begin(cohort, readable, history)
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

  private func remove(_ id: Subscriber, keepsFollowing: Bool) {
    guard let number = members.removeValue(forKey: id)?.cohort, let cohort = cohorts[number] else { return }
    cohort.subscribers.remove(id)
    if cohort.subscribers.isEmpty { forget(number, cohort) }
    if isEmpty, !keepsFollowing { suspend() }
  }

  private func forget(_ number: Int, _ cohort: LiveCohort) {
    cohorts[number] = nil
    numbers[cohort.key] = nil
    matcher?.remove(number)
    unmatched.remove(number)
  }

  /// Lets go of the realm's file. The next ``update(_:)`` evaluates everything.
  public func suspend() {
    follower = nil
    matcher = nil
    unmatched = []
  }

  // MARK: Commits

  /// Brings everybody up to date.
  ///
  /// - Returns: the responses that are others now, each with its subscribers.
  /// - Throws: `RecordStoreError` when the file cannot be read.
  /// - Complexity: that of matching the changed objects, and of evaluating those subscriptions that they concern.
  public func update(_ history: ServerHistory) throws -> [Delivery] {
    guard !isEmpty else { return [] }
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
    var found: Set<Int> = []
    if var matching = matcher {
      let answer = try matching.match(changes)
      matcher = matching
      for match in answer.matches { found.formUnion(matching.subscribers(of: match.cohort)) }
      for concern in answer.concerns { found.formUnion(matching.subscribers(of: concern.cohort)) }
    }
    let touched = Set(changes.map(\.className))
    let touchesRoles = Self.touchRoles(changes)
    for (number, cohort) in cohorts where !found.contains(number) {
      let isUnmatched = unmatched.contains(number) && touched.contains(cohort.type.className)
      if isUnmatched || touchesRoles || !cohort.reach.classes.isDisjoint(with: touched)
        || cohort.reach.showsMixed
      {
        found.insert(number)
      }
    }
    return Array(found)
  }

  private func evaluate(
    _ numbers: [Int], _ history: ServerHistory, changed: [ObjectChange]?, isNewSchema: Bool
  ) throws -> [Delivery] {
    if isNewSchema { (matcher, unmatched) = (nil, []) }
    var deliveries: [Delivery] = []
    var readables: [String?: ReadableContents] = [:]
    for number in numbers.sorted() {
      guard let cohort = cohorts[number] else { continue }
      let readable = try readables[cohort.key.audience] ?? history.readableContents(by: cohort.access)
      readables[cohort.key.audience] = readable
      let subscribers = cohort.subscribers.sorted()
      do {
        try cohort.prepare(with: try cache.graphQL(for: readable))
        if isNewSchema { watch(number, cohort) }
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

  /// Puts a cohort into the matcher, if the objects of its query alone decide about its members.
  private func watch(_ number: Int, _ cohort: LiveCohort) {
    guard cohort.key.audience == nil, let query = cohort.query, let schema = follower?.contents.schema else {
      unmatched.insert(number)
      return
    }
    if matcher == nil { matcher = SubscriptionMatcher(schema: QuerySchema(schema)) }
    do {
      try matcher?.add(query.text, className: cohort.type.className, arguments: query.arguments, id: number)
    } catch {
      unmatched.insert(number)
    }
  }

  // MARK: Results

  /// The first response of a subscriber.
  private func begin(
    _ cohort: LiveCohort, _ readable: ReadableContents, _ history: ServerHistory
  ) throws -> [UInt8] {
    let reading = RealmReading(cohort.graphQL.model, readable)
    guard cohort.sendsChanges else {
      let response = run(cohort, reading, nil).bytes
      if cohort.subscribers.isEmpty { cohort.digest = response.hashValue }
      return response
    }
    do {
      let rows = try CollectionSelection(cohort.call, cohort.type, reading).rows()
      if cohort.subscribers.isEmpty { remember(rows, for: cohort) }
      var batch = try resume(cohort, rows, reading, history) ?? changes(cohort, reading, from: nil, to: rows, .rows([]))
      batch.token = cohort.token
      return run(cohort, reading, batch).bytes
    } catch let error as GraphQLError {
      return run(error, cohort)
    }
  }

  /// The response after a commit; nil when it is the one before.
  private func next(
    _ cohort: LiveCohort, _ readable: ReadableContents, _ changed: [ObjectChange]?
  ) throws -> [UInt8]? {
    let reading = RealmReading(cohort.graphQL.model, readable)
    guard cohort.sendsChanges else {
      let response = run(cohort, reading, nil).bytes
      let digest = response.hashValue
      guard digest != cohort.digest else { return nil }
      cohort.digest = digest
      return response
    }
    do {
      let rows = try CollectionSelection(cohort.call, cohort.type, reading).rows()
      let touched = try changed.map { try touchedRows($0.map(\.reference), cohort, reading) }
      var batch = changes(cohort, reading, from: touched == nil ? nil : cohort.rows, to: rows, touched ?? .all)
      guard batch.hasChanges else { return nil }
      remember(rows, for: cohort)
      batch.token = cohort.token
      return run(cohort, reading, batch).bytes
    } catch let error as GraphQLError {
      return run(error, cohort)
    }
  }

  private func run(_ cohort: LiveCohort, _ reading: RealmReading, _ changes: ChangesBatch?) -> GraphQLResponse {
    evaluationCount += 1
    return cohort.operation.executeSynchronously(
      SubscriptionRootBatch(reading: reading, type: cohort.type, changes: changes), budget: budget())
  }

  private func run(_ error: GraphQLError, _ cohort: LiveCohort) -> [UInt8] {
    var error = error
    error.path = [.key(cohort.call.responseKey)]
    return GraphQLResponse(data: Array("null".utf8), errors: [error]).bytes
  }

  /// The rows of the class that commits touched. All of them, when an object of another class was touched that the selection
  /// shows: which of them show it is not known.
  private func touchedRows(
    _ objects: [ObjectReference], _ cohort: LiveCohort, _ reading: RealmReading
  ) throws -> TouchedRows {
    if cohort.reach.showsMixed || objects.contains(where: { cohort.reach.classes.contains($0.className) }) {
      return .all
    }
    let table = try reading.table(cohort.type.className).table
    return .rows(
      Set(
        try objects.compactMap { object in
          object.className == cohort.type.className ? try table.row(forKey: object.key) : nil
        }))
  }

  private func changes(
    _ cohort: LiveCohort, _ reading: RealmReading, from old: [QueryRow]?, to rows: [QueryRow], _ touched: TouchedRows
  ) -> ChangesBatch {
    let difference = RowChanges(from: old ?? [], to: rows)
    return ChangesBatch(
      reading: reading, type: cohort.type, rows: rows, isInitial: old == nil, deletions: difference.deletions,
      insertions: difference.insertions, modifications: difference.kept.filter { touched.contains(rows[$0]) },
      token: cohort.token)
  }

  // MARK: Tokens

  private func remember(_ rows: [QueryRow], for cohort: LiveCohort) {
    cohort.rows = rows
    guard let follower else { return }
    cohort.token = tokens.add(
      .init(
        rows: rows, position: follower.position, className: cohort.type.className,
        schemaRevision: follower.contents.schemaRevision))
  }

  /// The changes since a token that the subscriber brings; nil when they are not known.
  private func resume(
    _ cohort: LiveCohort, _ rows: [QueryRow], _ reading: RealmReading, _ history: ServerHistory
  ) throws -> ChangesBatch? {
    guard let token = cohort.call.arguments["resumeFrom"]?.string, let state = tokens[token], let follower,
      state.className == cohort.type.className, state.schemaRevision == follower.contents.schemaRevision,
      state.position.salt == follower.position.salt,
      let touched = try history.touchedObjects(
        after: state.position.version, through: follower.position.version, byteLimit: 1 << 20)
    else { return nil }
    return changes(
      cohort, reading, from: state.rows, to: rows, try touchedRows(Array(touched.keys), cohort, reading))
  }
}

/// The rows of a class that commits touched.
enum TouchedRows {
  case all
  case rows(Set<QueryRow>)

  func contains(_ row: QueryRow) -> Bool {
    switch self {
    case .all: true
    case .rows(let rows): rows.contains(row)
    }
  }
}

extension ObjectChange {
  var reference: ObjectReference { ObjectReference(className: className, key: key) }
}
