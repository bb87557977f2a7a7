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
      let acl = Property(name: "acl", type: .object, collection: .list, objectClassName: "__Permission")
      try editor.openPermissions()
      try editor.addClasses(
        Schema(
          PermissionSchema.schema.objectSchema + [
            ObjectSchema(className: "Message", primaryKey: "id", properties: [id, body, next, room]),
            ObjectSchema(className: "Room", primaryKey: "id", properties: [id, body, messages, acl]),
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
