import ChangesetOT
import Concurrency
import RecordStore
@testable import SyncClient
import Testing
import Transport
import TransportSimulated

/// A simulated network with a scripted server of flexible sync and one device.
final class QueryStage {
  let network = SimulatedNetwork(seed: 1)
  let server = QueryServer()
  let file: RealmFile
  let store: SubscriptionStore
  private var listener: (any Listener)?

  init() throws {
    file = try RealmFile.open(
      .inMemory(name: "device \(UInt64.random(in: 0 ... .max))"), options: .init(recordsChangesets: true))
    store = SubscriptionStore(file)
    try store.prepare()
    try file.edit { try $0.addClasses(Kennel.schema) }
    network.host("server").listen(
      on: ListenAddress(host: "server", port: 9080), options: HTTPServerOptions(), handler: server
    ) { result in
      if case .failure(let error) = result { Issue.record(error) }
    }
    run()
  }

  func run(_ duration: Duration = .seconds(1)) { network.loop.run(for: duration) }

  /// A session of the device's file, connected.
  func connect() -> SyncSession {
    let client = SyncClient(
      SyncEnvironment(
        network: network.host("device"),
        executor: LoopExecutor(loop: network.loop, delay: .microseconds(100)), seed: { 7 }))
    let target = SyncTarget(
      server: NetworkURL(scheme: .ws, host: "server", port: 9080, target: "/realm-sync"), path: "/default",
      user: "ann", flavour: .flexible)
    let session = client.open(file, at: target, tokens: FixedTokenSource("token", scheduler: network.loop))
    run()
    return session
  }

  /// Subscribes to dogs by a query, as the next set.
  @discardableResult
  func subscribe(_ query: String) throws -> QueryVersion? {
    try store.update { $0.append(SubscriptionRecord(className: "Dog", query: query)) }
  }

  /// The states of the sets, as in "0 complete, 1 pending".
  var states: String {
    get throws {
      try (store.sets()?.sets ?? []).map { "\($0.version.rawValue) \($0.state)" }.joined(separator: ", ")
    }
  }
}
