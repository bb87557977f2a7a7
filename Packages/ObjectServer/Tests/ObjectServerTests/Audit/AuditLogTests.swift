import Foundation
@testable import ObjectServer
import Telemetry
import TestKit
import Testing

@Suite("The audit log")
struct AuditLogTests {
  private struct FixedClock: WallClock {
    var wallTime: WallTime { WallTime(millisecondsSince1970: 1_700_000_000_123) }
  }

  private static func withFolder(_ use: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/audit-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try use(folder)
  }

  private static func log(_ folder: String, fileLimit: Int = AuditLog.fileBytes) throws -> AuditLog {
    try AuditLog(folder: folder, clock: FixedClock(), fileLimit: fileLimit)
  }

  private static func file(_ folder: String, _ number: Int = 1) -> String { AuditFiles.path(number, in: folder) }

  private static func change(_ folder: String, _ body: (inout [String]) -> Void) throws {
    var lines = try String(contentsOfFile: file(folder), encoding: .utf8).split(separator: "\n").map(String.init)
    body(&lines)
    try (lines.map { $0 + "\n" }.joined()).write(toFile: file(folder), atomically: false, encoding: .utf8)
  }

  @Test("entries are read back as they were noted, also by another opening, and the chain holds")
  func roundTrip() throws {
    try Self.withFolder { folder in
      do {
        let log = try Self.log(folder)
        log.note(
          AuditLog.Event("login", actor: "ann", subject: "ann", address: "192.0.2.7:1", details: [.init("a", "é\n\"")]))
      }
      let log = try Self.log(folder)
      log.note(AuditLog.Event("login", address: "192.0.2.8:1", outcome: "InvalidPassword"))
      let entries = try log.reader.entries()
      #expect(entries.map(\.number) == [1, 2])
      #expect(entries.map(\.event) == ["login", "login"])
      #expect(entries.first?.details == [.init("a", "é\n\"")])
      #expect(entries.first?.time == WallTime(millisecondsSince1970: 1_700_000_000_123))
      let report = try log.reader.verify(expectedHead: log.head)
      #expect(report.problems.isEmpty)
      #expect(report.entries == 2)
      #expect(report.head == log.head)
    }
  }

  @Test("every filter chooses what it says, the newest first to be kept")
  func filters() throws {
    try Self.withFolder { folder in
      let log = try Self.log(folder)
      for number in 1...10 {
        log.note(
          AuditLog.Event(
            number.isMultiple(of: 2) ? "admin.x" : "login", actor: number < 6 ? "ann" : "", subject: "ben",
            outcome: number == 9 ? "Denied" : "ok"))
      }
      func numbers(_ change: (inout AuditReader.Filter) -> Void) throws -> [UInt64] {
        var filter = AuditReader.Filter()
        change(&filter)
        return try log.reader.entries(filter).map(\.number)
      }
      #expect(try numbers { $0.event = "admin." } == [2, 4, 6, 8, 10])
      #expect(try numbers { $0.event = "admin" } == [])
      #expect(try numbers { $0.user = "ann" } == [1, 2, 3, 4, 5])
      #expect(try numbers { $0.user = "ben" }.count == 10)
      #expect(try numbers { $0.refusalsOnly = true } == [9])
      #expect(try numbers { $0.limit = 3 } == [8, 9, 10])
      #expect(try numbers { ($0.before, $0.limit) = (8, 2) } == [6, 7])
      #expect(try numbers { $0.since = WallTime(millisecondsSince1970: 1_700_000_000_124) } == [])
    }
  }

  @Test("a line torn at any byte is cut off at the next start, and an entry says so")
  func tornLine() throws {
    try Self.withFolder { folder in
      do {
        let log = try Self.log(folder)
        for name in ["a", "b"] { log.note(AuditLog.Event(name)) }
      }
      let whole = try #require(FileManager.default.contents(atPath: Self.file(folder)))
      let first = try #require(whole.firstIndex(of: 10)) + 1
      for length in stride(from: first + 1, to: whole.count, by: 7) {
        try whole.prefix(length).write(to: URL(fileURLWithPath: Self.file(folder)))
        let log = try Self.log(folder)
        log.note(AuditLog.Event("c"))
        #expect(try log.reader.entries().map(\.event) == ["a", "audit.mended", "c"])
        #expect(try log.reader.verify().problems.isEmpty)
      }
      // Killed before the first line was whole.
      try whole.prefix(20).write(to: URL(fileURLWithPath: Self.file(folder)))
      let log = try Self.log(folder)
      #expect(try log.reader.entries().map(\.event) == ["audit.mended"])
      #expect(try log.reader.verify().problems.isEmpty)
    }
  }

  @Test("changed, removed, inserted and exchanged lines are found; a cut end is found by a hash noted before")
  func tampering() throws {
    let edits: [(String, (inout [String]) -> Void)] = [
      ("changed", { $0[1] = $0[1].replacingOccurrences(of: "\"b\"", with: "\"x\"") }),
      ("removed", { $0.remove(at: 1) }),
      ("inserted", { $0.insert($0[0], at: 2) }),
      ("exchanged", { $0.swapAt(1, 2) }),
      ("no entry", { $0[1] = "{}" }),
      ("first removed", { $0.removeFirst() }),
    ]
    for (name, edit) in edits {
      try Self.withFolder { folder in
        let log = try Self.log(folder)
        for name in ["a", "b", "c", "d"] { log.note(AuditLog.Event(name)) }
        try Self.change(folder, edit)
        let report = try log.reader.verify(expectedHead: log.head)
        if name == "first removed" {
          #expect(report.first == 2)
        } else {
          #expect(!report.problems.isEmpty, "\(name)")
        }
      }
    }
    try Self.withFolder { folder in
      let log = try Self.log(folder)
      for name in ["a", "b", "c"] { log.note(AuditLog.Event(name)) }
      try Self.change(folder) { $0.removeLast() }
      #expect(try log.reader.verify().problems.isEmpty)
      #expect(try log.reader.verify(expectedHead: log.head).problems.count == 1)
    }
  }

  @Test("files are rotated, the oldest go, and the chain passes from one to the next")
  func rotation() throws {
    try Self.withFolder { folder in
      let log = try Self.log(folder, fileLimit: 600)
      for number in 0..<400 { log.note(AuditLog.Event("e\(number)")) }
      #expect(AuditFiles.numbers(in: folder).count <= AuditLog.maximumFiles)
      let report = try log.reader.verify(expectedHead: log.head)
      #expect(report.problems.isEmpty)
      #expect(try #require(report.first) > 1)
      let again = try Self.log(folder, fileLimit: 600)
      again.note(AuditLog.Event("last"))
      #expect(try again.reader.entries().last?.number == 401)
      #expect(try again.reader.verify().problems.isEmpty)
    }
  }

  @Test("a long text is cut, and stays one line")
  func longText() throws {
    try Self.withFolder { folder in
      let log = try Self.log(folder)
      log.note(AuditLog.Event("x", subject: String(repeating: "é\n", count: 10_000)))
      let entry = try #require(try log.reader.entries().first)
      #expect(entry.subject.utf8.count <= AuditEntry.maximumTextBytes + 3)
      #expect(try log.reader.verify().problems.isEmpty)
    }
  }

  @Test("no damage of a file stops the log or its reader")
  func damage() throws {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      try Self.withFolder { folder in
        do {
          let log = try Self.log(folder)
          for name in ["a", "b", "c"] { log.note(AuditLog.Event(name)) }
        }
        var bytes = try #require(FileManager.default.contents(atPath: Self.file(folder)))
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: URL(fileURLWithPath: Self.file(folder)))
        let log = try Self.log(folder)
        log.note(AuditLog.Event("after"))
        #expect(try log.reader.entries().last?.event == "after", "seed \(seed)")
        _ = try log.reader.verify()
      }
    }
  }
}
