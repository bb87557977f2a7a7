import Permissions
import RecordStore

// Consumers of commits hold the files of realms, which are not changed meanwhile.

extension SyncHub {
  /// Opens the history of a realm for a consumer. On the loop.
  ///
  /// The files are found in the queue in which they are moved and removed, so never while that is done.
  ///
  /// - Parameters:
  ///   - creator: who is to have made the realm, when it is missing; nil makes none.
  ///   - completion: called on the loop; with nil when there is no realm at the path.
  func hold(
    _ path: Permissions.RealmPath, creator: UserId? = nil,
    _ completion: @escaping @Sendable (Result<RealmHold?, ServerError>) -> Void
  ) {
    guard !locked.contains(path), !isStopping else { return completion(.success(nil)) }
    holds[path, default: 0] += 1
    let (directory, stores, clock) = (directory, stores, context.scheduler)
    context.perform(.directory) { () throws(ServerError) -> ServerHistory? in
      let exists = try directory.facts(of: path).exists
      guard exists || creator != nil else { return nil }
      var isNew = false
      if let creator { isNew = try directory.recordRealm(path, createdBy: creator, at: clock.wallTime) }
      do {
        if let history = try stores.history(of: path) { return history }
        guard creator != nil else { return nil }
        try stores.open(path, isNew: isNew).close()
        return try stores.history(of: path)
      } catch {
        throw ServerError(
          .realmFailure, "the files of \(path) cannot be opened", remedy: "'verify' tells whether they are damaged",
          cause: error)
      }
    } then: { [self] result in
      switch result {
      case .success(let history?):
        let scheduler = scheduler
        completion(
          .success(
            RealmHold(
              path: path, history: history, executor: context.executor,
              committed: { scheduler.execute { [self] in committedByConsumer(path) } },
              end: { scheduler.execute { [self] in endHold(path) } })))
      case .success(nil):
        endHold(path)
        completion(.success(nil))
      case .failure(let error):
        endHold(path)
        completion(.failure(error))
      }
    }
  }

  /// Tells of a commit of a consumer: the sessions of a realm that is open, which tells its watches itself, or the watches.
  private func committedByConsumer(_ path: Permissions.RealmPath) {
    if let realm = realms[path], realm.isOpen { return realm.consumerCommitted() }
    for watch in watches where watch.matches(path) { watch.note(path) }
  }

  private func endHold(_ path: Permissions.RealmPath) {
    let left = (holds[path] ?? 1) - 1
    guard left == 0 else { return holds[path] = left }
    holds[path] = nil
    for waiter in whenUnheld.removeValue(forKey: path) ?? [:] { waiter.value(true) }
  }

  /// Calls `completion` once nobody holds the files of a realm, with true; or with false when consumers keep them for too long.
  func afterHolds(of path: Permissions.RealmPath, _ completion: @escaping @Sendable (Bool) -> Void) {
    guard holds[path] != nil else { return completion(true) }
    let number = nextWaiter
    nextWaiter += 1
    whenUnheld[path, default: [:]][number] = completion
    scheduler.schedule(after: configuration.holdPatience) { [weak self] in
      self?.whenUnheld[path]?.removeValue(forKey: number)?(false)
    }
  }
}

extension ObjectServer {
  /// Opens the history of a realm for a consumer of its commits. From any thread.
  ///
  /// - Parameter creator: who is to have made the realm, when it is missing; nil makes none.
  /// - Returns: nil when there is no realm at the path, or it is being moved or deleted.
  /// - Throws: ``ServerError/Code/realmFailure`` when its files cannot be opened; ``ServerError/Code/directoryFailure``.
  /// - Complexity: O(1) for a realm that is open; otherwise the opening of its file.
  public func hold(_ path: Permissions.RealmPath, creator: UserId? = nil) async throws -> RealmHold? {
    let hub = hub
    return try await withCheckedThrowingContinuation { continuation in
      hub.scheduler.execute {
        hub.hold(path, creator: creator) { continuation.resume(with: $0.mapError { $0 as any Error }) }
      }
    }
  }

  /// The paths of all realms, sorted. From any thread.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``
  /// - Complexity: O(*n*) in the realms.
  public func realmPaths() async throws -> [Permissions.RealmPath] {
    let (directory, executor) = (environment.directory, environment.executor)
    return try await withCheckedThrowingContinuation { continuation in
      executor.submit(to: .directory) {
        continuation.resume(with: Result { try directory.allRealms() })
      }
    }
  }
}
