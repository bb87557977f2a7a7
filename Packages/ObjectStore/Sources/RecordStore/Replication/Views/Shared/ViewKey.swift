import ChangesetOT

/// The identity of a view: clients with equal keys are sent the same, but for what they wrote themselves.
struct ViewKey: Hashable, Sendable {
  /// The subscription set as JSON text.
  let queries: String
  /// Whether the view holds what its objects link to.
  let followsLinks: Bool
  /// The user, where roles inside the realm bound what the user may read; nil where they do not, and all users are alike.
  let user: ViewAccess?

  /// - Parameter isBounded: whether roles bound the user.
  init(_ set: QuerySet, _ access: ViewAccess?, isBounded: Bool) {
    queries = set.json
    followsLinks = access?.followsLinks ?? false
    user = isBounded ? access : nil
  }
}
