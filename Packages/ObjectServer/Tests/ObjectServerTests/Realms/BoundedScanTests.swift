import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
@testable import SyncProtocol
import Telemetry
import TestKit
import Testing
import Transport

@Suite("scans of one job for users whom roles bound, and others")
struct BoundedScanTests {
  /// A realm that ann manages, both of whose readers hold it whole up to a version; since then ben is bounded, and a secret stands
  /// in it.
  private struct Scene {
    let store: any HistoryStore
    let ann, ben, author: FileIdent
    let start: ServerVersion

    init() throws {
      let path = try Permissions.RealmPath("/ann/rooms")
      let histories = try TestStorage.histories(
        .memory(prefix: "bounded scans \(UUID())"), random: RandomSource(SeededGenerator(seed: 5)))
      store = try histories.open(path, isNew: true)
      let file = try #require(try histories.history(of: path)).file
      (ann, ben) = (try store.allocateClientFile().ident, try store.allocateClientFile().ident)
      author = try store.allocateClientFile().ident
      let room = ObjectSchema(
        className: "Room", primaryKey: "id", properties: [Property(name: "id", type: .int)])
      try file.edit { editor in
        try editor.addClasses(Schema([room]))
        try editor.openPermissions()
        for user in ["ann", "ben"] as [UserId] { try editor.connect(user) }
      }
      try store.admit(DownloadScanRequest(file: ben, from: .zero, byteBudget: 1, access: ViewAccess(user: "ben")))
      start = try store.state(claiming: .zero).current.version
      try file.edit { editor in
        try editor.apply([.setClassList("Room", .empty)])
        try editor.create(ObjectReference(className: "Room", key: .int(7)))
      }
    }

    func request(_ file: FileIdent) -> DownloadScanRequest {
      let access = file == ann ? ViewAccess(user: "ann", mayHoldWhole: true) : ViewAccess(user: "ben")
      return DownloadScanRequest(
        file: file, from: DownloadCursor(server: start, client: .zero), byteBudget: 100_000, access: access)
    }

    func member(_ file: FileIdent) -> MemberIdent {
      MemberIdent(
        connection: ConnectionIdent(rawValue: file.rawValue),
        session: SessionKey(ident: SessionIdent(1), generation: file.rawValue))
    }

    func run(_ items: [RealmRequest], of files: [FileIdent], expected: [FileIdent] = []) -> RealmJob.Outcome {
      var job = RealmJob(items: zip(files, items).map { RealmJob.Item(member: member($0), request: $1) })
      job.expected = expected.map { (member($0), request($0)) }
      return job.run(on: store, clock: SystemMonotonicClock())
    }
  }

  /// The entries that a session is sent; nil when it is refused.
  private static func entries(_ outcome: RealmJob.Outcome, for member: MemberIdent) -> Int? {
    for answer in outcome.answers where answer.member == member {
      switch answer.event {
      case .historyScanned(_, let scan): return scan.entries.count
      case .sessionFailed(_, let failure):
        #expect(failure.code == .permissionDenied)
        return nil
      default: Issue.record("\(answer.event)")
      }
    }
    return nil
  }

  @Test("the scan of somebody who may hold the realm whole is not handed to somebody who may not", arguments: [0, 1])
  func asked(first: Int) throws {
    let scene = try Scene()
    defer { scene.store.close() }
    let files = first == 0 ? [scene.ann, scene.ben] : [scene.ben, scene.ann]
    let outcome = scene.run(files.map { .scan(scene.request($0)) }, of: files)
    #expect(outcome.failure == nil)
    #expect(try #require(Self.entries(outcome, for: scene.member(scene.ann))) > 0)
    #expect(Self.entries(outcome, for: scene.member(scene.ben)) == nil)
  }

  @Test("a scan made in advance is refused to one session alone, and the realm stays open", arguments: [0, 1])
  func expected(first: Int) throws {
    let scene = try Scene()
    defer { scene.store.close() }
    let table = AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "id", type: .int))
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    let changeset = Changeset(instructions: [.addTable(table)], origin: origin)
    let outcome = scene.run(
      [.integrate(UploadBatch(changeset.encoded(), from: scene.author, version: 2))], of: [scene.author],
      expected: first == 0 ? [scene.ann, scene.ben] : [scene.ben, scene.ann])
    #expect(outcome.failure == nil)
    #expect(outcome.authors == [scene.member(scene.author)])
    #expect(outcome.prepared[scene.member(scene.ann)]?.scan.entries.isEmpty == false)
    #expect(outcome.prepared[scene.member(scene.ben)] == nil)
  }
}
