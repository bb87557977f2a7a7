import Concurrency
import Permissions
import RecordStore
import Synchronization

// Consumers of commits hold the files of realms, which are not changed meanwhile.

/// The files of a realm that consumers hold. On the loop.
struct HeldFiles {
  /// The number of holds.
  var count = 0
  /// Tells the consumers whether somebody waits for them.
  let request = HoldRequest()
  /// The move or deletion that waits for them, and the end of its patience.
  var waiter: (resume: @Sendable (Bool) -> Void, end: any Cancellable)?
}

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
    guard isHere(path) else { return takeToHold(path, creator, completion) }
    var held = holds[path] ?? HeldFiles()
    held.count += 1
    holds[path] = held
    let request = held.request
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
              path: path, history: history, executor: context.executor, request: request,
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

  /// Takes a realm that nobody has, and holds it; one that is another node's is refused.
  private func takeToHold(
    _ path: Permissions.RealmPath, _ creator: UserId?,
    _ completion: @escaping @Sendable (Result<RealmHold?, ServerError>) -> Void
  ) {
    guard let placement = member?.placement, placement.place(of: path) == .nobody else {
      return completion(.failure(.elsewhere(path)))
    }
    let directory = directory
    context.perform(.directory) { () throws(ServerError) in
      let exists = try directory.facts(of: path).exists
      return exists || creator != nil
    } then: { [self] result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(false): completion(.success(nil))
      case .success(true):
        acquire(path, placement, creator ?? path.owner ?? Accounts.administratorTokenUser) { [self] result in
          if case .failure(let error) = result { return completion(.failure(error)) }
          guard isHere(path) else { return completion(.failure(.elsewhere(path))) }
          hold(path, creator: creator, completion)
        }
      }
    }
  }

  /// Tells of a commit of a consumer: the sessions of a realm, whose files may be closed while they rest, and its watches, which a realm
  /// that is open tells itself.
  private func committedByConsumer(_ path: Permissions.RealmPath) {
    let realm = realms[path]
    realm?.consumerCommitted()
    if realm?.isOpen != true { tellWatches(of: path) }
  }

  /// Wakes the consumers of a realm: there may be commits that they do not know, or the realm is gone.
  func tellWatches(of path: Permissions.RealmPath) {
    for watch in watches where watch.matches(path) { watch.note(path) }
  }

  private func endHold(_ path: Permissions.RealmPath) {
    guard var held = holds[path] else { return }
    held.count -= 1
    holds[path] = held.count == 0 ? nil : held
    guard held.count == 0, let waiter = held.waiter else { return }
    waiter.end.cancel()
    waiter.resume(true)
  }

  /// Asks the consumers of a realm for its files, and calls `completion` once nobody holds them, with true; or with false when
  /// consumers keep them for too long. One caller at a time waits for a realm, which it has locked.
  ///
  /// - Parameter goesOn: whether the realm leaves all the same then, so that consumers are to let go whenever they can.
  func afterHolds(
    of path: Permissions.RealmPath, goesOn: Bool = false, _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    guard let request = holds[path]?.request else { return completion(true) }
    request.isMade.store(true, ordering: .releasing)
    let end = scheduler.schedule(after: configuration.holdPatience) { [weak self] in
      self?.holds[path]?.waiter = nil
      if !goesOn { request.isMade.store(false, ordering: .releasing) }
      completion(false)
    }
    holds[path]?.waiter = (completion, end)
  }
}

extension ObjectServer {
  /// Opens the history of a realm for a consumer of its commits. From any thread.
  ///
  /// - Parameter creator: who is to have made the realm, when it is missing; nil makes none.
  /// - Returns: nil when there is no realm at the path, or it is being moved or deleted.
  /// - Throws: ``ServerError/Code/realmFailure`` when its files cannot be opened; ``ServerError/Code/realmConflict`` when another
  ///   node of a cluster has them; ``ServerError/Code/directoryFailure``.
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
