import Synchronization
import TestKit
import Testing
import Transport
import TransportSimulated

/// Writes down what a WebSocket says.
final class Recorder: WebSocketHandler {
  let log = Log<String>()
  let messages = Log<[UInt8]>()
  let texts = Log<String>()
  let tooLarge = Log<Int>()
  let closures = Log<WebSocketClosure>()

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    log.add("open \(protocolToken ?? "-")")
  }
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    log.add("message")
    if case .binary(let bytes) = message { messages.add(bytes) }
    if case .text(let bytes) = message { texts.add(String(decoding: bytes, as: UTF8.self)) }
    if case .oversized(_, let byteCount) = message { tooLarge.add(byteCount) }
  }
  func webSocketDidDrain(_ connection: any WebSocketConnection) { log.add("drain") }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    log.add("close")
    closures.add(closure)
  }

  var failure: TransportError.Code? {
    guard case .failed(let error) = closures.values.last else { return nil }
    return error.code
  }
}

/// Echoes over HTTP and WebSocket.
final class EchoServer: HTTPServerHandler, WebSocketHandler {
  let closures = Log<WebSocketClosure>()

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(
      HTTPResponse(status: 200, text: "\(request.method) \(request.target) from \(request.remoteAddress)"))
  }
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    if request.http.path == "/refuse" { return responder.refuse(HTTPResponse(status: 401, text: "no")) }
    responder.accept(
      protocolToken: request.protocolTokens.first, headers: [:], options: WebSocketOptions(), handler: self)
  }
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    if case .binary(let bytes) = message { connection.send(binary: bytes) }
    if case .text(let bytes) = message { connection.send(text: String(decoding: bytes, as: UTF8.self) + "!") }
  }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { closures.add(closure) }
}

/// A network with an echo server at `server:80`.
struct World {
  let network: SimulatedNetwork
  let server: SimulatedHost
  let phone: SimulatedHost
  let echo = EchoServer()
  let listener: any Listener

  init(seed: UInt64 = 1, keepsTrace: Bool = false) throws {
    network = SimulatedNetwork(seed: seed, keepsTrace: keepsTrace)
    server = network.host("server")
    phone = network.host("phone")
    let found = Log<any Listener>()
    server.listen(on: ListenAddress(host: "server", port: 80), options: HTTPServerOptions(), handler: echo) { result in
      if case .success(let listener) = result { found.add(listener) }
    }
    network.loop.run(for: .zero)
    listener = try #require(found.values.first)
  }

  func connect(_ recorder: Recorder, _ url: String = "ws://server/sync", options: WebSocketOptions = WebSocketOptions())
    throws -> any WebSocketConnection
  {
    phone.connectWebSocket(
      to: WebSocketEndpoint(url: try NetworkURL(url), protocolTokens: ["t#2", "t#1"]), options: options,
      handler: recorder)
  }

  /// A world in which the phone is connected.
  static func connected() throws -> (World, Recorder, any WebSocketConnection) {
    let world = try World()
    let recorder = Recorder()
    let socket = try world.connect(recorder)
    world.run(1)
    return (world, recorder, socket)
  }

  /// Lets go of everything, so that many runs fit into one process.
  func tearDown() { network.tearDown() }

  func run(_ seconds: Int) { network.loop.run(for: .seconds(seconds)) }
}

@Suite("Simulated network")
struct SimulatedNetworkTests {
  @Test("messages are echoed whole and in order, and the closing is reported at both ends")
  func echo() throws {
    let world = try World()
    let recorder = Recorder()
    let socket = try world.connect(recorder)
    for number in 0..<50 { socket.send(binary: [UInt8(number)]) }
    world.run(2)
    #expect(recorder.log.values.first == "open t#2")
    #expect(recorder.messages.values == (0..<50).map { [UInt8($0)] })
    socket.close(code: 4001, reason: "bye")
    world.run(1)
    #expect(recorder.closures.values == [.closed(code: 4001, reason: "bye", byPeer: false)])
    #expect(world.echo.closures.values == [.closed(code: 4001, reason: "bye", byPeer: true)])
  }

  @Test("texts stay texts, in order with other messages, and an oversized one is reported by its head")
  func texts() throws {
    let world = try World()
    let recorder = Recorder()
    var options = WebSocketOptions()
    options.maximumMessageBytes = 1_000
    let socket = try world.connect(recorder, options: options)
    socket.send(text: "before the opening")
    socket.send(binary: [1])
    world.run(1)
    socket.send(text: "é")
    socket.send(text: String(repeating: "a", count: 1_000))
    world.run(1)
    #expect(recorder.texts.values == ["before the opening!", "é!"])
    #expect(recorder.tooLarge.values == [1_001])
  }

  @Test("an HTTP request is answered; a refused upgrade gives its response")
  func http() throws {
    let world = try World()
    let answers = Log<String>()
    world.phone.send(HTTPClientRequest(url: try NetworkURL("http://server/x?y"))) { result in
      if case .success(let response) = result { answers.add(response.text) }
    }
    let recorder = Recorder()
    _ = try world.connect(recorder, "ws://server/refuse")
    world.run(1)
    #expect(answers.values == ["GET /x?y from phone"])
    guard case .refused(let response) = recorder.closures.values.first else {
      Issue.record("not refused")
      return
    }
    #expect(response.status == 401)
  }

  @Test(
    "an attempt that cannot succeed reports the reason",
    arguments: [
      ("ws://nobody/", TransportError.Code.unresolvedHost), ("ws://server:81/", .connectionRefused),
      ("wss://server:80/", .tlsFailed),
    ])
  func attempts(url: String, code: TransportError.Code) throws {
    let world = try World()
    let recorder = Recorder()
    _ = try world.connect(recorder, url)
    world.run(1)
    #expect(recorder.failure == code)
    #expect(recorder.log.values == ["close"])
  }

  @Test("refusing, and a port in use, are typed errors")
  func refusing() throws {
    let world = try World()
    world.network.setRefusesConnections(true, at: "server")
    let recorder = Recorder()
    _ = try world.connect(recorder)
    let codes = Log<TransportError.Code>()
    world.server.listen(on: ListenAddress(host: "server", port: 80), options: HTTPServerOptions(), handler: world.echo)
    { result in
      if case .failure(let error) = result { codes.add(error.code) }
    }
    world.run(1)
    #expect(recorder.failure == .connectionRefused)
    #expect(codes.values == [.addressInUse])
  }

  @Test("messages wait during a partition and arrive when it heals")
  func partition() throws {
    let (world, recorder, socket) = try World.connected()
    world.network.partition(["phone"], from: ["server"])
    socket.send(binary: [1])
    socket.send(binary: [2])
    world.run(30)
    #expect(recorder.messages.values.isEmpty)
    world.network.heal()
    socket.send(binary: [3])
    world.run(1)
    #expect(recorder.messages.values == [[1], [2], [3]])
    #expect(recorder.closures.values.isEmpty)
  }

  @Test("messages under way when a partition heals do not overtake messages that waited")
  func healing() throws {
    let (world, recorder, socket) = try World.connected()
    world.network.partition(["phone"], from: ["server"])
    socket.send(binary: [1])
    world.run(30)
    socket.send(binary: [2])
    world.network.heal()
    socket.send(binary: [3])
    world.run(1)
    #expect(recorder.messages.values == [[1], [2], [3]])
    world.tearDown()
  }

  @Test("a sender gives up when a partition outlasts its timeout; an attempt times out")
  func longPartition() throws {
    let (world, recorder, socket) = try World.connected()
    world.network.partition(["phone"], from: ["server"])
    socket.send(binary: [1])
    let late = Recorder()
    var options = WebSocketOptions()
    options.connectTimeout = .seconds(10)
    _ = try world.connect(late, options: options)
    world.run(61)
    #expect(recorder.failure == .connectionLost)
    #expect(late.failure == .timedOut)
  }

  @Test("a machine that lost its power sends nothing; after its restart it answers with a reset")
  func vanish() throws {
    let (world, recorder, socket) = try World.connected()
    world.network.vanish("server")
    world.run(600)
    #expect(recorder.log.values == ["open t#2"])
    socket.send(binary: [1])
    world.run(5)
    #expect(recorder.log.values == ["open t#2"])
    world.network.restart("server")
    world.run(1)
    #expect(recorder.failure == .connectionLost)
    #expect(world.echo.closures.values.isEmpty)
  }

  @Test("a process that crashes is noticed by its peers at once, and its port is free")
  func crash() throws {
    let (world, recorder, _) = try World.connected()
    world.network.crash("server")
    world.run(1)
    #expect(recorder.failure == .connectionLost)
    #expect(world.echo.closures.values.isEmpty)
    let listeners = Log<Int>()
    world.server.listen(on: ListenAddress(host: "server", port: 80), options: HTTPServerOptions(), handler: world.echo)
    { result in
      if case .success(let listener) = result { listeners.add(listener.address.port) }
    }
    world.run(1)
    #expect(listeners.values == [80])
  }

  @Test("a broken connection is reported at both ends")
  func broken() throws {
    let (world, recorder, _) = try World.connected()
    world.network.breakConnections(between: "server", and: "phone")
    world.run(1)
    #expect(recorder.failure == .connectionLost)
    #expect(world.echo.closures.values.count == 1)
  }

  @Test("a slow link fills the buffer, drains it, and cuts when the budget is used up")
  func backPressure() throws {
    let world = try World()
    world.network.setConditions(LinkConditions(bytesPerSecond: 100_000), from: "phone", to: "server")
    let recorder = Recorder()
    var options = WebSocketOptions()
    options.writeBudget = 1_000_000
    let socket = try world.connect(recorder, options: options)
    world.run(1)
    for _ in 0..<9 { socket.send(binary: [UInt8](repeating: 0, count: 100_000)) }
    world.run(1)
    #expect(socket.bufferedBytes > 500_000)
    world.run(20)
    #expect(recorder.log.values.contains("drain"))
    #expect(socket.bufferedBytes == 0)
    for _ in 0..<11 { socket.send(binary: [UInt8](repeating: 0, count: 100_000)) }
    world.run(1)
    #expect(recorder.failure == .writeBudgetExceeded)
  }

  @Test("a message over the receiver's limit is reported by its head, and the connection goes on")
  func tooBig() throws {
    let world = try World()
    let recorder = Recorder()
    var options = WebSocketOptions()
    options.maximumMessageBytes = 10
    let socket = try world.connect(recorder, options: options)
    socket.send(binary: [UInt8](repeating: 0, count: 11))
    world.run(1)
    socket.send(binary: [1])
    world.run(1)
    #expect(recorder.tooLarge.values == [11])
    #expect(recorder.messages.values == [[1]])
    #expect(recorder.closures.values.isEmpty)
  }

  @Test("shutting a listener down closes with 1001 and completes")
  func shutDown() throws {
    let (world, recorder, _) = try World.connected()
    let done = Log<Bool>()
    world.listener.shutDown(grace: .seconds(5)) { done.add(true) }
    world.run(1)
    #expect(done.values == [true])
    #expect(recorder.closures.values == [.closed(code: 1001, reason: "the server is shutting down", byPeer: true)])
  }

  @Test("a network that was torn down is released")
  func tearDown() throws {
    weak var network: SimulatedNetwork?
    do {
      let world = try World()
      let recorder = Recorder()
      let socket = try world.connect(recorder)
      world.run(1)
      socket.send(binary: [1])
      network = world.network
      world.tearDown()
    }
    #expect(network == nil)
  }

  @Test(
    "tearing down releases the handlers of a crashed process"
  )
  func tearDownAfterCrash() throws {
    weak var lost: SelfRetaining?
    do {
      let world = try World()
      let retained = SelfRetaining()
      lost = retained
      _ = world.network.host("phone").connectWebSocket(
        to: WebSocketEndpoint(url: try NetworkURL("ws://server/")), options: WebSocketOptions(), handler: retained)
      world.run(1)
      world.network.crash("phone")
      world.run(1)
      #expect(retained.isOpen)
      world.tearDown()
    }
    #expect(lost == nil)
  }

  /// Keeps itself until its connection is closed.
  private final class SelfRetaining: WebSocketHandler {
    private let own = Mutex<SelfRetaining?>(nil)
    var isOpen: Bool { own.withLock { $0 != nil } }

    func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) { own.withLock { $0 = self } }
    func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {}
    func webSocketDidDrain(_ connection: any WebSocketConnection) {}
    func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
      own.withLock { $0 = nil }
    }
  }

  @Test("the same seed gives the same trace, another seed gives another trace", arguments: Seeds.some(20))
  func determinism(seed: UInt64) throws {
    let first = try Self.storm(seed: seed)
    #expect(first == (try Self.storm(seed: seed)), "SEED=\(seed)")
    #expect(first.digest != (try Self.storm(seed: seed &+ 1_000_003)).digest, "SEED=\(seed)")
    #expect(first.trace.count > 20, "SEED=\(seed): a storm in which something happens")
  }

  struct Run: Equatable {
    var trace: [String]
    var digest: UInt64
    var heard: [[String]]
  }

  /// Several phones, random sending, and every fault there is.
  static func storm(seed: UInt64) throws -> Run {
    let world = try World(seed: seed, keepsTrace: true)
    world.network.setConditions(
      LinkConditions(latency: .milliseconds(1) ... .milliseconds(200), breakProbability: 0.002))
    var random = SeededGenerator(seed: seed)
    let recorders = (0..<4).map { _ in Recorder() }
    var sockets: [any WebSocketConnection] = []
    func connect(_ index: Int) throws -> any WebSocketConnection {
      world.network.host("phone\(index)").connectWebSocket(
        to: WebSocketEndpoint(url: try NetworkURL("ws://server/")), options: WebSocketOptions(),
        handler: recorders[index])
    }
    for index in recorders.indices { sockets.append(try connect(index)) }
    for _ in 0..<150 {
      let index = Int.random(in: sockets.indices, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: world.network.partition(["phone\(index)"], from: ["server"])
      case 1: world.network.heal()
      case 2: world.network.vanish("phone\(index)")
      case 3: world.network.restart("phone\(index)")
      case 4: sockets[index].close(code: .normal, reason: "")
      case 5, 6: sockets[index] = try connect(index)
      default: sockets[index].send(binary: [UInt8](repeating: 1, count: Int.random(in: 0...500, using: &random)))
      }
      world.network.loop.run(for: .milliseconds(Int.random(in: 0...400, using: &random)))
    }
    world.run(120)
    defer { world.tearDown() }
    return Run(trace: world.network.trace, digest: world.network.traceDigest, heard: recorders.map(\.log.values))
  }
}
