import Foundation
import ObjectServer
import Testing

@testable import EventHandling

@Suite("dead letters")
struct DeadLetterTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("letters-\(UUID().uuidString)")
    .path

  @Test("letters are listed by id without their messages, and one of the same transaction is replaced")
  func listing() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let letters = DeadLetters(folder: folder)
    #expect(try letters.all().isEmpty)
    let body = Array("{\"a\":\n1}".utf8)
    for number in 1...3 {
      try letters.keep(body, of: "hook", event: "/ann/private#\(number)-7", reason: "status 503")
    }
    let long = [UInt8](repeating: 0x61, count: 200_000)
    try letters.keep(long, of: "hook", event: "/ann/private#2-7", reason: String(repeating: "x", count: 100_000))
    let all = try letters.all()
    #expect(all.map(\.id) == all.map(\.id).sorted())
    #expect(Set(all.map(\.event)) == Set((1...3).map { "/ann/private#\($0)-7" }))
    let replaced = try #require(all.first { $0.event == "/ann/private#2-7" })
    #expect(replaced.bytes == long.count)
    #expect(replaced.reason.count == DeadLetters.longestReason)
    #expect(try letters.message(replaced.id)?.body == long)
    let other = try #require(all.first { $0.event == "/ann/private#3-7" })
    #expect(try letters.message(other.id)?.body == body)
    #expect(try letters.remove(other.id))
    #expect(try letters.message(other.id) == nil)
  }

  @Test("a damaged letter is an error that names the folder")
  func damaged() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let letters = DeadLetters(folder: folder)
    try letters.keep([], of: "hook", event: "e", reason: "r")
    let id = try #require(try letters.all().first?.id)
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder + "/\(id).letter"))
    #expect(throws: EventError.self) { try letters.all() }
  }
}
