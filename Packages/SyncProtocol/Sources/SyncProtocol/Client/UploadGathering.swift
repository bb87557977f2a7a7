import ChangesetOT

/// Gathers changes for the next UPLOAD while a small one is not acknowledged, as Nagle does on a socket: who commits one
/// change after another is sent and acknowledged in as many messages as the server can take.
///
///     commit │ UPLOAD │ commit, commit, commit │ DOWNLOAD acknowledges │ UPLOAD of three
///
/// A change that finds everything acknowledged goes out at once.
struct UploadGathering: Hashable, Sendable {
  /// When the last UPLOAD went out, if it is small.
  private var start: Duration?
  /// Whether a timer runs until ``end``.
  var isTimed = false

  /// Bytes of changesets from which on nothing is gained by gathering.
  static let smallBytes = 8 << 10
  /// However long an acknowledgement takes, changes are not held back for longer.
  static let longest: Duration = .milliseconds(30)

  mutating func sent(_ entries: [UploadEntry], at now: Duration) {
    start = entries.reduce(0) { $0 + $1.changeset.count } < Self.smallBytes ? now : nil
  }

  /// When changes go out even if the last UPLOAD is not acknowledged.
  var end: Duration { start.map { $0 + Self.longest } ?? .zero }
}
