import Permissions
import SyncProtocol
import Telemetry

extension SyncHub {
  typealias Completion = @Sendable (Result<Void, ServerError>) -> Void

  static let busy = SessionFailure(
    .sessionClosed, "the realm is being moved or deleted; it will be tried again", tryAgain: true)

  /// Deletes a realm with its grants and files, also while clients have sessions.
  ///
  /// Their sessions end with the order to reset (208). The next user with access to the path creates a new, empty realm with
  /// another history; a client that reset uploads only what it had not uploaded before.
  func deleteRealm(_ path: Permissions.RealmPath, then completion: @escaping Completion) {
    let (directory, stores) = (directory, stores)
    withdraw(path, SessionFailure(.badClientFileIdent, "the realm was deleted")) { () throws(ServerError) in
      // In this order, an end in between leaves an empty realm, which can be deleted again, and no content that the next one gets. A path
      // that only leads to a realm has none.
      if try directory.facts(of: path).exists { try Self.changingFiles(path) { try stores.remove(path) } }
      guard try directory.deleteRealm(path) else {
        throw ServerError(.realmConflict, "there is no realm at \(path)", remedy: "name a realm that exists")
      }
    } then: { [logger] result in
      if case .success = result { logger.info("a realm was deleted", ["path": .string(path.description)]) }
      completion(result)
    }
  }

  /// Gives a realm another path, with its grants and files, also while clients have sessions.
  ///
  /// Their sessions end with the order to come back (200), and continue: the old path still opens the realm, for users with
  /// access to the new one. The files of clients stay as they are; a client that opens the new path downloads the realm.
  func renameRealm(
    _ path: Permissions.RealmPath, to newPath: Permissions.RealmPath, then completion: @escaping Completion
  ) {
    let (directory, stores) = (directory, stores)
    withdraw(path, to: newPath, Self.busy) { () throws(ServerError) in
      guard try directory.renameRealm(path, to: newPath) else {
        throw ServerError(
          .realmConflict, "there is no realm at \(path), or there is one at \(newPath)",
          remedy: "name a realm that exists, and a path that is free")
      }
      do throws(ServerError) {
        try Self.changingFiles(path) { try stores.move(path, to: newPath) }
      } catch {
        _ = try directory.renameRealm(newPath, to: path)
        throw error
      }
    } then: { [logger] result in
      if case .success = result {
        logger.info("a realm was renamed", ["path": .string(path.description), "to": .string(newPath.description)])
      }
      completion(result)
    }
  }

  /// Waits for the consumers of a realm, ends every session of it, closes its files, performs `work`, and admits sessions and
  /// consumers again. When consumers keep the files for too long, nothing is done, and the sessions go on.
  ///
  /// - Parameter newPath: the path at which the realm is afterwards, when it is moved.
  private func withdraw(
    _ path: Permissions.RealmPath, to newPath: Permissions.RealmPath? = nil, _ failure: SessionFailure,
    _ work: @escaping @Sendable () throws(ServerError) -> Void,
    then completion: @escaping Completion
  ) {
    if let error = elsewhere(path) { return completion(.failure(error)) }
    guard locked.insert(path).inserted else {
      return completion(
        .failure(ServerError(.realmConflict, "the realm is being moved or deleted already", remedy: "wait for it")))
    }
    let finish: Completion = { [self] result in
      locked.remove(path)
      // Consumers gave the files back, or were refused them.
      tellWatches(of: path)
      if let newPath { tellWatches(of: newPath) }
      completion(result)
    }
    afterHolds(of: path) { [self] isFree in
      guard isFree else { return finish(.failure(Self.isHeld(path))) }
      endSessions(of: path, failure) { [self] in
        context.perform(.directory, work) { [self] result in
          if case .success = result { authors.forget(path) }
          whenFilesChanged(path)
          finish(result)
        }
      }
    }
  }

  /// Ends every session of a realm and closes its files.
  func endSessions(
    of path: Permissions.RealmPath, _ failure: SessionFailure, then completion: @escaping @Sendable () -> Void
  ) {
    graphQL?.withdrawn(path)
    guard let realm = realms[path] else { return completion() }
    for (ident, member) in realm.ordered() { member.deliver(.sessionFailed(ident.session, failure)) }
    realm.afterWork {
      realm.close { [self] in
        if realms[path] === realm { realms[path] = nil }
        completion()
      }
    }
  }

  private static func isHeld(_ path: Permissions.RealmPath) -> ServerError {
    ServerError(
      .realmConflict, "an event handler holds the files of \(path)", remedy: "try again when it has returned")
  }

  private static func changingFiles(_ path: Permissions.RealmPath, _ work: () throws -> Void) throws(ServerError) {
    do {
      try work()
    } catch {
      throw ServerError(
        .realmFailure, "the files of \(path) cannot be changed", remedy: "check the disk and its permissions",
        cause: error)
    }
  }
}
