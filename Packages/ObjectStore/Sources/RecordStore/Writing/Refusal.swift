import StorageEngine

/// The reason why an instruction does not fit the state.
struct Refusal: Error {
  let kind: ChangesetRefusal
  let reason: String

  init(_ kind: ChangesetRefusal, _ reason: String? = nil) {
    self.kind = kind
    self.reason = reason ?? kind.reason
  }

  /// The reason why an edit of records does not fit the state.
  init(_ reason: String) { self.init(.otherType, reason) }

  /// A failure of the storage that the instruction is to blame for; nil for those that it is not.
  init?(_ error: StorageError) {
    guard error.code == .tooLarge else { return nil }
    self.init(.limitExceeded, error.message)
  }
}
