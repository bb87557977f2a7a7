import ChangesetOT
import Concurrency
import SyncProtocol

/// The subscription sets of a session: from the file to the machine of the connection, and back. On the loop.
extension SyncSession {
  /// The sets that the present connection knows, and the waits for them.
  struct QueryParts {
    /// The newest set that the machine was told of.
    var announced = QueryVersion.zero
    /// Waits for downloads that begin when their set is no longer on its way.
    var parked: [(version: QueryVersion, wait: WaitIdent)] = []
  }

  /// Whether the realm is synced by queries.
  var isQueried: Bool { target.flavour == .flexible }

  /// The path field of BIND.
  var bindingPath: String {
    isQueried ? FlexibleBinding(sessionReason: role == .reset ? 1 : 0).path : target.path
  }

  /// Tells the machine of sets that it does not know.
  func announce(_ queries: FileQueries?) {
    guard let queries, let (connection, ident) = membership else { return }
    for pending in queries.pending where pending.query.version > queryParts.announced {
      queryParts.announced = pending.query.version
      connection.handle(.changeQuery(ident, pending.query, after: pending.snapshot))
    }
  }

  /// Reads the sets of the file, after a commit that may have changed them.
  func readQueries() {
    guard isQueried, let file = file as? any QueriedFile else { return }
    work {
      try file.queries()
    } then: { session, result in
      guard case .success(let queries?) = result else { return }
      session.announce(queries)
      session.settleParkedWaits(queries)
    }
  }

  /// Lets a wait for downloads begin when no set is on its way any more.
  ///
  /// - Returns: whether the wait is parked.
  func park(_ number: WaitIdent, until queries: FileQueries?) -> Bool {
    guard let version = queries?.pending.last?.query.version else { return false }
    queryParts.parked.append((version, number))
    return true
  }

  /// Begins the waits whose set is served, and ends those whose set was refused.
  private func settleParkedWaits(_ queries: FileQueries) {
    let awaited = Set(queries.pending.map(\.query.version))
    let settled = queryParts.parked.filter { !awaited.contains($0.version) }
    guard !settled.isEmpty else { return }
    queryParts.parked.removeAll { !awaited.contains($0.version) }
    for (version, number) in settled {
      if let refusal = queries.refused.first(where: { $0.version == version }) {
        waits.remove(number)?.completion(.failure(SyncError(refusal)))
      } else if waits.contains(number), let (connection, ident) = membership {
        connection.handle(.waitForDownloads(ident, number))
      }
    }
  }

  /// Whether a wait is not to be told to the machine yet.
  func isParked(_ number: WaitIdent) -> Bool { queryParts.parked.contains { $0.wait == number } }

  /// Stores what the server said about a set.
  func noteQuery(_ task: String, _ body: @escaping @Sendable (any QueriedFile) throws -> Void) {
    guard let file = file as? any QueriedFile else { return }
    work {
      try body(file)
      return try file.queries()
    } then: { session, result in
      switch result {
      case .success(let queries): if let queries { session.settleParkedWaits(queries) }
      case .failure(let error): session.failed(session.failure(error, doing: task))
      }
    }
  }
}

extension SyncError {
  /// A set of subscriptions that the server cannot serve.
  init(_ refusal: FileQueries.Refusal) {
    self.init(
      .invalidFlexibleSyncSubscriptions, refusal.message, remedy: "correct the query, or remove the subscription")
  }
}
