import GraphQL
import Testing

@testable import RealmGraphQL

@Suite struct QueryTests {
  private func kennel(_ options: RealmGraphQLOptions = RealmGraphQLOptions()) throws -> Kennel {
    let kennel = try Kennel(options: options)
    try kennel.populate()
    return kennel
  }

  @Test("a collection node answers the objects that a query selects, in the order asked for")
  func collection() throws {
    let kennel = try kennel()
    #expect(
      try kennel.ask("{ dogs { name age } }") == #"{"data":{"dogs":[{"name":"Rex","age":9},{"name":"Fido","age":2}]}}"#)
    #expect(try kennel.ask("{ dogs(query: \"age > 3\") { name } }") == #"{"data":{"dogs":[{"name":"Rex"}]}}"#)
    #expect(
      try kennel.ask("{ dogs(sortBy: \"age\") { name } }") == #"{"data":{"dogs":[{"name":"Fido"},{"name":"Rex"}]}}"#)
    #expect(
      try kennel.ask("{ dogs(sortBy: \"age\", descending: true, skip: 1, take: 5) { name } }")
        == #"{"data":{"dogs":[{"name":"Fido"}]}}"#)
  }

  @Test("arguments of a query stand for $0 and $1")
  func queryArguments() throws {
    let text = try kennel().ask(
      "query Q($age: Int!) { dogs(query: \"age > $0 AND name IN $1\", arguments: [$age, [\"Rex\", \"Fido\"]]) { name } }",
      #"{"age": 3}"#)
    #expect(text == #"{"data":{"dogs":[{"name":"Rex"}]}}"#)
  }

  @Test("a single node answers the object of a primary key, or null")
  func single() throws {
    let kennel = try kennel()
    #expect(try kennel.ask("{ person(id: 1) { name } }") == #"{"data":{"person":{"name":"Ada"}}}"#)
    #expect(try kennel.ask("{ person(id: 9) { name } }") == #"{"data":{"person":null}}"#)
    #expect(
      try kennel.ask("query($id: Int!) { person(id: $id) { name } }", #"{"id": 2}"#)
        == #"{"data":{"person":{"name":"Bob"}}}"#)
  }

  @Test("links, lists and embedded objects are followed as deep as the document says")
  func links() throws {
    let text = try kennel().ask(
      "{ persons { name address { city zip } dogs { name owner { name dogs(query: \"age < 5\") { name } } } } }")
    #expect(
      text
        == #"{"data":{"persons":[{"name":"Ada","address":{"city":"London","zip":7},"dogs":[{"name":"Rex","owner":{"name":"Ada","dogs":[{"name":"Fido"}]}},{"name":"Fido","owner":null}]},{"name":"Bob","address":null,"dogs":[]}]}}"#
    )
  }

  @Test("_linkingObjects answers the objects that link, by an inline fragment on their class")
  func linkingObjects() throws {
    let text = try kennel().ask(
      "{ persons(query: \"id == 1\") { dogs: _linkingObjects(objectType: \"Dog\" property: \"owner\") { ... on Dog { name } } } }"
    )
    #expect(text == #"{"data":{"persons":[{"dogs":[{"name":"Rex"}]}]}}"#)
  }

  @Test("with counts a collection has count and items, and _linkingObjects is a collection")
  func counts() throws {
    var options = RealmGraphQLOptions()
    options.includesCount = true
    let kennel = try kennel(options)
    #expect(
      try kennel.ask("{ dogs(take: 1) { count items { name } } }")
        == #"{"data":{"dogs":{"count":2,"items":[{"name":"Rex"}]}}}"#)
    let text = try kennel.ask(
      "{ person(id: 1) { _linkingObjects(objectType: \"Dog\" property: \"owner\") { ... on DogCollection { count items { name } } } } }"
    )
    #expect(text == #"{"data":{"person":{"_linkingObjects":{"count":1,"items":[{"name":"Rex"}]}}}}"#)
  }

  @Test("pages by key go on behind the last key")
  func pages() throws {
    let kennel = try kennel()
    #expect(
      try kennel.ask("{ dogs(sortBy: \"name\", take: 1) { name } }") == #"{"data":{"dogs":[{"name":"Fido"}]}}"#)
    #expect(try kennel.ask("{ dogs(after: \"Fido\", take: 1) { name } }") == #"{"data":{"dogs":[{"name":"Rex"}]}}"#)
    #expect(
      try kennel.ask("{ dogs(after: \"Rex\", descending: true) { name } }") == #"{"data":{"dogs":[{"name":"Fido"}]}}"#)
    #expect(try kennel.ask("{ dogs(after: \"Rex\") { name } }") == #"{"data":{"dogs":[]}}"#)
  }

  @Test("a wrong query is an error of its field with the place in the text")
  func wrongQuery() throws {
    let text = try kennel().ask("{ dogs(query: \"agee > 3\") { name } persons { id } }")
    #expect(text.contains(#""code":"BAD_QUERY","line":1,"column":1"#))
    #expect(text.contains(#""dogs":null,"persons":[{"id":1},{"id":2}]"#))
  }
}
