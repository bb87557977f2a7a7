import ByteCoding
import ChangesetOT
import Permissions
import RecordStore

extension AdminOperation {
  static let subscriptions = [listSubscriptions]

  /// The queries whose costs one request measures.
  private static let mostMeasured = 50

  private static let querySchema = AdminSchema.object([
    .init("class", .string()), .init("query", .string()),
    .init("objects", .integer(), isRequired: false, "The objects of the realm that match, whoever may read them."),
    .init("milliseconds", .number, isRequired: false, "The time that the evaluation took just now."),
    .init("plan", .string(), isRequired: false, "How it is evaluated."),
    .init("problem", .string(), isRequired: false, "Why it cannot be evaluated."),
  ])

  private static let listSubscriptions = AdminOperation(
    name: "listSubscriptions", method: "GET", path: "realm/subscriptions",
    summary: "The open sessions of a realm with the queries by which they hold a part of it, and what these cost.",
    parameters: [pathParameter],
    answer: .object([
      .init(
        "clients",
        .array(
          .object([
            .init("user", .string()), .init("file", .integer()),
            .init("isWhole", .boolean, "Whether the device holds the whole realm."),
            .init("queries", .array(.integer()), "Positions in 'queries'."),
          ]))), .init("queries", .array(querySchema)),
    ]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let connected = (try? path(call["path"])).map { devices(of: $0, call.services.hub) } ?? []
      read(call, completion) { _, readable in
        let held = Held(connected)
        return .object([
          ("clients", .array(held.clients)),
          (
            "queries",
            .array(
              held.queries.enumerated().map { number, query in
                .object(
                  [("class", .string(query.className)), ("query", .string(query.text))]
                    + (number < mostMeasured ? cost(query, readable.contents) : []))
              })
          ),
        ])
      }
    })

  /// A device that is connected to a realm.
  private struct Device: Sendable {
    var user: UserId
    var file: FileIdent
    /// Whether it holds the whole realm.
    var isWhole: Bool
    var wanted: QuerySet?
  }

  /// The devices that are connected to a realm or to a view of it. On the loop.
  private static func devices(of path: RealmPath, _ hub: SyncHub) -> [Device] {
    hub.realms.filter { $0.key == path || $0.key.partialView?.realm == path }.flatMap { _, realm in
      realm.ordered().compactMap { _, member in
        member.file.map { file in
          let view = member.nextScan?.view
          return Device(user: member.subject.user, file: file, isWhole: view == nil, wanted: view?.wanted)
        }
      }
    }
  }

  /// The devices of a realm with their queries, each query once.
  private struct Held {
    struct Query: Hashable { var className, text: String }
    var clients: [JSONValue] = []
    var queries: [Query] = []

    init(_ devices: [Device]) {
      var positions: [Query: Int] = [:]
      for device in devices {
        var numbers: [JSONValue] = []
        for query in Self.queries(device.wanted) {
          if positions[query] == nil {
            positions[query] = queries.count
            queries.append(query)
          }
          numbers.append(.integer(positions[query] ?? 0))
        }
        clients.append(
          .object([
            ("user", .string(device.user.rawValue)), ("file", .integer(device.file.rawValue)),
            ("isWhole", .bool(device.isWhole)), ("queries", .array(numbers)),
          ]))
      }
    }

    private static func queries(_ set: QuerySet?) -> [Query] {
      guard let set, case .object(let members)? = try? JSONValue(parsing: set.json) else { return [] }
      return members.compactMap { name, value in value.string.map { Query(className: name, text: $0) } }
    }
  }

  private static func cost(_ query: Held.Query, _ contents: RealmContents) -> [(key: String, value: JSONValue)] {
    do {
      let clock = ContinuousClock()
      let start = clock.now
      let count = try contents.count(of: query.className, matching: query.text)
      let milliseconds = (clock.now - start) / .milliseconds(1)
      return [
        ("objects", .integer(count)), ("milliseconds", .number(String(milliseconds))),
        ("plan", .string(try contents.explanation(of: query.className, matching: query.text))),
      ]
    } catch {
      return [("problem", .string("\(error)"))]
    }
  }
}
