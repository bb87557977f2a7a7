public import ChangesetOT

/// The history that a client would need next is no longer kept.
public struct TrimmedHistoryError: Error, Sendable, CustomStringConvertible {
  /// The newest version that is trimmed away.
  public var base: ServerVersion

  /// An error for history that is kept only after `base`.
  public init(base: ServerVersion) { self.base = base }

  /// The message.
  public var description: String { "history through version \(base.rawValue) is no longer kept" }
}
