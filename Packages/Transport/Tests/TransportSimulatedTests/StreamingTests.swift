import Concurrency
import TestKit
import Testing
import Transport
import TransportSimulated

/// Streams in the simulation.
private final class Streamer: HTTPServerHandler, HTTPBodyHandler {
  let ends = Log<String>()
  let streams = Log<EventStream>()
  let scheduler: any Scheduler
  private let left = Log<Int>()

  init(scheduler: any Scheduler) { self.scheduler = scheduler }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    switch request.path {
    case "/events":
      let ends = ends
      streams.add(EventStream.open(on: responder, scheduler: scheduler) { ends.add("events ended") })
    case "/forget": _ = responder.stream(HTTPResponse(status: 200), options: HTTPStreamOptions(), handler: self)
    case "/flood":
      let writer = responder.stream(HTTPResponse(status: 200), options: HTTPStreamOptions(), handler: self)
      for _ in 0..<100 { writer.write([UInt8](repeating: 1, count: 100_000)) }
    default:
      bodyDidDrain(
        responder.stream(HTTPResponse(status: 201, body: [1]), options: HTTPStreamOptions(), handler: self))
    }
  }

  func bodyDidDrain(_ writer: any HTTPBodyWriter) {
    while writer.bufferedBytes <= 64 << 10 {
      guard left.values.count < 30 else { return writer.finish() }
      left.add(1)
      writer.write([UInt8](repeating: UInt8(left.values.count), count: 10_000))
    }
  }

  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    ends.add(failure.map(\.code.rawValue) ?? "finished")
  }
}

private final class Receiver: HTTPResponseHandler {
  let log = Log<String>()
  func responseDidBegin(_ head: HTTPResponse) { log.add("head \(head.status)") }
  func response(didReceive part: [UInt8]) { log.add(String(decoding: part, as: UTF8.self)) }
  func response(didEnd failure: TransportError?) { log.add(failure.map(\.code.rawValue) ?? "end") }
}

@Suite("Simulated streams")
struct SimulatedStreamingTests {
  private static func world() throws -> (SimulatedNetwork, SimulatedHost, Streamer, any Listener) {
    let network = SimulatedNetwork(seed: 3)
    let (server, phone) = (network.host("server"), network.host("phone"))
    let streamer = Streamer(scheduler: network.loop)
    let found = Log<any Listener>()
    server.listen(on: ListenAddress(host: "server", port: 80), options: HTTPServerOptions(), handler: streamer) {
      if case .success(let listener) = $0 { found.add(listener) }
    }
    network.loop.run(for: .zero)
    return (network, phone, streamer, try #require(found.values.first))
  }

  private static func request(_ path: String) throws -> HTTPClientRequest {
    HTTPClientRequest(url: try NetworkURL("http://server\(path)"))
  }

  @Test("parts arrive as one body; a body without an owner breaks, and one that floods is cut")
  func bodies() throws {
    let (network, phone, streamer, _) = try Self.world()
    let results = Log<String>()
    for path in ["/body", "/forget", "/flood"] {
      phone.send(try Self.request(path)) { result in
        switch result {
        case .success(let response): results.add("\(response.status) \(response.body.count)")
        case .failure(let error): results.add(error.code.rawValue)
        }
      }
      network.loop.run(for: .seconds(5))
    }
    let lost = TransportError.Code.connectionLost.rawValue
    #expect(results.values == ["201 300001", lost, lost])
    #expect(streamer.ends.values == ["finished", TransportError.Code.writeBudgetExceeded.rawValue])
    network.tearDown()
  }

  @Test("events arrive, comments keep the stream alive, and both ends of it are noticed")
  func events() throws {
    let (network, phone, streamer, listener) = try Self.world()
    let (first, second) = (Receiver(), Receiver())
    let call = phone.receive(try Self.request("/events"), handler: first)
    phone.receive(try Self.request("/events"), handler: second)
    network.loop.run(for: .seconds(1))
    for stream in streamer.streams.values { stream.send(ServerSentEvent(data: "x")) }
    network.loop.run(for: .seconds(200))
    #expect(first.log.values.prefix(4) == ["head 200", ":\n\n", "data: x\n\n", ":\n\n"])
    call.cancel()
    network.loop.run(for: .seconds(20))
    #expect(streamer.ends.values == ["events ended"])
    let isDown = Log<Bool>()
    listener.shutDown(grace: .seconds(1_000)) { isDown.add(true) }
    network.loop.run(for: .seconds(5))
    #expect(second.log.values.last == "end")
    #expect(isDown.values == [true])
    network.tearDown()
  }
}
