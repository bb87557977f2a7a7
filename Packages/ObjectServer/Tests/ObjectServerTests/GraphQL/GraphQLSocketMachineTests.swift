import GraphQL
@testable import ObjectServer
import Testing

@Suite("the machine of GraphQL WebSockets")
struct GraphQLSocketMachineTests {
  private func machine(_ dialect: GraphQLSocketMachine.Dialect = .transport, ready: Bool = true) -> GraphQLSocketMachine
  {
    var machine = GraphQLSocketMachine(dialect, mostOperations: 2)
    if ready {
      _ = machine.say(#"{"type":"connection_init","payload":{"token":"t"}}"#)
      _ = machine.handle(.authenticated)
    }
    return machine
  }

  @Test(
    "the token is taken from wherever clients put it",
    arguments: [
      #"{"token":"t"}"#, #"{"authToken":"t"}"#, #"{"Authorization":"Bearer t"}"#, #"{"headers":{"authorization":"t"}}"#,
    ])
  func tokens(payload: String) {
    var machine = machine(ready: false)
    #expect(machine.say(#"{"type":"connection_init","payload":\#(payload)}"#) == [.authenticate(token: "t")])
  }

  @Test("the older protocol takes the bare object of the platform's documentation")
  func bareToken() {
    var machine = machine(.legacy, ready: false)
    #expect(machine.say(#"{"token":"t"}"#) == [.authenticate(token: "t")])
    #expect(machine.handle(.authenticated).map(\.text) == [#"{"type":"connection_ack"}"#, #"{"type":"ka"}"#])
  }

  @Test("an operation begins, gets results, and ends, in both protocols")
  func operation() {
    var new = machine()
    #expect(
      new.say(#"{"id":"1","type":"subscribe","payload":{"query":"{ a }"}}"#) == [.start("1", GraphQLRequest("{ a }"))])
    #expect(
      new.handle(.result("1", Array("{}".utf8), isFinal: true)).map(\.text)
        == [#"{"id":"1","type":"next","payload":{}}"#, #"{"id":"1","type":"complete"}"#])
    var old = machine(.legacy)
    _ = old.say(#"{"id":"1","type":"start","payload":{"query":"{ a }"}}"#)
    #expect(
      old.handle(.result("1", Array("{}".utf8), isFinal: false)).map(\.text) == [
        #"{"id":"1","type":"data","payload":{}}"#
      ])
    #expect(old.say(#"{"id":"1","type":"stop"}"#).map(\.text) == ["stop 1", #"{"id":"1","type":"complete"}"#])
    #expect(old.handle(.result("1", [], isFinal: false)).isEmpty)
  }

  @Test("a ping is answered with its payload")
  func ping() {
    var machine = machine()
    #expect(machine.say(#"{"type":"ping","payload":{"a":1}}"#).map(\.text) == [#"{"type":"pong","payload":{"a":1}}"#])
  }

  @Test(
    "what a client must not do closes the socket",
    arguments: [
      ("{", 4400), ("[]", 4400), (#"{"type":"nonsense"}"#, 4400), (#"{"type":"connection_init"}"#, 4429),
      (#"{"id":"1","type":"subscribe","payload":{}}"#, 4400),
      (#"{"type":"subscribe","payload":{"query":"{a}"}}"#, 4400),
    ])
  func violations(message: String, code: UInt16) {
    var machine = machine()
    #expect(machine.say(message) == [.close(code: code, reason: "")])
    #expect(machine.say(message).isEmpty, "a closed machine says nothing")
  }

  @Test("operations before the acknowledgement, and doubled ones, close the socket")
  func order() {
    let begin = #"{"id":"1","type":"subscribe","payload":{"query":"{a}"}}"#
    var early = machine(ready: false)
    #expect(early.say(begin) == [.close(code: 4401, reason: "")])
    var doubled = machine()
    _ = doubled.say(begin)
    #expect(doubled.say(begin) == [.close(code: 4409, reason: "")])
    var late = machine(ready: false)
    #expect(late.handle(.initTimedOut) == [.close(code: 4408, reason: "")])
  }

  @Test("operations beyond the bound are refused one by one")
  func bound() {
    var machine = machine()
    for id in ["1", "2"] { _ = machine.say(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"{a}"}}"#) }
    let refused = machine.say(#"{"id":"3","type":"subscribe","payload":{"query":"{a}"}}"#)
    #expect(refused.count == 1)
    #expect(refused.first?.text.contains(#""type":"error""#) == true)
    #expect(refused.first?.text.contains(#""bound":"operations""#) == true)
  }
}

extension GraphQLSocketMachine {
  mutating func say(_ text: String) -> [Action] { handle(.message(Array(text.utf8))) }
}

extension GraphQLSocketMachine.Action {
  var text: String {
    switch self {
    case .send(let bytes): String(decoding: bytes, as: UTF8.self)
    case .stop(let id): "stop \(id)"
    case .authenticate, .start, .close: "\(self)"
    }
  }
}
