import ChangesetOT

/// One session of a server connection.
struct ServerSession: Hashable, Sendable {
  var key: SessionKey
}
