import Glibc
import Synchronization
import Testing
import Transport
import TransportReal

@Suite("Event loop")
struct EventLoopTests {
  @Test("work scheduled from one thread runs in order, on the loop")
  func order() async throws {
    let loop = try EventLoop()
    let inbox = Inbox<[Int]>()
    final class Seen: Sendable { let values = Mutex<[Int]>([]) }
    let box = Seen()
    for number in 0..<5_000 {
      loop.execute {
        if loop.isOnLoop { box.values.withLock { $0.append(number) } }
      }
    }
    loop.execute { inbox.put(box.values.withLock { $0 }) }
    #expect(await inbox.next() == Array(0..<5_000))
    loop.shutDown()
  }

  @Test("timers run in the order of their deadlines, and not when cancelled")
  func timers() async throws {
    let loop = try EventLoop()
    let inbox = Inbox<String>()
    // In one turn of the loop, so that none of them runs before all are there.
    loop.execute {
      loop.schedule(after: .milliseconds(60)) { inbox.put("late") }
      let cancelled = loop.schedule(after: .milliseconds(30)) { inbox.put("never") }
      loop.schedule(after: .milliseconds(5)) { inbox.put("early") }
      cancelled.cancel()
    }
    #expect(await inbox.next() == "early")
    #expect(await inbox.next() == "late")
    loop.shutDown()
  }

  @Test("an actor lives on the loop and is entered without a hop")
  func actors() async throws {
    actor Account {
      let loop: EventLoop
      var balance = 0
      init(loop: EventLoop) { self.loop = loop }
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      func add(_ amount: Int) -> Bool {
        balance += amount
        return loop.isOnLoop
      }
    }
    let loop = try EventLoop()
    let account = Account(loop: loop)
    #expect(await account.add(1))
    let inbox = Inbox<Int>()
    loop.execute {
      account.assumeIsolated { $0.balance += 10 }
      inbox.put(account.assumeIsolated { $0.balance })
    }
    #expect(await inbox.next() == 11)
    loop.shutDown()
  }

  @Test("a signal reaches its handler on the loop")
  func signals() async throws {
    let loop = try EventLoop()
    let inbox = Inbox<Int32>()
    let watch = loop.onSignals([SIGUSR2]) { inbox.put($0) }
    loop.execute { kill(getpid(), SIGUSR2) }
    #expect(await inbox.next() == SIGUSR2)
    watch.cancel()
    loop.shutDown()
  }

  @Test("shutting down ends the thread although timers and listeners are open")
  func shutDown() async throws {
    for _ in 0..<20 {
      let loopback = try await Loopback.start()
      loopback.loop.schedule(after: .seconds(3_600)) {}
      let recorder = Recorder()
      loopback.network.connectWebSocket(
        to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
      loopback.loop.shutDown()
      loopback.loop.shutDown()
    }
  }

  @Test("shutting down reports the closing to the handlers of open connections")
  func handlersHear() async throws {
    let loopback = try await Loopback.start()
    let recorder = Recorder()
    loopback.network.connectWebSocket(
      to: WebSocketEndpoint(url: loopback.url(.ws)), options: WebSocketOptions(), handler: recorder)
    #expect(await recorder.events.next() == .opened(nil))
    loopback.loop.shutDown()
    guard case .closed(.failed(let error)) = await recorder.events.next() else {
      Issue.record("no failure")
      return
    }
    #expect([.shutDown, .connectionLost].contains(error.code))
  }
}
