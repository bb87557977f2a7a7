import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("writes to included objects")
struct IncludedWriteTests {
  private typealias Chat = ChatScene

  private static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }
  private static func person(_ key: String) -> ObjectReference {
    ObjectReference(className: "Person", key: .string(key))
  }

  /// Four dogs, of which 1 and 2 belong to p, 3 to q and 4 to nobody; 1 has the friends 3 and 2. One client with the query, one with
  /// everything.
  private func network(_ query: String, followsLinks: Bool) throws -> ViewNetwork {
    var made = LinkedRealm.schema
    for key in Int64(1)...4 { made.append(Chat.create(Self.dog(key))) }
    for key in ["p", "q"] { made.append(Chat.create(Self.person(key))) }
    for (key, owner) in [(Int64(1), "p"), (2, "p"), (3, "q")] {
      made.append(Chat.set(Self.dog(key), "owner", .link(Self.person(owner))))
    }
    made.append(Chat.append(Self.dog(3), to: Self.dog(1), "friends", of: 0))
    made.append(Chat.append(Self.dog(2), to: Self.dog(1), "friends", of: 1))
    var network = try ViewNetwork(made)
    _ = try network.add(queries: query, access: ViewAccess(user: "ann", followsLinks: followsLinks))
    _ = try network.add(queries: nil)
    for number in network.clients.indices { try network.downloadAll(number) }
    return network
  }

  @Test("are taken where INCLUDE leads to them over a link", arguments: [true, false])
  func overLink(followsLinks: Bool) throws {
    var network = try network(#"{"Dog":"id == 1 INCLUDE(owner.@links.Dog.owner)"}"#, followsLinks: followsLinks)
    try network.write(0, [Chat.set(Self.dog(2), "age", .int(9))])
    // A device that guesses the key may not write there.
    try network.write(0, [Chat.create(Self.dog(4)), Chat.set(Self.dog(4), "age", .int(7))])
    try network.settle()
    #expect(network.clients[0].refusals.map(\.object) == [Self.dog(4)])
    #expect(try network.dump(1).objects["Dog"]?[.int(2)]?["age"] == .value(.int(9)))
    #expect(try network.dump(1).objects["Dog"]?[.int(4)]?["age"] == .value(.int(0)))
  }

  @Test("are taken for the element of a list that INCLUDE names, and for no other")
  func overElement() throws {
    var network = try network(#"{"Dog":"id == 1 INCLUDE(friends[1].owner.@links.Dog.owner)"}"#, followsLinks: false)
    #expect(try network.keys(0, "Dog") == [1, 2])
    try network.write(0, [Chat.set(Self.dog(2), "age", .int(9))])
    try network.write(0, [Chat.create(Self.dog(3)), Chat.set(Self.dog(3), "age", .int(7))])
    try network.settle()
    #expect(network.clients[0].refusals.map(\.object) == [Self.dog(3)])
    #expect(try network.dump(1).objects["Dog"]?[.int(2)]?["age"] == .value(.int(9)))
  }
}
