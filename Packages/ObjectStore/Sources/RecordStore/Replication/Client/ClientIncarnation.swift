public import ChangesetOT

/// The identity of a client file at the server, at present or before a reset gave it another ident.
///
/// A server that knows it descends from the one that gave it out, and has every local change up to ``settled`` and what it
/// integrated of this file after that.
public struct ClientIncarnation: Hashable, Sendable {
  /// The ident with its salt.
  public var file: SaltedFileIdent
  /// Local changes up to here were part of the state that the file went on from as this one.
  public var settled: ClientVersion

  /// An identity.
  public init(file: SaltedFileIdent, settled: ClientVersion) {
    self.file = file
    self.settled = settled
  }
}
