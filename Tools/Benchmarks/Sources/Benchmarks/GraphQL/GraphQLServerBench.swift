import Foundation
import RealmSwift

/// A server with 10,000 people in one realm, and a token of its user.
final class GraphQLServerBench {
  static let people = 10_000
  let server: ServerProcess
  let token: String
  private let folder: ScratchFolder

  /// The query that all sides of a comparison answer: the first people with three fields each.
  static func query(_ count: Int) -> String { "{ persons(take: \(count)) { id name age } }" }

  init() throws {
    folder = try ScratchFolder("graphql")
    server = try ServerProcess(
      data: folder.url.appendingPathComponent("server"),
      options: ["--connection-rate", "1000000", "--account-rate", "1000000"])
    let realm = try openSynced(
      port: server.port, data: folder.url.appendingPathComponent("client"), path: "people", types: [Person.self])
    try realm.addPeople(PersonValues.make(Self.people), perTransaction: 1_000)
    try realm.settle(.upload)
    let login = try HTTPClientSocket(port: server.port)
    let answer = try login.send(
      "POST", "/api/client/v2.0/app/x/auth/providers/local-userpass/login",
      body: #"{"username":"bench","password":"bench-password"}"#)
    struct Answer: Decodable { var access_token: String }
    token = try JSONDecoder().decode(Answer.self, from: Data(answer)).access_token
  }

  func stop() {
    server.stop()
    folder.remove()
  }

  /// One request as the bytes that a connection sends.
  func request(_ query: String) -> [UInt8] {
    HTTPClientSocket.request(
      "POST", "/graphql/~/people", headers: ["Authorization: Bearer \(token)"],
      body: String(decoding: (try? JSONEncoder().encode(["query": query])) ?? Data(), as: UTF8.self))
  }

  /// Answers a request once, and checks that it holds no error.
  func answer(_ query: String) throws -> [UInt8] {
    let body = try HTTPClientSocket(port: server.port).exchange(request(query))
    guard String(decoding: body.prefix(8), as: UTF8.self) == #"{"data":"# else {
      throw BenchmarkFailure("GraphQL answered " + String(decoding: body.prefix(200), as: UTF8.self))
    }
    return body
  }
}

/// The processor time that a process has used, of all its threads, in seconds.
///
/// The scheduler's own sums are taken, which have nanoseconds; the times in `stat` have hundredths of seconds.
func processorSeconds(of process: Int32) throws -> Double {
  let folder = "/proc/\(process)/task"
  var nanoseconds = 0.0
  for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
    // A thread may have ended since.
    guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8) else { continue }
    nanoseconds += text.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }
  return nanoseconds * 1e-9
}
