import Concurrency
import Permissions
import RecordStore

// Consumers of commits hold the files of realms, which are not changed meanwhile.

extension SyncHub {
  /// Opens the history of a realm for a consumer. On the loop.
  ///
  /// The realm is looked up in the queue in which realms are moved and removed, so never while that is done; what begins later waits
  /// for the hold. The files are opened in the queue of the realm's consumers: bringing them up may take long, and nobody else waits.
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
    holds[path, default: HeldFiles()].count += 1
    let (directory, stores, clock) = (directory, stores, context.scheduler)
    context.perform(.directory) { () throws(ServerError) -> Bool in
      let exists = try directory.facts(of: path).exists
      guard let creator else { return exists }
      if try directory.recordRealm(path, createdBy: creator, at: clock.wallTime) {
        // Here, so that nobody finds the new realm without its files and takes them for lost.
        try Self.openingFiles(path) { try stores.open(path, isNew: true).close() }
      }
      return true
    } then: { [self] result in
      switch result {
      case .success(true): open(path, makesFiles: creator != nil, completion)
      case .success(false): end(path, .success(nil), completion)
      case .failure(let error): end(path, .failure(error), completion)
      }
    }
  }

  /// Opens the files of a realm that is held.
  ///
  /// - Parameter makesFiles: whether files that are missing are made.
  private func open(
    _ path: Permissions.RealmPath, makesFiles: Bool,
    _ completion: @escaping @Sendable (Result<RealmHold?, ServerError>) -> Void
  ) {
    let stores = stores
    context.perform(.consumers(path)) { () throws(ServerError) -> ServerHistory? in
      try Self.openingFiles(path) {
        if let history = try stores.history(of: path) { return history }
        guard makesFiles else { return nil }
        try stores.open(path, isNew: false).close()
        return try stores.history(of: path)
      }
    } then: { [self] result in
      switch result {
      case .success(let history?):
        filesOpened(of: path)
        completion(.success(hold(of: history, at: path)))
      case .success(nil): end(path, .success(nil), completion)
      case .failure(let error):
        end(path, .failure(error), completion)
        filesFailed(of: path)
      }
    }
  }

  private func hold(of history: ServerHistory, at path: Permissions.RealmPath) -> RealmHold {
    let scheduler = scheduler
    return RealmHold(
      path: path, history: history, executor: context.executor, request: holds[path]?.request ?? HoldRequest(),
      committed: { scheduler.execute { [self] in committedByConsumer(path) } },
      end: { scheduler.execute { [self] in letGo(of: path) } })
  }

  /// Ends a hold that came to nothing.
  private func end(
    _ path: Permissions.RealmPath, _ result: Result<RealmHold?, ServerError>,
    _ completion: @Sendable (Result<RealmHold?, ServerError>) -> Void
  ) {
    endHold(path)
    completion(result)
  }

  private static func openingFiles<Value>(
    _ path: Permissions.RealmPath, _ body: () throws -> Value
  ) throws(ServerError) -> Value {
    do { return try body() } catch {
      throw ServerError(
        .realmFailure, "the files of \(path) cannot be opened", remedy: "'verify' tells whether they are damaged",
        cause: error)
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
