import ObjectServer
import Permissions
import Synchronization

/// Where the realms of a test are, as all its nodes see it at once.
final class RealmMap: Sendable {
  enum Owner: Hashable, Sendable {
    case node(String)
    case nobody
    /// Between two nodes: none can take it.
    case moving
  }
  private struct State {
    var owners: [RealmPath: Owner] = [:]
    var acquisitions = 0
  }

  private let state = Mutex(State())
  /// The owner of realms without one of their own.
  let ofOthers: Owner

  init(ofOthers: Owner) { self.ofOthers = ofOthers }

  subscript(path: RealmPath) -> Owner {
    get { state.withLock { $0.owners[path] ?? ofOthers } }
    set { state.withLock { $0.owners[path] = newValue } }
  }

  /// The number of attempts to take a realm.
  var acquisitions: Int { state.withLock { $0.acquisitions } }

  func acquire(_ path: RealmPath, by node: String) -> Owner {
    state.withLock { state in
      state.acquisitions += 1
      guard state.owners[path] ?? ofOthers == .nobody else { return state.owners[path] ?? ofOthers }
      state.owners[path] = .node(node)
      return .node(node)
    }
  }

  /// Gives all realms of a node that died to another one.
  func passAll(of node: String, to other: String) {
    state.withLock { state in
      for (path, owner) in state.owners where owner == .node(node) { state.owners[path] = .node(other) }
    }
  }
}

/// A node of a test.
final class TestPlacement: RealmPlacement {
  private struct State: Sendable {
    var beliefs: [RealmPath: RealmPlace] = [:]
    var refusal: String?
    var leaving: (@Sendable (@escaping @Sendable (RealmPath) -> Bool, @escaping @Sendable () -> Void) -> Void)?
  }

  let node: ServerNode
  let peerKey = [UInt8](repeating: 7, count: 32)
  private let map: RealmMap
  private let state = Mutex(State())

  init(_ name: String, host: String, _ map: RealmMap) {
    node = ServerNode(name: name, address: "http://\(host):9080")
    self.map = map
  }

  /// Makes the node believe something of a realm, whatever the map says.
  func believe(_ place: RealmPlace?, of path: RealmPath) { state.withLock { $0.beliefs[path] = place } }

  var refusal: String? { state.withLock { $0.refusal } }

  func refuse(_ reason: String?) { state.withLock { $0.refusal = reason } }

  func place(of path: RealmPath) -> RealmPlace {
    state.withLock { $0.beliefs[path] } ?? place(map[path])
  }

  private func place(_ owner: RealmMap.Owner) -> RealmPlace {
    switch owner {
    case .node(node.name): .here
    case .node(let name): .node(ServerNode(name: name, address: "http://\(name == "a" ? "server" : name):9080"))
    case .nobody, .moving: .nobody
    }
  }

  /// Looks at the map, and believes it from then on.
  func acquire(_ path: RealmPath) throws(ServerError) -> RealmPlace {
    believe(nil, of: path)
    return place(map.acquire(path, by: node.name))
  }

  func whenLeaving(
    _ handler:
      @escaping @Sendable (_ left: @escaping @Sendable (RealmPath) -> Bool, _ done: @escaping @Sendable () -> Void) ->
      Void
  ) {
    state.withLock { $0.leaving = handler }
  }

  func leave(_ path: RealmPath, then done: @escaping @Sendable () -> Void) {
    guard let handler = state.withLock({ $0.leaving }) else { return done() }
    handler({ $0 == path }, done)
  }
}
