import ChangesetOT
import RecordStore
import SyncProtocol

@testable import SyncClient

/// A conversation with the machine of resets: events as short calls, actions as short texts.
struct ResetDialogue {
  private(set) var machine: ResetMachine

  init(_ way: ResetPolicy.Way = .recover) { machine = ResetMachine(way: way) }
  init(_ machine: ResetMachine) { self.machine = machine }

  /// The socket on which the download ends, unless a step says otherwise.
  static let socket = Self.socket(number: 1)

  static func socket(number: Int) -> SocketNumber {
    var socket = SocketNumber()
    for _ in 0..<number { socket.advance() }
    return socket
  }

  /// A restored server's words, with what it has of the file.
  static func lost(_ integrated: UInt64? = 0, action: ErrorAction = .clientReset) -> SyncFailure {
    failure(.badServerVersion, "restored", action, integrated)
  }

  static func failure(
    _ code: ProtocolErrorCode?, _ message: String = "no", _ action: ErrorAction = .clientReset,
    _ integrated: UInt64? = nil
  ) -> SyncFailure {
    SyncFailure(
      origin: .server, code: code, message: message, action: action, integrated: integrated.map { ClientVersion($0) })
  }

  static func incarnation(_ ident: UInt64, settled: UInt64) -> ClientIncarnation {
    ClientIncarnation(
      file: SaltedFileIdent(ident: FileIdent(ident), salt: Int64(ident)), settled: ClientVersion(settled))
  }

  private mutating func feed(_ event: (inout ResetMachine) -> [ResetMachine.Action]) -> [String] {
    event(&machine).map(Self.text)
  }

  // MARK: Events

  mutating func asked(_ failure: SyncFailure = Self.lost()) -> [String] { feed { $0.asked(failure) } }
  mutating func agreed(backup: String? = "copy") -> [String] {
    feed { $0.applicationAgreed(to: Self.lost(), backup: backup) }
  }
  mutating func delayEnded(_ attempt: UInt64 = 1) -> [String] { feed { $0.delayEnded(AttemptIdent(attempt)) } }
  mutating func reconnect() -> [String] { feed { $0.reconnect() } }
  mutating func freshFileMade(_ attempt: UInt64 = 1) -> [String] { feed { $0.freshFileMade(AttemptIdent(attempt)) } }
  mutating func childFinished(_ attempt: UInt64 = 1, on socket: SocketNumber? = Self.socket) -> [String] {
    feed { $0.childFinished(AttemptIdent(attempt), on: socket) }
  }
  mutating func childFailed(
    _ cause: SyncFailure?, _ attempt: UInt64 = 1, on socket: SocketNumber? = Self.socket
  ) -> [String] {
    feed { $0.childFailed(AttemptIdent(attempt), cause, on: socket) }
  }
  /// The server refuses a probe: it has the ident's changes up to a version.
  mutating func probeHas(_ version: UInt64, _ attempt: UInt64 = 1, on socket: SocketNumber? = Self.socket) -> [String] {
    childFailed(Self.failure(.badClientVersion, "too new", .clientReset, version), attempt, on: socket)
  }
  /// The server refuses a probe: it has never heard of the ident.
  mutating func probeUnknown(_ attempt: UInt64 = 1) -> [String] {
    childFailed(Self.failure(.badClientFileIdent, "who?", .clientReset, 0), attempt)
  }
  mutating func incarnationsRead(
    _ idents: [UInt64] = [2], _ attempt: UInt64 = 1, on socket: SocketNumber? = Self.socket
  ) -> [String] {
    feed {
      $0.incarnationsRead(AttemptIdent(attempt), idents.map { Self.incarnation($0, settled: $0 * 10) }, on: socket)
    }
  }
  mutating func takenOver(_ attempt: UInt64 = 1, recovered: Int = 0, lost: Int = 0) -> [String] {
    feed {
      $0.takenOver(AttemptIdent(attempt), recovered: recovered, lost: lost, listedIn: lost == 0 ? nil : "list")
    }
  }
  mutating func fileFailed(_ attempt: UInt64 = 1) -> [String] {
    feed { $0.fileFailed(AttemptIdent(attempt), message: "disk full") }
  }
  mutating func cancel() -> [String] { feed { $0.cancel() } }
  mutating func close() -> [String] { feed { $0.close() } }
  mutating func progressed() { machine.progressed() }
  mutating func caughtUp() { machine.caughtUp() }

  // MARK: Actions

  private static func text(_ action: ResetMachine.Action) -> String {
    switch action {
    case .countDivergence: "diverged"
    case .leaveConnection: "leave"
    case .announce(let mode, let failure): "announce \(mode.rawValue): \(failure.message)"
    case .startDelay(let attempt, let delay): "delay \(attempt.rawValue): \(delay.components.seconds) s"
    case .reactivate: "reactivate"
    case .finish(let recovered, let lost): "finish: \(recovered) recovered, \(lost) lost"
    case .makeFreshFile(let attempt): "fresh \(attempt.rawValue)"
    case .readIncarnations(let attempt): "idents \(attempt.rawValue)"
    case .takeOver(let attempt, let reset, let untold):
      "take over \(attempt.rawValue): \(text(reset))" + (untold.isEmpty ? "" : ", \(untold.count) untold")
    case .dropFreshFile: "drop"
    case .download(let attempt): "download \(attempt.rawValue)"
    case .probe(let attempt, let file): "probe \(attempt.rawValue): \(file.ident.rawValue)"
    case .reconnectChild: "reconnect child"
    case .closeChild: "close child"
    case .report(let failure): "report: \(failure.message)"
    case .leaveToApplication(let failure): "application: \(failure.message)"
    case .reportLoss(_, let changes, let path): "lost \(changes) in \(path ?? "nothing")"
    case .logFailure(let message): "log: \(message)"
    }
  }

  private static func text(_ reset: ClientReset) -> String {
    let integrated = reset.integrated.map { "above \($0.rawValue)" } ?? "above acknowledgements"
    return "\(reset.mode.rawValue) \(integrated)" + (reset.serverForgot ? ", forgotten" : "")
  }
}
