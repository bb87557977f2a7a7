import DataModel
import Foundation
import ObjectStore
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import EventHandling

@Suite("failing handlers")
struct FailingHandlerTests {
  private struct Failure: Error {}

  @Test("failures are counted for each transaction: a handler that gets on is not quarantined")
  func counted() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, failed, gate) = (Told(), Told(), Gate())
    let notifier = try await server.notifier(
      TestHandler { details in
        try await gate.wait()
        let name = details.id.description
        guard failed.all.last == name else {
          failed.add(name)
          throw Failure()
        }
        told.add(name)
      }
    ) { $0.numberOfRetries = 2 }
    for key in Int64(1)...8 { try await server.write("/ann/private", key, "t") }
    gate.open()
    try await told.wait(for: 8)
    #expect(told.all == failed.all)
    #expect(await notifier.quarantined() == [])
    await notifier.stop()
    await server.stop()
  }

  @Test(
    "a release that skips passes the transaction over that the handler failed on, and no other", arguments: [1, 64])
  func skipping(_ maximumReplicas: Int) async throws {
    let server = try await EventServer()
    defer { server.remove() }
    for path in ["/ann/private", "/bob/private"] { try server.makeRealm(path) }
    let told = Told()
    let notifier = try await server.notifier(
      TestHandler { details in
        for task in details.changes["Task"]?.insertions ?? [] {
          if details.path == "/ann/private", task.currentObject?["id"] as? Int == 2 { throw Failure() }
          told.add("\(details.path) \(details.currentRealm?.dynamicObjects("Task").count ?? -1)")
        }
      }
    ) {
      $0.numberOfRetries = 1
      $0.maximumReplicas = maximumReplicas
    }
    try await server.write("/bob/private", 1, "t")
    try await told.wait(for: 1)
    for key in Int64(1)...3 { try await server.write("/ann/private", key, "t") }
    try await eventually { await !notifier.quarantined().isEmpty }
    #expect(await notifier.release("/ann/private", handler: "test", skipping: true))
    try await told.wait(for: 3)
    #expect(told.all == ["/bob/private 1", "/ann/private 1", "/ann/private 3"])
    #expect(await notifier.release("/ann/private", handler: "test") == false)
    await notifier.stop()
    await server.stop()
  }
}
