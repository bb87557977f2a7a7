public import ChangesetOT
public import DataModel

/// What became of one ``UploadBatch``.
public enum UploadOutcome: Sendable {
  /// Integrated and durable.
  case integrated
  /// Taken without effect, durably; what undoes it is on its way to its author.
  case undone(UndoneUpload)
  /// Left out, with all of its changesets.
  case refused(UploadRefusal)
}

/// Why a batch was left out.
public enum UploadRefusal: Error, Sendable {
  /// A changeset cannot be decoded, merged or applied (212, or 225 for a contradicting schema).
  case badChangeset(BadChangesetError)
  /// An entry names an origin file that was never given out (216).
  case badOriginFile(FileIdent)
  /// The client file was never given out (208).
  case unknownClientFile(FileIdent)
  /// The client was away for too long (222).
  case clientFileExpired(FileIdent)
  /// It changes what the client was brought up with from a state, on a base before that state: there is no history to
  /// merge it with. The client must reset itself, and do its changes again (222).
  case madeBeforeState(ObjectReference)
  /// It was to have no effect, and what it does in the client's file cannot be undone (230).
  case cannotBeUndone(String)
  /// It builds on a version from before this one, through which history is no longer kept (222).
  case historyTrimmed(ServerVersion)
}
