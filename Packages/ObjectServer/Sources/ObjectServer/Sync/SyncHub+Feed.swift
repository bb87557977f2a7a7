import Concurrency
import Permissions
import Telemetry

/// How far the directory's feed was read, as a value.
struct FeedReading: Sendable {
  /// The last change that was applied to the connections; nil before the first reading.
  var position: Int64?
  /// Whether a reading is under way.
  var isReading = false
  /// Whether another change was told meanwhile.
  var isAsked = false
}

// Changes of the directory reach the connections: those that this process makes at once, those of other processes within
// the polling interval. A connection, or a session of a realm, that was being opened meanwhile is looked at again when it is
// open; see `opened` and `openRealm`.
extension SyncHub {
  /// The time between two looks at a directory that other processes change, too.
  static let feedInterval = Duration.milliseconds(300)

  /// Begins to follow the directory.
  func followDirectory() {
    let scheduler = scheduler
    directory.whenChanged { [weak self, admissions] in
      admissions.clear()
      scheduler.execute { [weak self] in self?.readFeed() }
    }
    readFeed()
    pollFeed()
  }

  private func pollFeed() {
    guard directory.isShared else { return }
    scheduler.schedule(after: Self.feedInterval) { [weak self] in
      guard let self, !isStopping else { return }
      readFeed()
      pollFeed()
    }
  }

  /// Reads the changes since the last reading and applies them. On the loop.
  func readFeed() {
    guard !isStopping else { return }
    guard !feed.isReading else {
      feed.isAsked = true
      return
    }
    feed.isReading = true
    let (directory, position) = (directory, feed.position)
    context.perform(.feed) { () throws(ServerError) in
      try directory.changes(after: position)
    } then: { [weak self] result in
      guard let self else { return }
      feed.isReading = false
      switch result {
      case .success(let changes): apply(changes)
      case .failure(let error): logger.error("the directory's feed cannot be read", ["reason": LogValue("\(error)")])
      }
      if feed.isAsked {
        feed.isAsked = false
        readFeed()
      }
    }
  }

  private func apply(_ changes: DirectoryChanges) {
    if changes.position != feed.position { admissions.clear() }
    feed.position = changes.position
    guard changes.isComplete else {
      reloadTokenKeys()
      review { _ in true }
      return grantsChanged(Array(realms.keys))
    }
    var users: Set<UserId> = []
    var paths: Set<Permissions.RealmPath> = []
    for change in changes.changes {
      switch change {
      case .user(let user): users.insert(user)
      case .realm(let path): paths.insert(path)
      case .tokenKeys: reloadTokenKeys()
      }
    }
    if !users.isEmpty { review { [users] in users.contains($0.bearer.user) } }
    if !paths.isEmpty { grantsChanged(paths.sorted { $0.description < $1.description }) }
  }

  /// Reads the keys of tokens again. When access tokens are refused at once, the connections that they opened end: clients
  /// come back with new ones.
  private func reloadTokenKeys() {
    guard let tokenKeys else { return }
    let time = scheduler.wallTime
    context.perform(.feed) { () throws(ServerError) in
      try tokenKeys.reload(at: time)
    } then: { [weak self] result in
      guard let self else { return }
      admissions.clear()
      switch result {
      case .success(let isImmediate):
        logger.info("the keys of tokens were read again", ["immediate": .string("\(isImmediate)")])
        if isImmediate { for connection in ordered() { connection.handle(.tokenExpired) } }
      case .failure(let error):
        logger.error("the keys of tokens cannot be read; the old ones stay", ["reason": LogValue("\(error)")])
      }
    }
  }
}
