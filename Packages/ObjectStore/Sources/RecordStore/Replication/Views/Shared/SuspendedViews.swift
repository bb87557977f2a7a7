/// The watched views of a realm whose file is closed while its clients stay: what concerns them is known when it is opened
/// again.
public struct SuspendedViews: Sendable {
  let views: SharedViews
  /// The salt of the newest version.
  let salt: Int64

  /// Watched views that were lost: everyone may be concerned.
  public static let unknown = SuspendedViews(views: .unknown, salt: 0)
}
