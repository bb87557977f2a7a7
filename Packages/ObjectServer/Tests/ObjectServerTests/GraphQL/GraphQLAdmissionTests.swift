import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import Testing
import Transport

@Suite("admissions of GraphQL requests")
struct GraphQLAdmissionTests {
  private static let query = #"{"query":"{ tasks { id } }"}"#
  private static let mutation = #"{"query":"mutation { deleteTasks(query: \"id == 999\") }"}"#

  /// The answer to a request that takes some milliseconds.
  private func post(_ body: String, _ scene: GraphQLScene, as token: String) throws -> HTTPResponse {
    let answer = Box<Result<HTTPResponse, TransportError>>()
    scene.stage.network.host("browser").send(
      HTTPClientRequest(
        method: "POST", url: try NetworkURL("http://server:9080/graphql/shared"),
        headers: ["Authorization": "Bearer " + token, "Content-Type": "application/json"], body: Array(body.utf8))
    ) { answer.value = $0 }
    scene.stage.run(.milliseconds(50))
    return try #require(answer.value).get()
  }

  private func isKept(_ scene: GraphQLScene, _ token: String) -> Bool {
    let loop = scene.stage.loop
    return scene.stage.server.hub.admissions.target(
      GraphQLAdmissions.Key(route: .graphQL, token: token, path: "shared"), at: loop.now, loop.wallTime) != nil
  }

  @Test(
    "an admission is kept for a second, yet a lowered grant, an ended login and a suspension count at once")
  func changes() throws {
    let scene = try GraphQLScene()
    let directory = scene.stage.directory
    for token in [scene.ann, scene.ben, scene.root] {
      #expect(try post(Self.query, scene, as: token).status == 200)
      #expect(isKept(scene, token))
      #expect(try post(Self.query, scene, as: token).status == 200)
    }
    #expect(try !post(Self.mutation, scene, as: scene.ann).text.contains("FORBIDDEN"))
    try directory.setGrant(
      Grant(path: try RealmPath("/shared"), grantee: .user("ann"), level: .read, updatedAtMilliseconds: 1))
    #expect(!isKept(scene, scene.ann))
    #expect(try post(Self.mutation, scene, as: scene.ann).text.contains("FORBIDDEN"))
    #expect(try post(Self.query, scene, as: scene.ben).status == 200)
    try directory.endLogin("login-ben")
    #expect(try post(Self.query, scene, as: scene.ben).status == 401)
    #expect(try post(Self.query, scene, as: scene.root).status == 200)
    _ = try directory.updateUser("root", isAdministrator: nil, isDisabled: true)
    #expect(try post(Self.query, scene, as: scene.root).status == 401)
    #expect(try post(Self.query, scene, as: scene.ann).status == 200)
    scene.stage.run(.seconds(1))
    #expect(!isKept(scene, scene.ann))
  }

  @Test("a token that ends within the second ends its admission")
  func tokens() throws {
    let scene = try GraphQLScene()
    let short = try scene.stage.token("ann", lifetime: .seconds(1))
    #expect(try post(Self.query, scene, as: short).status == 200)
    scene.stage.run(.milliseconds(940))
    #expect(!isKept(scene, short))
    #expect(try post(Self.query, scene, as: short).status == 401)
  }

  @Test("nothing is kept that was read before a change, and no more than the bound")
  func bounds() throws {
    let scene = try GraphQLScene()
    let admissions = GraphQLAdmissions()
    let bearer = RealmTarget.anyone
    let target = try RealmTarget("/shared", for: bearer, AccessRules(), scene.stage.directory)
    let (now, time) = (scene.stage.loop.now, scene.stage.loop.wallTime)
    func key(_ number: Int) -> GraphQLAdmissions.Key { .init(route: .graphQL, token: "\(number)", path: "/shared") }
    let before = admissions.generation
    admissions.clear()
    admissions.keep(target, for: key(0), from: before, at: now, tokenEnd: bearer.expiresAt)
    #expect(admissions.target(key(0), at: now, time) == nil)
    let numbers = 0..<3 * GraphQLAdmissions.capacity
    for number in numbers {
      admissions.keep(target, for: key(number), from: admissions.generation, at: now, tokenEnd: bearer.expiresAt)
    }
    #expect(admissions.target(key(numbers.upperBound - 1), at: now, time) != nil)
    #expect(numbers.count { admissions.target(key($0), at: now, time) != nil } <= GraphQLAdmissions.capacity)
  }
}
