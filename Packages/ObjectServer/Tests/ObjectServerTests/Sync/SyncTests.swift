import ChangesetOT
import ChangesetOTTestSupport
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("sync sessions")
struct SyncTests {
  static let bytes: [UInt8] = Array("a changeset".utf8)

  @Test("an upload is acknowledged to its author and reaches the other session")
  func twoSessions() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, phoneFile) = try stage.session(ann.token, "/~/todo")
    let (tablet, tabletFile) = try stage.session(ann.token, "/ann/todo", from: "tablet")
    #expect(phoneFile.ident != tabletFile.ident)
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    let acknowledgement = try #require(phone.take().compactMap(\.download).last)
    #expect(acknowledgement.progress.upload.client == ClientVersion(2))
    #expect(acknowledgement.entries.isEmpty)
    let download = try #require(tablet.take().compactMap(\.download).last)
    #expect(download.entries.map(\.changeset) == [Self.bytes[...]])
    #expect(download.entries.map(\.origin) == [phoneFile.ident])
    phone.mark(1, 1)
    stage.run()
    #expect(phone.take().contains { if case .mark = $0 { true } else { false } })
  }

  @Test("no acknowledgement before the commit: when it fails, the client hears nothing but to come back")
  func acknowledgedMeansDurable() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, file) = try stage.session(ann.token, "/~/todo")
    let history = try stage.plain.history("/ann/todo")
    history.content.withLock { $0.failsCommits = true }
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode) == [200])
    #expect(!heard.contains { $0.download != nil })
    #expect(history.content.withLock { $0.entries.count } == 0)

    history.content.withLock { $0.failsCommits = false }
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    phone.bind(1, "/~/todo", needsIdent: false)
    phone.ident(1, file)
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(history.content.withLock { $0.entries.count } == 1)
  }

  @Test("uploads of many sessions share one commit")
  func groupCommit() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let clients = try (0..<12).map { try stage.session(ann.token, "/~/todo", from: "phone\($0)").0 }
    for client in clients { client.upload(1, version: 2, bytes: Self.bytes) }
    stage.run()
    let sizes = try stage.plain.history("/ann/todo").content.withLock { $0.groupSizes }
    #expect(sizes.reduce(0, +) == 12, "\(sizes)")
    #expect(sizes.count < 12, "\(sizes)")
    for client in clients {
      let downloads = client.take().compactMap(\.download)
      #expect(downloads.flatMap(\.entries).count == 11)
      #expect(downloads.last?.progress.upload.client == ClientVersion(2))
    }
  }

  @Test("one bad changeset ends its own session only")
  func badChangeset() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    phone.upload(1, version: 2, bytes: PlainHistory.badBytes)
    phone.upload(1, version: 3, bytes: Self.bytes)
    tablet.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    #expect(phone.take().compactMap(\.failureCode) == [212])
    #expect(phone.closure == nil)
    #expect(tablet.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(try stage.plain.history("/ann/todo").content.withLock { $0.entries.count } == 1)
  }

  @Test(
    "a path that is none, or not one's own, is refused at BIND",
    arguments: [
      ("/ben/todo", 206), ("/nowhere", 206), ("/__admin", 206), ("/a/../b", 204), ("//", 204), ("/~", 204),
      ("/ann/x.realm", 204), ("\"open", 204), ("{\"$oid\":\"1\"}", 204),
    ])
  func refusedBind(path: String, code: Int) throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    _ = try stage.user("ben")
    let client = try stage.connect(ann.token)
    client.bind(1, path)
    client.bind(2, "/~/todo")
    stage.run()
    let heard = client.take()
    #expect(heard.compactMap(\.failureCode) == [code])
    #expect(heard.compactMap(\.file).count == 1, "the other session lives")
  }

  @Test("stock partitions, bare and app-prefixed targets are served")
  func partitions() throws {
    let stage = try Stage { $0.accounts.rules.partitionLevel = .write }
    let ann = try stage.user("ann")
    for path in ["/realm-sync", "/api/client/v2.0/app/todo-abcde/realm-sync"] {
      let client = try stage.connect(ann.token, path: path)
      client.bind(1, "\"team a\"")
      client.bind(2, "{\"$numberLong\":\"42\"}")
      client.bind(3, "null")
      stage.run()
      #expect(client.take().compactMap(\.file).count == 3)
    }
  }

  @Test("a slow reader does not make the server pile up what it has not read")
  func slowReader() throws {
    let stage = try Stage {
      $0.congestionBytes = 64 << 10
      $0.sync.downloadBudget = 64 << 10
    }
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo")
    let (reader, _) = try stage.session(ann.token, "/~/todo", from: "slow")
    stage.network.setConditions(LinkConditions(bytesPerSecond: 20_000), from: "server", to: "slow")
    var random = TestKit.SeededGenerator(seed: 1)
    for version in UInt64(2)..<102 {
      author.upload(1, version: version, bytes: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      stage.run(.milliseconds(50))
      #expect(stage.bufferedBytes < 512 << 10)
    }
    #expect(author.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(101))
    stage.run(.seconds(300))
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).count == 100)
  }

  @Test("the same client file on a second connection ends the first")
  func zombies() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (first, file) = try stage.session(ann.token, "/~/todo")
    let second = try stage.connect(ann.token)
    second.bind(7, "/~/todo", needsIdent: false)
    second.ident(7, file)
    stage.run()
    #expect(first.closure != nil)
    #expect(second.closure == nil)
    #expect(second.take().contains { $0.download != nil })
  }

  @Test("everything is there after a restart")
  func restart() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, file) = try stage.session(ann.token, "/~/todo")
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    stage.stop()
    #expect(phone.closeCode == 1000)
    stage.restart()
    let again = try stage.connect(ann.token)
    again.bind(2, "/~/todo", needsIdent: false)
    again.ident(2, file)
    stage.run()
    #expect(again.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    #expect(tablet.closure == nil)
  }

  @Test("a realm without sessions is closed after a while and opened again when needed")
  func idleRealms() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let history = try stage.plain.history("/ann/todo")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.connection?.abort()
    stage.run(.seconds(3))
    #expect(history.content.withLock { $0.isOpen })
    stage.run(.seconds(10))
    #expect(!history.content.withLock { $0.isOpen })
    _ = try stage.session(ann.token, "/~/todo")
    #expect(history.content.withLock { $0.openings } == 2)
  }
}
