import ChangesetOT
import SyncProtocol
import TestKit

/// Several client machines against server machines over model files, one thread, one seed. Messages travel as bytes; every answer
/// comes after a random while; connections break at random.
struct MachinePair {
  struct Device {
    var machine: ClientConnection
    var server: ServerConnection?
    var file = ModelClientFile()
    var session = SessionIdent(1)
    var toServer: [[UInt8]] = []
    var toClient: [[UInt8]] = []
    var work: [ClientConnection.Event] = []
    var serverWork: [ServerConnection.Event] = []
    var timers: [ClientConnection.Timer: Duration] = [:]
    var identified: [SessionKey: FileIdent] = [:]
    var closesAfterFlush = false
    var failures: [SyncFailure] = []
    var completed: Set<WaitIdent> = []
    var isPlugged = true
  }

  var devices: [Device]
  var realm = ModelServerFile()
  var random: SeededGenerator
  var now: Duration = .zero
  let dialect: Dialect
  var counter: UInt32 = 0

  init(seed: UInt64, clients: Int, version: ProtocolVersion = .newest) {
    random = SeededGenerator(seed: seed)
    dialect = Dialect(.full, version)
    devices = (0..<clients).map { index in
      Device(machine: ClientConnection(seed: seed &+ UInt64(index)))
    }
    for index in devices.indices {
      let file = devices[index].file
      feed(index, .activate(SessionIdent(1), SessionSetup(path: "/a/notes", newest: file.newest)))
    }
  }

  // MARK: Client side

  mutating func feed(_ index: Int, _ event: ClientConnection.Event) {
    perform(index, devices[index].machine.handle(event, at: now))
  }

  private mutating func perform(_ index: Int, _ actions: [ClientConnection.Action]) {
    for action in actions {
      switch action {
      case .openSocket:
        devices[index].work.append(
          devices[index].isPlugged
            ? .socketOpened(token: "com.mongodb.realm-sync#\(dialect.version)")
            : .socketFailed(.unreachable, message: "no network"))
      case .closeSocket: unplug(index)
      case .send(let message):
        devices[index].toServer.append(message.encoded(for: dialect))
        devices[index].work.append(.writable)
      case .startTimer(let timer, let delay): devices[index].timers[timer] = now + delay
      case .stopTimer(let timer): devices[index].timers[timer] = nil
      case .storeFileIdent(let session, let ident):
        devices[index].file.store(ident)
        devices[index].work.append(.fileIdentStored(session, newest: devices[index].file.newest))
      case .scanHistory(let session, let request):
        devices[index].work.append(.historyScanned(session, request.work, devices[index].file.scan(request)))
      case .integrate(let session, let work, let message, _):
        devices[index].file.integrate(message)
        let file = devices[index].file
        devices[index].work.append(.integrated(session, work, progress: file.progress, newest: file.newest))
      case .report(_, let failure): devices[index].failures.append(failure)
      case .uploadsCompleted(_, let wait), .downloadsCompleted(_, let wait): devices[index].completed.insert(wait)
      case .connectionChanged, .sessionChanged, .progressed, .deactivated, .log, .refreshAccessToken, .refreshLocation,
        .logOut, .resetClient, .deleteRealm, .queryRefused, .queryCompleted:
        break
      }
    }
  }

  /// The server's end of the socket is gone, with all that was on its way.
  private mutating func unplug(_ index: Int) {
    if var server = devices[index].server { _ = server.handle(.disconnected) }
    devices[index].server = nil
    devices[index].toServer = []
    devices[index].toClient = []
    devices[index].serverWork = []
    devices[index].identified = [:]
    devices[index].closesAfterFlush = false
    devices[index].work.removeAll { event in
      switch event {
      case .socketOpened, .socketClosed, .socketFailed, .writable, .received: true
      default: false
      }
    }
  }

  // MARK: Server side

  private mutating func feedServer(_ index: Int, _ event: ServerConnection.Event) {
    guard let actions = devices[index].server?.handle(event) else { return }
    performServer(index, actions)
  }

  private mutating func performServer(_ index: Int, _ actions: [ServerConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let message): devices[index].toClient.append(message.encoded(for: dialect))
      case .close: devices[index].closesAfterFlush = true
      case .openRealm(let key, _): devices[index].serverWork.append(.realmOpened(key))
      case .allocateFileIdent(let key): devices[index].serverWork.append(.fileIdentAllocated(key, realm.allocate()))
      case .findClientFile(let key, let claim):
        devices[index].serverWork.append(
          .clientFileFound(key, realm.clients[claim.file.ident], realm.state(for: claim)))
      case .sessionIdentified(let key, let file): devices[index].identified[key] = file
      case .scanHistory(let key, let request):
        devices[index].serverWork.append(.historyScanned(key, realm.scan(request)))
      case .integrate(let key, let batch):
        realm.integrate(batch)
        devices[index].serverWork.append(.uploadIntegrated(key, bytes: batch.weight))
        for other in devices.indices {
          devices[other].serverWork += devices[other].identified.keys.map { .historyAdvanced($0) }
        }
      case .sessionEnded(let key): devices[index].identified[key] = nil
      case .pauseReading, .resumeReading, .startTimer, .log: break
      }
    }
  }

  // MARK: Steps

  /// Everything that could happen next; false when nothing can.
  mutating func step() -> Bool {
    var choices: [(Int, Int)] = []
    for index in devices.indices {
      let device = devices[index]
      if !device.work.isEmpty { choices.append((index, 0)) }
      if !device.serverWork.isEmpty { choices.append((index, 1)) }
      if !device.toServer.isEmpty, device.server != nil { choices.append((index, 2)) }
      if !device.toClient.isEmpty { choices.append((index, 3)) }
      if device.closesAfterFlush, device.toClient.isEmpty { choices.append((index, 4)) }
    }
    guard let (index, kind) = choices.randomElement(using: &random) else { return fireTimer() }
    switch kind {
    case 0:
      let event = devices[index].work.removeFirst()
      if case .socketOpened = event {
        var server = ServerConnection(dialect: dialect)
        let greeting = server.start()
        devices[index].server = server
        performServer(index, greeting)
      }
      feed(index, event)
    case 1: feedServer(index, devices[index].serverWork.removeFirst())
    case 2:
      let bytes = devices[index].toServer.removeFirst()
      let actions = devices[index].server?.receive(bytes) ?? []
      performServer(index, actions)
    case 3:
      let bytes = devices[index].toClient.removeFirst()
      perform(index, devices[index].machine.receive(bytes, at: now))
    default:
      unplug(index)
      feed(index, .socketClosed(code: .normal, reason: ""))
    }
    return true
  }

  /// Time passes to the next timer, unless only PINGs and rest are left.
  private mutating func fireTimer() -> Bool {
    var next: (Int, ClientConnection.Timer, Duration)?
    for index in devices.indices {
      for (timer, at) in devices[index].timers {
        switch timer {
        case .ping, .linger, .connectTimeout, .pongTimeout: continue
        case .reconnect, .resume, .throttle, .coalesce: break
        }
        if next.map({ at < $0.2 }) ?? true { next = (index, timer, at) }
      }
    }
    guard let (index, timer, at) = next else { return false }
    now = max(now, at)
    devices[index].timers[timer] = nil
    feed(index, .timerEnded(timer))
    return true
  }

  mutating func breakConnection(_ index: Int) {
    guard devices[index].server != nil else { return }
    unplug(index)
    feed(index, .socketFailed(.lost, message: "cut"))
  }

  mutating func commit(_ index: Int) {
    counter += 1
    let size = random.oneIn(10) ? 2_000 : 0
    devices[index].file.commit(
      [UInt8(counter >> 16 & 255), UInt8(counter >> 8 & 255), UInt8(counter & 255)] + [UInt8](repeating: 1, count: size)
    )
    feed(index, .localCommit(SessionIdent(1), newest: devices[index].file.newest))
  }
}
