import Permissions
import RecordStore

/// Previews of what the user of a query-based realm may do, from the permissions as they are on the device, by the
/// evaluation that the server enforces with. They may be old. Writes that are not allowed succeed here, and the server
/// undoes them.
///
/// In local and fully synchronised realms everything is allowed. Users who may not read the classes of permissions are
/// told that nothing is.
extension Realm {
  /// The privileges of the user on the realm.
  ///
  ///     editButton.isEnabled = realm.getPrivileges().contains(.update)
  ///
  /// - Complexity: O(1); after a change of the realm O(*n*) for *n* roles of the user and entries of the lists of realm and
  ///   classes. The same for the other forms.
  public func getPrivileges() -> RealmPrivileges {
    let privileges = view.permissionPreview().map(\.user.realmPreview) ?? .realmPrivileges
    return RealmPrivileges(rawValue: privileges.intersection(.realmPrivileges).rawValue)
  }

  /// The privileges of the user on the objects of a class.
  public func getPrivileges<T: Object>(_ cls: T.Type) -> ClassPrivileges {
    getPrivileges(forClassNamed: cls.className())
  }

  /// The privileges of the user on the objects of a class, by its stored name.
  public func getPrivileges(forClassNamed className: String) -> ClassPrivileges {
    let privileges = view.permissionPreview()?.user.preview(ofClass: className) ?? .classPrivileges
    return ClassPrivileges(rawValue: privileges.intersection(.classPrivileges).subtracting(.modifySchema).rawValue)
  }

  /// The privileges of the user on an object of this realm.
  ///
  /// An unmanaged or deleted object, and one of another realm, stops the program.
  ///
  /// - Complexity: O(*n*) for *n* entries of the object's list, besides that of ``getPrivileges()``.
  public func getPrivileges(_ object: Object) -> ObjectPrivileges {
    view.checkConfinement()
    rule(object.isManaged, "Cannot get the privileges of an unmanaged object. Add it to the realm first.")
    rule(!object.isInvalidated, "Cannot get the privileges of a deleted or invalidated object.")
    guard object.view === view, let access = object.state.pointee.access?.takeUnretainedValue() else {
      violated("Cannot get the privileges of an object of another Realm. Ask the object's own realm.")
    }
    guard let preview = view.permissionPreview() else { return ObjectPrivileges(.objectPrivileges) }
    let (row, layout) = (object.state.pointee.row, access.layout)
    let list = view.reading(or: AccessList.empty) {
      try preview.reader.list(ofRow: row, layout, layout.accessLists)
    }
    return ObjectPrivileges(
      preview.user.preview(ofObjectWith: list, inClass: layout.name, of: preview.table))
  }
}

extension ObjectPrivileges {
  fileprivate init(_ privileges: Privileges) {
    self.init(rawValue: privileges.intersection(.objectPrivileges).rawValue)
  }
}
