import ChangesetOT
import DataModel
import Permissions

/// The classes of permissions as one file has them.
///
/// A class or field that is missing, or that a peer declared with another type, is nil: what would lie in it grants
/// nothing.
struct PermissionLayouts {
  /// A class whose objects have one list of links.
  struct Listing {
    let layout: ClassLayout
    /// The list; nil when it is no list of links to the class that it should link to.
    let list: FieldLayout?
  }

  /// `__Realm`, with the list of the realm.
  let realm: Listing?
  /// `__Class`, with the lists of the classes.
  let classes: Listing?
  /// `__Role`, with members.
  let roles: Listing?
  /// `__User`.
  let users: ClassLayout?
  /// `__Permission`.
  let permissions: ClassLayout?
  /// The role of a `__Permission`.
  let role: FieldLayout?
  /// The booleans of a `__Permission`.
  let flags: [(field: FieldLayout, privilege: Privileges)]

  /// - Complexity: O(1).
  init(_ catalog: Catalog) {
    func named(_ name: PermissionClass) -> ClassLayout? { catalog[name.rawValue] }
    func listing(_ name: PermissionClass, _ property: String, of target: PermissionClass) -> Listing? {
      named(name).map { layout in
        let field = layout.field(property)
        let fits = field?.collection == .list && field?.type == .object && field?.target == target.rawValue
        return Listing(layout: layout, list: fits ? field : nil)
      }
    }
    realm = listing(.realm, "permissions", of: .permission)
    classes = listing(.class, "permissions", of: .permission)
    roles = listing(.role, PermissionClass.membersProperty, of: .user)
    users = named(.user)
    permissions = named(.permission)
    let link = permissions?.field(PermissionClass.roleProperty)
    role = link?.collection == .single && link?.target == PermissionClass.role.rawValue ? link : nil
    flags = Privileges.named.compactMap { entry in
      guard let field = named(.permission)?.field(entry.storedProperty), field.type == .bool,
        field.collection == .single
      else { return nil }
      return (field, entry.privilege)
    }
  }
}
