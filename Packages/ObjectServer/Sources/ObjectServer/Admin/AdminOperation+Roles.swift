import ByteCoding
import DataExchange
import DataModel
import Permissions
import RecordStore

extension AdminOperation {
  static let roles = [listRoles, setAccessList, setRoleMembers, openRoles]

  private static let privilegeNames = Privileges.named.map(\.name)

  private static let entrySchema = AdminSchema.object([
    .init("role", .string(maximum: 1_024)), .init("privileges", .array(.choice(privilegeNames))),
  ])

  private static let listSchema = AdminSchema.array(entrySchema)

  private static func value(_ list: AccessList) -> JSONValue {
    .array(
      list.entries.map { entry in
        .object([
          ("role", .string(entry.role.rawValue)),
          (
            "privileges",
            .array(Privileges.named.filter { entry.privileges.contains($0.privilege) }.map { .string($0.name) })
          ),
        ])
      })
  }

  private static let listRoles = AdminOperation(
    name: "listRoles", method: "GET", path: "realm/roles",
    summary:
      "The permissions inside a realm: its roles with their members, and the lists of the realm, its classes, or one object.",
    parameters: [
      pathParameter, .query("class", .string(maximum: 64), "The class of an object."),
      .query("key", .string(maximum: 65_536), "The key of an object, whose list is answered besides."),
    ],
    answer: .object([
      .init("hasPermissions", .boolean, "Whether the realm has permissions; else everybody who opens it may do all."),
      .init("roles", .array(.object([.init("name", .string()), .init("members", .array(.string()))]))),
      .init("realm", listSchema),
      .init(
        "classes",
        .array(
          .object([.init("name", .string()), .init("hasList", .boolean), .init("entries", listSchema)]))),
      .init("object", listSchema, isRequired: false, "Missing for an object without a list."),
    ]),
    refusals: [404, 409, 501],
    work: reading { call, _, readable in
      let contents = readable.contents
      let permissions = contents.permissions
      let table = try permissions.table()
      let realm = try permissions.realmList()
      var members: [(key: String, value: JSONValue)] = [
        ("hasPermissions", .bool(realm != .missing)),
        (
          "roles",
          .array(
            table.roles.map { role in
              .object([
                ("name", .string(role.rawValue)),
                (
                  "members",
                  .array((table.members(of: role) ?? []).map(\.rawValue).sorted().map(JSONValue.string))
                ),
              ])
            })
        ), ("realm", value(realm)),
        (
          "classes",
          .array(
            try contents.schema.objectSchema.filter { $0.kind != .embedded }.map { type in
              let list = try permissions.list(ofClass: type.className)
              return .object([
                ("name", .string(type.className)), ("hasList", .bool(list != .missing)), ("entries", value(list)),
              ])
            })
        ),
      ]
      if let name = call.parameters["class"], let object = try object(name, call.parameters["key"], contents.schema) {
        let list = try permissions.list(of: object)
        if list != .missing { members.append(("object", value(list))) }
      }
      return .object(members)
    })

  private static let setAccessList = AdminOperation(
    name: "setAccessList", method: "PUT", path: "realm/roles",
    summary: "Sets the list of a realm, of a class, or of an object. Devices lose and gain objects at once.",
    body: .object([
      .init("path", .string(maximum: 1_024)),
      .init("class", .string(maximum: 64), isRequired: false, "For the list of a class or an object."),
      .init("key", .any, isRequired: false, "For the list of an object: its key, or null."),
      .init("entries", listSchema),
    ]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let entries: [PermissionEntry] = (call.body["entries"]?.elements ?? []).map { given in
        let names = Set(given["privileges"]?.elements?.compactMap(\.string) ?? [])
        let privileges = Privileges.named.filter { names.contains($0.name) }
        return PermissionEntry(
          RoleName(given["role"]?.string ?? ""), Privileges(privileges.map(\.privilege)))
      }
      let name = call.body["class"]?.string
      let key = call.body["key"]
      inRealm(call, call.body["path"]?.string ?? "", completion) { target, history in
        try history.edit(by: target.access) { editor in
          guard try editor.permissions.realmList() != .missing else {
            throw APIError(409, .realmConflict, "the realm has no permissions of its own: open them first")
          }
          guard let name else { return try editor.apply([.setRealmList(.entries(entries))]) }
          _ = try type(name, in: editor.schema)
          guard let key else { return try editor.apply([.setClassList(name, .entries(entries))]) }
          guard let object = try object(name, key.string, editor.schema), try editor.contains(object) else {
            throw APIError(404, .notFound, "there is no such object of \(name)")
          }
          try editor.setAccessList(entries, of: object)
        }
        return (nil, true)
      }
    })

  private static let setRoleMembers = AdminOperation(
    name: "setRoleMembers", method: "PUT", path: "realm/roles/members",
    summary: "Adds users to a role of a realm, which is made when it is missing, and takes users out of it.",
    body: .object([
      .init("path", .string(maximum: 1_024)), .init("role", .string(maximum: 1_024)),
      .init("add", .array(.string(maximum: 256))), .init("remove", .array(.string(maximum: 256))),
    ]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let role = RoleName(call.body["role"]?.string ?? "")
      func users(_ name: String) -> [UserId] {
        call.body[name]?.elements?.compactMap { $0.string.map { UserId($0) } } ?? []
      }
      let (added, removed) = (users("add"), users("remove"))
      inRealm(call, call.body["path"]?.string ?? "", completion) { target, history in
        try history.edit(by: target.access) { editor in
          guard try editor.permissions.realmList() != .missing else {
            throw APIError(409, .realmConflict, "the realm has no permissions of its own: open them first")
          }
          try editor.apply(
            [.addRole(role)] + added.map { .addMember($0, to: role) } + removed.map { .removeMember($0, from: role) })
        }
        return (nil, true)
      }
    })

  private static let openRoles = AdminOperation(
    name: "openPermissions", method: "POST", path: "realm/roles",
    summary: """
      Gives a realm permissions of its own: everybody may do everything at first, by the role 'everyone'. It cannot be taken back.
      """,
    body: .object([.init("path", .string(maximum: 1_024))]), refusals: [404, 409, 501],
    work: .loop { call, completion in
      inRealm(call, call.body["path"]?.string ?? "", completion) { target, history in
        try history.edit(by: target.access) { try $0.openPermissions() }
        return (nil, true)
      }
    })

  /// The object that a class and the text of a key name; nil for a text that is no key of the class.
  private static func object(_ name: String, _ key: String?, _ schema: Schema) throws(APIError) -> ObjectReference? {
    _ = try type(name, in: schema)
    guard let key else { return ObjectReference(className: name, key: .null) }
    return FieldText(schema).key(key, of: name).map { ObjectReference(className: name, key: $0) }
  }
}
