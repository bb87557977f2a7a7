import SyncProtocol

/// The waits of the application for the server, by ident.
struct WaitTable {
  /// One wait.
  struct Wait {
    var direction: SyncSession.ProgressDirection
    /// Whether the wait ends with the first attempt that reaches no server.
    var needsConnection = false
    /// Called once, on the loop.
    var completion: @Sendable (Result<Void, SyncError>) -> Void

    /// The event that tells the machine of the wait.
    func event(_ number: WaitIdent, of session: SessionIdent) -> ClientConnection.Event {
      switch direction {
      case .upload: .waitForUploads(session, number)
      case .download: .waitForDownloads(session, number)
      }
    }
  }

  private var waits: [WaitIdent: Wait] = [:]
  private var latest: UInt64 = 0

  /// Every wait, the earliest first. O(*n* log *n*) in the waits.
  var all: [(number: WaitIdent, wait: Wait)] {
    waits.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }

  /// Adds a wait under a new ident.
  mutating func add(_ wait: Wait) -> WaitIdent {
    latest += 1
    let number = WaitIdent(rawValue: latest)
    waits[number] = wait
    return number
  }

  /// Whether the wait has not ended.
  func contains(_ number: WaitIdent) -> Bool { waits[number] != nil }

  /// Takes a wait out; nil when it has ended.
  mutating func remove(_ number: WaitIdent) -> Wait? { waits.removeValue(forKey: number) }

  /// Takes out the waits that satisfy a condition, the earliest first.
  mutating func remove(where condition: (Wait) -> Bool) -> [Wait] {
    let removed = all.filter { condition($0.wait) }
    for (number, _) in removed { waits[number] = nil }
    return removed.map(\.wait)
  }
}

/// Ends of waits, on the loop.
extension SyncSession {
  /// Ends every wait of one direction with success.
  func succeedWaits(_ direction: ProgressDirection) {
    for wait in waits.remove(where: { $0.direction == direction }) { wait.completion(.success(())) }
  }

  /// Ends every wait with an error.
  func failWaits(_ error: SyncError) {
    for wait in waits.remove(where: { _ in true }) { wait.completion(.failure(error)) }
  }

  /// Ends the waits that need a connection with an error.
  func failWaitsOnline(_ error: SyncError) {
    for wait in waits.remove(where: \.needsConnection) { wait.completion(.failure(error)) }
  }
}
