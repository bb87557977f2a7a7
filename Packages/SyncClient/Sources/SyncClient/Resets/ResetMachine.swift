import ChangesetOT
import RecordStore
import SyncProtocol

/// A client reset as a pure state machine: events in, actions out. The session performs the actions in order.
///
///     var reset = ResetMachine(way: .recover)
///     reset.asked(failure)                // [.leaveConnection, .announce(.recover, failure), .startDelay(1, .zero)]
///     reset.delayEnded(AttemptIdent(1))   // [.makeFreshFile(1)]
///
/// The way of one attempt:
///
/// ```text
///  idle ─asked─▶ waiting ─▶ preparing ─▶ downloading ─▶ reading ─▶ asking ─▶ takingOver ─▶ idle
///                   ▲                         │                       │
///                   └── the server is another process, or asks anew ──┘
/// ```
///
/// At most one reset runs. Answers that belong to an earlier attempt are ignored. A failure of the file ends the
/// attempt and leaves the decision to the application; nothing is changed in the file before the last step.
struct ResetMachine: Hashable, Sendable {
  /// One attempt at a reset.
  struct Attempt: Hashable, Sendable {
    let ident: AttemptIdent
    /// The reason, from the server or from the file.
    let failure: SyncFailure
    let mode: ClientReset.Mode
    /// The path for a copy of the file as it was; nil for none.
    let backup: String?
  }

  private enum State: Hashable, Sendable {
    /// No reset is under way.
    case idle
    /// A delay runs, because earlier attempts did not help.
    case waiting(Attempt)
    /// A fresh file is being made.
    case preparing(Attempt)
    /// The server's state is being downloaded into the fresh file.
    case downloading(Attempt)
    /// The idents that the file has had are being read. The download ended on this socket.
    case reading(Attempt, SocketNumber)
    /// The server is asked which changes it has, one ident after the other.
    case asking(Attempt, SocketNumber, ResetInquiry)
    /// The file takes over the server's state.
    case takingOver(Attempt)
    /// The session is closed, or its file cannot be reset: no reset begins.
    case closed
  }

  private let way: ResetPolicy.Way
  private var state: State
  private var attempts: UInt64 = 0
  private var memory = ResetPlan.Memory()

  /// A machine of a file that can be reset, with nothing under way.
  init(way: ResetPolicy.Way) {
    self.way = way
    state = .idle
  }

  private init(closedWith way: ResetPolicy.Way) {
    self.way = way
    state = .closed
  }

  /// The machine of a file that is never reset: it reports every request.
  static let never = ResetMachine(closedWith: .manual)

  /// The attempt under way; nil between resets.
  var attempt: Attempt? {
    switch state {
    case .idle, .closed: nil
    case .waiting(let attempt), .preparing(let attempt), .downloading(let attempt), .takingOver(let attempt): attempt
    case .reading(let attempt, _), .asking(let attempt, _, _): attempt
    }
  }

  // MARK: The beginning

  /// The server cannot continue the file, or the file what the server sent.
  mutating func asked(_ failure: SyncFailure) -> [Action] {
    let divergence = Self.divergence(failure)
    switch state {
    case .idle:
      switch ResetPlan.step(for: failure, way: way, memory: memory) {
      case .manual: return divergence + [.leaveConnection, .leaveToApplication(failure)]
      case .automatic(let mode): return divergence + begin(mode, because: failure, backup: nil)
      }
    case .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed:
      return divergence + [.report(failure)]
    }
  }

  /// The application performs the reset that was left to it.
  mutating func applicationAgreed(to failure: SyncFailure, backup: String?) -> [Action] {
    switch state {
    case .idle: [.reactivate] + begin(.discard, because: failure, backup: backup)
    case .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: []
    }
  }

  private mutating func begin(_ mode: ClientReset.Mode, because failure: SyncFailure, backup: String?) -> [Action] {
    attempts += 1
    let attempt = Attempt(ident: AttemptIdent(attempts), failure: failure, mode: mode, backup: backup)
    state = .waiting(attempt)
    let delay = ResetPlan.delay(attempts: memory.attempts)
    memory.attempts += 1
    return [.leaveConnection, .announce(mode, failure), .startDelay(attempt.ident, delay)]
  }

  /// The delay of an attempt has ended.
  mutating func delayEnded(_ ident: AttemptIdent) -> [Action] {
    switch state {
    case .waiting(let attempt) where attempt.ident == ident: prepare(attempt)
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: []
    }
  }

  /// The application wants everything tried now.
  mutating func reconnect() -> [Action] {
    switch state {
    case .waiting(let attempt): prepare(attempt)
    case .downloading, .asking: [.reconnectChild]
    case .idle, .preparing, .reading, .takingOver, .closed: []
    }
  }

  private mutating func prepare(_ attempt: Attempt) -> [Action] {
    state = .preparing(attempt)
    return [.makeFreshFile(attempt.ident)]
  }

  /// The fresh file is there, and empty.
  mutating func freshFileMade(_ ident: AttemptIdent) -> [Action] {
    switch state {
    case .preparing(let attempt) where attempt.ident == ident:
      state = .downloading(attempt)
      return [.download(ident)]
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  // MARK: Sessions of the reset

  /// The child session has downloaded everything. Of a probe, that is no answer: no server that tells what it has lets
  /// a probe in.
  ///
  /// - Parameter socket: the socket on which the download ended, with its present number; nil when it is gone.
  mutating func childFinished(_ ident: AttemptIdent, on socket: SocketNumber?) -> [Action] {
    switch state {
    case .downloading(let attempt) where attempt.ident == ident:
      guard let socket else { return restart(attempt) }
      state = .reading(attempt, socket)
      return [.closeChild, .readIncarnations(ident)]
    case .asking(let attempt, let first, let inquiry) where attempt.ident == ident:
      return [.closeChild] + answered(.silent, inquiry, attempt, first, now: socket)
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  /// The child session has ended with an error. Of a probe, that is the expected answer.
  ///
  /// - Parameters:
  ///   - cause: what the protocol said; nil when the child was stopped otherwise.
  ///   - socket: as in ``childFinished(_:on:)``.
  mutating func childFailed(_ ident: AttemptIdent, _ cause: SyncFailure?, on socket: SocketNumber?) -> [Action] {
    switch state {
    case .downloading(let attempt) where attempt.ident == ident:
      return childFailed(attempt, cause)
    case .asking(let attempt, let first, let inquiry) where attempt.ident == ident:
      guard let answer = cause.flatMap(ResetInquiry.answer) else { return childFailed(attempt, cause) }
      return [.closeChild] + answered(answer, inquiry, attempt, first, now: socket)
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  private mutating func childFailed(_ attempt: Attempt, _ cause: SyncFailure?) -> [Action] {
    let divergence = cause.map(Self.divergence) ?? []
    switch cause?.action {
    case .clientReset, .transient: return divergence + restart(attempt)
    case .protocolViolation, .applicationBug, .warning, .deleteRealm, .clientResetNoRecovery, .migrateToFlexible,
      .revertToFull, .migrateSchema, .refreshUser, .refreshLocation, .logOutUser, .other, nil:
      state = .idle
      return divergence + [.closeChild, .dropFreshFile, .report(cause ?? attempt.failure)]
    }
  }

  /// The server is another process than before, or has none of what was begun: everything begins anew.
  private mutating func restart(_ attempt: Attempt) -> [Action] {
    [.closeChild, .dropFreshFile] + begin(attempt.mode, because: attempt.failure, backup: attempt.backup)
  }

  // MARK: The inquiry

  /// The idents that the file has had are read.
  ///
  /// - Parameter socket: the present number of the socket on which the download ended.
  mutating func incarnationsRead(
    _ ident: AttemptIdent, _ incarnations: [ClientIncarnation], on socket: SocketNumber?
  ) -> [Action] {
    switch state {
    case .reading(let attempt, let first) where attempt.ident == ident:
      return inquire(ResetInquiry(isTold: attempt.failure.integrated != nil, incarnations), attempt, first, now: socket)
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  private mutating func answered(
    _ answer: ResetInquiry.Answer, _ inquiry: ResetInquiry, _ attempt: Attempt, _ first: SocketNumber,
    now socket: SocketNumber?
  ) -> [Action] {
    var inquiry = inquiry
    inquiry.answered(answer)
    return inquire(inquiry, attempt, first, now: socket)
  }

  /// Asks the next question. When there is none, the answers count if the process that gave the state has given them
  /// all: restoring a server takes a restart, which no socket survives.
  private mutating func inquire(
    _ inquiry: ResetInquiry, _ attempt: Attempt, _ first: SocketNumber, now socket: SocketNumber?
  ) -> [Action] {
    if let next = inquiry.next {
      state = .asking(attempt, first, inquiry)
      return [.probe(attempt.ident, next.file)]
    }
    guard socket == first else { return restart(attempt) }
    state = .takingOver(attempt)
    let reset = ClientReset(
      mode: attempt.mode, integrated: inquiry.integrated, serverForgot: ResetPlan.serverForgot(attempt.failure))
    return [.takeOver(attempt.ident, reset, untold: inquiry.untold)]
  }

  // MARK: The end

  /// The file has taken over the server's state, and is durable.
  ///
  /// - Parameters:
  ///   - recovered: the local transactions that were replayed and will be uploaded.
  ///   - lost: the number of changes that could not be kept.
  ///   - path: the file that lists the lost changes.
  mutating func takenOver(_ ident: AttemptIdent, recovered: Int, lost: Int, listedIn path: String?) -> [Action] {
    switch state {
    case .takingOver(let attempt) where attempt.ident == ident:
      state = .idle
      if ResetPlan.isAboutUploads(attempt.failure) { memory.refused = attempt.mode }
      let loss: [Action] = lost == 0 ? [] : [.reportLoss(attempt.failure, changes: lost, path: path)]
      return [.dropFreshFile, .finish(recovered: recovered, lost: lost)] + loss
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  /// Work on the file has failed.
  mutating func fileFailed(_ ident: AttemptIdent, message: String) -> [Action] {
    switch state {
    case .preparing(let attempt) where attempt.ident == ident,
      .reading(let attempt, _) where attempt.ident == ident,
      .takingOver(let attempt) where attempt.ident == ident:
      state = .idle
      var failure = attempt.failure
      failure.message += "; the reset failed: \(message)"
      return [
        .closeChild, .dropFreshFile, .logFailure(message), .leaveConnection, .leaveToApplication(failure),
      ]
    case .idle, .waiting, .preparing, .downloading, .reading, .asking, .takingOver, .closed: return []
    }
  }

  /// The application suspends the session: the next connection asks for the reset again.
  mutating func cancel() -> [Action] {
    switch state {
    case .idle, .closed: return []
    case .waiting, .preparing, .downloading, .reading, .asking, .takingOver:
      state = .idle
      return [.closeChild, .dropFreshFile]
    }
  }

  /// The session is closed for good.
  mutating func close() -> [Action] {
    defer { state = .closed }
    return cancel()
  }

  // MARK: Memory

  /// Data has flowed: the next attempt follows without a delay.
  mutating func progressed() { memory.attempts = 0 }

  /// Everything is uploaded and downloaded: earlier attempts decide nothing any more.
  mutating func caughtUp() { memory = ResetPlan.Memory() }

  private static func divergence(_ failure: SyncFailure) -> [Action] {
    failure.code == .badChangeset ? [.countDivergence] : []
  }
}

/// Names one attempt of a session's resets. Numbers grow.
struct AttemptIdent: Hashable, Sendable {
  let rawValue: UInt64

  init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
