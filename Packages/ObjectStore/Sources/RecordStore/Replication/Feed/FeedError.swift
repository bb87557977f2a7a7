public import ChangesetOT

/// A failure of a cursor; the file is as it was.
public enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no cursor of that name: it was removed, or the realm was deleted and made anew.
  case unknownCursor(String)
  /// The cursor has fallen behind: the history after it is not read any more.
  case fellBehind(FeedGap)
  /// The history has no such version: it comes from before the realm's file was restored or made anew.
  case unknownPosition(SaltedServerVersion, newest: SaltedServerVersion)

  /// The failure in words, and the remedy.
  public var description: String {
    switch self {
    case .unknownCursor(let name):
      "There is no cursor '\(name)'. Make it, and read the present state first."
    case .fellBehind(let gap):
      "Cursor '\(gap.cursor)' at version \(gap.position.rawValue) has fallen behind version "
        + "\(gap.newest.version.rawValue) (\(gap.reason)). Read the present state, and go on from its version."
    case .unknownPosition(let position, let newest):
      "The history, at version \(newest.version.rawValue), does not have the version \(position.version.rawValue) that was "
        + "handled: its file was restored or made anew. Read the present state, and go on from its version."
    }
  }
}
