import AuthClient
import ChangesetOT
import Foundation
import SyncProtocol
import Testing

@Suite("realms of a real server", .serialized)
struct RealmsTests {
  private struct Row: Decodable {
    var path: String
    var bytes: Int
    var clients: Int
    var lastChange: String?
  }

  @Test("are listed with their size, clients and last change while the server runs")
  func listing() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let author = try user.client(of: server)
    _ = try await author.open("/~/notes")
    author.upload(version: 2, bytes: KillTests.changeset(2))
    try await author.wait("the acknowledgement") { $0.acknowledged == 2 }
    let reader = try user.client(of: server)
    _ = try await reader.open("/~/notes")
    let other = try user.client(of: server)
    _ = try await other.open("/~/empty")

    let told = try ServerProcess.run(["realms", "--json", "--data", data])
    #expect(told.status == 0, "\(told.errors)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(told.output.utf8))
    #expect(rows.contains { $0.path == "/default" })
    let own = rows.filter { $0.path != "/default" }
    #expect(own.map(\.path) == ["/\(user.id)/empty", "/\(user.id)/notes"])
    #expect(own.map(\.clients) == [1, 2])
    #expect(rows.allSatisfy { $0.bytes > 0 })
    #expect(own.map { $0.lastChange == nil } == [true, false])
    let table = try ServerProcess.run(["realms", "--data", data]).output.split(separator: "\n")
    #expect(table.count == 4)
    #expect(table.first?.hasPrefix("REALM ") == true)
    #expect(table.contains { $0.contains("/\(user.id)/notes") })
    let asked = try ServerProcess.run(["graphql", "/\(user.id)/notes", "{ __typename }", "--data", data])
    #expect(asked.output == #"{"data":{"__typename":"Query"}}"# + "\n", "\(asked.errors)")
    let schema = try ServerProcess.run(["graphql", "/\(user.id)/notes", "--schema", "--data", data])
    #expect(schema.output.contains("type Query {"), "\(schema.errors)")
    let written = try ServerProcess.run(["graphql", "/\(user.id)/notes", "mutation { __typename }", "--data", data])
    #expect(written.status == 1, "a mutation asks for a server that is stopped")
    // The server goes on with the same files.
    author.upload(version: 3, bytes: KillTests.changeset(3))
    try await author.wait("the next acknowledgement") { $0.acknowledged == 3 }
    #expect(server.stop() == 0)
    let nowhere = try ServerProcess.run(["realms", "--data", data + "-none"])
    #expect(nowhere.status == 1)
    #expect(!FileManager.default.fileExists(atPath: data + "-none"))
  }
}
