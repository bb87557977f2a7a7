import ChangesetOT

/// The messages of a session that wait for the file, in order.
///
/// Guarantee: after a refusal no message is kept until the session binds again.
enum DownloadIntake: Hashable, Sendable {
  case accepting(DownloadQueue)
  /// An integration failed, or the server went back: DOWNLOADs are dropped. The error is still to be sent to the server.
  case refusing(unsent: ClientErrorMessage?)

  /// An empty queue.
  static let empty = DownloadIntake.accepting(DownloadQueue())

  /// The queue; empty after a refusal.
  var queue: DownloadQueue { if case .accepting(let queue) = self { queue } else { DownloadQueue() } }

  var isRefusing: Bool { if case .refusing = self { true } else { false } }

  /// The error that is still to be sent.
  var unsentError: ClientErrorMessage? { if case .refusing(let error) = self { error } else { nil } }

  /// Adds a message; drops it after a refusal. O(1), and O(*n*) in the entries of a DOWNLOAD.
  mutating func append(_ arrival: DownloadQueue.Arrival) { modifyQueue { $0.append(arrival) } }

  /// Takes the next work for the file; see ``DownloadQueue/take()``.
  mutating func take() -> DownloadQueue.Arrival? { modifyQueue { $0.take() } ?? nil }

  /// Drops all messages and the unsent error; a refusal stays.
  mutating func clear() { self = isRefusing ? .refusing(unsent: nil) : .empty }

  @discardableResult
  private mutating func modifyQueue<Result>(_ change: (inout DownloadQueue) -> Result) -> Result? {
    guard case .accepting(var queue) = self else { return nil }
    // The only reference must be the one that is changed, else the array is copied.
    self = .refusing(unsent: nil)
    defer { self = .accepting(queue) }
    return change(&queue)
  }
}

/// DOWNLOADs and answers to MARK, in the order of their arrival.
struct DownloadQueue: Hashable, Sendable {
  enum Arrival: Hashable, Sendable {
    case download(DownloadMessage)
    case mark(RequestIdent)

    var isDownload: Bool { if case .download = self { true } else { false } }

    /// Bytes of changesets.
    var byteCount: Int {
      guard case .download(let message) = self else { return 0 }
      return message.entries.reduce(0) { $0 + $1.changeset.count }
    }
  }

  private var arrivals: [Arrival] = []
  /// Bytes of changesets in the queue.
  private(set) var byteCount = 0

  /// Bytes of changesets up to which DOWNLOADs are integrated together: writes of the application wait during an
  /// integration.
  static let integrationBytes = 256 << 10

  /// Whether the queue contains DOWNLOADs only, and less than one integration takes.
  var mayWait: Bool {
    !arrivals.isEmpty && arrivals.allSatisfy(\.isDownload) && byteCount < Self.integrationBytes
  }

  mutating func append(_ arrival: Arrival) {
    arrivals.append(arrival)
    byteCount += arrival.byteCount
  }

  /// Removes the first message. Consecutive DOWNLOADs of full sync are taken as one, up to ``integrationBytes``: messages
  /// that arrived during an integration then cost one commit.
  mutating func take() -> Arrival? {
    guard let first = arrivals.first else { return nil }
    var count = 1
    var taken = first
    var bytes = first.byteCount
    if case .download(var message) = first, message.batch == nil {
      for case .download(let next) in arrivals[1...].prefix(while: \.isDownload) where next.batch == nil {
        let size = Arrival.download(next).byteCount
        guard bytes + size <= Self.integrationBytes else { break }
        message.append(next)
        bytes += size
        count += 1
      }
      taken = .download(message)
    }
    arrivals.removeFirst(count)
    byteCount -= bytes
    return taken
  }
}
