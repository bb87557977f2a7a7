import Concurrency
import Permissions
import SyncProtocol
import Telemetry

extension SyncHub {
  /// The failure of a session whose realm has no place that answers now.
  ///
  /// Clients are told to wait a second, then two each time: without the advice they would end at five minutes.
  static let moving: SessionFailure = {
    var failure = SessionFailure(
      .sessionClosed, "another server takes the realm over; it will be tried again", tryAgain: true)
    failure.details.backoff = BackoffAdvice(interval: 1, maximum: 2, multiplier: 2)
    return failure
  }()

  /// The failure of a session whose realm was given to another node: its client comes back at once, and is passed on.
  ///
  /// The code is not 200, after which stock clients rest for a second whatever the advice is.
  static let handedOver: SessionFailure = {
    var failure = SessionFailure(
      .initialSyncNotCompleted, "another server has the realm now; it will be tried again", tryAgain: true)
    failure.details.backoff = BackoffAdvice(interval: 0, maximum: 10, multiplier: 2)
    return failure
  }()

  /// A realm by its present path, with its place.
  struct PlacedRealm: Sendable {
    var path: Permissions.RealmPath
    var place: RealmPlace
  }

  /// Finds the place of a realm by one of its names; of one that nobody has, the place after an attempt to take it. On the loop.
  ///
  /// - Parameters:
  ///   - payer: the user who is charged.
  ///   - passer: the name of the node that passed the client on. Where this one takes that node for the owner, it looks again: it
  ///     may have been given the realm a moment ago.
  ///   - completion: called on the loop; at once for a realm that is in use here, and for one that leaves when its files are closed.
  func place(
    _ named: Permissions.RealmPath, for payer: UserId, passedBy passer: String? = nil,
    then completion: @escaping @Sendable (Result<PlacedRealm, ServerError>) -> Void
  ) {
    guard let placement = member?.placement else { return completion(.success(PlacedRealm(path: named, place: .here))) }
    if realms[named] != nil, placement.place(of: named) == .here {
      return completion(.success(PlacedRealm(path: named, place: .here)))
    }
    let directory = directory
    context.perform(.directory) { () throws(ServerError) in
      try directory.renamedPath(of: named) ?? named
    } then: { [weak self] result in
      switch result {
      case .failure(let error):
        self?.logger.error("the directory failed", ["reason": LogValue("\(error)")])
        completion(.failure(error))
      case .success(let path):
        self?.place(path, placement, payer, passedBy: passer, completion)
      }
    }
  }

  private func place(
    _ path: Permissions.RealmPath, _ placement: any RealmPlacement, _ payer: UserId, passedBy passer: String?,
    _ completion: @escaping @Sendable (Result<PlacedRealm, ServerError>) -> Void
  ) {
    guard !isLeaving(path) else {
      return waiting.append((path, { [weak self] in self?.acquire(path, placement, payer, completion) }))
    }
    let place = placement.place(of: path)
    switch place {
    case .nobody: acquire(path, placement, payer, completion)
    case .node(let node) where node.name == passer: acquire(path, placement, payer, completion)
    case .here, .node: completion(.success(PlacedRealm(path: path, place: place)))
    }
  }

  /// Takes a realm that nobody has, or finds who has it; askers of one realm share the attempt.
  func acquire(
    _ path: Permissions.RealmPath, _ placement: any RealmPlacement, _ payer: UserId,
    _ completion: @escaping @Sendable (Result<PlacedRealm, ServerError>) -> Void
  ) {
    acquiring[path, default: []].append(completion)
    guard acquiring[path]?.count == 1 else { return }
    let job = JobAttributes(.placement(path.description), payers: [payer.rawValue])
    context.perform(job) { () throws(ServerError) in
      try placement.acquire(path)
    } then: { [weak self] result in
      guard let self else { return }
      if case .failure(let error) = result {
        logger.error("a realm cannot be taken", ["path": .string(path.description), "reason": LogValue("\(error)")])
      }
      for completion in acquiring.removeValue(forKey: path) ?? [] {
        completion(result.map { PlacedRealm(path: path, place: $0) })
      }
    }
  }

  /// The refusal of work on a realm that is not here; nil for one that is.
  func elsewhere(_ path: Permissions.RealmPath) -> ServerError? {
    isHere(path) ? nil : .elsewhere(path)
  }

  /// Whether this server may open the files of a realm.
  func isHere(_ path: Permissions.RealmPath) -> Bool {
    guard let placement = member?.placement else { return true }
    return placement.place(of: path) == .here && !isLeaving(path)
  }

  /// Whether the files of a realm are being closed for another node.
  func isLeaving(_ path: Permissions.RealmPath) -> Bool { leaving.values.contains { $0(path) } }
}

extension ServerError {
  /// The refusal of work on a realm whose files another node has, or is about to have.
  static func elsewhere(_ path: RealmPath) -> ServerError {
    ServerError(
      .realmConflict, "another server of the cluster has the realm \(path), or takes it over",
      remedy: "ask again in a moment; consumers of commits run at the server that has the realm")
  }
}
