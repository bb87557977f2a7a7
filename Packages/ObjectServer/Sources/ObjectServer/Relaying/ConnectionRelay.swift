import Permissions
import SyncProtocol
import Telemetry
import Transport

/// Passes the sessions of one client's connection on to the nodes that have their realms: runs ``SessionRelay`` and performs its
/// actions, over one connection for each of those nodes.
///
/// Both directions are bounded: while a node takes the client's messages too slowly the client is not read from, and while the
/// client reads too slowly none of the nodes is.
// @unchecked Sendable: its variables are accessed on the loop only.
final class ConnectionRelay: @unchecked Sendable {
  unowned let connection: SyncConnection
  let member: ClusterMember
  let origin: ClusterMember.Origin
  /// The protocol token that the client and this server agreed on: the nodes are offered no other.
  let protocolToken: String
  var machine: SessionRelay
  var peers: [ServerNode: PeerConnection] = [:]
  /// The path of each session that was passed on, to notice that its realm has moved.
  var paths: [SessionIdent: Permissions.RealmPath] = [:]
  var isClosed = false

  init(_ connection: SyncConnection, member: ClusterMember, origin: ClusterMember.Origin, protocolToken: String) {
    self.connection = connection
    self.member = member
    self.origin = origin
    self.protocolToken = protocolToken
    machine = SessionRelay(maximumSessions: connection.hub.configuration.sync.maximumSessions)
  }

  var hub: SyncHub { connection.hub }

  // MARK: Messages

  /// Handles a message of the client.
  func received(_ message: WebSocketMessage) {
    guard !isClosed else { return }
    let (server, dialect) = (connection.machine, connection.machine.dialect)
    let actions = machine.received(
      message, isInUse: server.isInUse,
      decode: { bytes in
        let decoder = MessageDecoder(dialect: dialect, limits: server.settings.limits)
        guard case .bind(let bind)? = try? decoder.clientMessage(bytes) else { return nil }
        return bind
      }, oversized: server.failure(ofOversized:byteCount:))
    perform(actions)
  }

  func perform(_ actions: [SessionRelay.Action]) {
    for action in actions where !isClosed {
      switch action {
      case .answer(let message): connection.answer(message)
      case .place(let bind, let generation): place(bind, generation)
      case .pass(let bytes, let node): peer(node).send(bytes)
      case .deliver(let bytes): connection.send(bytes)
      case .refuse(let session, let failure):
        connection.send(failure.message(for: session, version: connection.machine.dialect.version))
      case .fail(let failure):
        connection.send(failure.serverMessage)
        end()
      case .end: end()
      }
    }
    noteWaiting()
  }

  private func end() {
    close()
    connection.socket?.close(code: .normal, reason: "")
  }

  /// The bytes of the client that wait here or on the way to a node.
  private var waitingBytes: Int { machine.keptBytes + peers.values.reduce(0) { $0 + $1.bufferedBytes } }

  /// Counts what waits against the server's budget, and stops the reading from the client when it is too much.
  func noteWaiting() {
    guard !isClosed else { return }
    let isFull =
      machine.keptBytes > RelayLimits.keptBytes
      || peers.values.contains { $0.bufferedBytes > hub.configuration.congestionBytes }
    connection.noteRelayed(waitingBytes, isFull: isFull)
  }

  // MARK: Places

  private func place(_ bind: BindMessage, _ generation: UInt64) {
    let session = bind.session
    let path: Permissions.RealmPath
    do {
      path = try hub.path(named: bind.path, for: connection)
    } catch {
      // This server refuses it as it does its own.
      return perform(machine.placed(session, generation: generation, .here))
    }
    hub.place(path, for: connection.bearer.user, passedBy: origin.passed?.node) { [weak self] place in
      guard let self, !isClosed else { return }
      perform(machine.placed(session, generation: generation, placed(place, session)))
    }
  }

  private func placed(
    _ place: Result<SyncHub.PlacedRealm, ServerError>, _ session: SessionIdent
  ) -> SessionRelay.Placed {
    switch place {
    case .failure: return .refused(RealmJob.storageFailure)
    case .success(let found):
      switch found.place {
      case .here: return .here
      case .nobody: return .refused(SyncHub.moving)
      case .node(let node):
        guard origin.hops < PassedOn.maximumHops, node != member.placement.node else { return .refused(SyncHub.moving) }
        paths[session] = found.path
        return .node(node)
      }
    }
  }

  // MARK: The client's socket

  /// Stops or resumes the reading from the nodes.
  func clientIsCongested(_ isCongested: Bool) {
    for peer in peers.values { peer.pause(isCongested) }
  }

  /// Ends everything: the client's connection is closed.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for peer in peers.values { peer.close() }
    peers = [:]
    connection.noteRelayed(0, isFull: false)
  }
}
