import Synchronization
import Telemetry
import Transport

/// A network of named hosts under one seed: the same seed and calls give the same trace.
///
///     let network = SimulatedNetwork(seed: 7)
///     let server = network.host("server"), phone = network.host("phone")
///     server.listen(on: ListenAddress(host: "server", port: 80), options: HTTPServerOptions(), handler: app) { _ in }
///     phone.connectWebSocket(to: endpoint, options: WebSocketOptions(), handler: session)
///     network.loop.run(for: .seconds(1))
///     network.partition(["phone"], from: ["server"])
///
/// Messages travel whole, in order per connection. The bytes of HTTP and WebSocket are not simulated; their handshakes,
/// limits and closings are. Connections behave like TCP: during a partition packets wait and are sent again
/// when it heals, and a sender gives up after ``retransmissionTimeout``.
///
/// All methods can be called from any thread; outside of the loop they take effect when it next runs.
public final class SimulatedNetwork: Sendable {
  /// The loop of every host.
  public let loop: SimulatedLoop
  /// The seed.
  public let seed: UInt64
  /// The time without acknowledgement after which a sender takes its connection for lost.
  public let retransmissionTimeout: Duration

  let world: SimulatedWorld
  private let lastConnection = Atomic<UInt64>(0)
  private let traceState: Mutex<Trace>

  private struct Trace {
    var lines: [String] = []
    var keepsLines: Bool
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  }

  /// A network without hosts.
  ///
  /// - Parameters:
  ///   - seed: decides every latency and every break.
  ///   - loop: the loop of every host.
  ///   - conditions: the behaviour of all links without a rule of their own.
  ///   - retransmissionTimeout: see ``retransmissionTimeout``.
  ///   - keepsTrace: whether ``trace`` is filled; ``traceDigest`` always is.
  public init(
    seed: UInt64, loop: SimulatedLoop = SimulatedLoop(), conditions: LinkConditions = LinkConditions(),
    retransmissionTimeout: Duration = .seconds(60), keepsTrace: Bool = false
  ) {
    self.seed = seed
    self.loop = loop
    self.retransmissionTimeout = retransmissionTimeout
    traceState = Mutex(Trace(keepsLines: keepsTrace))
    world = SimulatedWorld(seed: seed, conditions: conditions)
  }

  /// The host called `name`, made on first use. Names resolve to hosts; `localhost` and `127.0.0.1` to
  /// the host itself.
  public func host(_ name: String) -> SimulatedHost {
    loop.executeNowOrSoon { [world] in if world.hosts[name] == nil { world.hosts[name] = .init() } }
    return SimulatedHost(name: name, network: self)
  }

  // MARK: Conditions

  /// Changes the behaviour of one direction; nil stands for every host. Later calls win over earlier ones.
  public func setConditions(_ conditions: LinkConditions, from source: String? = nil, to target: String? = nil) {
    change("conditions \(source ?? "*") to \(target ?? "*")") { $0.rules.append((source, target, conditions)) }
  }

  /// Separates two groups of hosts, in both directions or in one. Packets between them wait, and no end is notified.
  public func partition(_ left: Set<String>, from right: Set<String>, bothDirections: Bool = true) {
    let names = "\(left.sorted()) \(bothDirections ? "|" : ">|") \(right.sorted())"
    change("partition \(names)") { world in
      world.partitions.append((left, right))
      if bothDirections { world.partitions.append((right, left)) }
    }
  }

  /// Ends all partitions; waiting packets travel on.
  public func heal() {
    change("heal") { $0.partitions.removeAll() }
    loop.executeNowOrSoon { self.releaseHeldPackets() }
  }

  // MARK: Faults

  /// Breaks every connection between two hosts; both ends are notified.
  public func breakConnections(between left: String, and right: String) {
    loop.executeNowOrSoon {
      self.note("break \(left) \(right)")
      for stream in self.world.orderedStreams() where Set(stream.names) == Set([left, right]) { stream.breakBothEnds() }
    }
  }

  /// Whether connection attempts to `host` are refused although something listens.
  public func setRefusesConnections(_ refuses: Bool, at host: String) {
    change("refuse \(host) \(refuses)") { $0.hosts[host, default: .init()].refuses = refuses }
  }

  /// The process on `host` dies: its handlers are not called again, its listeners are gone, its peers are notified
  /// of the loss of their connections. The host can be used again at once.
  public func crash(_ host: String) {
    loop.executeNowOrSoon {
      self.note("crash \(host)")
      self.world.abandonListeners(of: host)
      for stream in self.world.orderedStreams() { stream.abandonEnds(at: host, silently: false) }
    }
  }

  /// The machine `host` loses power: as ``crash(_:)``, but its peers are not notified. They find out when a packet of
  /// theirs stays unacknowledged for ``retransmissionTimeout``, or when the host answers with a reset after ``restart(_:)``.
  public func vanish(_ host: String) {
    loop.executeNowOrSoon {
      self.note("vanish \(host)")
      self.world.hosts[host, default: .init()].isUp = false
      self.world.abandonListeners(of: host)
      for stream in self.world.orderedStreams() { stream.abandonEnds(at: host, silently: true) }
    }
  }

  /// The machine `host` is up again, without connections and listeners.
  public func restart(_ host: String) {
    change("restart \(host)") { $0.hosts[host, default: .init()].isUp = true }
    loop.executeNowOrSoon { self.releaseHeldPackets() }
  }

  /// Drops every connection, listener and waiting piece of work, to break their retain cycles with the network: called at
  /// the end of each run by processes that make many. Peers are not notified; every handler receives the closing of its
  /// connection, and work that it hands over then is dropped.
  public func tearDown() {
    loop.removeAll()
    for stream in world.orderedStreams() {
      for host in Set(stream.names) { stream.abandonEnds(at: host, silently: true) }
    }
    world.streams.removeAll()
    for host in world.hosts.keys { world.abandonListeners(of: host) }
    world.hosts.removeAll()
    for release in world.abandoned { loop.execute(release) }
    world.abandoned.removeAll()
    loop.run(for: .milliseconds(1))
    loop.removeAll()
  }

  /// The number of connections that one host opened to another and that neither has closed. While the loop rests.
  ///
  /// - Complexity: O(*n* log *n*) in all connections.
  public func connectionCount(from source: String, to target: String) -> Int {
    world.orderedStreams().count { $0.names == [source, target] }
  }

  // MARK: Trace

  /// One line per packet and fault, with virtual time; empty unless `keepsTrace` was set.
  public var trace: [String] { traceState.withLock { $0.lines } }

  /// A digest of all lines of the trace: equal for equal runs.
  public var traceDigest: UInt64 { traceState.withLock { $0.digest } }

  func note(_ text: @autoclosure () -> String) {
    let line = "\(loop.now) \(text())"
    traceState.withLock { trace in
      for byte in line.utf8 { trace.digest = (trace.digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      if trace.keepsLines { trace.lines.append(line) }
    }
  }

  func makeConnectionIdent() -> ConnectionIdent {
    ConnectionIdent(rawValue: lastConnection.add(1, ordering: .relaxed).newValue)
  }

  private func change(_ text: String, _ body: @escaping @Sendable (SimulatedWorld) -> Void) {
    loop.executeNowOrSoon {
      self.note(text)
      body(self.world)
    }
  }

  private func releaseHeldPackets() {
    for stream in world.orderedStreams() { stream.releaseHeldPackets() }
  }
}
