import ChangesetOT

/// Coalesces changes for the next UPLOAD while a small one is not acknowledged, as Nagle does on a socket: who commits one
/// change after another is sent and acknowledged in as many messages as the server can take.
///
///     commit │ UPLOAD │ commit, commit, commit │ DOWNLOAD acknowledges │ UPLOAD of three
///
/// A change that finds everything acknowledged goes out at once. However long the way to the server is, changes are not held
/// back for long. A server that is behind, which takes much longer to acknowledge than it once did, would have to take every
/// message that is not coalesced besides all the others that wait for it: for it they coalesce longer.
///
/// Who commits so much that some changes were coalesced commits a stream: its next changes coalesce as long even if the server
/// is quick. Each message costs both sides more than what is in it, and the server's answer a commit here.
struct UploadCoalescing: Hashable, Sendable {
  /// When the last UPLOAD went out, if it is small.
  private var start: Duration?
  /// When the changes of a stream go out, be the last ones acknowledged or not.
  private(set) var streamEnd: Duration = .zero
  /// Whether a timer runs until ``end`` or ``streamEnd``.
  var isTimed = false

  /// The UPLOAD whose acknowledgement is timed: the last of its changes, and when it went out.
  private var timed: ClientVersion?
  private var timedSince: Duration = .zero
  /// The shortest time that an acknowledgement took on this connection.
  private var quickest: Duration?
  /// Whether the server takes much longer than that now.
  private(set) var isServerBehind = false

  /// Bytes of changesets from which on nothing is gained by coalescing.
  static let smallBytes = 8 << 10
  /// However long an acknowledgement takes, changes are not held back for longer.
  static let longest: Duration = .milliseconds(30)
  /// Nor for longer than this by a server that is behind.
  static let longestWhileBehind: Duration = .milliseconds(100)
  /// Nor for longer than this in a stream.
  static let longestOfStream: Duration = .milliseconds(100)

  /// As many changes in one UPLOAD are a stream.
  static let streamCount = 4
  /// Bytes of changesets from which on a stream is sent without rest.
  static let streamBytes = 32 << 10

  mutating func sent(_ entries: [UploadEntry], at now: Duration) {
    let bytes = entries.reduce(0) { $0 + $1.changeset.count }
    start = bytes < Self.smallBytes ? now : nil
    let isStream = entries.count >= Self.streamCount && bytes < Self.streamBytes
    streamEnd = isStream ? now + Self.longestOfStream : .zero
    if timed != nil {
      if isLate(at: now) { isServerBehind = true }
    } else if let last = entries.last {
      timed = last.cursor.client
      timedSince = now
    }
  }

  mutating func acknowledged(through version: ClientVersion, at now: Duration) {
    guard let timed, version >= timed else { return }
    isServerBehind = isLate(at: now)
    quickest = min(quickest ?? .seconds(3_600), now - timedSince)
    self.timed = nil
  }

  private func isLate(at now: Duration) -> Bool {
    guard let quickest else { return false }
    return now - timedSince > quickest + Self.longest
  }

  /// When changes go out even if the last UPLOAD is not acknowledged.
  var end: Duration { start.map { $0 + (isServerBehind ? Self.longestWhileBehind : Self.longest) } ?? .zero }
}
