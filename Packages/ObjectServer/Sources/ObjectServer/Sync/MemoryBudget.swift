import SyncProtocol

/// The memory of messages, and the decision who has to wait when it is exhausted. A value.
///
/// Three uses count: uploads that wait for integration, downloads that wait to be sent, and for each scan under way the
/// most bytes that it may return.
struct MemoryBudget {
  let limit: Int
  let scanBytes: Int
  private(set) var uploads = 0
  private(set) var downloads = 0
  private(set) var scans = 0

  init(limit: Int, scanBytes: Int) {
    self.limit = limit
    self.scanBytes = min(scanBytes, max(1, limit / 8))
  }

  /// The bytes of all messages, uploads and downloads.
  var messages: Int { uploads + downloads }

  /// The bytes of waiting uploads that each connection may have independent of all others.
  static let floor = 4 << 10

  /// Whether a connection with this many bytes of waiting uploads is not to be read from. Connections below ``floor`` are
  /// always read from, so that large transactions of one user do not delay the small edits of others.
  func holdsUploads(waiting: Int) -> Bool { messages > limit && waiting > Self.floor }
  /// Whether paused connections may be read from again.
  var releasesUploads: Bool { messages <= limit / 2 }

  /// Whether a scan may begin for a connection with `buffered` bytes to be sent. Connections without any always get a share,
  /// so that clients that do not read cannot starve them.
  ///
  /// - Parameter received: the bytes of incomplete messages.
  func admitsScan(buffered: Int, received: Int = 0) -> Bool {
    let reserved = scans * scanBytes
    if messages + received + reserved + scanBytes <= limit { return true }
    return buffered == 0 && (scans == 0 || reserved < limit / 4)
  }

  mutating func addUpload(_ bytes: Int) { uploads += bytes }
  mutating func removeUpload(_ bytes: Int) { uploads -= bytes }
  mutating func changeDownloads(by bytes: Int) { downloads += bytes }
  mutating func beginScan() { scans += 1 }
  mutating func endScan() { scans -= 1 }
}

/// The part of one connection in the budget.
struct ConnectionLoad {
  /// The sizes of waiting uploads, oldest first.
  private var uploads: [SessionKey: [Int]] = [:]
  /// The sum of these sizes.
  private(set) var waitingUploadBytes = 0
  /// The bytes that were to be sent at the last update.
  var buffered = 0
  /// All bytes given to the socket.
  var sent = 0
  /// The sessions with a scan under way.
  var scans: Set<SessionKey> = []
  /// The scans that wait for memory.
  var heldScans: [SessionKey: DownloadScanRequest] = [:]
  /// The reasons for which the connection is not read from.
  var isPausedByMachine = false
  var isPausedByBudget = false
  var isPausedByDecoding = false
  var isPausedByRelay = false
  /// The bytes for other nodes, as they were counted last.
  var relayed = 0

  /// The sessions with waiting uploads.
  var uploadingSessions: Set<SessionKey> { Set(uploads.keys) }

  mutating func beginUpload(_ key: SessionKey, _ bytes: Int) {
    uploads[key, default: []].append(bytes)
    waitingUploadBytes += bytes
  }

  /// Removes the oldest upload of a session.
  ///
  /// - Returns: its bytes; nil when none waits.
  mutating func endUpload(_ key: SessionKey) -> Int? {
    guard var sizes = uploads[key], !sizes.isEmpty else { return nil }
    let bytes = sizes.removeFirst()
    uploads[key] = sizes.isEmpty ? nil : sizes
    waitingUploadBytes -= bytes
    return bytes
  }

  /// Removes all uploads of a session.
  ///
  /// - Returns: their bytes.
  mutating func endUploads(_ key: SessionKey) -> Int {
    let bytes = uploads.removeValue(forKey: key)?.reduce(0, +) ?? 0
    waitingUploadBytes -= bytes
    return bytes
  }
}
