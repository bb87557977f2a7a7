import Concurrency
import SyncProtocol
@testable import SyncClient
import Synchronization
import Telemetry
import Testing
import Transport
import TransportSimulated

/// A simulated network with one plain server, and devices that sync with it.
final class Stage {
  let network: SimulatedNetwork
  let server = PlainServer()
  private var listener: (any Listener)?

  init(seed: UInt64 = 1) {
    network = SimulatedNetwork(seed: seed)
    start()
  }

  /// A stage with one device, whose session is connected.
  static func withOneDevice() -> (stage: Stage, file: PlainFile, session: SyncSession) {
    let stage = Stage()
    let file = PlainFile()
    let session = stage.open(file, by: stage.client("one"))
    stage.run()
    return (stage, file, session)
  }

  func start() {
    network.host("server").listen(
      on: ListenAddress(host: "server", port: 9080), options: HTTPServerOptions(), handler: server
    ) { result in
      if case .failure(let error) = result { Issue.record(error) }
    }
    run()
  }

  func run(_ duration: Duration = .seconds(1)) { network.loop.run(for: duration) }

  /// A device whose file jobs take `disk` each.
  func client(_ name: String, disk: Duration = .microseconds(100)) -> SyncClient {
    SyncClient(
      SyncEnvironment(
        network: network.host(name),
        executor: LoopExecutor(loop: network.loop, delay: disk), seed: { 7 }))
  }

  func target(_ path: String = "/ann/todo", user: String = "ann") -> SyncTarget {
    SyncTarget(
      server: NetworkURL(scheme: .ws, host: "server", port: 9080, target: "/realm-sync"), path: path, user: user)
  }

  func open(_ file: PlainFile, by client: SyncClient, path: String = "/ann/todo", user: String = "ann") -> SyncSession {
    client.open(
      file, at: target(path, user: user), tokens: FixedTokenSource("token", scheduler: network.loop))
  }
}

/// A variable that callbacks on the loop may set.
final class Box<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>
  init(_ value: Value) { stored = Mutex(value) }
  var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
  func change(_ edit: (inout Value) -> Void) { stored.withLock { edit(&$0) } }
}
