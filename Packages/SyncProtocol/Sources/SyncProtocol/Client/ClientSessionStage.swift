import ChangesetOT

extension ClientSession {
  /// The exchange with the server about the session, on the present connection.
  enum Stage: Hashable, Sendable {
    /// BIND is not sent.
    case unbound
    /// BIND is sent.
    case bound(Exchange, Closing)
  }

  /// The progress of a bound session up to the flow of data.
  enum Exchange: Hashable, Sendable {
    /// BIND asked for a file ident, which has not arrived.
    case awaitingIdent
    /// The file ident has arrived and is being stored.
    case storingIdent
    /// The file ident is known; IDENT is not sent.
    case identified
    /// IDENT is sent: data flows.
    case active
  }

  /// The progress of a bound session towards its end.
  enum Closing: Hashable, Sendable {
    /// The session goes on.
    case none
    /// The server has ended the session with an error; UNBIND is due. `bindsAgain`: BIND follows it.
    case errorReceived(bindsAgain: Bool)
    /// UNBIND is sent without an error; UNBOUND will follow.
    case unbindSent
    /// UNBIND is sent after an error: the ident is free for another BIND.
    case over
  }

  /// The participation of a session in connections, beyond the present one.
  enum Availability: Hashable, Sendable {
    /// The session binds when a connection is open.
    case running
    /// The session waits for the resume timer.
    case suspended
    /// The session waits for ``ClientConnection/Event/reconnectNow``.
    case failed
    /// The session waits for its owner, who ends it and activates another one.
    case awaitingOwner
  }

  /// The ident of the client file.
  enum FileIdentity: Hashable, Sendable {
    /// BIND must ask for an ident.
    case unknown
    /// The server's answer is being stored in the file.
    case storing(SaltedFileIdent)
    /// The ident is stored in the file.
    case known(SaltedFileIdent)

    /// The ident; none unless known.
    var ident: SaltedFileIdent { if case .known(let ident) = self { ident } else { .none } }
  }
}

extension ClientSession.Stage {
  /// The exchange, whether or not the session is closing; nil before BIND.
  var exchange: ClientSession.Exchange? { if case .bound(let exchange, _) = self { exchange } else { nil } }

  /// Whether BIND is sent on this connection.
  var isBound: Bool { self != .unbound }

  /// Whether the server has ended the session with an error.
  var hasFailed: Bool {
    switch self {
    case .bound(_, .errorReceived), .bound(_, .over): true
    case .unbound, .bound(_, .none), .bound(_, .unbindSent): false
    }
  }

  /// Whether UNBIND can be sent: after BIND, once.
  var allowsUnbind: Bool {
    switch self {
    case .bound(_, .none), .bound(_, .errorReceived): true
    case .unbound, .bound(_, .unbindSent), .bound(_, .over): false
    }
  }
}
