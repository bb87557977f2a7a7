import ChangesetOT

/// One session of a client connection.
struct ClientSession: Hashable, Sendable {
  var setup: SessionSetup
}
