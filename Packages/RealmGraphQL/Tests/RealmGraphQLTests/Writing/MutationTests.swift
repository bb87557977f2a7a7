import GraphQL
import Testing

@testable import RealmGraphQL

@Suite struct MutationTests {
  @Test("update policies: none refuses, modified keeps what is not given, all resets it")
  func policies() throws {
    let kennel = try Kennel()
    try kennel.populate()
    let refused = try kennel.ask("mutation { createDog(input: {name: \"Rex\", age: 1}) { age } }")
    #expect(refused.contains("OBJECT_EXISTS"))
    #expect(try kennel.ask("{ dog(name: \"Rex\") { age } }") == #"{"data":{"dog":{"age":9}}}"#)
    #expect(
      try kennel.ask(
        "mutation { createDog(input: {name: \"Rex\", age: 10}, updatePolicy: MODIFIED) { age owner { id } } }")
        == #"{"data":{"createDog":{"age":10,"owner":{"id":1}}}}"#)
    #expect(
      try kennel.ask("mutation { createDog(input: {name: \"Rex\", age: 11}, updatePolicy: ALL) { age owner { id } } }")
        == #"{"data":{"createDog":{"age":11,"owner":null}}}"#)
  }

  @Test("a nested input of a key alone is a link and changes nothing")
  func nestedLink() throws {
    let kennel = try Kennel()
    try kennel.populate()
    _ = try kennel.ask(
      "mutation { createPerson(input: {id: 2, dogs: [{name: \"Rex\"}]}, updatePolicy: ALL) { id } }")
    #expect(
      try kennel.ask("{ person(id: 2) { name dogs { name age } } }")
        == #"{"data":{"person":{"name":"","dogs":[{"name":"Rex","age":9}]}}}"#)
  }

  @Test("delete answers whether there was an object, and plural delete how many")
  func deletes() throws {
    let kennel = try Kennel()
    try kennel.populate()
    #expect(try kennel.ask("mutation { deleteDog(name: \"Rex\") }") == #"{"data":{"deleteDog":true}}"#)
    #expect(try kennel.ask("mutation { deleteDog(name: \"Rex\") }") == #"{"data":{"deleteDog":false}}"#)
    #expect(
      try kennel.ask("mutation { deletePersons(query: \"id > $0\", arguments: [1]) }")
        == #"{"data":{"deletePersons":1}}"#)
    #expect(try kennel.ask("mutation { deletePersons }") == #"{"data":{"deletePersons":1}}"#)
  }

  @Test("objects without primary key are named by _key")
  func globalKeys() throws {
    let kennel = try Kennel()
    let made = try kennel.ask("mutation { createNote(input: {text: \"a\"}) { _key text } }")
    let key = try #require(made.split(separator: "\"").dropFirst(7).first)
    #expect(try kennel.ask("{ note(_key: \"\(key)\") { text } }") == #"{"data":{"note":{"text":"a"}}}"#)
    #expect(try kennel.ask("mutation { deleteNote(_key: \"\(key)\") }") == #"{"data":{"deleteNote":true}}"#)
  }

  @Test("every type of property takes its text form and gives it back")
  func types() throws {
    let kennel = try Kennel()
    let fields =
      "key long flag text bytes date single double decimal uuid mixed longs texts doubles { key value } mixeds homes { city zip } friends { key value { id } }"
    let text = try kennel.ask(
      """
      mutation { createEverything(input: {
        key: "0123456789abcdef01234567", long: 9007199254740993, flag: true, text: "\\"quoted\\"", bytes: "AAEC",
        date: "2026-01-31T12:00:00.123456789Z", single: 0.1, double: 1e-7, decimal: "1.50",
        uuid: "00000000-0000-0000-0000-00000000000a", mixed: {at: {_date: 1}},
        longs: [1, -2, 9223372036854775807], texts: ["b", "a"], doubles: [{key: "x", value: 0.5}],
        mixeds: [1, "a", null, [true]], homes: [{city: "Bonn"}], friends: [{key: "best", value: {id: 4, name: "Eve"}}, {key: "none"}]
      }) { \(fields) } }
      """)
    #expect(
      text
        == #"{"data":{"createEverything":{"key":"0123456789abcdef01234567","long":9007199254740993,"flag":true,"text":"\"quoted\"","bytes":"AAEC","date":"2026-01-31T12:00:00.123456789Z","single":0.1,"double":1e-07,"decimal":"1.50","uuid":"00000000-0000-0000-0000-00000000000a","mixed":{"at": {"_date": 1}},"longs":[1,-2,9223372036854775807],"texts":["a","b"],"doubles":[{"key":"x","value":0.5}],"mixeds":[1,"a",null,[true]],"homes":[{"city":"Bonn","zip":null}],"friends":[{"key":"best","value":{"id":4}},{"key":"none","value":null}]}}}"#
    )
  }

  @Test("typed values in a mixed argument come as objects of one member")
  func mixedVariables() throws {
    let kennel = try Kennel()
    try kennel.populate()
    let text = try kennel.ask(
      "mutation($v: Mixed) { createEverything(input: {key: \"0123456789abcdef01234567\", mixed: $v}) { mixed } }",
      #"{"v": [{"$date": "2026-01-01T00:00:00Z"}, {"$link": {"class": "Person", "key": 1}}, {"$decimal": "2"}]}"#)
    #expect(
      text.contains(
        #"[{"$date": "2026-01-01T00:00:00Z"}, {"$link": {"class": "Person", "key": 1}}, {"$decimal": "2"}]"#))
  }

  @Test("a link in a mixed value to an object that is not there is refused")
  func mixedLinkToNothing() throws {
    let text = try Kennel().ask(
      "mutation($v: Mixed) { createEverything(input: {key: \"0123456789abcdef01234567\", mixed: $v}) { key } }",
      #"{"v": [{"$link": {"class": "Person", "key": 77}}]}"#)
    #expect(text.contains("BAD_INPUT"), "\(text)")
  }

  @Test(
    "edits of lists, sets and dictionaries change what they name",
    arguments: [
      ("{longs: {insert: [7]}}", "[1,2,3,7]"), ("{longs: {insert: [7, 8], at: 1}}", "[1,7,8,2,3]"),
      ("{longs: {remove: 1}}", "[1,2]"), ("{longs: {remove: 2, at: 0}}", "[3]"),
      ("{longs: {move: 0, at: 2}}", "[3,1,2]"), ("{longs: {replace: [9], at: 1}}", "[1,9,3]"),
      ("{longs: {clear: true}}", "[]"), ("{longs: {assign: [4]}}", "[4]"),
    ])
  func listEdits(edit: String, expected: String) throws {
    let kennel = try Kennel()
    let key = "\"0123456789abcdef01234567\""
    _ = try kennel.ask("mutation { createEverything(input: {key: \(key), longs: [1, 2, 3]}) { key } }")
    #expect(
      try kennel.ask("mutation { editEverything(key: \(key), edits: [\(edit)]) { longs } }")
        == #"{"data":{"editEverything":{"longs":\#(expected)}}}"#)
  }

  @Test("edits of several collections are one transaction")
  func otherEdits() throws {
    let kennel = try Kennel()
    let key = "\"0123456789abcdef01234567\""
    _ = try kennel.ask(
      "mutation { createEverything(input: {key: \(key), texts: [\"a\", \"b\"], doubles: [{key: \"x\", value: 1}]}) { key } }"
    )
    #expect(
      try kennel.ask(
        "mutation { editEverything(key: \(key), edits: [{texts: {add: [\"c\"], remove: [\"a\"]}}, {doubles: {put: [{key: \"y\", value: 2}], remove: [\"x\"]}}]) { texts doubles { key value } } }"
      ) == #"{"data":{"editEverything":{"texts":["b","c"],"doubles":[{"key":"y","value":2.0}]}}}"#)
    let refused = try kennel.ask("mutation { editEverything(key: \(key), edits: [{longs: {remove: 1}}]) { key } }")
    #expect(refused.contains("BAD_POSITION"))
  }

  @Test("a value that does not fit is refused, and nothing is written")
  func refusals() throws {
    let kennel = try Kennel()
    let text = try kennel.ask("mutation { createPerson(input: {id: 5, name: null}) { id } }")
    #expect(text.contains("BAD_INPUT"))
    #expect(try kennel.ask("{ persons { id } }") == #"{"data":{"persons":[]}}"#)
  }
}
