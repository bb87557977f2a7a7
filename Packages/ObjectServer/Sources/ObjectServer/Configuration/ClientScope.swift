import Transport

/// The clients that may do something without having proven who they are.
public enum ClientScope: String, CaseIterable, Hashable, Sendable {
  /// All clients.
  case all
  /// Clients on this machine. What a proxy forwards does not come from there.
  case local
  /// No client.
  case none

  /// Whether the sender of a request is among them.
  ///
  /// - Parameter isBehindProxy: ``ServerConfiguration/isBehindProxy``.
  func admits(_ request: HTTPRequest, behindProxy isBehindProxy: Bool) -> Bool {
    switch self {
    case .all: true
    case .local: request.beginsHere(behindProxy: isBehindProxy)
    case .none: false
    }
  }
}
