import ChangesetOT
import DataModel
import Foundation
import Permissions
import SyncProtocol
import TestKit
import Testing

@testable import ObjectServer

@Suite("client files that are given up")
struct RetiredFilesTests {
  /// The answer to an IDENT with these claims.
  private func identify(
    _ file: SaltedFileIdent, client: UInt64 = 0, server: UInt64 = 0, at store: any HistoryStore
  ) throws -> SessionFailure? {
    let claim = ClientIdentMessage(
      session: SessionIdent(1), file: file, download: DownloadCursor(server: .zero, client: ClientVersion(client)),
      latestServerVersion: SaltedServerVersion(version: ServerVersion(server), salt: 0))
    let found = try RealmJob.find(claim, store)
    return IdentVerification.failure(claim: claim, record: found.record, history: found.history)
  }

  private func upload(_ version: UInt64, from file: FileIdent, to store: any HistoryStore) throws -> SessionFailure? {
    let table = AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    let changeset = Changeset(instructions: [.addTable(table)], origin: origin)
    return try store.integrate([UploadBatch(changeset.encoded(), from: file, version: version)])[0]
  }

  @Test("uploads under the old ident of a client ahead of the server are refused")
  func retired() throws {
    let folder = NSTemporaryDirectory() + "openrealm-retired-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (kind, histories) in try ConvergenceTests.histories(folder) {
      for (client, server) in [(UInt64(Int64.max), UInt64(0)), (0, 99)] {
        let store = try histories.open(RealmPath("/ann/todo\(server)"), isNew: true)
        defer { store.close() }
        let (file, other) = (try store.allocateClientFile(), try store.allocateClientFile())
        #expect(try upload(2, from: file.ident, to: store) == nil, "\(kind)")
        #expect(try upload(2, from: other.ident, to: store) == nil, "\(kind)")
        let asked = try identify(file, client: client, server: server, at: store)
        #expect(asked?.details.action == .clientReset, "\(kind)")
        #expect(asked?.details.integratedClientVersion == ClientVersion(2), "\(kind)")
        let before = try store.state(claiming: .zero).current
        #expect(try upload(3, from: file.ident, to: store)?.code == .clientFileExpired, "\(kind)")
        #expect(try store.state(claiming: .zero).current == before, "\(kind)")
        let again = try identify(file, at: store)
        #expect(again?.code == .clientFileExpired, "\(kind)")
        #expect(again?.details.integratedClientVersion == ClientVersion(2), "\(kind)")
        #expect(try upload(3, from: other.ident, to: store) == nil, "\(kind): others go on")
      }
    }
  }

  @Test("an IDENT that comes late, or whose salt is wrong, gives nothing up")
  func kept() throws {
    let folder = NSTemporaryDirectory() + "openrealm-kept-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (kind, histories) in try ConvergenceTests.histories(folder) {
      let store = try histories.open(RealmPath("/ann/todo"), isNew: true)
      defer { store.close() }
      let file = try store.allocateClientFile()
      #expect(try upload(2, from: file.ident, to: store) == nil, "\(kind)")
      let stranger = SaltedFileIdent(ident: file.ident, salt: file.salt ^ 1)
      #expect(try identify(stranger, client: 99, server: 99, at: store) != nil, "\(kind)")
      #expect(try identify(file, client: 2, at: store)?.code == .badClientVersion, "\(kind): what it knew before")
      #expect(try store.clientFile(file.ident)?.isExpired == false, "\(kind)")
      #expect(try upload(3, from: file.ident, to: store) == nil, "\(kind)")
    }
  }
}
