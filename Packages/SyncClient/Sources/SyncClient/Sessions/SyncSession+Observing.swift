import Concurrency
import SyncProtocol
import Synchronization
import Transport

extension SyncSession {
  /// Calls `block` with the present status soon, and on every change, on the client's loop.
  ///
  /// - Returns: the token that keeps the observation.
  public func observe(_ block: @escaping @Sendable (SyncStatus) -> Void) -> SyncToken {
    let number = shared.withLock { shared in
      shared.nextObserver += 1
      shared.observers[shared.nextObserver] = block
      return shared.nextObserver
    }
    scheduler.execute { [weak self] in
      guard let self else { return }
      let (block, status) = shared.withLock { ($0.observers[number], $0.status) }
      block?(status)
    }
    return SyncToken { [weak self] in _ = self?.shared.withLock { $0.observers.removeValue(forKey: number) } }
  }

  /// Calls `block` with the present connection state soon, and whenever it changes, on the client's loop.
  ///
  /// - Returns: the token that keeps the observation.
  public func observeConnectionState(_ block: @escaping @Sendable (ConnectionState) -> Void) -> SyncToken {
    let last = Mutex<ConnectionState?>(nil)
    return observe { status in
      let isNew = last.withLock { last in
        defer { last = status.connection }
        return last != status.connection
      }
      if isNew { block(status.connection) }
    }
  }

  /// Adds a handler of errors, called on the client's loop. Errors that the back-off mends appear in ``status`` only.
  public func onError(_ handler: @escaping @Sendable (SyncError, SyncSession) -> Void) {
    shared.withLock { $0.errorHandlers.append(handler) }
  }

  /// Keeps an observation as long as the session lives.
  func keep(_ token: SyncToken?) {
    if let token { shared.withLock { $0.kept.append(token) } }
  }

  /// Changes the status and calls the observers. On the loop.
  func change(_ edit: (inout SyncStatus) -> Void) {
    let (status, observers) = shared.withLock { shared in
      edit(&shared.status)
      return (shared.status, Array(shared.observers.values))
    }
    for observer in observers { observer(status) }
  }

  /// The connection is in another state. On the loop.
  func connectionChanged(_ state: ClientConnection.ConnectionState) {
    change { status in
      status.connection = ConnectionState(rawValue: state.rawValue) ?? .disconnected
      if status.connection != .connected { status.isDownloadKnown = false }
    }
  }
}
