import Foundation
import GraphQL
import RealmGraphQL
import RecordStore
import RealmSwift

/// Requests to a server: processor time per request, beside a plain answer of the same bytes and beside PostgreSQL; and the execution
/// alone, beside graphql-js.
let graphQLRequestBenchmarks = Suite(prefix: "graphql.request") { report in
  let people = PersonValues.make(GraphQLServerBench.people)
  if report.wants("graphql.request-js") {
    for (count, rounds) in [(100, 3_000), (10_000, 30)] {
      let query = GraphQLServerBench.query(count)
      let ours = try executionSeconds(people, query, rounds: rounds)
      rival("graphql-js") {
        let rival = try GraphQLJSRival(people, query: query, rounds: rounds)
        report.row(
          "graphql.request-js-\(count)", "execution over \(count) objects in memory, beside graphql-js",
          ours: ours.seconds, rival: rival.seconds, unit: "s", .gainAtLeast(1))
      }
    }
  }
  guard report.wants("graphql.request-plain") || report.wants("graphql.request-postgresql") else { return }
  let bench = try GraphQLServerBench()
  defer { bench.stop() }
  for (count, each) in [(100, 2_000), (10_000, 50)] {
    let query = GraphQLServerBench.query(count)
    let (request, body) = (bench.request(query), try bench.answer(query))
    let plain = try PlainServer(answering: body)
    defer { plain.stop() }
    var ours: [Double] = []
    var theirs: [Double] = []
    var wall: [Double] = []
    // Both sides alternate, so that a disturbance of the machine meets both.
    for _ in 0..<5 {
      let before = try processorSeconds(of: bench.server.process.processIdentifier)
      wall.append(try HTTPClientSocket.load(port: bench.server.port, request, connections: 4, each: each / 4))
      ours.append(try processorSeconds(of: bench.server.process.processIdentifier) - before)
      let plainBefore = try processorSeconds(of: plain.process.processIdentifier)
      _ = try HTTPClientSocket.load(port: plain.port, request, connections: 4, each: each / 4)
      theirs.append(try processorSeconds(of: plain.process.processIdentifier) - plainBefore)
    }
    let requests = Double(each / 4 * 4)
    let time = median(ours) / requests
    let rate =
      count == 100 ? "\(Int(1 / time)) per core and second" : "\(Int(Double(body.count) / time / 1e6)) MB/s per core"
    report.row(
      "graphql.request-plain-\(count)", "a request for \(count) objects of 3 fields (\(rate)), beside the bytes alone",
      ours: time, rival: median(theirs) / requests, unit: "s", count == 100 ? .gainAtLeast(0.3) : .none)
    rival("PostgreSQL") {
      let database = try PostgreSQLRival(people)
      defer { database.stop() }
      try database.prepare(count)
      try database.answer(count)
      let before = try processorSeconds(of: database.backend)
      for _ in 0..<each { try database.answer(count) }
      report.row(
        "graphql.request-postgresql-\(count)", "the same, beside PostgreSQL making the JSON for libpq", ours: time,
        rival: (try processorSeconds(of: database.backend) - before) / Double(each), unit: "s", .gainAtLeast(1))
    }
  }
}

/// Measures beside a rival that may be missing; then a line says so.
private func rival(_ name: String, _ body: () throws -> Void) {
  do { try body() } catch { say("graphql.request: not beside \(name): \(error)") }
}

/// The processor time of one execution over people in a file in memory.
private func executionSeconds(
  _ people: [PersonValues], _ query: String, rounds: Int
) throws -> (seconds: Double, bytes: Int) {
  let file = try RealmFile.open(.inMemory(name: "graphql \(UInt64.random(in: 0 ..< .max))"))
  try file.edit { editor in
    try editor.addClasses(GraphQLFleet.schema)
    for person in people { try GraphQLFleet.add(person, to: editor) }
  }
  let graphQL = try RealmGraphQL(schema: try file.contents().schema)
  let realm = LocalRealm(file)
  var bytes = 0
  func run() {
    for _ in 0..<rounds { bytes = graphQL.execute(GraphQLRequest(query), realm).bytes.count }
  }
  run()
  return (processorSeconds(run) / Double(rounds), bytes)
}
