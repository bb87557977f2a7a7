import ByteCoding
import Telemetry

extension AdminOperation {
  static let audit = [listAudit, verifyAudit]

  private static let entrySchema = AdminSchema.object([
    .init("number", .integer()), .init("time", .integer(), "Milliseconds since 1970."), .init("event", .string()),
    .init("actor", .string(), "The id of the user who acted; empty when nobody was proven."),
    .init("subject", .string()), .init("address", .string()), .init("outcome", .string(), "ok, or a code."),
    .init("details", .array(.object([.init("name", .string()), .init("value", .string())]))),
  ])

  private static func reader(_ call: AdminCall) throws(APIError) -> AuditReader {
    guard let trail = call.services.audit else { throw .notServed("this server keeps no audit log") }
    return trail.log.reader
  }

  private static let listAudit = AdminOperation(
    name: "listAudit", method: "GET", path: "audit", summary: "The newest entries of the audit log, oldest first.",
    parameters: [
      .query("event", "The kind of event, or the beginning of kinds that ends with a dot, such as admin."),
      .query("user", "Who acted, or whom it was done to."), .query("refused", .boolean, "Refusals only."),
      .query("since", .integer(0 ... .max), "Milliseconds since 1970."),
      .query("before", .integer(0 ... .max), "The number below which entries are answered."), limit,
    ],
    answer: .object([.init("entries", .array(entrySchema))]), refusals: [501],
    work: .blocking(.administration) { call in
      var filter = AuditReader.Filter()
      filter.event = call.parameters["event"]
      filter.user = call.parameters["user"]
      filter.refusalsOnly = call.parameters["refused"] == "true"
      filter.since = call.integer("since").map { WallTime(millisecondsSince1970: $0) }
      filter.before = call.integer("before").map { UInt64(clamping: $0) }
      filter.limit = call.limit
      return .object([("entries", .array(try reader(call).entries(filter).map(\.value)))])
    })

  private static let verifyAudit = AdminOperation(
    name: "verifyAudit", method: "GET", path: "audit/verification",
    summary: "Checks that no entry of the audit log was changed or is missing.",
    parameters: [.query("head", .string(maximum: 64), "A hash that was noted earlier and must be there.")],
    answer: .object([
      .init("entries", .integer()), .init("first", .integer(), isRequired: false), .init("head", .string()),
      .init("problems", .array(.string())),
    ]),
    refusals: [501],
    work: .blocking(.administration) { try reader($0).verify(expectedHead: $0.parameters["head"]).value })
}

extension AuditEntry {
  /// The entry as JSON, in the form of the administration API.
  public var json: String { value.text }

  /// The entry as programs read it.
  var value: JSONValue {
    .object([
      ("number", .integer(number)), ("time", .integer(time.millisecondsSince1970)), ("event", .string(event)),
      ("actor", .string(actor)), ("subject", .string(subject)), ("address", .string(address)),
      ("outcome", .string(outcome)),
      (
        "details",
        .array(details.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
      ),
    ])
  }
}

extension AuditReader.Report {
  /// The report as JSON, in the form of the administration API.
  public var json: String { value.text }

  /// The report as programs read it.
  var value: JSONValue {
    .object(
      [("entries", .integer(entries))] + (first.map { [("first", .integer($0))] } ?? []) + [
        ("head", .string(head)), ("problems", .array(problems.map(JSONValue.string))),
      ])
  }
}
