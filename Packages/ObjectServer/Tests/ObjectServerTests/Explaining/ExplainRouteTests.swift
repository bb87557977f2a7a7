import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
import TestKit
import Testing
import Transport

@Suite("the route that explains an object")
struct ExplainRouteTests {
  /// A realm at the path of apps with a private room of ann, and three users.
  private final class Scene {
    let folder = NSTemporaryDirectory() + "/explain-" + UUID().uuidString
    let stage: Stage
    let ann: String
    let carol: String
    let root: String

    init() throws {
      let path = RealmPath.ofApps
      let random = RandomSource(SeededGenerator(seed: 3))
      let histories = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
      try GraphQLScene.make(path, in: histories, Self.rooms)
      stage = try Stage(histories: histories)
      ann = try stage.user("ann").token
      carol = try stage.user("carol").token
      root = try stage.user("root", isAdministrator: true).token
      _ = try stage.directory.recordRealm(path, createdBy: "root", at: stage.loop.wallTime)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func rooms(_ editor: RealmEditor) throws {
      try editor.addClasses(
        Schema([
          ObjectSchema(
            className: "Room", primaryKey: "name",
            properties: [
              Property(name: "name", type: .string),
              Property(name: "permissions", type: .object, collection: .list, objectClassName: "__Permission"),
            ]),
          ObjectSchema(className: "Message", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
        ]))
      try editor.openPermissions()
      for user in ["ann", "carol"] { try editor.connect(UserId(user)) }
      let room = ObjectReference(className: "Room", key: .string("secret"))
      let entry = ObjectReference(className: "__Permission", key: try editor.makeKey(for: "__Permission"))
      let role = ObjectReference(className: "__Role", key: .string(RoleName.privateRole(of: "ann").rawValue))
      for object in [room, entry] { try editor.create(object) }
      try editor.set(["role": .value(.link(role)), "canRead": .value(.bool(true))], of: entry)
      try editor.set(["permissions": .list([.value(.link(entry))])], of: room)
    }

    func ask(_ query: String, as bearer: String) throws -> HTTPResponse {
      try stage.send("GET", "/api/openrealm/v1/explain?" + query, bearer: bearer)
    }

    func explain(_ query: String, as bearer: String) throws -> SyncExplanation {
      let response = try ask("path=%2Fdefault&" + query, as: bearer)
      #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
      return try JSONDecoder().decode(SyncExplanation.self, from: Data(response.body))
    }
  }

  @Test("users hear why their devices hold an object, also when the realm is closed")
  func own() throws {
    let scene = try Scene()
    #expect(try scene.explain("class=Room&key=secret", as: scene.ann).verdict == .noDevice)
    let device = try FlexibleClient(scene.stage, scene.ann)
    try device.subscribe(#"{"Room":"TRUEPREDICATE"}"#)
    #expect(
      try scene.explain("class=Room&key=secret", as: scene.ann).verdict == .notYetDownloaded, "until the device says so"
    )
    try device.write([])
    let answer = try scene.explain("class=Room&key=secret", as: scene.ann)
    #expect(answer.verdict == .held, "\(answer)")
    #expect(answer.steps.first?.text == "access to /default: write, which every user of the app has")
    #expect(answer.steps.contains { $0.decides && $0.text == "selected by TRUEPREDICATE" })
    let number = try #require(device.file?.ident.rawValue)
    #expect(try scene.explain("class=Room&key=secret&device=\(number)", as: scene.ann).verdict == .held)
    #expect(try scene.explain("class=Room&key=secret&device=77", as: scene.ann).verdict == .noDevice)
    #expect(try scene.explain("class=Message&key=1", as: scene.ann).verdict == .absent)
  }

  @Test("users who ask about themselves get one answer for what is hidden and what does not exist")
  func noOracle() throws {
    let scene = try Scene()
    let device = try FlexibleClient(scene.stage, scene.carol)
    try device.subscribe(#"{"Room":"TRUEPREDICATE"}"#)
    let hidden = try scene.ask("path=%2Fdefault&class=Room&key=secret", as: scene.carol)
    let absent = try scene.ask("path=%2Fdefault&class=Room&key=secre7", as: scene.carol)
    let text = String(decoding: hidden.body, as: UTF8.self)
    #expect(text.contains(#""verdict":"absent""#))
    #expect(text.replacing("secret", with: "secre7") == String(decoding: absent.body, as: UTF8.self))
  }

  @Test("administrators ask about everybody, and hear which roles decide; others about themselves only")
  func others() throws {
    let scene = try Scene()
    let answer = try scene.explain("class=Room&key=secret&user=carol", as: scene.root)
    #expect(answer.verdict == .notReadable)
    #expect(answer.steps.contains { $0.decides && $0.text.contains("__User:ann") }, "\(answer)")
    for user in ["ann", "nobody"] {
      let response = try scene.ask("path=%2Fdefault&class=Room&key=secret&user=\(user)", as: scene.carol)
      #expect(response.status == 403)
    }
    #expect(try scene.ask("path=%2Fdefault&class=Room&key=secret&user=nobody", as: scene.root).status == 404)
  }

  @Test("a realm that the user may not open, or that is not there, is the answer")
  func paths() throws {
    let scene = try Scene()
    let foreign = try scene.ask("path=%2Fann%2Ftodo&class=Room&key=1", as: scene.carol)
    let answer = try JSONDecoder().decode(SyncExplanation.self, from: Data(foreign.body))
    #expect(answer.verdict == .notReadable)
    #expect(
      answer.steps.map(\.text) == [
        "opening /ann/todo: no permission for this realm; ask its owner to grant read"
      ])
    let missing = try JSONDecoder().decode(
      SyncExplanation.self, from: Data(try scene.ask("path=%2F~%2Ftodo&class=Room&key=1", as: scene.ann).body))
    #expect(missing.verdict == .absent)
    #expect(missing.steps.last?.text == "nobody has opened /ann/todo yet")
    #expect(!FileManager.default.fileExists(atPath: scene.folder + "/ann"), "asking makes no realm")
  }

  @Test("a user has one question at a time")
  func oneAtATime() throws {
    let scene = try Scene()
    scene.stage.server.hub.explaining.insert("ann")
    #expect(try scene.ask("path=%2Fdefault&class=Room&key=secret", as: scene.ann).status == 429)
    #expect(try scene.ask("path=%2Fdefault&class=Room&key=secret&user=ann", as: scene.root).status == 200)
    scene.stage.server.hub.explaining.remove("ann")
    for _ in 0..<2 { #expect(try scene.explain("class=Room&key=secret", as: scene.ann).verdict == .noDevice) }
  }

  @Test("mistakes of a question are named")
  func mistakes() throws {
    let scene = try Scene()
    let rows = [
      ("path=%2Fdefault&key=1", "the query has no 'class'"), ("class=Room", "the query has no 'path'"),
      ("path=%2F..%2Fx&class=Room", "InvalidParameter"),
      ("path=%2Fdefault&class=Message&key=one", "write a number, such as 7"),
      ("path=%2Fdefault&class=Room&key=a&device=x", "'device' is the number of a client file, not 'x'"),
    ]
    for (query, words) in rows {
      let response = try scene.ask(query, as: scene.ann)
      #expect(response.status == 400)
      #expect(String(decoding: response.body, as: UTF8.self).contains(words), "\(query)")
    }
  }
}
