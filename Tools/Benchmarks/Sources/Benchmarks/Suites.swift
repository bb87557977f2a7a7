/// A group of measurements under one prefix of ids.
struct Suite: Sendable {
  var prefix: String
  var run: @Sendable (BenchmarkReport) throws -> Void
}

/// Every suite, in the order in which it runs.
let suites: [Suite] = [
  queryBenchmarks,
  subscriptionMatchBenchmarks,
  feedBenchmarks,
  subscriptionServerBenchmarks,
  subscriptionWindowBenchmarks,
  permissionBenchmarks,
  subscriptionSyncBenchmarks,
  graphQLRequestBenchmarks,
  graphQLSubscriptionBenchmarks,
  connectorBenchmarks,
  storeBenchmarks,
  studioBenchmarks,
  studioRealmsBenchmarks,
  encryptionBenchmarks,
  changesetBenchmarks,
  compactionBenchmark,
  syncLatencyBenchmark,
  syncTransferBenchmarks,
  syncBootstrapBenchmarks,
  syncCrowdBenchmark,
  serverStartBenchmark,
  serverLoadBenchmarks,
  eventBenchmarks,
  clusterBenchmarks,
  clusterProgramBenchmarks,
  clusterMovingBenchmarks,
  authTokenBenchmarks,
  authServerBenchmarks,
]
