import Foundation
import ObjectStore
import Synchronization
import TestKit
import Testing

@testable import SyncClient

/// Progress of whole transfers between real sockets.
@Suite(.serialized)
struct ProgressEndToEndTests {
  private final class Steps: Sendable {
    let values = Mutex<[SyncSession.Progress]>([])
    func note(_ progress: SyncSession.Progress) { values.withLock { $0.append(progress) } }
    var all: [SyncSession.Progress] { values.withLock { $0 } }
  }

  private static func configuration(_ user: SyncUser, _ server: RealServer) -> Realm.Configuration {
    var configuration = OpeningTests.configuration(user, server)
    configuration.objectTypes = [Page.self]
    return configuration
  }

  /// Writes 10 MB of random bytes, of which compression takes nothing away.
  private static func fill(_ configuration: Realm.Configuration) throws -> SyncSession {
    let realm = try Realm(configuration: configuration)
    for number in 0..<100 {
      let words = (0..<12_500).map { _ in UInt64.random(in: 0 ... .max) }
      let bytes = words.withUnsafeBytes { Data($0) }
      try realm.write { realm.add(Page(value: ["_id": number, "content": bytes])) }
    }
    return try #require(realm.syncSession)
  }

  @Test("a download of 10 MB takes ten steps or more, from the session and from asyncOpen, and ends complete")
  func steps() async throws {
    let server = try await RealServer()
    let one = try await OpeningTests.user("one", server)
    let uploads = Steps()
    let session = try Self.fill(Self.configuration(one, server))
    let token = session.addProgressNotification(for: .upload, mode: .forCurrentlyOutstandingWork) { uploads.note($0) }
    try await session.waitForUpload()
    try await eventually("the end of the upload") { uploads.all.last?.isTransferComplete == true }
    withExtendedLifetime(token) {}
    let two = try await OpeningTests.user("two", server, register: false)
    let opened = Steps(), indefinite = Steps()
    let queue = DispatchQueue(label: "opening")
    let count = Box<Int?>(nil)
    let task = Realm.asyncOpen(configuration: Self.configuration(two, server), callbackQueue: queue) {
      (realm: Realm?, _: (any Error)?) in count.change { $0 = realm?.objects(Page.self).count ?? -1 }
    }
    task.addProgressNotification(queue: queue) { opened.note($0) }
    try await eventually("the session") { !two.allSessions().isEmpty }
    // On a busy machine the transfer may be far, or done, when the session is found: every later step is told to both.
    let earlier = queue.sync { opened.all.count }
    let kept = two.allSessions().first?.addProgressNotification(for: .download, mode: .reportIndefinitely) {
      indefinite.note($0)
    }
    try await eventually("the realm") { count.value != nil }
    try await eventually("the last step") { opened.all.last?.isTransferComplete == true }
    #expect(count.value == 100)
    #expect(opened.all.count >= 10, "\(opened.all.map(\.fractionTransferred))")
    #expect(opened.all.map(\.fractionTransferred) == opened.all.map(\.fractionTransferred).sorted())
    #expect((opened.all.last?.transferrableBytes ?? 0) >= 9_000_000)
    #expect(indefinite.all.count >= min(5, opened.all.count - earlier - 2))
    #expect(indefinite.all.last?.isTransferComplete == true)
    withExtendedLifetime(kept) {}
    for user in [one, two] { try user.manager.client().shutDown() }
    await server.stop()
  }
}

/// A page of bytes.
final class Page: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var content: Data

  // Other packages' tests, in the same process, may have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
