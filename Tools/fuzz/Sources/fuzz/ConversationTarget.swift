import ChangesetOT
import SyncProtocol
import TestKit

/// Illegal conversations with the server's machine: recorded and made-up messages in any order, answers of the realm that come
/// late, twice or never. The machine answers or closes; it never traps, never sends what kills a stock client, and says
/// nothing after it closed.
let conversationTarget = FuzzTarget(
  name: "conversation", corpus: { recordedMessages(from: "client") },
  feed: { bytes in
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var conversation = Conversation(seed: seed, first: bytes)
    conversation.run()
  })

private let recorded = recordedMessages(from: "client")
/// Codes at which stock clients end their process.
private let deadly: Set<Int> = [104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224]

private struct Conversation {
  private var random: SeededGenerator
  private var machine: ServerConnection
  private let first: [UInt8]
  /// Events that the owner of the machine owes it.
  private var owed: [ServerConnection.Event] = []
  private var isClosed = false

  init(seed: UInt64, first: [UInt8]) {
    random = SeededGenerator(seed: seed)
    self.first = first
    let version = ProtocolVersion(UInt16.random(in: 8...14, using: &random))
    machine = ServerConnection(dialect: Dialect(.full, version), correlation: "fuzz")
  }

  mutating func run() {
    take(machine.start())
    take(machine.receive(first))
    for _ in 0..<Int.random(in: 1...24, using: &random) {
      if random.oneIn(2) { take(machine.receive(message())) } else { answer() }
    }
    while !owed.isEmpty { answer() }
    take(machine.handle(.disconnected))
    precondition(machine.handle(.drained).isEmpty, "a machine whose connection is gone does nothing")
  }

  /// A recorded message of any conversation, or one of our making, sometimes damaged.
  private mutating func message() -> [UInt8] {
    func small() -> UInt64 { UInt64.random(in: 0...3, using: &random) }
    var bytes: [UInt8]
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes = Array("bind \(small()) 3 0 \(small() & 1) 0\n/~/".utf8) + [UInt8(97 + small())]
    case 1: bytes = Array("ident \(small()) \(small()) \(small()) \(small()) \(small()) \(small()) \(small())\n".utf8)
    case 2: bytes = Array("mark \(small()) \(small())\n".utf8)
    case 3: bytes = Array("unbind \(small())\n".utf8)
    case 4: bytes = Array("upload \(small()) 0 0 0 \(small()) \(small()) \(small())\n".utf8)
    default: bytes = recorded.randomElement(using: &random) ?? []
    }
    if random.oneIn(6) { bytes = Damage.random(of: bytes, using: &random) }
    return bytes
  }

  private mutating func answer() {
    guard !owed.isEmpty else { return }
    let event = owed.remove(at: Int.random(in: 0..<owed.count, using: &random))
    if random.oneIn(20) { owed.append(event) }
    take(machine.handle(event))
  }

  private mutating func take(_ actions: [ServerConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let message):
        precondition(!isClosed, "nothing is sent after the close: \(message)")
        if case .jsonError(let error) = message { precondition(!deadly.contains(error.code.rawValue), "\(error)") }
        if case .error(let error) = message { precondition(!deadly.contains(error.code.rawValue), "\(error)") }
        precondition(!message.encoded(for: machine.dialect).isEmpty, "a message has bytes")
      case .close: isClosed = true
      case .startTimer(let timer, after: _): if random.oneIn(8) { owed.append(.timerEnded(timer)) }
      case .openRealm(let key, _): owe([.realmOpened(key), fail(key, .permissionDenied), fail(key, .illegalRealmPath)])
      case .allocateFileIdent(let key):
        let file = SaltedFileIdent(ident: FileIdent(UInt64.random(in: 2...5, using: &random)), salt: 7)
        owe([.fileIdentAllocated(key, file), fail(key, .sessionClosed)])
      case .findClientFile(let key, let claim):
        let version = ServerVersion(UInt64.random(in: 0...4, using: &random))
        let state = ServerHistoryState(
          current: SaltedServerVersion(version: version, salt: version == .zero ? 0 : 9), base: .zero,
          saltOfClaim: claim.latestServerVersion.salt)
        let record = ClientFileRecord(
          salt: claim.file.salt, kind: .regular, upload: .zero, lockedServerVersion: .zero, isExpired: random.oneIn(9))
        owe([.clientFileFound(key, record, state), .clientFileFound(key, nil, state), fail(key, .sessionClosed)])
      case .scanHistory(let key, let request):
        let scan = DownloadScan(
          progress: SyncProgress(
            latestServerVersion: SaltedServerVersion(version: request.from.server, salt: 9), download: request.from,
            upload: .zero), reachedEnd: true, entries: [])
        owe([.historyScanned(key, scan), fail(key, .sessionClosed)])
      case .integrate(let key, let batch):
        owe([.uploadIntegrated(key, bytes: batch.weight), .historyAdvanced(key), fail(key, .badChangeset)])
      case .sessionIdentified(let key, _): if random.oneIn(6) { owed.append(.displaced(key)) }
      case .pauseReading, .resumeReading, .sessionEnded, .log: break
      }
    }
  }

  private func fail(_ key: SessionKey, _ code: SessionFailure.Code) -> ServerConnection.Event {
    .sessionFailed(key, SessionFailure(code, "as the fuzzer wants it"))
  }

  /// Queues one of the answers: mostly the first, which is the honest owner's.
  private mutating func owe(_ events: [ServerConnection.Event]) {
    let index = random.oneIn(4) ? Int.random(in: 0..<events.count, using: &random) : 0
    if !random.oneIn(12) { owed.append(events[index]) }
  }
}
