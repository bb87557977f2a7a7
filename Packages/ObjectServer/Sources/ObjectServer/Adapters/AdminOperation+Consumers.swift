import ByteCoding
import Permissions
import RecordStore

/// The consumers of histories, as administrators see them: which adapters call, and how far every consumer is in a realm.
extension AdminOperation {
  static let consumers = [listAdapters, listConsumers]

  private static let listAdapters = AdminOperation(
    name: "listAdapters", method: "GET", path: "adapters",
    summary:
      "The adapters that have called since the server started, each with its realm; the files of one page are looked into.",
    parameters: [.query("skip", .integer(0 ... .max), "How many are left out before the page."), limit],
    answer: .object([
      .init(
        "adapters",
        .array(
          .object([
            .init("adapter", .string()), .init("path", .string()), .init("lastCall", .integer()),
            .init("leasedUntil", .integer(), isRequired: false, "The end of the lease, where a process holds one."),
            .init(
              "consumer", consumerSchema, isRequired: false,
              "How far it is; missing where the realm is gone or its file cannot be read."),
          ]))), .init("total", .integer()),
    ]),
    refusals: [501],
    work: .blocking(.administration) { call in
      let services = call.services
      let files = try services.requiredFiles()
      let all = services.adapterCallers.all
      let now = services.context.scheduler.wallTime
      return .object([
        (
          "adapters",
          .array(
            all.dropFirst(Int(clamping: call.integer("skip") ?? 0)).prefix(call.limit).map { caller in
              var members: [(key: String, value: JSONValue)] = [
                ("adapter", .string(caller.key.adapter)), ("path", .string(caller.key.path.description)),
                ("lastCall", .integer(caller.lastCall.millisecondsSince1970)),
              ]
              if let end = services.adapters.end(of: caller.key, at: now) {
                members.append(("leasedUntil", .integer(end.millisecondsSince1970)))
              }
              let consumers = try? files.consumers(caller.key.path)
              if let found = consumers?.first(where: { $0.cursor.name == "adapter " + caller.key.adapter }) {
                members.append(("consumer", value(found)))
              }
              return .object(members)
            })
        ), ("total", .integer(all.count)),
      ])
    })

  private static let consumerSchema = AdminSchema.object([
    .init("name", .string(), "Adapters are named 'adapter' and their name."),
    .init("position", .integer(), "The newest version that it has dealt with."),
    .init("versions", .integer(), "The versions behind it."),
    .init("bytes", .integer(), "The history that is kept for it."),
    .init("seconds", .integer(), "The age of the oldest version behind it, as far as it is known."),
    .init("budgetBytes", .integer()), .init("budgetSeconds", .integer()),
    .init(
      "gap", .choice(["bytes", "age", "trimmed"]), isRequired: false,
      "Why it has fallen behind, and must read the contents of the realm; missing while it has not."),
  ])

  private static func value(_ status: FeedCursorStatus) -> JSONValue {
    let (cursor, lag) = (status.cursor, status.lag)
    return .object(
      [
        ("name", .string(cursor.name)), ("position", .integer(cursor.position.rawValue)),
        ("versions", .integer(lag.versions)), ("bytes", .integer(lag.bytes)),
        ("seconds", .integer(lag.age.components.seconds)), ("budgetBytes", .integer(cursor.budget.bytes)),
        ("budgetSeconds", .integer(cursor.budget.age.components.seconds)),
      ] + (lag.gap.map { [("gap", .string("\($0.reason)"))] } ?? []))
  }

  private static let listConsumers = AdminOperation(
    name: "listConsumers", method: "GET", path: "realm/consumers",
    summary:
      "The consumers that follow a realm, with the history that each has before it: adapters, handlers, webhooks.",
    parameters: [pathParameter], answer: .object([.init("consumers", .array(consumerSchema))]), refusals: [404, 501],
    work: .blocking(.administration) { call in
      let path = try existingPath(call["path"], call.services)
      return .object([("consumers", .array(try call.services.requiredFiles().consumers(path).map(value)))])
    })
}
