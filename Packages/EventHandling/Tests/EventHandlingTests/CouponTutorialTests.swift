import DataModel
import Foundation
import RecordStore
import TestKit
import Testing

@testable import EventHandling

@Suite("tutorial 8")
struct CouponTutorialTests {
  private static func coupon(_ code: String) -> ObjectReference {
    ObjectReference(className: "Coupon", key: .string(code))
  }

  private static let schema = Schema([
    ObjectSchema(
      className: "Coupon", primaryKey: "code",
      properties: [Property(name: "code", type: .string), Property(name: "status", type: .string)])
  ])

  private static func write(_ codes: [String], to path: String, of server: EventServer) async throws {
    try await server.edit(path) { editor in
      try editor.addClasses(schema)
      for code in codes { try editor.create(coupon(code)) }
    }
  }

  private static func statuses(_ path: String, _ server: EventServer) async throws -> [String: String] {
    guard let hold = try await server.server.hold(try .init(path)) else { return [:] }
    return try await hold.perform { history in
      var statuses: [String: String] = [:]
      try history.file.contents().forEachObject(of: "Coupon") { record in
        if case .string(let code) = record.key, case .value(.string(let status))? = record["status"] {
          statuses[code] = status
        }
        return true
      }
      return statuses
    }
  }

  @Test("the handler of the text checks every coupon once, also those that came while it did not run")
  func coupons() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    for path in ["/ann/wallet", "/bob/wallet", "/bob/notes"] { try server.makeRealm(path) }
    let configuration = NotifierConfiguration(workingDirectory: server.work, handlers: [try CouponHandler()])
    let first = Notifier(server.server, configuration)
    try await first.start()
    try await Self.write(["WELCOME", "NEVER"], to: "/ann/wallet", of: server)
    try await Self.write(["WELCOME"], to: "/bob/notes", of: server)
    try await eventually { try await Self.statuses("/ann/wallet", server) == ["WELCOME": "valid", "NEVER": "unknown"] }
    await first.stop()
    try await Self.write(["SPRING"], to: "/bob/wallet", of: server)
    let second = Notifier(server.server, configuration)
    try await second.start()
    try await eventually { try await Self.statuses("/bob/wallet", server) == ["SPRING": "valid"] }
    #expect(try await Self.statuses("/bob/notes", server) == ["WELCOME": ""])
    await second.stop()
    await server.stop()
  }

  @Test("the handler stands in the text word for word")
  func text() throws {
    let page = RepositoryFiles.root().appendingPathComponent("Docs/Tutorials/08-event-handler.md")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "CouponHandler.swift")
    func handler(_ file: URL) throws -> Substring {
      let text = try String(contentsOf: file, encoding: .utf8)
      let start = try #require(text.range(of: "/// Checks every new coupon"))
      let end = try #require(text.range(of: "\n}\n", range: start.lowerBound..<text.endIndex))
      return text[start.lowerBound..<end.upperBound]
    }
    #expect(try handler(page) == handler(source))
  }
}
