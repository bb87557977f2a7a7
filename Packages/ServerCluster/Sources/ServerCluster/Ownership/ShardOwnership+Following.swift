import Foundation
import ObjectServer
import Telemetry

// The thread of a node: its lease, and what the others changed.
extension ShardOwnership {
  /// Renews the lease and takes over what the tables say. On the thread.
  func renew() {
    let incarnation = state.withLock { state in
      let held = state.held
      state.loads.advance(to: .now) { held[$0] != nil }
      return state.incarnation
    }
    defer {
      let (shards, load) = state.withLock { ($0.held.count, $0.loads.total) }
      metrics.shards.set(Int64(shards))
      metrics.load.set(load)
    }
    do {
      guard let isDraining = try renewLease(incarnation) else {
        logger.error("another server was started under the name of this node", ["node": LogValue(settings.name)])
        let shards = state.withLock { state in
          defer { (state.held, state.isReplaced) = ([:], true) }
          state.lease.lost()
          return Set(state.held.keys)
        }
        return close(shards) {}
      }
      let (shards, members) = try table.read()
      adopt(shards, members)
      giveAway(shards, members, isDraining: isDraining)
    } catch {
      metrics.failedRenewals.increment()
      logger.warn("the lease cannot be renewed", ["reason": LogValue("\(error)")])
    }
  }

  /// Takes over what the tables say. Shards that others have are lost, those that were given to this node are its own.
  func adopt(_ shards: [ShardNumber: ShardOwner], _ members: [ClusterMember]) {
    let alive = Dictionary(
      members.filter(\.isAlive).map { ($0.node.name, $0) }, uniquingKeysWith: { first, _ in first })
    let lost = state.withLock { state -> Set<ShardNumber> in
      let epochs = shards.filter { $0.value.load >= LoadBalance.leastShard }.mapValues(\.epoch)
      if epochs != state.loadEpochs { (state.loadEpochs, state.lastLoadMove) = (epochs, .now) }
      var elsewhere: [ShardNumber: ServerNode] = [:]
      var lost: Set<ShardNumber> = []
      for (shard, owner) in shards {
        if owner.node == settings.name, owner.incarnation == state.incarnation {
          if let given = state.given[shard], owner.epoch <= given { continue }
          state.given[shard] = nil
          // Somebody else had it in between: what is open is older.
          if let epoch = state.held[shard], epoch < owner.epoch { lost.insert(shard) }
          if state.held[shard] == nil { state.loads.begin(shard, at: owner.load) }
          state.held[shard] = max(state.held[shard] ?? 0, owner.epoch)
          continue
        }
        // An epoch that this node took after the tables were read is newer.
        if let epoch = state.held[shard], epoch < owner.epoch {
          state.held[shard] = nil
          lost.insert(shard)
        }
        guard state.held[shard] == nil else { continue }
        if let member = alive[owner.node], member.incarnation == owner.incarnation { elsewhere[shard] = member.node }
      }
      state.elsewhere = elsewhere
      return lost
    }
    guard !lost.isEmpty else { return }
    metrics.lostShards.increment(by: UInt64(lost.count))
    close(lost) {}
  }

  /// The shards to be given away, each with its next node: those that an operator wants elsewhere, else those by which the node has
  /// more than others, else one by which it has more load.
  private func moves(
    of loads: [ShardNumber: Int64], _ shards: [ShardNumber: ShardOwner], _ takers: [String: ClusterMember],
    isDraining: Bool
  ) -> [ShardNumber: String] {
    let wanted = loads.keys.reduce(into: [ShardNumber: String]()) { moves, shard in
      guard let name = shards[shard]?.wanted, name != settings.name, takers[name] != nil else { return }
      moves[shard] = name
    }
    guard wanted.isEmpty else { return wanted }
    var counts = takers.mapValues { _ in 0 }
    for owner in shards.values {
      if let member = takers[owner.node], member.incarnation == owner.incarnation { counts[owner.node]? += 1 }
    }
    if isDraining { counts[settings.name] = nil }
    let mine = loads.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    let surplus = ShardBalance.moves(of: settings.name, mine, counts: counts)
    guard surplus.isEmpty else {
      return Dictionary(surplus.map { ($0.shard, $0.target) }, uniquingKeysWith: { first, _ in first })
    }
    guard !isDraining, let move = loadMove(of: loads, takers) else { return [:] }
    return [move.shard: move.target]
  }

  /// The shard that is given away for its load, and the begin of the rest that follows; nil while the cluster rests.
  private func loadMove(
    of loads: [ShardNumber: Int64], _ takers: [String: ClusterMember]
  ) -> (shard: ShardNumber, target: String)? {
    let now = ContinuousClock.now
    guard state.withLock({ $0.lastLoadMove.map { now - $0 >= LoadBalance.rest } ?? true }) else { return nil }
    let known = takers.compactMapValues(\.load)
    guard let move = LoadBalance.move(of: settings.name, loads, loads: known) else { return nil }
    state.withLock { $0.lastLoadMove = now }
    metrics.loadMoves.increment()
    logger.info(
      "gives realms away for their load",
      ["shard": LogValue(move.shard.rawValue), "to": LogValue(move.target), "load": .integer(loads[move.shard] ?? 0)])
    return move
  }

  private func giveAway(_ shards: [ShardNumber: ShardOwner], _ members: [ClusterMember], isDraining: Bool) {
    let takers = Dictionary(
      members.filter { $0.isAlive && !$0.isDraining }.map { ($0.node.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let (held, loads, incarnation) = state.withLock { state in
      let held = state.held.filter { state.leaving[$0.key] == nil }
      return (held, held.reduce(into: [:]) { $0[$1.key] = state.loads[$1.key] }, state.incarnation)
    }
    let leaving = moves(of: loads, shards, takers, isDraining: isDraining)
    guard !leaving.isEmpty else { return }
    state.withLock { state in
      for shard in leaving.keys {
        let given = DispatchGroup()
        given.enter()
        state.leaving[shard] = given
      }
    }
    close(Set(leaving.keys)) { [self] in
      // The database is asked on a thread that may block.
      Thread.detachNewThread { [self] in
        for (shard, target) in leaving {
          guard let epoch = held[shard] else { continue }
          let isGiven =
            (try? table.give(
              shard, epoch: epoch, incarnation, load: loads[shard] ?? 0, to: takers[target])) ?? false
          let given = state.withLock { state in
            if isGiven {
              state.held[shard] = nil
              state.given[shard] = epoch
              state.elsewhere[shard] = takers[target]?.node
            }
            return state.leaving.removeValue(forKey: shard)
          }
          given?.leave()
        }
        logger.info("gave realms to other nodes", ["shards": LogValue(leaving.count)])
      }
    }
  }
}
