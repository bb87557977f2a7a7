public import DataModel
public import Permissions
import StorageEngine

/// Reads the permissions of a realm at one version, for the pure evaluation of `Permissions`.
///
///     let reader = try file.contents().permissions
///     let ben = UserPermissions(try reader.table(of: "ben"), user: "ben")
///     ben.preview(ofClass: "Dog")
///
/// Uses one snapshot or one transaction, on its thread. Objects that peers have erased count as gone, also where links
/// to them are kept. Declarations that do not fit ``PermissionSchema`` grant nothing.
public struct PermissionReader {
  let readView: ReadView
  let layouts: PermissionLayouts

  /// A reader of one version. In a transaction that applies changesets, links must be settled before.
  package init(_ readView: ReadView) {
    self.readView = readView
    layouts = PermissionLayouts(readView.catalog)
  }

  // MARK: Lists

  /// The list of the realm; missing in a realm without an object 0 of `__Realm`.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* entries.
  public func realmList() throws -> AccessList {
    try translatingErrors { try list(of: .int(Int64(PermissionClass.realmObjectId)), layouts.realm) }
  }

  /// The list of a class; missing when `__Class` has no object of that name.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* entries.
  public func list(ofClass name: String) throws -> AccessList {
    try translatingErrors { try list(of: .string(name), layouts.classes) }
  }

  /// The list of an object; missing when its class has no property that is one, and for objects that do not exist.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n* + log *m*) for *n* entries and *m* objects of the class.
  public func list(of object: ObjectReference) throws -> AccessList {
    try translatingErrors {
      guard let layout = readView.catalog[object.className],
        let row = try readView.row(readView.known(object.key), layout)
      else { return .missing }
      return try list(ofRow: row, layout, layout.accessLists)
    }
  }

  /// The list of the object in a row.
  ///
  /// The entries of several lists of one object count together: which of them comes first would differ between files,
  /// and adding a property must not take entries away.
  ///
  /// - Parameter fields: the ``ClassLayout/accessLists`` of its class, found once for many objects.
  /// - Complexity: O(*n*) for *n* entries.
  package func list(ofRow row: RowKey, _ layout: ClassLayout, _ fields: [FieldLayout]) throws -> AccessList {
    if fields.isEmpty { return .missing }
    return .entries(try fields.flatMap { try entries(Cell(layout, row, $0)) })
  }

  private func list(of key: ObjectKey, _ listing: PermissionLayouts.Listing?) throws -> AccessList {
    guard let listing, let row = try readView.row(key, listing.layout) else { return .missing }
    return try list(ofRow: row, listing)
  }

  /// The list of a `__Realm` or `__Class` object, which is empty when it cannot be one.
  func list(ofRow row: RowKey, _ listing: PermissionLayouts.Listing) throws -> AccessList {
    guard let field = listing.list else { return .empty }
    return .entries(try entries(Cell(listing.layout, row, field)))
  }

  private func entries(_ cell: Cell) throws -> [PermissionEntry] {
    try readView.list(cell).elements().compactMap { element in
      guard case .link(_, let row) = element, !row.isUnresolved else { return nil }
      return try entry(row)
    }
  }

  /// The entry that a permission object is; nil for one without a role.
  ///
  /// A role that does not exist is named all the same. It has no members, and has them again once it is created.
  func entry(_ row: RowKey) throws -> PermissionEntry? {
    guard let layout = layouts.permissions, let role = layouts.role,
      let cluster = try readView.reader.cluster(of: row, in: layout.table),
      case .link(let table, let target) = try readView.value(role, cluster, slot: row.slot),
      case .string(let name)? = try readView.reference(table, target)?.key
    else { return nil }
    var privileges: Privileges = []
    for flag in layouts.flags where try readView.value(flag.field, cluster, slot: row.slot) == .bool(true) {
      privileges.insert(flag.privilege)
    }
    return PermissionEntry(RoleName(name), privileges)
  }

  // MARK: Names

  /// The text that is the key of an object.
  func name(_ row: RowKey, _ layout: ClassLayout) throws -> String? {
    if case .string(let name) = try readView.key(row, layout) { name } else { nil }
  }

  /// The row of the object with a text as its key.
  func row(_ name: String, _ layout: ClassLayout?) throws -> RowKey? {
    try layout.flatMap { try readView.row(.string(name), $0) }
  }
}

extension RealmContents {
  /// The permissions of this version.
  public var permissions: PermissionReader { PermissionReader(readView) }
}

extension RealmEditor {
  /// The permissions with the changes so far. To be asked for again after a change of the schema.
  public var permissions: PermissionReader { PermissionReader(writer.readView) }
}
