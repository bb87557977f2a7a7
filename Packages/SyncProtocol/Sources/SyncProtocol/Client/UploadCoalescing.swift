import ChangesetOT

/// Coalesces changes into fewer UPLOADs while a small one is not acknowledged, as Nagle's algorithm does on a socket.
///
///     commit │ UPLOAD │ commit, commit, commit │ DOWNLOAD acknowledges │ UPLOAD of three
///
/// A change after everything is acknowledged goes out at once. No change waits longer than ``longest``, or than
/// ``longestWhileBehind`` while the server takes much longer to acknowledge than its best time on this connection: it then
/// has more to do with many small messages than with few.
///
/// An UPLOAD of several coalesced changes marks a stream: the next changes coalesce for ``longestOfStream`` even if the server
/// is quick, since each message costs both sides more than its content, and each answer a commit here.
struct UploadCoalescing: Hashable, Sendable {
  /// The time of the last UPLOAD, when it was small.
  private var start: Duration?
  /// The time at which the changes of a stream go out, acknowledged or not.
  private(set) var streamEnd: Duration = .zero
  /// Whether a timer runs until ``end`` or ``streamEnd``.
  var isTimed = false

  /// The last version and the time of the UPLOAD whose acknowledgement is timed.
  private var timed: ClientVersion?
  private var timedSince: Duration = .zero
  /// The shortest time of an acknowledgement on this connection.
  private var quickest: Duration?
  /// Whether acknowledgements take much longer than ``quickest``.
  private(set) var isServerBehind = false

  /// Bytes of changesets from which coalescing gains nothing.
  static let smallBytes = 8 << 10
  /// The longest wait of a change.
  static let longest: Duration = .milliseconds(30)
  /// The longest wait of a change while the server is behind.
  static let longestWhileBehind: Duration = .milliseconds(100)
  /// The longest wait of a change in a stream.
  static let longestOfStream: Duration = .milliseconds(100)

  /// The fewest changes of one UPLOAD that make a stream.
  static let streamCount = 4
  /// Bytes of changesets from which a stream is sent without a wait.
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

  /// The time at which changes go out even if the last UPLOAD is not acknowledged.
  var end: Duration { start.map { $0 + (isServerBehind ? Self.longestWhileBehind : Self.longest) } ?? .zero }
}
