import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A file is closed when the last realm on it goes, whatever other threads are busy with.
@Suite struct ClosingTests {
  @Test("a file that was opened for an actor is closed when its realm goes")
  func actors() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration()
    let actor = Opener()
    for _ in 0..<100 {
      #expect(try await actor.open(configuration))
      #expect(!RealmFile.isOpen(configuration.location))
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test("a token that is let go of on another thread does not keep the realm")
  func foreignTokens() throws {
    let own = memoryConfiguration()
    var survivals = 0
    for _ in 0..<100 {
      do {
        let realm = try Realm(configuration: own)
        let token = realm.observe { _, _ in }
        let gone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          token.invalidate()
          gone.signal()
        }
        gone.wait()
      }
      if RealmFile.isOpen(own.location) { survivals += 1 }
    }
    #expect(survivals == 0)
  }
}

private actor Opener {
  /// Opens a realm and lets go of it; whether it was empty.
  func open(_ configuration: Realm.Configuration) async throws -> Bool {
    let realm = try await Realm(configuration: configuration, actor: self)
    return realm.isEmpty
  }
}
