import Telemetry

/// The numbers that a node keeps about its place in the cluster.
struct NodeMetrics: Sendable {
  let shards, load: Gauge
  let lostShards, loadMoves, failedRenewals: Counter
  let commitSeconds: Histogram

  init(_ registry: MetricsRegistry) {
    shards = registry.gauge(
      "openrealm_node_shards", help: "Shards of realms that this node has, of 4,096 in the cluster")
    load = registry.gauge(
      "openrealm_node_load_thousandths",
      help: "Thousandths of a processor that the jobs of this node's realms cost lately")
    loadMoves = registry.counter(
      "openrealm_node_load_moves_total", help: "Shards given away because this node had more load than others")
    lostShards = registry.counter(
      "openrealm_node_shards_lost_total", help: "Shards that another node took from this one after its lease had ended")
    failedRenewals = registry.counter(
      "openrealm_node_lease_failures_total", help: "Renewals of the lease that failed")
    commitSeconds = registry.histogram(
      "openrealm_node_commit_seconds", help: "Time until the database has a commit of a realm")
  }
}
