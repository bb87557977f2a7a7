import ChangesetOT

/// The subscription sets of flexible sync.
extension ServerConnection {
  /// Handles QUERY.
  mutating func queryChanged(_ message: QueryChangeMessage) {
    guard let session = sessions[message.session] else { return }
    switch session.stage {
    case .active: take(message.query, of: session.key)
    case .opening(_?), .verifying:
      queue(bytes: message.query.weight, for: message.session)
      sessions[message.session]?.updateClaim { $0.messages.append(.query(message.query)) }
    case .opening(nil), .allocating, .bound, .failed:
      fail(ConnectionFailure(.badMessageOrder, "QUERY of \(message.session) before IDENT"))
    }
  }

  /// Queues a set of an active session, or refuses it for its size.
  mutating func take(_ query: QuerySet, of key: SessionKey) {
    guard var active = sessions[key.ident]?.active else { return }
    if let fault = fault(of: query) { return refuse(query.version, fault, of: key) }
    switch active.queries?.receive(query) {
    case .waits:
      sessions[key.ident]?.stage = .active(active)
      queue(bytes: query.weight, for: key.ident)
      takeTurns(key)
      startScan(key.ident)
    case .outdated:
      fail(key.ident, SessionFailure(.badQuery, "query version \(query.version.rawValue) is older than the last one"))
    case .known, nil: break
    }
  }

  /// The fault of a set above the limits, which nobody looks at; nil within them.
  ///
  /// - Complexity: O(sessions).
  func fault(of query: QuerySet) -> String? {
    let size = query.json.utf8.count
    guard size <= settings.queryBytes else {
      return "Invalid query: the set has \(size) bytes, and the limit is \(settings.queryBytes)"
    }
    let held = sessions.values.reduce(0) { $0 + ($1.active?.queries?.heldBytes ?? 0) }
    guard held + size <= settings.connectionQueryBytes else {
      return "Invalid query: the sets of the connection have more than \(settings.connectionQueryBytes) bytes"
    }
    return nil
  }

  /// Keeps a verified upload until the query before it has taken effect.
  mutating func holdBehindQuery(_ batch: UploadBatch, acknowledging version: ClientVersion?, for key: SessionKey) {
    var replaced = 0
    sessions[key.ident]?.updateActive { replaced = $0.queries?.receive(batch, acknowledging: version) ?? 0 }
    drop(replaced, of: key)
    queue(bytes: batch.weight, for: key.ident)
  }

  /// Performs the messages that waited behind a query and whose turn has come.
  mutating func takeTurns(_ key: SessionKey) {
    while isActive(key), let step = nextStep(key.ident) {
      drop(step.weight, of: key)
      switch step {
      case .query: scanAgain(key.ident)
      case .upload(let batch, acknowledging: let version): begin(batch, acknowledging: version, for: key)
      }
    }
  }

  private mutating func nextStep(_ ident: SessionIdent) -> SessionQueries.Step? {
    var step: SessionQueries.Step?
    sessions[ident]?.updateActive { active in
      let isBusy = active.isBusy
      step = active.queries?.next(isBusy: isBusy)
    }
    return step
  }

  /// Removes the weight of a message that waited from the backlog.
  private mutating func drop(_ weight: Int, of key: SessionKey) {
    sessions[key.ident]?.backlog -= weight
    release(bytes: weight)
  }

  /// Handles the answer that a set cannot be served.
  mutating func queryRefused(_ key: SessionKey, _ query: QueryVersion, _ message: String) {
    guard isCurrent(key), var active = sessions[key.ident]?.active, active.queries != nil, active.scan != .none else {
      return
    }
    active.scan = .none
    active.needsScan = true
    switch active.queries?.refused(query) {
    case .set(resumingAt: let start, requeued: let weight):
      if let start {
        active.cursor = start
        active.owesDownload = true
      }
      sessions[key.ident]?.stage = .active(active)
      refuse(query, message, of: key)
      queue(bytes: weight, for: key.ident)
    case .session: return fail(key.ident, SessionFailure(.badQuery, message))
    case .stale, nil: sessions[key.ident]?.stage = .active(active)
    }
    takeTurns(key)
    startScan(key.ident)
  }

  /// Sends QUERY_ERROR; the session goes on with the set before.
  private mutating func refuse(_ query: QueryVersion, _ message: String, of key: SessionKey) {
    actions.append(
      .send(.queryError(QueryErrorMessage(code: .badQuery, session: key.ident, query: query, message: message))))
  }
}
