public import ChangesetOT
import DataModel
import Permissions

/// The classes of permissions, kept from clients of flexible sync that open the realm of their app.
///
/// They know nothing of these classes, and `__Permission` has no primary key: Realm's core ends the process when a client reset
/// meets a class without one, or a property whose class is not there. Their views hold none of the objects; declarations of the
/// classes, and of properties that link to them, are left out with what is written to these. Where a mixed value is a link to such an object,
/// null stands in its place, so that the elements of a list keep theirs; sets do without.
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
    let instructions = decoded.instructions.compactMap(shown)
    if instructions == decoded.instructions { return changeset }
    decoded.instructions = instructions
    return instructions.isEmpty ? [] : decoded.encoded()[...]
  }

  /// The form in which a client is told of an instruction; nil when it is not.
  private func shown(_ instruction: Instruction) -> Instruction? {
    if let object = instruction.object, Self.isWithheld(object.className) { return nil }
    if let target = instruction.target, leadsToWithheld(target) { return nil }
    switch instruction {
    case .addTable(let it): return Self.isWithheld(it.table) ? nil : instruction
    case .eraseTable(let it): return Self.isWithheld(it.table) ? nil : instruction
    case .addColumn(let it): return Self.isWithheld(it.table) || Self.isWithheld(it.linkTarget) ? nil : instruction
    case .eraseColumn(let it):
      let target = catalog[it.table]?.field(it.field)?.target
      return Self.isWithheld(it.table) || Self.isWithheld(target) ? nil : instruction
    case .update(var it):
      it.payload = Self.shown(it.payload)
      return .update(it)
    case .arrayInsert(var it):
      it.payload = Self.shown(it.payload)
      return .arrayInsert(it)
    case .setInsert(let it): return Self.shown(it.payload) == it.payload ? instruction : nil
    case .setErase(let it): return Self.shown(it.payload) == it.payload ? instruction : nil
    case .createObject, .eraseObject, .addInteger, .arrayMove, .arrayErase, .clear: return instruction
    }
  }

  private static func isWithheld(_ className: String?) -> Bool {
    className.flatMap(PermissionClass.init(rawValue:)) != nil
  }

  private static func shown(_ payload: Payload) -> Payload {
    if case .link(let object) = payload, isWithheld(object.className) { .null } else { payload }
  }

  /// Whether a path goes by a property, of the object or of what is embedded in it, that links to a class of permissions.
  private func leadsToWithheld(_ target: Target) -> Bool {
    var field = catalog[target.object.className]?.field(target.field)
    var rest = target.path[...]
    while let next = field {
      if Self.isWithheld(next.target) { return true }
      guard next.isFixedLink, let part = catalog[next.target ?? ""], part.kind == .embedded else { return false }
      if next.collection != .single { _ = rest.popFirst() }
      guard case .name(let name)? = rest.popFirst() else { return false }
      field = part.field(name)
    }
    return false
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
