/// The sessions of one user, in no order. One module cannot have a property and a function of one name: so the property
/// `user.allSessions` gives this, which can be called as the older function.
public struct SyncSessions: RandomAccessCollection, Sendable {
  let sessions: [SyncSession]

  /// The sessions.
  public func callAsFunction() -> [SyncSession] { sessions }

  /// The first position.
  public var startIndex: Int { sessions.startIndex }
  /// The position behind the last.
  public var endIndex: Int { sessions.endIndex }
  /// The session at a position.
  public subscript(position: Int) -> SyncSession { sessions[position] }
}
