import ByteCoding
import Telemetry

extension AdminOperation {
  static let logs = [listLogs, logLevel, setLogLevel]

  static let levels = LogLevel.allCases.map(\.description)
  private static let levelSchema = AdminSchema.object([.init("level", .choice(levels))])

  private static let entrySchema = AdminSchema.object([
    .init("number", .integer()), .init("time", .integer(), "Milliseconds since 1970."),
    .init("level", .choice(levels)), .init("category", .string()), .init("message", .string()),
    .init("fields", .array(.object([.init("name", .string()), .init("value", .string())]))),
  ])

  /// The most characters of a text of an entry that are shown.
  private static func cut(_ text: String) -> JSONValue {
    .string(text.utf8.count <= LogFormat.longestText ? text : String(text.prefix(LogFormat.longestText)) + "…")
  }

  static func value(_ numbered: RecentLogs.Numbered) -> JSONValue {
    let entry = numbered.entry
    return .object([
      ("number", .integer(numbered.number)), ("time", .integer(entry.time.millisecondsSince1970)),
      ("level", .string(entry.level.description)), ("category", cut(entry.category)), ("message", cut(entry.message)),
      (
        "fields",
        .array(
          entry.fields.fields.map { .object([("name", cut($0.key)), ("value", cut($0.value.description))]) })
      ),
    ])
  }

  private static let listLogs = AdminOperation(
    name: "listLogs", method: "GET", path: "logs", summary: "The newest entries of the log, oldest first.",
    parameters: [
      .query("level", .choice(levels), "The lowest level."),
      .query("after", .integer(0 ... .max), "The number after which entries are answered."), limit,
    ],
    answer: .object([.init("entries", .array(entrySchema))]), refusals: [501],
    work: .blocking(.administration) { call in
      guard let recent = call.services.recentLogs else { throw APIError.notServed("this server keeps no log entries") }
      let level = call.parameters["level"].flatMap { LogLevel($0) } ?? .all
      let entries = recent.entries(from: level, after: UInt64(call.integer("after") ?? 0), limit: call.limit)
      return .object([("entries", .array(entries.map(value)))])
    })

  private static let logLevel = AdminOperation(
    name: "logLevel", method: "GET", path: "log-level", summary: "The lowest level that is logged.",
    answer: levelSchema,
    work: .blocking(.administration) { .object([("level", .string($0.services.logger.level.description))]) })

  private static let setLogLevel = AdminOperation(
    name: "setLogLevel", method: "PUT", path: "log-level",
    summary: "Changes the lowest level that is logged, until the server ends or its settings are read again.",
    body: levelSchema, answer: levelSchema,
    work: .blocking(.administration) { call in
      guard let level = LogLevel(call.body["level"]?.string ?? "") else { throw APIError.badRequest("no level") }
      call.services.logger.threshold.level = level
      return .object([("level", .string(level.description))])
    })
}
