import Foundation
import ObjectServer
import Telemetry

// The thread of a node: its lease, and what the others changed.
extension ShardOwnership {
  /// Renews the lease and takes over what the tables say. On the thread.
  func renew() {
    defer { metrics.shards.set(Int64(state.withLock { $0.held.count })) }
    let incarnation = state.withLock { $0.incarnation }
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
      var elsewhere: [ShardNumber: ServerNode] = [:]
      var lost: Set<ShardNumber> = []
      for (shard, owner) in shards {
        if owner.node == settings.name, owner.incarnation == state.incarnation {
          if let given = state.given[shard], owner.epoch <= given { continue }
          state.given[shard] = nil
          // Somebody else had it in between: what is open is older.
          if let epoch = state.held[shard], epoch < owner.epoch { lost.insert(shard) }
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

  private func giveAway(_ shards: [ShardNumber: ShardOwner], _ members: [ClusterMember], isDraining: Bool) {
    let takers = Dictionary(
      members.filter { $0.isAlive && !$0.isDraining }.map { ($0.node.name, $0) },
      uniquingKeysWith: { first, _ in first })
    let (held, incarnation) = state.withLock { state in
      (state.held.filter { state.leaving[$0.key] == nil }, state.incarnation)
    }
    var moves: [(shard: ShardNumber, target: String)] = held.keys.compactMap { shard in
      guard let wanted = shards[shard]?.wanted, wanted != settings.name, takers[wanted] != nil else { return nil }
      return (shard, wanted)
    }
    if moves.isEmpty {
      var counts = takers.mapValues { _ in 0 }
      for owner in shards.values {
        if let member = takers[owner.node], member.incarnation == owner.incarnation { counts[owner.node]? += 1 }
      }
      if isDraining { counts[settings.name] = nil }
      moves = ShardBalance.moves(of: settings.name, held.keys.sorted(), counts: counts)
    }
    guard !moves.isEmpty else { return }
    let leaving = Dictionary(moves.map { ($0.shard, $0.target) }, uniquingKeysWith: { first, _ in first })
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
          let isGiven = (try? table.give(shard, epoch: epoch, incarnation, to: takers[target])) ?? false
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
