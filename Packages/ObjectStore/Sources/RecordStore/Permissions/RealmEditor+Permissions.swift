public import Permissions

extension RealmEditor {
  /// Makes the realm one with permissions: adds the five classes, the role `everyone`, and the lists in which it has
  /// everything: of the realm and of every class.
  ///
  /// A realm that has a list already gets nothing but the classes of ``PermissionSchema`` that it lacks. Everything is
  /// recorded, as every change is.
  ///
  ///     try file.edit { try $0.openPermissions() }
  ///
  /// - Returns: whether the realm had no list.
  /// - Throws: ``RecordStoreError`` with code `schemaMismatch` when the file declares one of the five classes
  ///   differently: such a realm must not be served with permissions.
  /// - Complexity: O(*n*) for *n* classes.
  @discardableResult
  public func openPermissions() throws -> Bool {
    try addClasses(PermissionSchema.schema)
    return try translatingErrors {
      var table = PermissionTable()
      table.apply(.setRealmList(try permissions.realmList()))
      let changes = PermissionDefaults.opening(table, classes: classesWithObjects)
      try apply(changes)
      return !changes.isEmpty
    }
  }

  /// Gives lists in which `everyone` has everything to those of some classes that have none, as a class gets that is new
  /// in a realm with permissions.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  /// - Complexity: O(*n* log *m*) for *n* classes of *m*.
  public func openPermissions(ofClasses names: some Sequence<String>) throws {
    try translatingErrors {
      guard try permissions.realmList() != .missing else { return }
      for name in names where writer.catalog[name].map({ $0.kind != .embedded }) ?? false {
        var table = PermissionTable()
        table.apply(.setClassList(name, try permissions.list(ofClass: name)))
        try apply(PermissionDefaults.addingClass(name, to: table))
      }
    }
  }

  /// Makes the objects of a user who connects: `__User`, membership in `everyone`, the private role, which has no other member
  /// afterwards.
  ///
  /// Ask ``PermissionReader/needsObjects(for:)`` first, which needs no transaction.
  ///
  /// - Returns: whether there was something to write.
  /// - Throws: ``RecordStoreError`` with code `invalidInput` in a file without the classes of permissions.
  /// - Complexity: O(*n* + log *m*) for *n* members that the private role has, in a realm of *m* users.
  @discardableResult
  public func connect(_ user: UserId) throws -> Bool {
    try translatingErrors {
      let changes = try permissions.connecting(user)
      let removals = changes.filter(\.isRemoval)
      try apply(changes.filter { !$0.isRemoval })
      let permissions = PermissionWriter(writer)
      if !removals.isEmpty { try permissions.setOnlyMember(user, of: .privateRole(of: user)) }
      return try permissions.linkPrivateRole(of: user) || !changes.isEmpty
    }
  }

  /// Writes changes of the realm's permissions as objects.
  ///
  /// - Throws: ``RecordStoreError`` with code `invalidInput` in a file without the classes of permissions.
  public func apply(_ changes: some Sequence<PermissionTableChange>) throws {
    try translatingErrors {
      let permissions = PermissionWriter(writer)
      for change in changes { try permissions.apply(change) }
    }
  }

  private var classesWithObjects: [String] { writer.catalog.classes.filter { $0.kind != .embedded }.map(\.name) }
}

extension PermissionTableChange {
  fileprivate var isRemoval: Bool { if case .removeMember = self { true } else { false } }
}

extension PermissionReader {
  /// Whether a user who connects lacks objects that ``RealmEditor/connect(_:)`` makes.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n* + log *m*) for *n* members that the private role has, in a realm of *m* users.
  public func needsObjects(for user: UserId) throws -> Bool {
    try translatingErrors {
      if try !connecting(user).isEmpty { return true }
      guard let users = layouts.users, let row = try row(user.rawValue, users),
        let field = users.field(PermissionClass.roleProperty), let roles = layouts.roles?.layout,
        let role = try self.row(RoleName.privateRole(of: user).rawValue, roles)
      else { return false }
      return try readView.value(Cell(users, row, field)) != .link(roles.table, role)
    }
  }

  /// The changes for a user who connects, decided by the facts about that user alone.
  fileprivate func connecting(_ user: UserId) throws -> [PermissionTableChange] {
    var table = PermissionTable()
    if try row(user.rawValue, layouts.users) != nil { table.apply(.addUser(user)) }
    if try row(RoleName.everyone.rawValue, layouts.roles?.layout) != nil { table.apply(.addRole(.everyone)) }
    let privateRole = RoleName.privateRole(of: user)
    if let members = try members(of: privateRole) {
      table.apply(.addRole(privateRole))
      for member in members { table.apply(.addMember(member, to: privateRole)) }
    }
    return PermissionDefaults.connecting(user, to: table)
  }
}
