import ChangesetOT
import Concurrency
import Permissions
import SyncProtocol
import Synchronization
import Telemetry

/// One realm in use: its sessions, and the one order in which its files are read and written.
///
/// Requests that arrive while a job runs are collected and go into the next job together, so uploads of many sessions
/// share one durable commit. An upload is answered only after that commit; then the other sessions are notified.
// @unchecked Sendable: its variables are accessed on the loop only, the store in the realm's queue.
final class RealmSequencer: @unchecked Sendable {
  enum Stage {
    case closed
    case open(any HistoryStore)
  }

  let path: Permissions.RealmPath
  let queue: SerialQueue
  /// Whether there was no realm at the path before.
  let isNew: Bool
  let stores: any HistoryStores
  let context: LoopContext
  let metrics: ServerMetrics
  let logger: Logger
  let groupCommitBytes: Int
  /// Keeps uploads that cannot be integrated; nil to report them only.
  var quarantineStore: (any Quarantine)?

  var stage = Stage.closed
  var members: [MemberIdent: RealmMember] = [:]
  /// The identified sessions that are told of every commit; the store says for the others which commits concern them.
  var toldAlways: Set<MemberIdent> = []
  /// The sessions whose histories grew since their last complete scans, and that were not notified.
  var unseen: Set<MemberIdent> = []
  /// The views that the store watched for sessions when it was closed.
  let suspended = SuspendedWatch()
  /// Files whose sessions began or ended since the last job.
  var departed: Set<FileIdent> = []
  /// The watched sessions, which may fall behind while nothing concerns them.
  var lagging = LaggingMembers()
  /// The identified sessions by their client files.
  private(set) var membersByFile: [FileIdent: Set<MemberIdent>] = [:]
  /// Requests that are not part of a job yet, in the order of arrival.
  var waiting: [RealmJob.Item] = []
  /// Tasks that are not part of a job yet, in the order of arrival.
  var tasks: [RealmTask] = []
  /// Called when the files are about to be closed; what it answers lets go of them, in the realm's queue.
  var closing: (() -> (@Sendable () -> Void)?)?
  /// Whether a timer runs after which the realm is closed if nobody uses it.
  var isLeaving = false
  /// Whether a job is under way.
  var isWorking = false
  /// Whether answers of a job are being delivered: requests made meanwhile only wait.
  var isDelivering = false
  var notificationBatcher = NotificationBatcher()
  /// Scans made in advance by the job that is being delivered.
  var prepared: [MemberIdent: RealmJob.PreparedScan] = [:]
  /// The number of closings under way.
  var closings = 0
  /// Called when the sequencer is idle next.
  var whenIdle: [@Sendable () -> Void] = []
  /// Called when a session is bound to its client file.
  var didIdentify: (@Sendable (FileIdent, UserId) -> Void)?
  /// Called whenever all requests are done and the files are open.
  var didBecomeIdle: (@Sendable () -> Void)?
  /// Called when the files were opened.
  var didOpen: (@Sendable () -> Void)?
  /// Called when the files cannot be opened, or cannot be used any more.
  var didFail: (@Sendable () -> Void)?
  /// Called after each job with its processor time, in the realm's queue; nil where nobody wants to know.
  var didWork: (@Sendable (Duration) -> Void)?
  /// The watches of the realm's commits. Nothing is observed while there are none.
  var watches: [RealmWatch] = []
  /// The observation of the open files' commits.
  var commitObservation: (any AnyObject & Sendable)?
  /// Whether commits are noted already that the watches will be told of.
  let hasUntoldCommits = Atomic<Bool>(false)
  /// The consumers of the realm's commits, as the metrics count them.
  var feedLoad = FeedLoad()
  /// The number of times a session joined or a task came: identifies stale idle timers.
  var useCount: UInt64 = 0

  init(
    path: Permissions.RealmPath, isNew: Bool, queue: SerialQueue, stores: any HistoryStores, context: LoopContext,
    metrics: ServerMetrics, logger: Logger, groupCommitBytes: Int
  ) {
    self.path = path
    self.isNew = isNew
    self.queue = queue
    self.stores = stores
    self.context = context
    self.metrics = metrics
    self.logger = logger
    self.groupCommitBytes = groupCommitBytes
  }

  /// Whether no request waits and no job is under way.
  var isIdle: Bool { waiting.isEmpty && tasks.isEmpty && !isWorking }
  /// Whether the realm is idle and has no sessions.
  var isUnused: Bool { members.isEmpty && isIdle }
  /// Whether the files are open.
  var isOpen: Bool {
    switch stage {
    case .open: true
    case .closed: false
    }
  }
  /// Whether closing the files would make a client start over.
  var hasUnfinishedWork: Bool {
    switch stage {
    case .open(let store): store.hasUnfinishedWork
    case .closed: false
    }
  }

  // MARK: Sessions

  /// Adds a session, which is not identified yet.
  func join(_ ident: MemberIdent, _ member: RealmMember) {
    members[ident] = member
    useCount += 1
  }

  /// Removes a session. Its waiting requests are dropped when the next job is built.
  ///
  /// - Complexity: O(1), independent of the waiting requests.
  func leave(_ ident: MemberIdent) {
    guard let member = members.removeValue(forKey: ident) else { return }
    toldAlways.remove(ident)
    unseen.remove(ident)
    if let file = member.file { forget(ident, as: file) }
    if members.isEmpty { waiting = [] }
  }

  private func forget(_ ident: MemberIdent, as file: FileIdent) {
    membersByFile[file]?.remove(ident)
    if membersByFile[file]?.isEmpty ?? false { membersByFile[file] = nil }
    depart(file)
  }

  /// Binds a session to its client file: from here on it is notified of new history. Other sessions of the same file are
  /// displaced.
  ///
  /// - Complexity: O(sessions of the client file).
  func identify(_ ident: MemberIdent, as file: FileIdent) {
    guard let member = members[ident] else { return }
    if let former = member.file { forget(ident, as: former) }
    members[ident]?.file = file
    didIdentify?(file, member.subject.user)
    depart(file)
    toldAlways.insert(ident)
    let others = membersByFile[file, default: []].sorted { $0.precedes($1) }
    membersByFile[file, default: []].insert(ident)
    for other in others where other != ident { members[other]?.deliver(.displaced(other.session)) }
  }

  func setAccess(_ decision: AccessDecision, of ident: MemberIdent) {
    members[ident]?.level = decision.level
    members[ident]?.rule = decision.rule
  }

  /// The sessions in the order of their connections; the order of the dictionary would not be repeatable.
  ///
  /// - Complexity: O(n log n) in the sessions.
  func ordered() -> [(MemberIdent, RealmMember)] {
    members.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) }
  }

  /// Calls `completion` when no request waits and no job is under way. New requests delay it.
  func afterWork(_ completion: @escaping @Sendable () -> Void) {
    guard isIdle else { return whenIdle.append(completion) }
    completion()
  }
}
