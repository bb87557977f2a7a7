import CommandLineKit
import ChatCore
import Dispatch
import RealmSwift

/// The chat over its four realms, confined to a queue on which their collections are observed. Used by one thread.
///
/// Sendable, because callbacks of sessions come back to it: its changing state is used on the queue, but for the tokens and
/// the timer, which belong to the thread of its owner.
final class RealmChatStore: ChatStore, @unchecked Sendable {
  let queue: DispatchQueue
  let realms: ChatRealms
  let sessions: [SyncSession]
  let account: Account?
  let me: ChatCore.Person
  let folder: StateFolder?
  let refusals: RefusalLog

  /// The state below belongs to the queue.
  var history: HistoryWindow?
  var searchText: String?
  /// The subscriptions that were asked for in this process, by name.
  var subscriptions: [String: SyncSubscription] = [:]
  var tokens: [NotificationToken] = []
  var subscriptionTokens: [String: NotificationToken] = [:]
  var changed: @Sendable () -> Void = {}
  /// Whether the outbox is being confirmed.
  var isConfirming = false
  private var syncTokens: [Any] = []
  private var timer: (any DispatchSourceTimer)?

  /// Opens the realms, and asks for the rooms that the user may see.
  ///
  /// - Parameters:
  ///   - account: whose realms they are; nil for local ones.
  ///   - folder: says whether syncing is switched off; nil for local realms.
  /// - Throws: `Realm.Error` for a file, `SyncAuthError` and `TransportError` for what syncs it.
  init(
    _ configurations: ChatConfigurations, me: ChatCore.Person, account: Account? = nil, folder: StateFolder? = nil,
    refusals: RefusalLog = RefusalLog()
  ) throws {
    let queue = DispatchQueue(label: "chat.realms")
    (self.queue, self.me, self.account, self.folder, self.refusals) = (queue, me, account, folder, refusals)
    realms = try queue.sync { try ChatRealms(configurations, queue: queue) }
    sessions = queue.sync { [realms] in realms.sessions }
    follow(isOffline: isOffline)
    queue.sync {
      subscribeToRooms()
      observe()
      confirmOutbox()
    }
    refusals.onChange { [weak self] in
      guard let self else { return }
      queue.async { self.takeRefusals() }
    }
    // The back-off of a session grows to five minutes: too long for a person in front of a screen.
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + 8, repeating: 8)
    timer.setEventHandler { [sessions] in for session in sessions { session.reconnectIfUnreachable() } }
    timer.resume()
    self.timer = timer
  }

  deinit { timer?.cancel() }

  private func observe() {
    let note: () -> Void = { [weak self] in
      guard let self else { return }
      followRooms()
      // Not within the notification: a write begins with the newest version.
      queue.async { self.completeLists() }
      changed()
    }
    tokens = [
      realms.rooms.objects(PublicChatRoom.self).observe { _ in note() },
      realms.rooms.objects(PrivateChatRoom.self).observe { _ in note() },
      realms.rooms.objects(MessagePage.self).observe { _ in note() },
      realms.rooms.objects(ReadMark.self).observe { _ in note() },
      realms.directory.objects(Person.self).observe { _ in note() },
      realms.settings.objects(RoomSetting.self).observe { _ in note() },
      realms.outbox.objects(Outgoing.self).observe { _ in note() },
    ]
    realms.refresh()
    followRooms()
  }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    queue.sync { self.changed = changed }
    syncTokens = sessions.map { $0.observe { _ in changed() } }
    // The name goes into the directory when it is known what the directory has.
    if let directory = queue.sync(execute: { [realms] in realms.directory.syncSession }) {
      directory.wait(for: .download, queue: queue) { [weak self] error in
        if error == nil { self?.introduce() }
      }
    }
  }

  func snapshot() throws -> ChatSnapshot {
    try queue.sync {
      realms.refresh()
      return try readSnapshot()
    }
  }

  func perform(_ edit: ChatEdit) throws {
    try queue.sync {
      realms.refresh()
      try edit.check(on: readRooms())
      waitForStoredSubscriptions()
      try write(edit)
    }
  }

  // MARK: Connection

  var isOffline: Bool { folder.flatMap { try? ChatLogin.load($0).isOffline } ?? false }

  /// Suspends or resumes the sessions as the settings say.
  func follow(isOffline: Bool) {
    for session in sessions {
      if isOffline { session.suspend() } else if session.state == .inactive { session.resume() }
    }
  }

  func setOffline(_ isOffline: Bool) throws {
    if let folder { try ChatLogin.change(folder) { $0.isOffline = isOffline } }
    follow(isOffline: isOffline)
    if !isOffline { queue.sync { confirmOutbox() } }
  }

  func retry() { for session in sessions { session.reconnect() } }

  var status: ChatStatus {
    let isOffline = isOffline
    follow(isOffline: isOffline)
    var status = ChatStatus(sessions.map(\.status), isOffline: isOffline)
    status.account = account?.text ?? ""
    status.refusals = refusals.all
    return status
  }

  func close() {
    queue.sync {
      changed = {}
      tokens = []
      subscriptionTokens = [:]
    }
    syncTokens = []
    for session in sessions { session.close() }
  }
}
