import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("client reset")
struct ResetTests {
  private let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)

  /// A file that many live transactions made.
  private func liveFile(_ seed: UInt64, edits count: Int = 60) throws -> (realm: Realm, file: RealmFile) {
    var edits = LiveEdits(seed: seed)
    let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
    try ClientHistory(realm.file).storeFileIdent(SaltedFileIdent(ident: FileIdent(2), salt: 4))
    for _ in 0..<max(1, count / 4) { try realm.write { for _ in 0..<4 { edits.edit(realm) } } }
    return (realm, realm.file)
  }

  /// A file of its own with the state of another, as a download leaves it.
  private func downloaded(_ file: RealmFile, version: UInt64 = 40, ident: UInt64 = 9) throws -> ClientHistory {
    let fresh = ClientHistory(try memoryFile(recordsChangesets: true))
    try fresh.storeFileIdent(SaltedFileIdent(ident: FileIdent(ident), salt: 5))
    var synthesis = try StateSynthesis(file)
    var entries: [DownloadEntry] = []
    while let piece = try synthesis.next() {
      let cursor = DownloadCursor(server: ServerVersion(UInt64(entries.count + 1)), client: .zero)
      entries.append(
        DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(0), origin: .server, changeset: piece))
    }
    try fresh.integrate(
      entries,
      progress: SyncProgress(
        latestServerVersion: SaltedServerVersion(version: ServerVersion(version), salt: 77),
        download: DownloadCursor(server: ServerVersion(version), client: .zero), upload: .zero))
    return fresh
  }

  @Test("a state transferred onto any other one is equal to its source, and so is what was recorded of it")
  func transfer() throws {
    for seed in Seeds.some(20) {
      let source = try liveFile(seed).file
      let target = try liveFile(seed &+ 1_000).file
      let twin = try memoryFile()
      var synthesis = try StateSynthesis(target)
      while let piece = try synthesis.next() {
        try twin.commit(try Changeset(decoding: piece, origin: origin).instructions)
      }
      #expect(try twin.dump() == target.dump(), "SEED=\(seed)")
      var recorded: [UInt8] = []
      try target.write(isRecorded: false) { session in
        let recorder = ChangesetRecorder()
        session.writer.recorder = recorder
        try StateTransfer(source: source.latestReadView(), target: session.writer, keepsUnresolved: true).transferAll()
        recorded = recorder.finish()
      }
      let wanted = try source.dump()
      let found = try target.dump()
      if found != wanted { Issue.record("SEED=\(seed)\nfound\n\(found)\nexpected\n\(wanted)") }
      try target.store.verify()
      #expect(try LinkBooks(target).complaint == nil, "SEED=\(seed)")
      try twin.commit(try Changeset(decoding: recorded, origin: origin).instructions)
      #expect(try twin.dump() == wanted, "SEED=\(seed): the recording")
    }
  }

  @Test("a state of every type, with links of every kind to objects that do not exist, is equal after its transfer")
  func transferUnresolved() throws {
    var unresolved = 0
    for seed in Seeds.some(15) {
      let (source, target) = (try unresolvedFile(seed), try unresolvedFile(seed &+ 1_001))
      unresolved += try source.latestReadView().unresolvedCount
      try target.write(isRecorded: false) { session in
        try StateTransfer(source: source.latestReadView(), target: session.writer, keepsUnresolved: true).transferAll()
      }
      let (found, wanted) = (try target.dump(), try source.dump())
      if found != wanted { Issue.record("SEED=\(seed)\nfound\n\(found)\nexpected\n\(wanted)") }
      #expect(try LinkBooks(target).complaint == nil, "SEED=\(seed)")
      try target.store.verify()
    }
    #expect(unresolved > 0)
  }

  @Test("a list that moves the only link to an object that does not exist keeps it")
  func movedUnresolved() throws {
    let (ghost, first, second) = (2, 3, 4)
    func file(_ order: [Int]) throws -> Realm {
      let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
      try realm.write {
        for id in [ghost, first, second] { realm.create(Item.self, value: ["id": id]) }
        let holder = realm.create(Holder.self, value: ["id": 1])
        for id in order {
          if let item = realm.object(ofType: Item.self, forPrimaryKey: id) { holder.links.append(item) }
        }
      }
      try realm.file.eraseElsewhere("Item", startingWith: 0)
      return realm
    }
    // The ghost and the last item are erased.
    let source = try file([first, first, ghost]).file
    let target = try file([first, ghost, first, first]).file
    try target.write(isRecorded: false) { session in
      try StateTransfer(source: source.latestReadView(), target: session.writer, keepsUnresolved: true).transferAll()
    }
    #expect(try target.dump() == source.dump())
    #expect(try LinkBooks(target).complaint == nil)
  }

  @Test("after a discarding reset the file is the server's state, and keeps the rows of objects that stay")
  func discard() throws {
    for seed in Seeds.some(20) {
      let (_, file) = try liveFile(seed)
      let server = try liveFile(seed &+ 500).file
      let fresh = try downloaded(server)
      let before = try file.latestReadView()
      let history = ClientHistory(file)
      let outcome = try history.reset(to: fresh, ClientReset(mode: .discard))
      #expect(try file.dump() == server.dump(), "SEED=\(seed)")
      #expect(!outcome.lost.isEmpty, "SEED=\(seed)")
      #expect(outcome.recovered == 0, "SEED=\(seed)")
      let after = try file.latestReadView()
      for layout in before.catalog.classes where layout.kind == .topLevel {
        for row in try before.rows(layout) {
          let key = try before.key(row, layout)
          guard let now = after.catalog[layout.name], let kept = try after.row(key, now) else { continue }
          #expect(kept == row, "SEED=\(seed): \(layout.name)[\(key)] moved")
        }
      }
      #expect(try history.fileIdent() == SaltedFileIdent(ident: FileIdent(9), salt: 5))
      #expect(try history.progress().download == DownloadCursor(server: ServerVersion(40), client: .zero))
      #expect(try history.pendingCount() == 0, "SEED=\(seed)")
    }
  }

  @Test(
    "local transactions recovered onto the state that they were made on give what the file held, as do their changesets"
  )
  func recover() throws {
    for seed in Seeds.some(30) {
      let (realm, file) = try liveFile(seed, edits: 30)
      let history = ClientHistory(file)
      let base = try history.newestVersion()
      let fresh = try downloaded(file)
      let server = try downloaded(file).file
      var edits = LiveEdits(seed: seed &+ 7)
      for _ in 0..<8 { try realm.write { for _ in 0..<3 { edits.edit(realm) } } }
      let wanted = try file.dump()
      let outcome = try history.reset(to: fresh, ClientReset(mode: .recover, integrated: base))
      let found = try file.dump()
      if found != wanted { Issue.record("SEED=\(seed)\nfound\n\(found)\nexpected\n\(wanted)") }
      #expect(outcome.lost.isEmpty, "SEED=\(seed): \(outcome.lost)")
      try file.store.verify()
      #expect(try LinkBooks(file).complaint == nil, "SEED=\(seed)")
      for entry in try history.uploadableEntries(after: .zero, byteLimit: .max).entries {
        #expect(entry.cursor.server == ServerVersion(40))
        try server.commit(try Changeset(decoding: entry.changeset, origin: origin).instructions)
      }
      #expect(try server.dump() == wanted, "SEED=\(seed): the changesets")
    }
  }

  @Test("recovered onto any other state, the changesets bring the server to what the file holds")
  func recoverElsewhere() throws {
    for seed in Seeds.some(30) {
      for serverForgot in [false, true] {
        let (realm, file) = try liveFile(seed, edits: 30)
        let history = ClientHistory(file)
        let base = try history.newestVersion()
        let other = try liveFile(seed &+ 900, edits: 40).file
        let fresh = try downloaded(other)
        let server = try downloaded(other).file
        var edits = LiveEdits(seed: seed &+ 7)
        for _ in 0..<8 { try realm.write { for _ in 0..<3 { edits.edit(realm) } } }
        _ = try history.reset(to: fresh, ClientReset(mode: .recover, integrated: base, serverForgot: serverForgot))
        for entry in try history.uploadableEntries(after: .zero, byteLimit: .max).entries {
          try server.commit(try Changeset(decoding: entry.changeset, origin: origin).instructions)
        }
        let (found, wanted) = (try server.dump(), try file.dump())
        if found != wanted { Issue.record("SEED=\(seed)\nserver\n\(found)\nclient\n\(wanted)") }
        #expect(try LinkBooks(file).complaint == nil, "SEED=\(seed)")
      }
    }
  }

  @Test("of every type, with collections in mixed values: the changesets bring the server to what the file holds")
  func recoverEveryType() throws {
    for seed in Seeds.some(30) {
      let typed = try typedFile(seed, edits: 30)
      let realm = typed.realm
      var edits = typed.edits
      let history = ClientHistory(realm.file)
      let base = try history.newestVersion()
      let (other, _) = try typedFile(seed &+ 900, edits: 40)
      let fresh = try downloaded(other.file)
      let server = try downloaded(other.file).file
      for _ in 0..<8 { try realm.write { for _ in 0..<3 { edits.edit(realm) } } }
      _ = try history.reset(to: fresh, ClientReset(mode: .recover, integrated: base, serverForgot: true))
      for entry in try history.uploadableEntries(after: .zero, byteLimit: .max).entries {
        try server.commit(try Changeset(decoding: entry.changeset, origin: origin).instructions)
      }
      let (found, wanted) = (try server.dump(), try realm.file.dump())
      if found != wanted { Issue.record("SEED=\(seed)\nserver\n\(found)\nclient\n\(wanted)") }
      #expect(try LinkBooks(realm.file).complaint == nil, "SEED=\(seed)")
    }
  }

  @Test("what the server has is kept through a reset: one that is put back further gets it, under another ident, once")
  func keptThroughResets() throws {
    let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
    let history = ClientHistory(realm.file)
    try history.storeFileIdent(SaltedFileIdent(ident: FileIdent(2), salt: 4))
    let nothing = try downloaded(realm.file, version: 1, ident: 5)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "acknowledged"]) }
    let acknowledged = try history.newestVersion()
    let younger = try downloaded(realm.file, version: 40, ident: 9)
    try realm.write { realm.create(Person.self, value: ["id": 2, "name": "pending"]) }
    let pending = try history.newestVersion()

    // A backup that has the first transaction: only the second one is sent again.
    let first = try history.reset(
      to: younger, ClientReset(mode: .recover, integrated: acknowledged, serverForgot: true))
    #expect(first.recovered == 1)
    #expect(first.lost.isEmpty)
    #expect(try history.pendingCount() == 1)
    #expect(try history.uploadableEntries(after: .zero).entries.map(\.cursor.client) == [pending])
    #expect(try history.unconfirmedChanges().allSatisfy { $0.version == pending })
    #expect(
      try history.incarnations() == [
        ClientIncarnation(file: SaltedFileIdent(ident: FileIdent(9), salt: 5), settled: acknowledged),
        ClientIncarnation(file: SaltedFileIdent(ident: FileIdent(2), salt: 4), settled: .zero),
      ])
    // A download that arrives meanwhile does not touch the recovered changes, and drops none of them.
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(41), salt: 77),
      download: DownloadCursor(server: ServerVersion(41), client: pending),
      upload: UploadCursor(client: pending, server: ServerVersion(40)))
    try history.integrate([], progress: progress)
    #expect(try history.pendingCount() == 0)

    // An older one that has neither.
    let second = try history.reset(to: nothing, ClientReset(mode: .recover, integrated: .zero, serverForgot: true))
    #expect(second.recovered == 2)
    #expect(second.lost.isEmpty)
    realm.refresh()
    #expect(realm.objects(Person.self).map(\.name).sorted() == ["acknowledged", "pending"])
    #expect(try history.uploadableEntries(after: .zero).entries.map(\.cursor.client) == [acknowledged, pending])
    #expect(try history.incarnations().map(\.file.ident.rawValue) == [5, 9, 2])
  }

  @Test("a server that claims to have more than there is does no harm")
  func exaggerated() throws {
    let (_, file) = try liveFile(1)
    let history = ClientHistory(file)
    let newest = try history.newestVersion()
    let outcome = try history.reset(
      to: try downloaded(file), ClientReset(mode: .recover, integrated: ClientVersion(.max), serverForgot: true))
    #expect(outcome.recovered == 0)
    #expect(outcome.lost.isEmpty)
    #expect(try history.incarnations().first?.settled == newest)
    #expect(try history.unconfirmedChanges(integrated: ClientVersion(.max)).isEmpty)
  }

  @Test("what the server has of a file is not done again")
  func integratedOnce() throws {
    let (realm, file) = try liveFile(1)
    let history = ClientHistory(file)
    let everything = try history.newestVersion()
    let fresh = try downloaded(file)
    let outcome = try history.reset(to: fresh, ClientReset(mode: .recover, integrated: everything, serverForgot: true))
    #expect(outcome.recovered == 0)
    #expect(outcome.lost.isEmpty)
    #expect(try history.pendingCount() == 0)
    _ = realm
  }

  @Test("a class that is another one on the server fails the reset and leaves the file as it was")
  func contradiction() throws {
    let (_, file) = try liveFile(1)
    let history = ClientHistory(file)
    let fresh = ClientHistory(try memoryFile(recordsChangesets: true))
    try fresh.file.commit([
      .addTable(AddTable(table: "Person", primaryKey: PrimaryKeyColumn(field: "other", type: .string)))
    ])
    let before = try file.dump()
    #expect(throws: ClientResetError.self) { try history.reset(to: fresh, ClientReset(mode: .recover)) }
    #expect(throws: CancellationError.self) {
      try history.reset(to: try downloaded(file), ClientReset(mode: .discard)) { _ in throw CancellationError() }
    }
    #expect(try file.dump() == before)
  }
}
