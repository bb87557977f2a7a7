/// The clients with queries for which new versions of a server's history may have something.
///
/// A client that is not in the audience would be sent nothing but a newer cursor.
public enum ViewAudience: Hashable, Sendable {
  /// All of them: the versions could not be judged by their objects, or nobody watches.
  case everyone
  /// These client files; all others have nothing to be sent.
  case files(Set<FileIdent>)

  /// The clients of both.
  public func union(_ other: ViewAudience) -> ViewAudience {
    guard case .files(let own) = self, case .files(let others) = other else { return .everyone }
    return .files(own.union(others))
  }
}
