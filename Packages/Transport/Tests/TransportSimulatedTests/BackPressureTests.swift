import Synchronization
import Testing
import Transport
import TransportSimulated

@Suite("Back-pressure in the simulation")
struct BackPressureTests {
  @Test("a paused end receives nothing while its peer's bytes stay buffered; resumed, it receives everything in order")
  func pauseAndResume() throws {
    let world = try World()
    let recorder = Recorder()
    var options = WebSocketOptions()
    options.writeLowWaterMark = 100
    let socket = try world.connect(recorder, options: options)
    socket.pauseReading()
    world.run(1)
    #expect(recorder.log.values == ["open t#2"])
    for number in 0..<5 { socket.send(binary: [UInt8](repeating: UInt8(number), count: 1_000)) }
    world.run(200)
    #expect(recorder.messages.values.isEmpty, "and no time out")
    socket.resumeReading()
    world.run(1)
    #expect(recorder.messages.values.map(\.first) == [0, 1, 2, 3, 4])
    #expect(recorder.closures.values.isEmpty)
    world.tearDown()
  }

  @Test("a sender to a paused end sees its buffer grow, and fall when the end reads")
  func senderIsHeldUp() throws {
    let world = try World()
    let sink = PausingServer()
    var options = WebSocketOptions()
    options.writeLowWaterMark = 100
    world.server.listen(
      on: ListenAddress(host: "server", port: 81), options: HTTPServerOptions(), handler: sink
    ) { _ in }
    let recorder = Recorder()
    let socket = try world.connect(recorder, "ws://server:81/", options: options)
    world.run(1)
    for _ in 0..<10 { socket.send(binary: [UInt8](repeating: 0, count: 1_000)) }
    world.run(1)
    // The server pauses at each message, and reads on when told.
    #expect(sink.count == 1)
    #expect(socket.bufferedBytes > 8_000)
    for expected in 2...10 {
      sink.resume()
      world.run(1)
      #expect(sink.count == expected)
    }
    #expect(socket.bufferedBytes == 0)
    #expect(recorder.log.values == ["open t#2", "drain"])
    world.tearDown()
  }

  @Test(
    "a paused end that closes still finishes the closing handshake; a paused end that is cut reports that to the peer")
  func closing() throws {
    for cuts in [false, true] {
      let world = try World()
      let recorder = Recorder()
      let socket = try world.connect(recorder)
      world.run(1)
      socket.pauseReading()
      socket.send(binary: [1])
      world.run(1)
      if cuts { socket.abort() } else { socket.close(code: .normal, reason: "") }
      world.run(1)
      #expect(world.echo.closures.values.count == 1)
      if cuts {
        #expect(recorder.failure == .aborted)
      } else {
        #expect(recorder.closures.values == [.closed(code: .normal, reason: "", byPeer: false)])
      }
      world.tearDown()
    }
  }
}

/// Stops reading at every message.
private final class PausingServer: HTTPServerHandler, WebSocketHandler {
  private let state = Mutex<(count: Int, connection: (any WebSocketConnection)?)>((0, nil))
  var count: Int { state.withLock { $0.count } }

  func resume() { state.withLock { $0.connection }?.resumeReading() }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: "no"))
  }
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.accept(
      protocolToken: request.protocolTokens.first, headers: [:], options: WebSocketOptions(), handler: self)
  }
  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    state.withLock { $0.connection = connection }
  }
  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    state.withLock { $0.count += 1 }
    connection.pauseReading()
  }
  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {}
}
