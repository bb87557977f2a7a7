import Foundation
import TransportReal

/// Subscriptions: the cost of a write among many, and their memory, latency and idleness on a server.
let graphQLSubscriptionBenchmarks = Suite(prefix: "graphql.subscription") { report in
  if report.wants("graphql.subscription-1000") {
    let people = PersonValues.make(2_000)
    report.row(
      "graphql.subscription-1000", "a write that concerns one of 1,000 subscriptions, beside 10",
      ours: try GraphQLFleet(people: people, subscriptions: 1_000).secondsPerWrite(),
      rival: try GraphQLFleet(people: people, subscriptions: 10).secondsPerWrite(), unit: "s", .costAtMost(2))
  }
  guard report.wants("graphql.subscription-push") || report.wants("graphql.subscription-idle") else { return }
  let bench = try GraphQLServerBench()
  defer { bench.stop() }
  let network = RealNetwork(loop: try EventLoop(name: "subscribers"))
  defer { network.loop.shutDown() }
  if report.wants("graphql.subscription-push") { try measurePush(bench, network, report) }
  if report.wants("graphql.subscription-idle") { try measureIdleness(bench, network, report) }
}

/// From a mutation that is sent to the result at the subscriber, beside the answer of the mutation, which is durable then.
private func measurePush(_ bench: GraphQLServerBench, _ network: RealNetwork, _ report: BenchmarkReport) throws {
  let subscriber = GraphQLSubscriber(
    [#"subscription { persons(query: \"id == 1\") { id age } }"#], token: bench.token)
  try subscriber.connect(network, port: bench.server.port)
  defer { subscriber.abort() }
  try subscriber.wait(results: 1)
  let writer = try HTTPClientSocket(port: bench.server.port)
  var pushes: [Double] = []
  var answers: [Double] = []
  for round in 1...200 {
    let request = bench.request(
      "mutation { createPerson(input: {id: 1, age: \(1_000 + round)}, updatePolicy: MODIFIED) { id } }")
    let start = monotonicSeconds()
    _ = try writer.exchange(request)
    answers.append(monotonicSeconds() - start)
    try subscriber.wait(results: 1 + round)
    pushes.append(subscriber.seen.lastTime - start)
  }
  report.row(
    "graphql.subscription-push", "a mutation sent to its result at a subscriber, beside the durable answer",
    ours: median(pushes), rival: median(answers), unit: "s", .costAtMost(2))
}

/// 20,000 subscriptions of 1,000 WebSockets, each to an object of its own: the server's memory, and its processor time while nothing
/// changes.
private func measureIdleness(_ bench: GraphQLServerBench, _ network: RealNetwork, _ report: BenchmarkReport) throws {
  let (sockets, each) = (Int(environment["CONNECTIONS"] ?? "") ?? 1_000, 20)
  let process = bench.server.process.processIdentifier
  var subscribers: [GraphQLSubscriber] = []
  defer { for subscriber in subscribers { subscriber.abort() } }
  for start in stride(from: 0, to: sockets, by: 50) {
    let batch = (start..<min(start + 50, sockets)).map { number in
      GraphQLSubscriber(
        (0..<each).map { #"subscription { persons(query: \"id == \#(number * each + $0)\") { id name age } }"# },
        token: bench.token)
    }
    for subscriber in batch { try subscriber.connect(network, port: bench.server.port) }
    for subscriber in batch { try subscriber.wait(results: each) }
    subscribers += batch
  }
  sleep(5)
  report.row(
    "graphql.subscription-idle-memory", "memory of a server with \(sockets * each) subscriptions, of 4 GB",
    ours: Double(try residentBytes(of: process)) / 1e6, rival: 4_000, unit: "MB", .costAtMost(1))
  let before = try processorSeconds(of: process)
  sleep(10)
  report.row(
    "graphql.subscription-idle-time", "its processor time of ten seconds in which nothing changes",
    ours: try processorSeconds(of: process) - before, rival: nil, unit: "s", .atMost(0.02))
}
