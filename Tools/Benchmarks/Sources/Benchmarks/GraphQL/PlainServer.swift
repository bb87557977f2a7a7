import Foundation
import Transport
import TransportReal

/// A server of our own transport that answers every request with the same bytes.
private final class PlainHandler: HTTPServerHandler {
  private let response: HTTPResponse

  init(_ body: [UInt8]) { response = HTTPResponse(status: 200, json: body) }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) { responder.respond(response) }
}

/// The process of the plain server: prints its port, and serves a file until it is ended.
func servePlainly(_ file: String) throws -> Never {
  let network = RealNetwork(loop: try EventLoop(name: "plain"))
  let started = Handover<Int>()
  let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  network.listen(on: ListenAddress(port: 0), options: HTTPServerOptions(), handler: PlainHandler(body)) { result in
    started.set(result.map(\.address.port).mapError { $0 })
  }
  say("\(try started.wait())")
  while true { sleep(3_600) }
}

/// A second process of this program, in the role of the plain server.
final class PlainServer: LineProcess {
  private(set) var port = 0

  init(answering body: [UInt8]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("openrealm-bench-plain-\(getpid())")
    try Data(body).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try super.init(LineProcess.sibling("Benchmarks"), ["--plain-http", file.path])
    guard let port = Int(try line()) else { throw BenchmarkFailure("the plain server did not say its port") }
    self.port = port
  }
}
