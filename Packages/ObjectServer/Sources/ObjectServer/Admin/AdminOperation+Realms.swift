import ByteCoding
import Concurrency
import DataModel
import Permissions
import RecordStore

extension AdminOperation {
  static let realms = [listRealms, createRealm, realm, deleteRealm, renameRealm]

  private static let overviewMembers: [AdminSchema.Member] = [
    .init("path", .string()), .init("owner", .string(), isRequired: false),
    .init("bytes", .integer(), isRequired: false, "The size of the file; missing where there are no files."),
    .init("clients", .integer(), isRequired: false, "The devices that have the realm."),
    .init("lastChange", .integer(), isRequired: false, "By the clock of the device that made it."),
    .init("problem", .string(), isRequired: false, "Why the file cannot be read."),
  ]

  /// A realm as lists show it.
  ///
  /// - Parameter hasDetails: whether its file is looked into.
  private static func overview(
    of path: RealmPath, _ services: AdminServices, hasDetails: Bool = true
  ) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [("path", .string(path.description))]
    if let owner = path.owner { members.append(("owner", .string(owner.rawValue))) }
    guard hasDetails, let files = services.files else { return members }
    if let placement = services.hub.member?.placement, placement.place(of: path) != .here { return members }
    do throws(ServerError) {
      let overview = try files.overview(path)
      members += [("bytes", .integer(overview.bytes)), ("clients", .integer(overview.clients))]
      if let time = overview.lastChange { members.append(("lastChange", .integer(time.millisecondsSince1970))) }
    } catch {
      members.append(("problem", .string("\(error.message); \(error.remedy)")))
    }
    return members
  }

  private static let listRealms = AdminOperation(
    name: "listRealms", method: "GET", path: "realms",
    summary: """
      Realms in the order of their paths, page by page; the files of one page are looked into. Administrators get all realms, others \
      their own and those that they were granted.
      """,
    parameters: [
      .query("search", "What the path contains."), .query("after", "The last path of the page before."),
      .query("skip", .integer(0 ... .max), "How many realms are left out before the page."),
      .query("system", .boolean, "Whether partial views are listed as well."),
      .query("details", .boolean, "Whether the files are looked into: true unless given."), limit,
    ],
    answer: .object([
      .init(
        "realms", .array(.object(overviewMembers + [.init("sessions", .integer(), "The open sessions on the realm.")]))),
      .init("total", .integer(), "The realms that match."),
      .init("next", .string(), isRequired: false, "The value of 'after' for the next page; missing on the last one."),
    ]),
    access: .unbounded,
    work: .loop { call, completion in
      let sessions = call.services.hub.realms.mapValues(\.members.count)
      let services = call.services
      // Many files take a while: a list without them does not wait.
      let queue = call.hasDetails ? SerialQueue.reading("") : .administration
      services.context.perform(queue) { () -> Result<JSONValue?, APIError> in
        AdminAPI.catching(services) { try page(of: call, sessions) }
      } then: { (result: Result<Result<JSONValue?, APIError>, Never>) in
        if case .success(let result) = result { completion(result) }
      }
    })

  /// A page of the list, with the numbers of open sessions.
  private static func page(of call: AdminCall, _ sessions: [RealmPath: Int]) throws -> JSONValue {
    let page = try realms(
      RealmSearch(
        call.parameters["search"] ?? "", hasPartialViews: call.arguments.flag("system"),
        after: call.parameters["after"], skip: Int(clamping: call.integer("skip") ?? 0), limit: call.limit), of: call)
    var members: [(key: String, value: JSONValue)] = [
      (
        "realms",
        .array(
          page.paths.map { path in
            .object(
              overview(of: path, call.services, hasDetails: call.hasDetails) + [
                ("sessions", .integer(sessions[path] ?? 0))
              ])
          })
      ), ("total", .integer(page.total)),
    ]
    if !page.isLast, let last = page.paths.last { members.append(("next", .string(last.description))) }
    return .object(members)
  }

  /// The realms that the bearer of a call is shown: all for an administrator, else those of the user, and those that were granted.
  private static func realms(_ search: RealmSearch, of call: AdminCall) throws -> RealmPage {
    guard let bearer = call.bearer else { throw APIError.noBearer }
    let directory = call.services.directory
    guard !bearer.subject.isAdministrator else { return try directory.realms(search) }
    var known = Set(try directory.realms(in: bearer.user))
    for grant in try directory.grants(to: bearer.user) where grant.level >= .read && !known.contains(grant.path) {
      if try directory.facts(of: grant.path).exists { known.insert(grant.path) }
    }
    return search.page(of: known.sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) })
  }

  private static let createRealm = AdminOperation(
    name: "createRealm", method: "POST", path: "realms",
    summary: "Makes a realm without classes. Of a path in a user's folder it is that user's.",
    body: .object([.init("path", .string(maximum: 1_024))]), answer: .object([.init("path", .string())]), status: 201,
    refusals: [409],
    work: .loop { call, completion in
      let services = call.services
      guard let bearer = call.bearer else { return completion(.failure(.noBearer)) }
      services.context.perform(.directory) { () -> Result<RealmPath, APIError> in
        AdminAPI.catching(services) {
          let path = try path(call.arguments.text("path"))
          guard path.partialView == nil else { throw APIError.badRequest("a partial view is no realm of its own") }
          guard try !services.directory.facts(of: path).exists else {
            throw APIError(409, .realmConflict, "there is a realm at this path")
          }
          return path
        }
      } then: { (result: Result<Result<RealmPath, APIError>, Never>) in
        guard case .success(let result) = result else { return }
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(let path):
          services.hub.hold(path, creator: bearer.user) { result in
            completion(
              result.mapError { refusal($0, services) }.map { _ in .object([("path", .string(path.description))]) })
          }
        }
      }
    })

  static let propertySchema = AdminSchema.object([
    .init("name", .string()), .init("type", .string()),
    .init("collection", .choice(["single", "list", "set", "dictionary"])), .init("isOptional", .boolean),
    .init("isIndexed", .boolean), .init("target", .string(), isRequired: false, "The class that a link leads to."),
  ])

  private static func value(_ property: Property) -> JSONValue {
    .object(
      [
        ("name", .string(property.name)), ("type", .string("\(property.type)")),
        ("collection", .string("\(property.collection)")), ("isOptional", .bool(property.isOptional)),
        ("isIndexed", .bool(property.isIndexed)),
      ] + (property.objectClassName.map { [("target", .string($0))] } ?? []))
  }

  private static let classSchema = AdminSchema.object([
    .init("name", .string()), .init("kind", .string()), .init("primaryKey", .string(), isRequired: false),
    .init("objects", .integer(), isRequired: false, "Missing where permissions inside the realm hide some."),
    .init("properties", .array(propertySchema)),
  ])

  private static let realm = AdminOperation(
    name: "realm", method: "GET", path: "realm",
    summary: "One realm with its classes and their numbers of objects. For every user who may read.",
    parameters: [
      pathParameter, .query("at", .integer(0 ... .max), "A version of the history, as listObjects has it."),
    ],
    answer: .object(
      overviewMembers + [
        .init("permissions", .boolean, isRequired: false, "Whether the realm has permissions of its own."),
        .init("classes", .array(classSchema), isRequired: false),
      ]),
    refusals: [404, 409, 501], access: .unbounded,
    work: .loop { call, completion in
      read(call, completion) { path, contents in
        guard call.integer("at") == nil else {
          return .object([("path", .string(path.description)), classes(of: contents)])
        }
        return .object(
          overview(of: path, call.services) + [
            ("permissions", .bool(try contents.contents.permissions.realmList() != .missing)), classes(of: contents),
          ])
      }
    })

  /// The classes that a reader may see.
  static func classes(of readable: ReadableContents) -> (key: String, value: JSONValue) {
    let contents = readable.contents
    let found = contents.schema.objectSchema.filter { readable.mayRead($0.className) }
    return (
      "classes",
      .array(
        found.map { found in
          .object(
            [("name", .string(found.className)), ("kind", .string("\(found.kind)"))]
              + (found.primaryKey.map { [("primaryKey", .string($0))] } ?? [])
              + (readable.isBounded ? [] : [("objects", .integer(contents.count(of: found.className)))]) + [
                ("properties", .array(found.properties.map(value)))
              ])
        })
    )
  }

  private static let deleteRealm = AdminOperation(
    name: "deleteRealm", method: "DELETE", path: "realm",
    summary: "Deletes a realm with its grants, while clients may hold it.", parameters: [pathParameter],
    refusals: [404, 409],
    work: .loop { call, completion in
      do throws(APIError) {
        call.services.hub.deleteRealm(try path(call["path"])) { completion(result($0)) }
      } catch {
        completion(.failure(error))
      }
    })

  private static let renameRealm = AdminOperation(
    name: "renameRealm", method: "POST", path: "realm/rename",
    summary: "Gives a realm another path; its grants go with it, and the old path goes on opening it.",
    body: .object([.init("path", .string(maximum: 1_024)), .init("newPath", .string(maximum: 1_024))]),
    refusals: [404, 409],
    work: .loop { call, completion in
      do throws(APIError) {
        let (old, new) = (
          try path(call.body["path"]?.string ?? ""), try path(call.body["newPath"]?.string ?? "")
        )
        call.services.hub.renameRealm(old, to: new) { completion(result($0)) }
      } catch {
        completion(.failure(error))
      }
    })

  private static func result(_ result: Result<Void, ServerError>) -> Result<JSONValue?, APIError> {
    switch result {
    case .success: .success(nil)
    case .failure(let error) where error.code == .realmConflict:
      .failure(APIError(409, .realmConflict, "\(error.message); \(error.remedy)"))
    case .failure: .failure(.storage)
    }
  }
}

extension AdminCall {
  /// Whether a list of realms is to have what is in their files.
  fileprivate var hasDetails: Bool { arguments.parameters["details"] != "false" }
}
