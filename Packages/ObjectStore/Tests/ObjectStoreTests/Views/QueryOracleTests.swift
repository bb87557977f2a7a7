import ChangesetOT
import DataModel
import Permissions
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A query must not tell its author about objects that they may not read.
@Suite("queries as oracles")
struct QueryOracleTests {
  /// A realm with permissions in force, a room of ann's with a message, and the user bob.
  private func network() throws -> ViewNetwork {
    let network = try ViewNetwork([])
    try network.file.edit { editor in
      let (id, body) = (Property(name: "id", type: .int), Property(name: "body", type: .string))
      let next = Property(name: "next", type: .object, objectClassName: "Message", isOptional: true)
      let room = Property(name: "room", type: .object, objectClassName: "Room", isOptional: true)
      let messages = Property(name: "messages", type: .object, collection: .list, objectClassName: "Message")
      let twin = Property(name: "twin", type: .object, objectClassName: "Room", isOptional: true)
      let rooms = Property(name: "rooms", type: .object, collection: .list, objectClassName: "Room")
      let acl = Property(name: "acl", type: .object, collection: .list, objectClassName: "__Permission")
      try editor.openPermissions()
      try editor.addClasses(
        Schema(
          PermissionSchema.schema.objectSchema + [
            ObjectSchema(className: "Message", primaryKey: "id", properties: [id, body, next, room]),
            ObjectSchema(className: "Room", primaryKey: "id", properties: [id, body, messages, twin, rooms, acl]),
          ]))
      try editor.openPermissions(ofClasses: ["Message", "Room"])
      for user in ["ann", "bob"] as [UserId] { try editor.connect(user) }
    }
    return network
  }

  private func refusal(_ json: String, followsLinks: Bool) throws -> QueryRefusal? {
    var network = try network()
    let access = ViewAccess(user: "bob", followsLinks: followsLinks)
    let number = try network.add(queries: json, access: access)
    do { try network.downloadAll(number) } catch let refusal as QueryRefusal { return refusal }
    return nil
  }

  @Test("a condition on inverse links from objects with access lists is refused", arguments: [true, false])
  func inverseLinks(_ followsLinks: Bool) throws {
    let refusal = try refusal(#"{"Message":"ANY @links.Room.messages.body == 'secret'"}"#, followsLinks: followsLinks)
    #expect(refusal?.message.contains("asks about objects of class 'Room'") == true)
  }

  @Test("a condition that counts all links is refused where objects have access lists")
  func allLinks() throws {
    let refusal = try refusal(#"{"Message":"@links.@count > 0"}"#, followsLinks: true)
    #expect(refusal?.message.contains("access lists") == true)
  }

  @Test("links forward to objects with access lists are followed only by views that hold these objects")
  func forwardLinks() throws {
    let json = #"{"Message":"room.body == 'secret'"}"#
    #expect(try refusal(json, followsLinks: true) == nil)
    #expect(try refusal(json, followsLinks: false) != nil)
  }

  @Test(
    "paths that lead back to the own class, whose objects have access lists, are refused in flexible sync",
    arguments: [
      "twin.body BEGINSWITH 'a'", "TRUEPREDICATE SORT(twin.body ASC) LIMIT(1)", "TRUEPREDICATE DISTINCT(twin.body)",
      "ANY messages.room.body == 'x'", "rooms.@max.id > 3", "SUBQUERY(rooms, $r, $r.body == 'x').@count > 0",
      "ANY rooms.body == 'x'", "twin.twin != nil",
    ])
  func ownClass(text: String) throws {
    let json = #"{"Room":"\#(text)"}"#
    let refused = try refusal(json, followsLinks: false)
    #expect(refused?.message.contains("asks about objects of class 'Room'") == true)
    #expect(try refusal(json, followsLinks: true) == nil)
  }

  @Test(
    "what an object says of itself may be asked, its links and their number included",
    arguments: ["body BEGINSWITH 'a'", "twin != nil", "rooms.@count > 1", "TRUEPREDICATE SORT(body ASC) LIMIT(1)"])
  func ownProperties(text: String) throws {
    #expect(try refusal(#"{"Room":"\#(text)"}"#, followsLinks: false) == nil)
  }

  @Test("conditions on objects without access lists are served", arguments: [true, false])
  func plain(_ followsLinks: Bool) throws {
    #expect(
      try refusal(#"{"Message":"next.body == 'x' AND @links.Message.next.@count == 0"}"#, followsLinks: followsLinks)
        == nil)
  }

  @Test("a condition over a class that the user may not read is refused")
  func hiddenClass() throws {
    var network = try network()
    try network.file.edit { editor in
      try editor.apply([.setClassList("Room", [PermissionEntry(.everyone, [.query, .create])])])
    }
    let number = try network.add(
      queries: #"{"Message":"room.body == 'secret'"}"#, access: ViewAccess(user: "bob", followsLinks: true))
    #expect(throws: QueryRefusal.self) { try network.downloadAll(number) }
  }
}
