/// The marks that a server process puts on the versions it makes.
struct ServerIncarnation: Hashable, Sendable {
  /// The salt of the versions; nil goes on with the salt of the file.
  var salt: Int64?
  /// The epoch of the owner that makes them; nil goes on with the epoch of the file.
  var epoch: OwnerEpoch?
}
