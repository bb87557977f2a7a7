import ChatCore
import RealmSwift

extension ChatStatus {
  /// The state of several sessions as one: the worst of them.
  init(_ statuses: [SyncStatus], isOffline: Bool) {
    self.init(pendingUploads: statuses.reduce(0) { $0 + $1.pendingUploads })
    let connections = statuses.map { status -> Connection in
      switch (status.state, status.connection) {
      case (.inactive, _): .offline
      case (.invalid, _): .disconnected
      case (.active, _) where status.isSyncedElsewhere: .elsewhere
      case (.active, .connected): .connected
      case (.active, .connecting), (.active, .disconnected): status.lastError == nil ? .connecting : .disconnected
      }
    }
    let order: [Connection] = [.offline, .disconnected, .connecting, .elsewhere, .connected]
    connection = isOffline ? .offline : order.first { connections.contains($0) } ?? .offline
    // Refused writes and lost connections have words of their own.
    let errors = statuses.compactMap(\.lastError).filter { error in
      error.code != .writeRejected && (error.isFatal || error.code != .connectionFailed)
    }
    if !isOffline, let error = errors.first { problem = Problem(error) }
  }
}

extension ChatStatus.Problem {
  /// An error of a session. The realms of the chat are open to every user as soon as it is set up.
  init(_ error: SyncError) {
    let isClosed = error.code == .permissionDeniedError
    self.init(
      error.message,
      remedy: isClosed ? "an administrator of the server runs 'chat lockdown' once; then start again" : error.remedy)
  }
}

extension SyncSession {
  /// Tries to connect unless an attempt is under way or the server said how long to wait.
  func reconnectIfUnreachable() {
    let status = status
    if status.connection == .disconnected, status.lastError?.code == .connectionFailed { reconnect() }
  }
}
