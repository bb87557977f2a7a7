import ByteCoding
import ChangesetOT
import DataExchange
import DataModel
import Permissions
import RecordStore

extension AdminOperation {
  static let history = [listHistory, transaction]

  /// The versions that one request looks at, and the bytes of changesets.
  private static let mostVersions: Int64 = 1_000
  private static let mostBytes = 4 << 20

  private static let versionMembers: [AdminSchema.Member] = [
    .init("version", .integer()), .init("time", .integer(), "By the clock of the author's device."),
    .init("author", .integer(), "The client file; 1 is the server itself."),
    .init("user", .string(), isRequired: false, "The user of that file, where this server process saw it."),
    .init("bytes", .integer()), .init("count", .integer(), "The instructions."),
    .init("instructions", .array(.string()), "The first of them, long ones cut."),
  ]

  private static func members(
    of entry: FeedEntry, _ users: [FileIdent: UserId], most: Int
  ) throws -> [(key: String, value: JSONValue)] {
    let instructions = try entry.instructions()
    var members: [(key: String, value: JSONValue)] = [
      ("version", .integer(entry.position.version.rawValue)), ("time", .integer(entry.timestamp.unixMilliseconds)),
      ("author", .integer(entry.author.rawValue)),
    ]
    if let user = users[entry.author] { members.append(("user", .string(user.rawValue))) }
    return members + [
      ("bytes", .integer(entry.changeset.count)), ("count", .integer(instructions.count)),
      ("instructions", .array(ObjectEdit.lines(of: instructions, most: most).map(JSONValue.string))),
    ]
  }

  private static let listHistory = AdminOperation(
    name: "listHistory", method: "GET", path: "realm/history",
    summary: "The last transactions of a realm, newest first: who, when, and which instructions.",
    parameters: [
      pathParameter, .query("before", .integer(1 ... .max), "The version before which transactions are answered."),
      limit,
    ],
    answer: .object([
      .init("newest", .integer(), "The newest version."), .init("base", .integer(), "Versions up to it are not kept."),
      .init("transactions", .array(.object(versionMembers))),
      .init("next", .integer(), isRequired: false, "The value of 'before' for the next page; missing on the last one."),
    ]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let before = call.integer("before")
      // Read on the loop, where they are kept.
      let authors = (try? path(call["path"])).map { call.services.hub.authors.users(of: $0) } ?? [:]
      inRealm(call, call["path"], completion) { target, history in
        let state = try history.state()
        let (base, newest) = (
          Int64(clamping: state.base.rawValue), Int64(clamping: state.current.version.rawValue)
        )
        let end = min(newest, (before ?? newest + 1) - 1)
        let page = try page(of: history, base: base, through: end, count: Int64(call.limit))
        let next = page.start > base ? [("next", JSONValue.integer(page.start + 1))] : []
        return (
          .object(
            [
              ("newest", .integer(newest)), ("base", .integer(base)),
              (
                "transactions",
                .array(try page.entries.reversed().map { .object(try members(of: $0, authors, most: 20)) })
              ),
            ] + next), false
        )
      }
    })

  /// The entries of the versions before and including `end`, and the version before the first of them.
  private static func page(
    of history: ServerHistory, base: Int64, through end: Int64, count: Int64
  ) throws -> (start: Int64, entries: [FeedEntry]) {
    var start = max(base, end - min(count, mostVersions))
    guard start < end else { return (base, []) }
    var (position, entries) = (ServerVersion(UInt64(start)), [FeedEntry]())
    while position.rawValue < UInt64(end), let scan = try history.feedScan(after: position, byteLimit: mostBytes) {
      entries += scan.entries.filter { $0.position.version.rawValue <= UInt64(end) }
      position = scan.end.version
      // The newest are shown: what is before them is for the next page.
      var bytes = entries.reduce(0) { $0 + $1.changeset.count }
      while bytes > mostBytes, entries.count > 1 {
        let first = entries.removeFirst()
        bytes -= first.changeset.count
        start = Int64(clamping: first.position.version.rawValue)
      }
    }
    return (start, entries)
  }

  // MARK: One transaction

  private static let changedObject = AdminSchema.object([
    .init("class", .string()), .init("key", .string()),
    .init("before", .any, "Texts by property; null when the object did not exist."),
    .init("after", .any, "The same after the transaction; null when the object does not exist any more."),
    .init("written", .array(.string()), "The properties that were written."),
  ])

  private static let transaction = AdminOperation(
    name: "transaction", method: "GET", path: "realm/transaction",
    summary: "One transaction with the objects that it touched, before and after, where the history still tells.",
    parameters: [
      pathParameter, .query("version", .integer(1 ... .max), isRequired: true, "The version that it made."),
    ],
    answer: .object(
      versionMembers + [.init("objects", .array(changedObject), isRequired: false, "Missing where they are not known.")]
    ),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let version = call.integer("version") ?? 1
      let authors = (try? path(call["path"])).map { call.services.hub.authors.users(of: $0) } ?? [:]
      inRealm(call, call["path"], completion) { target, history in
        let scan = try history.feedScan(after: ServerVersion(UInt64(version - 1)), byteLimit: 1)
        guard let scan, let entry = scan.entries.first(where: { $0.position.version.rawValue == UInt64(version) })
        else {
          throw APIError(404, .notFound, "the realm has no transaction \(version)")
        }
        var members = try members(of: entry, authors, most: 1_000)
        if let touched = try scan.transitions(of: entry) {
          let schema = scan.schema
          let texts = FieldText(schema)
          members.append(("objects", .array(touched.prefix(500).map { value($0, schema, texts) })))
        }
        return (.object(members), false)
      }
    })

  private static func value(_ change: ObjectTransition, _ schema: Schema, _ texts: FieldText) -> JSONValue {
    let properties = schema[change.object.className]?.properties.filter { $0.type != .linkingObjects } ?? []
    func object(_ values: [Value]?) -> JSONValue {
      guard let values else { return .null }
      return .object(
        zip(properties, values).map { property, value in
          let text = texts.text(.value(value), property).map { $0.utf8.count > 300 ? String($0.prefix(300)) + "…" : $0 }
          return (property.name, text.map(JSONValue.string) ?? .null)
        })
    }
    return .object([
      ("class", .string(change.object.className)), ("key", .string(texts.text(change.object.key))),
      ("before", object(change.before)), ("after", object(change.after)),
      (
        "written",
        .array(change.written.filter(properties.indices.contains).map { .string(properties[$0].name) })
      ),
    ])
  }
}
