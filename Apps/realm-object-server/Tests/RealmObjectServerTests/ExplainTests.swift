import AuthClient
import ChangesetOT
import Foundation
import SyncProtocol
import Testing

@Suite("explanations beside a real server", .serialized)
struct ExplainTests {
  @Test("objects are explained while a server runs, as text and as JSON, and mistakes end with 1")
  func explain() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let author = try user.client(of: server)
    _ = try await author.open("/~/notes")
    author.upload(version: 2, bytes: Self.changeset)
    try await author.wait("the acknowledgement") { $0.acknowledged == 2 }

    func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try ServerProcess.run(["explain"] + arguments + ["--data", data])
    }
    let note = try run("/~/notes", "Note", "7", "--user", "ann")
    #expect(note.status == 0, "\(note.errors)")
    #expect(
      note.output.hasPrefix("Note[7] is on no device: user '\(user.id)' has none that syncs the realm by queries\n"))
    #expect(note.output.contains("access to /\(user.id)/notes: manage, because the realm is the user's own"))
    let absent = try run("/\(user.id)/notes", "Note", "8", "--user", user.id.rawValue, "--json")
    #expect(absent.output.contains(#""verdict": "absent""#) || absent.output.contains(#""verdict":"absent""#))
    #expect(try run("/~/other", "Note", "7", "--user", "ann").output.contains("nobody has opened"))
    for (arguments, words) in [
      (["/~/notes", "Note", "7", "--user", "nobody"], "there is no user 'nobody'"),
      (["/~/notes", "Note", "x", "--user", "ann"], "write a number, such as 7"),
    ] {
      let failed = try ServerProcess.run(["explain"] + arguments + ["--data", data])
      #expect(failed.status == 1)
      #expect(failed.errors.contains(words), "\(failed.errors)")
    }
    #expect(try run("/~/notes", "Note", "7").status == 2, "no user is named")
    // The server goes on with the same files.
    author.upload(version: 3, bytes: Self.changeset)
    try await author.wait("the next acknowledgement") { $0.acknowledged == 3 }
    #expect(server.stop() == 0)
  }

  private static var changeset: [UInt8] {
    Changeset(
      instructions: [
        .addTable(AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        .createObject(CreateObject(object: .init(className: "Note", key: .int(7)))),
      ], origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
  }
}
