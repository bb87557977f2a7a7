import Concurrency
import Permissions

/// Work on a realm's files for a user without a session, in the order of the realm's jobs.
struct RealmTask: Sendable {
  /// The user who is charged.
  var payer: String
  /// The work, which answers whether it wrote. Blocks; in the realm's queue.
  var work: @Sendable (any HistoryStore) -> Bool
  /// Called on the loop when it is done, or when the files could not be opened.
  var completion: @Sendable (ServerError?) -> Void
}

extension RealmSequencer {
  /// Runs a task as a part of the next job: what it writes is durable when it completes, and every session is told.
  func perform(_ task: RealmTask) {
    tasks.append(task)
    useCount += 1
    runIfPossible()
  }
}

extension SyncHub {
  /// Runs a task on a realm that exists. On the loop.
  ///
  /// - Parameter body: gets the realm's store; what it throws is handed on.
  func serve<Value: Sendable>(
    _ path: Permissions.RealmPath, for payer: UserId,
    _ body: @escaping @Sendable (any HistoryStore) throws -> (value: Value, wrote: Bool),
    then completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    guard !isStopping, !locked.contains(path) else {
      return completion(
        .failure(ServerError(.realmConflict, "the realm is being moved or deleted", remedy: "ask again in a moment")))
    }
    if let error = elsewhere(path) { return completion(.failure(error)) }
    let realm = sequencer(path, isNew: false)
    let result = OnceValue<Result<Value, any Error>>()
    realm.perform(
      RealmTask(payer: payer.rawValue) { store in
        do {
          let (value, wrote) = try body(store)
          result.set(.success(value))
          return wrote
        } catch {
          result.set(.failure(error))
          return false
        }
      } completion: { [weak self] error in
        completion(error.map { .failure($0) } ?? result.value ?? .failure(ServerError.closedMeanwhile))
        self?.left(realm)
      })
  }
}

extension ServerError {
  static var closedMeanwhile: ServerError {
    ServerError(.realmFailure, "the realm was closed before the answer", remedy: "ask again in a moment")
  }
}
