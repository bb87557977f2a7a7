/// The new changesets of one UPLOAD, to be integrated together or not at all.
public struct UploadBatch: Hashable, Sendable {
  /// The client file.
  public var file: FileIdent
  /// The progress pair to be stored with the batch; it never moves backwards.
  public var progress: UploadCursor
  /// The locked version to be stored with the batch.
  public var lockedServerVersion: ServerVersion
  /// The changesets in the order of their client versions. Those at or below the integrated version are skipped.
  public var entries: [UploadEntry]
  /// Whether the entries are taken without effect and undone in the client's file, because its user may only read.
  public var hasNoEffect: Bool
  /// The access of the user to the realm and the rule that gives it, such as `read, by a grant to everyone`: for the author of
  /// entries without effect. Empty when it is not known.
  public var accessRule = ""
  /// The subscription set that the entries were written under; nil in full sync. A write to an object outside of its queries
  /// is undone in the client's file.
  public var queries: QuerySet?
  /// The author; nil when no roles are to be applied.
  public var access: ViewAccess?

  /// A batch.
  public init(
    file: FileIdent, progress: UploadCursor, lockedServerVersion: ServerVersion, entries: [UploadEntry],
    hasNoEffect: Bool = false, queries: QuerySet? = nil, access: ViewAccess? = nil
  ) {
    self.file = file
    self.progress = progress
    self.lockedServerVersion = lockedServerVersion
    self.entries = entries
    self.hasNoEffect = hasNoEffect
    self.queries = queries
    self.access = access
  }
}
