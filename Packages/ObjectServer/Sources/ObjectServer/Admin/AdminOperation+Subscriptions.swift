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
      let held = (try? path(call["path"])).map { Held(call.services.hub, $0) } ?? Held()
      inRealm(call, call["path"], completion) { target, history in
        let contents = try history.readableContents(by: target.access).contents
        return (
          .object([
            ("clients", .array(held.clients)),
            (
              "queries",
              .array(
                held.queries.enumerated().map { number, query in
                  .object(
                    [("class", .string(query.className)), ("query", .string(query.text))]
                      + (number < mostMeasured ? cost(query, contents) : []))
                })
            ),
          ]), false
        )
      }
    })

  /// The sessions of a realm with their queries.
  private struct Held: Sendable {
    struct Query: Hashable, Sendable { var className, text: String }
    var clients: [JSONValue] = []
    var queries: [Query] = []

    init() {}

    /// On the loop.
    init(_ hub: SyncHub, _ path: RealmPath) {
      var positions: [Query: Int] = [:]
      for (realmPath, realm) in hub.realms where realmPath == path || realmPath.partialView?.realm == path {
        for (_, member) in realm.ordered() {
          guard let file = member.file else { continue }
          var numbers: [JSONValue] = []
          for query in Self.queries(member.nextScan?.view?.wanted) {
            if positions[query] == nil {
              positions[query] = queries.count
              queries.append(query)
            }
            numbers.append(.integer(positions[query] ?? 0))
          }
          clients.append(
            .object([
              ("user", .string(member.subject.user.rawValue)), ("file", .integer(file.rawValue)),
              ("isWhole", .bool(member.nextScan?.view == nil)), ("queries", .array(numbers)),
            ]))
        }
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
      let spent = (clock.now - start).components.attoseconds / 1_000_000_000_000
      return [
        ("objects", .integer(count)), ("milliseconds", .number(String(Double(spent) / 1_000))),
        ("plan", .string(try contents.explanation(of: query.className, matching: query.text))),
      ]
    } catch {
      return [("problem", .string("\(error)"))]
    }
  }
}
