import Foundation
import Synchronization
import Telemetry
import TelemetryTestSupport
import Testing

@Suite("Logger")
struct LoggerTests {
  @Test("exactly the levels at or above the threshold are written", arguments: LogLevel.allCases)
  func threshold(level: LogLevel) {
    let sink = MemorySink()
    let logger = Logger(level: level, sink: sink, clock: ManualClock())
    for each in LogLevel.allCases { logger.log(each, "\(each)") }
    let expected = LogLevel.allCases.filter { $0 >= level && $0 != .all && $0 != .off }
    #expect(sink.entries.map(\.level) == expected)
  }

  @Test("a silent logger evaluates nothing")
  func lazy() {
    let calls = Mutex(0)
    func expensive() -> String {
      calls.withLock { $0 += 1 }
      return ""
    }
    let logger = Logger(level: .info, sink: NullSink())
    logger.debug(expensive(), ["a": "\(expensive())"])
    #expect(calls.withLock { $0 } == 0)
    logger.info(expensive())
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("children share the threshold, and add category and fields")
  func children() {
    let sink = MemorySink()
    let root = Logger(category: "server", level: .warn, sink: sink, clock: ManualClock())
    let child = root.child("session", ["ident": 7])
    child.info("quiet")
    root.threshold.level = .info
    child.info("loud", ["path": "/team"])
    #expect(sink.entries.count == 1)
    #expect(sink.entries.first?.category == "server.session")
    #expect(sink.entries.first?.fields == ["ident": 7, "path": "/team"])
  }

  private static let entry = LogEntry(
    time: WallTime(millisecondsSince1970: 0), level: .warn, category: "a.b", message: "two\nlines",
    fields: ["n": 1, "text": "with \"quotes\"", "flag": true, "time": "x", "empty": "", "nan": .double(.nan)])

  @Test("a text line is one line, with quotes where needed")
  func text() {
    #expect(
      LogFormat.text.line(for: Self.entry)
        == #"1970-01-01T00:00:00.000Z warn   a.b: two\nlines n=1 text="with \"quotes\"" flag=true time=x empty="" nan=nan"#
    )
  }

  @Test("a JSON line is one JSON object with all fields")
  func json() throws {
    let line = LogFormat.json.line(for: Self.entry)
    #expect(!line.contains("\n"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["message"] as? String == "two\nlines")
    #expect(object["text"] as? String == "with \"quotes\"")
    #expect(object["_time"] as? String == "x")
    #expect(object["n"] as? Int == 1)
    #expect(object["nan"] as? String == "nan")
  }

  @Test("any text stays one line in both formats")
  func control() throws {
    let scalars = (0...0x2070).compactMap(Unicode.Scalar.init)
    for start in stride(from: 0, to: scalars.count, by: 500) {
      let hostile = String(String.UnicodeScalarView(scalars[start..<min(start + 500, scalars.count)]))
      let entry = LogEntry(
        time: WallTime(millisecondsSince1970: 0), level: .info, category: hostile, message: hostile,
        fields: ["k": .string(hostile)])
      for format in LogFormat.allCases {
        let line = format.line(for: entry)
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
        // No scalar of the line reorders or hides others.
        #expect(!line.unicodeScalars.contains { 0x200B...0x200F ~= $0.value || 0x2028...0x202E ~= $0.value })
      }
      let object =
        try JSONSerialization.jsonObject(with: Data(LogFormat.json.line(for: entry).utf8)) as? [String: Any]
      #expect(object?["k"] as? String == hostile)
    }
  }

  @Test(
    "a text of any length is written to the limit, in time that does not grow with it", arguments: LogFormat.allCases)
  func longTexts(format: LogFormat) {
    let hostile = String(repeating: "x", count: 20_000_000)
    let entry = LogEntry(
      time: WallTime(millisecondsSince1970: 0), level: .info, category: "a", message: hostile,
      fields: ["k": .string(hostile)])
    let line = format.line(for: entry)
    #expect(line.utf8.count < 3 * LogFormat.longestText)
    #expect(line.contains("x…"))
  }

  @Test("secrets do not print")
  func redacted() {
    let secret = Redacted("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, LogValue(secret).description, "\(["a": secret])"] {
      #expect(!text.contains("hunter2"))
    }
    #expect(secret.unredacted == "hunter2")
  }

  @Test("a descriptor gets one line per entry")
  func descriptor() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let logger = Logger(category: "x", sink: FileDescriptorSink(descriptor: ends[1]), clock: ManualClock())
    logger.info("one")
    logger.info("two")
    close(ends[1])
    let text = String(
      decoding: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "2026-01-01T00:00:00.000Z info   x: one\n2026-01-01T00:00:00.000Z info   x: two\n")
  }

  @Test(
    "names of levels are read in any case",
    arguments: [("INFO", LogLevel.info), ("warning", .warn), ("off", .off), ("loud", nil)] as [(String, LogLevel?)])
  func names(name: String, level: LogLevel?) {
    #expect(LogLevel(name) == level)
  }

  @Test("a full memory sink drops the oldest entry")
  func memory() {
    let sink = MemorySink(capacity: 2)
    let logger = Logger(sink: FanOutSink([sink, NullSink()]))
    for number in 0..<5 { logger.info("\(number)") }
    #expect(sink.entries.map(\.message) == ["3", "4"])
  }
}
