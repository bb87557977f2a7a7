public import ChangesetOT
import DataModel
import Permissions

/// The classes of permissions, kept from clients of flexible sync that open the realm of their app.
///
/// They know nothing of these classes, and `__Permission` has no primary key: Realm's core ends the process when a client reset
/// meets a class without one. Their views hold none of the objects; declarations, and access lists of other objects, are left out.
struct WithheldPermissions {
  private let catalog: Catalog

  /// Nil when the realm has no such class.
  init?(_ catalog: Catalog) {
    guard PermissionClass.allCases.contains(where: { catalog[$0.rawValue] != nil }) else { return nil }
    self.catalog = catalog
  }

  /// A changeset without what is withheld; empty when nothing is left.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func filtered(_ changeset: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    var decoded = try Changeset(decoding: Array(changeset), origin: origin)
    let count = decoded.instructions.count
    decoded.instructions.removeAll(where: withholds)
    if decoded.instructions.count == count { return changeset }
    return decoded.instructions.isEmpty ? [] : decoded.encoded()[...]
  }

  private func withholds(_ instruction: Instruction) -> Bool {
    if let object = instruction.object {
      if PermissionClass(rawValue: object.className) != nil { return true }
      return instruction.target.map { isAccessList(object.className, $0.field) } ?? false
    }
    switch instruction {
    case .addTable(let it): return PermissionClass(rawValue: it.table) != nil
    case .eraseTable(let it): return PermissionClass(rawValue: it.table) != nil
    case .addColumn(let it): return PermissionClass(rawValue: it.table) != nil || isAccessList(it.table, it.field)
    case .eraseColumn(let it): return PermissionClass(rawValue: it.table) != nil
    case .createObject, .eraseObject, .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert,
      .setErase:
      return false
    }
  }

  private func isAccessList(_ className: String, _ field: String) -> Bool {
    catalog[className]?.holdsAccessList(field) ?? false
  }
}

extension ServerHistory {
  /// Leaves the classes of permissions out of a scan for a client that knows nothing of them.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func withholdPermissions(from scan: DownloadScan) throws -> DownloadScan {
    guard let withheld = WithheldPermissions(try file.latestReadView().catalog) else { return scan }
    var scan = scan
    for index in scan.entries.indices {
      scan.entries[index].changeset = try withheld.filtered(scan.entries[index].changeset)
    }
    scan.entries.removeAll { $0.changeset.isEmpty }
    return scan
  }
}
