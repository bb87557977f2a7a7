import ByteCoding
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import RecordStore
import Telemetry
import Testing
import Transport

@Suite("Objects in the administration API", .serialized)
struct AdminObjectsTests {
  static let path = "/ann/pets"

  /// Makes a realm with dogs, their owners and one embedded class.
  static func makeRealm(in scene: AdminScene, dogs: Int = 3) throws {
    let realm = try RealmPath(path)
    try scene.server.environment.directory.recordRealm(realm, createdBy: "ann", at: WallTime(millisecondsSince1970: 5))
    let schema = Schema([
      ObjectSchema(
        className: "Dog", primaryKey: "id",
        properties: [
          Property(name: "id", type: .int), Property(name: "name", type: .string),
          Property(name: "age", type: .int, isOptional: true),
          Property(name: "tags", type: .string, collection: .list),
          Property(name: "friend", type: .object, objectClassName: "Dog", isOptional: true),
        ]),
      ObjectSchema(className: "Note", properties: [Property(name: "text", type: .string)]),
    ])
    try GraphQLScene.make(realm, in: scene.server.environment.stores) { editor in
      try editor.addClasses(schema)
      for id in 0..<dogs {
        let dog = ObjectReference(className: "Dog", key: .int(Int64(id)))
        try editor.create(dog)
        try editor.set(["name": .value(.string("Dog \(id)"))], of: dog)
      }
    }
  }

  static func rows(_ scene: AdminScene, _ query: String) async throws -> [JSONValue] {
    try await scene.call("GET", "realm/objects?path=\(path)&class=Dog\(query)")["objects"]?.elements ?? []
  }

  static func write(_ scene: AdminScene, _ edits: String) async throws -> HTTPResponse {
    let response = try await scene.send(
      "POST", "realm/transaction", body: #"{"path":"\#(path)","edits":[\#(edits)]}"#)
    try AdminShape.check("POST", "realm/transaction", response)
    return response
  }

  @Test("objects are listed by pages, queries and orders, and a mistake in a query has its column")
  func listing() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene, dogs: 5)
      let all = try await scene.call("GET", "realm/objects?path=\(Self.path)&class=Dog")
      #expect(all["total"]?.integer == 5)
      #expect(all["objects"]?.elements?.first?["values"]?["name"]?.string == "Dog 0")
      #expect(all["objects"]?.elements?.first?["values"]?["age"] == .null)
      #expect(try await Self.rows(scene, "&skip=3").compactMap { $0["key"]?.string } == ["3", "4"])
      #expect(
        try await Self.rows(scene, "&sort=id&descending=true&take=2").compactMap { $0["key"]?.string } == ["4", "3"])
      #expect(try await Self.rows(scene, "&query=name%20ENDSWITH%20%222%22").compactMap { $0["key"]?.string } == ["2"])
      let version = try #require(all["version"]?.integer)
      let same = try await scene.call("GET", "realm/objects?path=\(Self.path)&class=Dog&unless=\(version)")
      #expect(same["objects"] == nil)
      let mistake = try await scene.send("GET", "realm/objects?path=\(Self.path)&class=Dog&query=nme%20%3D%3D%201")
      #expect(mistake.status == 400)
      #expect(mistake.text.contains("column 1"))
      #expect(try await scene.send("GET", "realm/objects?path=\(Self.path)&class=Cat").status == 404)
      #expect(try await scene.send("GET", "realm/objects?path=/ann/none&class=Dog").status == 404)
      let models = try await scene.call("GET", "realm/models?path=\(Self.path)&language=swift")
      #expect(models["source"]?.string?.contains("class Dog: Object") == true)
    }
  }

  @Test("a list of realms looks into no file unless it has details")
  func details() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene)
      func realm(_ query: String) async throws -> JSONValue? {
        try await scene.call("GET", "realms?search=pets\(query)")["realms"]?.elements?.first
      }
      let brief = try #require(try await realm("&details=false"))
      #expect(brief["path"]?.string == Self.path)
      #expect(brief["owner"]?.string == "ann")
      #expect(brief["sessions"]?.integer == 0)
      #expect(brief["bytes"] == nil)
      #expect(try await realm("")?["bytes"]?.integer ?? 0 > 0)
      // A file that cannot be read is no matter for a list without details.
      let folder = scene.folder + "/realms"
      let file = folder + "/" + RealmFileName.relativePath(of: try RealmPath(Self.path), in: folder)
      try Data("no realm".utf8).write(to: URL(fileURLWithPath: file))
      // That of a node is a copy, which is made anew.
      #expect((try await realm("&details=true")?["problem"] != nil) == TestStorage.isEmbedded)
      #expect(try await realm("&details=false")?["problem"] == nil)
    }
  }

  @Test("an answer with large values ends early, with one object at least")
  func largeValues() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene, dogs: 0)
      let name = String(repeating: "x", count: ObjectListing.mostBytes / 16)
      for id in 0..<20 {
        let edit = #"{"action":"create","class":"Dog","key":"\#(id)","values":{"name":"\#(name)"}}"#
        #expect(try await Self.write(scene, edit).status == 200)
      }
      let whole = try await scene.call("GET", "realm/objects?path=\(Self.path)&class=Dog&whole=true")
      #expect(whole["total"]?.integer == 20)
      #expect(whole["objects"]?.elements?.count == 16)
      #expect(try await Self.rows(scene, "&whole=true&skip=16").count == 4)
      #expect(try await Self.rows(scene, "").count == 20)
    }
  }

  @Test("a transaction creates, changes and deletes objects, with every digit of an integer")
  func writing() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene)
      let edits = [
        #"{"action":"create","class":"Dog","key":"9","values":{"name":"Rex","age":"9223372036854775807","tags":"[\"a\"]"}}"#,
        #"{"action":"update","class":"Dog","key":"1","values":{"name":"Ada"}}"#,
        #"{"action":"delete","class":"Dog","key":"0"}"#,
        #"{"action":"create","class":"Note","values":{"text":"\u0000<b>"}}"#,
      ]
      let response = try await Self.write(scene, edits.joined(separator: ","))
      #expect(response.status == 200)
      let rows = try await Self.rows(scene, "&sort=id")
      #expect(rows.compactMap { $0["key"]?.string } == ["1", "2", "9"])
      #expect(rows.first?["values"]?["name"]?.string == "Ada")
      #expect(rows.last?["values"]?["age"]?.string == "9223372036854775807")
      let notes = try await scene.call("GET", "realm/objects?path=\(Self.path)&class=Note")
      #expect(notes["objects"]?.elements?.first?["values"]?["text"]?.string == "\u{0}<b>")
    }
  }

  @Test("a transaction with a mistake changes nothing, and says which edit is wrong")
  func refusals() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene)
      let good = #"{"action":"update","class":"Dog","key":"1","values":{"name":"Ada"}}"#
      let table: [(edit: String, status: Int, text: String)] = [
        (#"{"action":"create","class":"Dog","key":"1"}"#, 409, "exists already"),
        (#"{"action":"update","class":"Dog","key":"77"}"#, 404, "no Dog"),
        (#"{"action":"delete","class":"Dog","key":"77"}"#, 404, "no Dog"),
        (#"{"action":"update","class":"Cat","key":"1"}"#, 404, "no class"),
        (#"{"action":"update","class":"Dog","key":"x"}"#, 400, "no key"),
        (#"{"action":"update","class":"Dog"}"#, 400, "'key' is missing"),
        (#"{"action":"update","class":"Dog","key":"1","values":{"age":"old"}}"#, 400, "age"),
        (#"{"action":"update","class":"Dog","key":"1","values":{"name":null}}"#, 400, "name"),
        (#"{"action":"update","class":"Dog","key":"1","values":{"paws":"4"}}"#, 400, "paws"),
        (#"{"action":"update","class":"Dog","key":"1","values":{"age":4}}"#, 400, "neither a text nor null"),
      ]
      for row in table {
        let response = try await Self.write(scene, good + "," + row.edit)
        #expect(response.status == row.status, "\(row.edit) \(response.text)")
        #expect(response.text.contains(row.text), "\(row.edit) \(response.text)")
      }
      #expect(try await Self.rows(scene, "&query=name%20%3D%3D%20%22Ada%22").isEmpty)
    }
  }

  @Test("a preview says what would be written, links that go included, and changes nothing")
  func preview() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene)
      let link = try await Self.write(
        scene, #"{"action":"update","class":"Dog","key":"1","values":{"friend":"2"}}"#)
      #expect(link.status == 200)
      let body = #"{"path":"\#(Self.path)","edits":[{"action":"delete","class":"Dog","key":"2"}],"preview":true}"#
      let lines = try await scene.call("POST", "realm/transaction", body: body)["instructions"]?.elements ?? []
      #expect(lines.contains { $0.string?.contains("friend") == true }, "\(lines)")
      #expect(try await Self.rows(scene, "").count == 3)
      #expect(try await Self.rows(scene, "&query=friend.id%20%3D%3D%202").count == 1)
    }
  }

  @Test("pages from any position are those of the whole list, before and after deletions")
  func positions() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene, dogs: 700)
      for key in [nil, "0", "300", "699"] as [String?] {
        if let key {
          #expect(try await Self.write(scene, #"{"action":"delete","class":"Dog","key":"\#(key)"}"#).status == 200)
        }
        let all = try await Self.rows(scene, "&take=1000").compactMap { $0["key"]?.string }
        #expect(all == all.sorted { Int($0) ?? 0 < Int($1) ?? 0 })
        for skip in [0, 1, 254, 255, 256, 299, 511, 690] {
          let page = try await Self.rows(scene, "&take=5&skip=\(skip)").compactMap { $0["key"]?.string }
          #expect(page == Array(all.dropFirst(skip).prefix(5)), "\(skip)")
        }
      }
    }
  }

  @Test("long values are cut with their lengths, and come whole on request")
  func longValues() async throws {
    try await AdminScene.run { scene in
      try Self.makeRealm(in: scene, dogs: 1)
      let text = String(repeating: "é", count: 5_000)
      let response = try await Self.write(
        scene, #"{"action":"update","class":"Dog","key":"0","values":{"name":"\#(text)"}}"#)
      #expect(response.status == 200)
      let row = try #require(try await Self.rows(scene, "").first)
      #expect(row["values"]?["name"]?.string?.count == ObjectListing.longestValue)
      #expect(row["cut"]?["name"]?.integer == 5_000)
      #expect(try await Self.rows(scene, "&whole=true").first?["values"]?["name"]?.string == text)
    }
  }
}
