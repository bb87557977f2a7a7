import Synchronization
import TestKit
import Testing
import Transport
import TransportReal

@Suite("The receive budget over loopback", .serialized)
struct ReceiveBudgetTests {
  static let size = 1 << 20

  static func start(
    limit: Int, _ configure: (inout HTTPServerOptions) -> Void = { _ in }
  ) async throws -> (Loopback, ReceiveBudget) {
    let budget = ReceiveBudget(limit: limit)
    var options = HTTPServerOptions()
    options.receiveBudget = budget
    configure(&options)
    return (try await Loopback.start(options: options), budget)
  }

  @Test("many large messages at once arrive, and together take at most the budget and one message")
  func messages() async throws {
    let (loopback, budget) = try await Self.start(limit: 1 << 20)
    let watch = Watch(loop: loopback.loop, budget: budget)
    watch.start()
    let recorders = (0..<12).map { _ in Recorder() }
    for recorder in recorders {
      let socket = loopback.network.connectWebSocket(
        to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
      socket.send(binary: [UInt8](repeating: 3, count: Self.size))
    }
    for recorder in recorders {
      #expect(await recorder.events.next() == .opened(nil))
      guard case .received(.binary(let bytes)) = await recorder.events.next() else {
        Issue.record("no message")
        continue
      }
      #expect(bytes.count == Self.size)
    }
    let seen = watch.most.withLock { $0 }
    #expect(seen <= (1 << 20) + Self.size + 12 * (64 << 10))
    #expect(seen >= Self.size / 2)
    await loopback.stop()
  }

  @Test("bytes of unauthenticated peers are bounded, and every request is answered")
  func guests() async throws {
    let (loopback, budget) = try await Self.start(limit: 1 << 20)
    let watch = Watch(loop: loopback.loop, budget: budget)
    watch.start()
    let body = [UInt8](repeating: 1, count: 500_000)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await loopback.network.response(
            to: HTTPClientRequest(method: "POST", url: loopback.url(.http), body: body)
          ).status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    let seen = watch.most.withLock { $0 }
    #expect(seen <= (1 << 17) + 500_200 + 12 * (4 << 10))
    await loopback.stop()
  }

  @Test("HTTP connections are bounded; an idle one is closed for a new one")
  func connections() async throws {
    let (loopback, budget) = try await Self.start(limit: 1 << 20) {
      $0.maximumGuests = 3
      // Only what comes closes a connection, however long this test waits for its turn.
      ($0.headTimeout, $0.idleTimeout) = (.seconds(86_400), .seconds(86_400))
    }
    let sockets = (0..<4).map { _ in RawSocket(port: loopback.port) }
    // One of them has been closed; which one does not matter.
    let response = try await loopback.network.response(to: HTTPClientRequest(url: loopback.url(.http)))
    #expect(response.status == 200)
    withExtendedLifetime(sockets) {}
    var busy: [RawSocket] = []
    for count in 1...3 {
      let socket = RawSocket(port: loopback.port)
      socket.send("GET / HT")
      busy.append(socket)
      // Until the server holds what it sent.
      try await eventually { await held(budget, on: loopback.loop) >= count }
    }
    #expect(RawSocket(port: loopback.port).readAll() == [])
    withExtendedLifetime(busy) {}
    await loopback.stop()
  }

  private func held(_ budget: ReceiveBudget, on loop: EventLoop) async -> Int {
    await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: budget.held) } }
  }

  @Test("requested bytes are granted in order, and one request of any size proceeds")
  func reservations() {
    let budget = ReceiveBudget(limit: 800)
    var log: [String] = []
    budget.reserve(10_000) { log.append("large") }
    budget.reserve(10) { log.append("small") }
    #expect(log == ["large"])
    budget.release(10_000, wasGranted: true)
    #expect(log == ["large", "small"])
    budget.reserve(600) { log.append("fits") }
    budget.reserve(600) { log.append("waits") }
    #expect(log == ["large", "small", "fits"])
    budget.release(600, wasGranted: true)
    #expect(log == ["large", "small", "fits", "waits"])
  }
}

/// Looks at a budget every turn of the loop.
final class Watch: Sendable {
  let most = Mutex(0)
  private let loop: EventLoop
  private let budget: ReceiveBudget

  init(loop: EventLoop, budget: ReceiveBudget) {
    self.loop = loop
    self.budget = budget
  }

  func start() {
    loop.schedule(after: .microseconds(100)) { [weak self] in
      guard let self else { return }
      most.withLock { $0 = max($0, self.budget.held) }
      start()
    }
  }
}
