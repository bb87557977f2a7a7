public import ChangesetOT
public import DataModel

/// The outcome of one `UploadBatch`.
public enum UploadOutcome: Sendable {
  /// Integrated and durable.
  case integrated
  /// Taken, durably, with writes that have no effect; what undoes these is on its way to their author.
  case undone(UndoneUpload)
  /// Left out, with all of its changesets.
  case refused(UploadRefusal)
}

/// The reason why a batch was left out.
public enum UploadRefusal: Error, Sendable {
  /// A changeset cannot be decoded, merged or applied (212, or 225 for a contradicting schema).
  case badChangeset(BadChangesetError)
  /// An entry names an origin file that was never given out (216).
  case badOriginFile(FileIdent)
  /// The client file was never given out (208).
  case unknownClientFile(FileIdent)
  /// The client was away for too long (222).
  case clientFileExpired(FileIdent)
  /// The batch changes an object of the state that the client was brought up with, on a base before that state: there is no
  /// history to merge it with. The client must reset itself and repeat its changes (222).
  case madeBeforeState(ObjectReference)
  /// The batch was to have no effect, and its effect in the client's file cannot be undone (230).
  case cannotBeUndone(String)
  /// The batch builds on a version before this one, through which history is no longer kept (222).
  case historyTrimmed(ServerVersion)
  /// The batch is of a client that holds the whole realm, whose permissions do not let its user do that (206).
  case needsQueries
}
