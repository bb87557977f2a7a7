import ChangesetOTTestSupport
import Foundation

// Benchmarks: our code beside its rival in one run of one process, as ratios.
//
//   ONLY=store.            only the rows whose ids begin so
//   OBJECTS, TRANSACTIONS, CLIENTS, SESSIONS, CONNECTIONS, REALMS   smaller measurements
//   BENCH_JSON=rows.json   also one JSON object per row and line
//
// Ids are stable and begin with store., query., ot., sync., auth., feed., subscriptions., graphql., events., cluster.
// or connector.

let environment = ProcessInfo.processInfo.environment
let report = BenchmarkReport(only: environment["ONLY"] ?? "")

do {
  let arguments = CommandLine.arguments
  if arguments.count == 4, ["--listen", "--listen-by-queries"].contains(arguments[1]), let port = Int(arguments[2]) {
    try listenForBeats(port: port, data: arguments[3], byQueries: arguments[1] == "--listen-by-queries")
  }
  if arguments.count == 5, arguments[1] == "--follow", let port = Int(arguments[2]) {
    try follow(port: port, data: arguments[3], path: arguments[4])
  }
  if arguments.count == 3, arguments[1] == "--plain-http" { try servePlainly(arguments[2]) }
  if arguments.count == 4, arguments[1] == "--peak-memory", let shape = MergeWorkload.Shape(rawValue: arguments[2]),
    let stage = MergeStage(rawValue: arguments[3])
  {
    try printPeakMemory(of: shape, stage)
  }
  for suite in suites where report.wants(suite.prefix) {
    try suite.run(report)
  }
  if let path = environment["BENCH_JSON"], !path.isEmpty { try report.writeJSON(to: path) }
  let missed = report.rows.filter { $0.met == false }
  say(missed.isEmpty ? "all targets met" : "missed: " + missed.map(\.id).joined(separator: ", "))
  if report.rows.isEmpty {
    FileHandle.standardError.write(Data("Benchmarks: no row begins with '\(environment["ONLY"] ?? "")'\n".utf8))
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}
