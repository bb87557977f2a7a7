import TestKit
import Testing
import Transport

@Suite("Server-sent events")
struct ServerSentEventTests {
  @Test(
    "an event is written by the rules of the standard",
    arguments: [
      (ServerSentEvent(data: ""), "data: \n\n"),
      (ServerSentEvent(data: "a\r\nb\rc\nd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
      (ServerSentEvent(event: "x\ndata: y", id: "1\r2\u{0}", data: "z"), "event: xdata: y\nid: 12\ndata: z\n\n"),
    ])
  func encoding(event: ServerSentEvent, text: String) {
    #expect(String(decoding: event.encoded, as: UTF8.self) == text)
  }

  @Test("what is written is read again, however it is cut")
  func roundTrip() {
    for seed in Seeds.some(200) {
      var random = SeededGenerator(seed: seed)
      let events = (0..<Int.random(in: 1...20, using: &random)).map { number in
        ServerSentEvent(
          event: Bool.random(using: &random) ? "kind \(number)" : nil, id: "\(number)",
          data: ["", "a", "é: b", " c", "d\ne", "\n\n", ":"].randomElement(using: &random) ?? "")
      }
      var bytes = events.flatMap { Bool.random(using: &random) ? ServerSentEvent.heartbeat + $0.encoded : $0.encoded }
      var parser = ServerSentEventParser()
      var read: [ServerSentEvent] = []
      while !bytes.isEmpty {
        let part = Array(bytes.prefix(Int.random(in: 1...30, using: &random)))
        bytes.removeFirst(part.count)
        read += parser.append(part)
      }
      #expect(read == events, "seed \(seed)")
    }
  }

  @Test("all three kinds of line ends are read")
  func lineEnds() {
    var parser = ServerSentEventParser()
    #expect(
      parser.append(Array("data: a\r\rdata:b\r\n\r\ndata: c\n\nnothing\n\n".utf8)).map(\.data) == ["a", "b", "c"])
  }
}
