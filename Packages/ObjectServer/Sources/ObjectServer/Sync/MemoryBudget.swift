import SyncProtocol

/// How much of the server's memory messages take, and who has to wait when it is too much. A value of the hub.
///
/// Three things count: uploads that wait for the disk, downloads that wait for their readers, and, for each scan under way, as
/// much as it may bring.
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

  /// Bytes of messages, up and down.
  var messages: Int { uploads + downloads }

  /// Bytes of uploads that each connection may have waiting whatever others have.
  static let floor = 4 << 10

  /// Whether a client with so many bytes of uploads waiting must not be read from. One that sends a little is always read
  /// from, so that somebody's large transactions do not hold up everybody's edits.
  func holdsUploads(waiting: Int) -> Bool { messages > limit && waiting > Self.floor }
  /// Whether those that were held may go on.
  var releasesUploads: Bool { messages <= limit / 2 }

  /// Whether a scan may begin for a connection on which `buffered` bytes wait. One that reads everything may always have a
  /// share, so that those who do not read cannot starve it.
  ///
  /// - Parameter received: bytes of messages that have not come whole.
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

/// What one connection contributes to the budget.
struct ConnectionLoad {
  /// Sizes of uploads that wait, oldest first.
  private var uploads: [SessionKey: [Int]] = [:]
  /// Bytes of all these.
  private(set) var waitingUploadBytes = 0
  /// Bytes that waited to be sent when last looked at.
  var buffered = 0
  /// Bytes handed to the socket in all.
  var sent = 0
  /// Sessions with a scan under way.
  var scans: Set<SessionKey> = []
  /// Scans that may not begin yet.
  var heldScans: [SessionKey: DownloadScanRequest] = [:]
  /// Who wants the connection not to be read.
  var isPausedByMachine = false
  var isPausedByBudget = false
  var isPausedByDecoding = false

  /// Sessions with uploads that wait.
  var uploadingSessions: Set<SessionKey> { Set(uploads.keys) }

  mutating func beginUpload(_ key: SessionKey, _ bytes: Int) {
    uploads[key, default: []].append(bytes)
    waitingUploadBytes += bytes
  }

  /// Ends the oldest upload of a session. Answers its bytes; nil when none waits.
  mutating func endUpload(_ key: SessionKey) -> Int? {
    guard var sizes = uploads[key], !sizes.isEmpty else { return nil }
    let bytes = sizes.removeFirst()
    uploads[key] = sizes.isEmpty ? nil : sizes
    waitingUploadBytes -= bytes
    return bytes
  }

  /// Ends all uploads of a session. Answers their bytes.
  mutating func endUploads(_ key: SessionKey) -> Int {
    let bytes = uploads.removeValue(forKey: key)?.reduce(0, +) ?? 0
    waitingUploadBytes -= bytes
    return bytes
  }
}
