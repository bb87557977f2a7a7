import Telemetry
import Transport

// @unchecked Sendable: touched on the simulated loop only, which runs one piece of work at a time.
/// A connection between two hosts: two directions, each in order.
final class SimulatedStream: @unchecked Sendable {
  enum Side: Int {
    case client = 0, server = 1
    var other: Side { self == .client ? .server : .client }
  }

  private struct Direction {
    var lastArrival = MonotonicInstant.zero
    var linkFreeAt = MonotonicInstant.zero
    var inFlight = 0
    /// Packets under way, in the order of sending. There is one scheduled arrival for each, and an arrival delivers the
    /// first of them: so no packet overtakes another, even when held packets are sent again behind later ones.
    var underWay: [SimulatedPacket] = []
    var held: [SimulatedPacket] = []
    var holdNumber: UInt64 = 0
    /// Whether the receiving end does not read: arriving packets are kept in `unread`, and count as in flight.
    var isPaused = false
    var unread: [SimulatedPacket] = []
  }

  let ident: ConnectionIdent
  let names: [String]
  private let network: SimulatedNetwork
  private var ends: [(any SimulatedEnd)?] = [nil, nil]
  private var directions = [Direction(), Direction()]
  private var isServerDecided = false

  init(network: SimulatedNetwork, client: String, server: String, end: any SimulatedEnd) {
    self.network = network
    ident = network.world.makeIdent()
    names = [client, server]
    ends[0] = end
    network.world.streams[ident.rawValue] = self
  }

  func name(_ side: Side) -> String { names[side.rawValue] }

  func inFlight(from side: Side) -> Int { directions[side.rawValue].inFlight }

  /// Replaces the object at one end; nil when it is gone.
  func setEnd(_ end: (any SimulatedEnd)?, at side: Side) {
    ends[side.rawValue] = end
    if end == nil { discardUnread(at: side) }
    if ends[0] == nil && ends[1] == nil { network.world.streams[ident.rawValue] = nil }
  }

  // MARK: Sending

  func send(_ packet: SimulatedPacket, from side: Side) {
    let (source, target) = (name(side), name(side.other))
    let conditions = network.world.conditions(from: source, to: target)
    network.note("\(source) > \(target) #\(ident.rawValue) \(packet.label)")
    if network.world.chance(conditions.breakProbability) {
      network.note("break #\(ident.rawValue)")
      return breakBothEnds()
    }
    let now = network.loop.now
    var direction = directions[side.rawValue]
    direction.inFlight += packet.byteCount
    var departure = now
    if let rate = conditions.bytesPerSecond {
      let spent = Duration.nanoseconds(Int64(Double(packet.byteCount) * 1e9 / Double(rate)))
      departure = max(now, direction.linkFreeAt) + spent
      direction.linkFreeAt = departure
    }
    let arrival = max(departure + network.world.draw(conditions.latency), direction.lastArrival)
    direction.lastArrival = arrival
    direction.underWay.append(packet)
    directions[side.rawValue] = direction
    network.loop.schedule(after: arrival - now) { self.arrive(from: side) }
  }

  private func arrive(from side: Side) {
    let packet = directions[side.rawValue].underWay.removeFirst()
    if !directions[side.rawValue].held.isEmpty || network.world.isBlocked(from: name(side), to: name(side.other)) {
      return hold(packet, from: side)
    }
    deliver(packet, from: side)
  }

  private func hold(_ packet: SimulatedPacket, from side: Side) {
    let isFirst = directions[side.rawValue].held.isEmpty
    directions[side.rawValue].held.append(packet)
    guard isFirst else { return }
    directions[side.rawValue].holdNumber += 1
    let number = directions[side.rawValue].holdNumber
    network.loop.schedule(after: network.retransmissionTimeout) {
      let direction = self.directions[side.rawValue]
      guard direction.holdNumber == number, !direction.held.isEmpty else { return }
      self.directions[side.rawValue].held.removeAll()
      self.lose(side, "the peer did not acknowledge anything for \(self.network.retransmissionTimeout)")
    }
  }

  /// Sends held packets again, after a partition healed or a machine came back.
  func releaseHeldPackets() {
    for side in [Side.client, .server] {
      let (source, target) = (name(side), name(side.other))
      let held = directions[side.rawValue].held
      guard !held.isEmpty, !network.world.isBlocked(from: source, to: target) else { continue }
      directions[side.rawValue].held.removeAll()
      directions[side.rawValue].underWay.insert(contentsOf: held, at: 0)
      let conditions = network.world.conditions(from: source, to: target)
      for _ in held {
        let now = network.loop.now
        let arrival = max(now + network.world.draw(conditions.latency), directions[side.rawValue].lastArrival)
        directions[side.rawValue].lastArrival = arrival
        network.loop.schedule(after: arrival - now) { self.arrive(from: side) }
      }
    }
  }

  // MARK: Arriving

  private func deliver(_ packet: SimulatedPacket, from side: Side) {
    if case .reset = packet {
      directions[side.rawValue].inFlight -= packet.byteCount
      return lose(side.other, "the peer reset the connection")
    }
    if directions[side.rawValue].isPaused || !directions[side.rawValue].unread.isEmpty {
      return directions[side.rawValue].unread.append(packet)
    }
    handOver(packet, from: side)
  }

  private func handOver(_ packet: SimulatedPacket, from side: Side) {
    directions[side.rawValue].inFlight -= packet.byteCount
    if case .open(let port, let isSecure) = packet { return decide(port: port, isSecure: isSecure) }
    guard let end = ends[side.other.rawValue] else {
      // As a real system does, a host without the connection answers with a reset.
      if ends[side.rawValue] != nil { send(.reset, from: side.other) }
      return
    }
    end.receive(packet)
    ends[side.rawValue]?.wasAcknowledged(inFlight: directions[side.rawValue].inFlight)
  }

  /// Accepts or refuses the connection when its first packet reaches the server's host.
  private func decide(port: Int, isSecure: Bool) {
    guard !isServerDecided else { return }
    isServerDecided = true
    let host = network.world.hosts[name(.server)]
    guard let listener = host?.listeners[port], host?.refuses == false, listener.isAccepting else {
      let error = TransportError(
        .connectionRefused, "\(name(.server)):\(port) refuses connections: check the address and that the server runs")
      return send(.refused(error), from: .server)
    }
    guard listener.isSecure == isSecure else {
      let error = TransportError(
        .tlsFailed,
        "\(name(.server)):\(port) speaks \(listener.isSecure ? "TLS only" : "no TLS"): change the URL's scheme")
      return send(.refused(error), from: .server)
    }
    let exchange = SimulatedExchange(stream: self, listener: listener, network: network)
    listener.add(exchange)
    setEnd(exchange, at: .server)
    send(.opened, from: .server)
  }

  // MARK: Back-pressure

  /// Stops or resumes the delivery to the end at `side`; unread packets come first, from the loop.
  func setPaused(_ isPaused: Bool, at side: Side) {
    let sender = side.other
    directions[sender.rawValue].isPaused = isPaused
    guard !isPaused else { return }
    network.loop.execute {
      while !self.directions[sender.rawValue].isPaused, !self.directions[sender.rawValue].unread.isEmpty {
        self.handOver(self.directions[sender.rawValue].unread.removeFirst(), from: sender)
      }
    }
  }

  /// Called when the end at `side` is gone. As a real system does, its host answers unread packets with a reset.
  private func discardUnread(at side: Side) {
    let sender = side.other
    directions[sender.rawValue].isPaused = false
    guard !directions[sender.rawValue].unread.isEmpty else { return }
    directions[sender.rawValue].unread = []
    if ends[sender.rawValue] != nil, network.world.hosts[name(side)]?.isUp == true { send(.reset, from: side) }
  }

  // MARK: Breaking

  /// Notifies both ends of the loss of the connection.
  func breakBothEnds() {
    lose(.client, "the connection broke")
    lose(.server, "the connection broke")
  }

  /// Called when the process at `host` is gone; its peer gets a reset unless `silently`.
  func abandonEnds(at host: String, silently: Bool) {
    for side in [Side.client, .server] where name(side) == host && ends[side.rawValue] != nil {
      ends[side.rawValue]?.abandon()
      setEnd(nil, at: side)
      if !silently && ends[side.other.rawValue] != nil { send(.reset, from: side) }
    }
  }

  private func lose(_ side: Side, _ reason: String) {
    guard let end = ends[side.rawValue] else { return }
    setEnd(nil, at: side)
    network.note("lost #\(ident.rawValue) at \(name(side))")
    end.lose(TransportError(.connectionLost, "\(reason): try again"))
  }
}
