import ChangesetOT
import DataModel

/// Finds the instructions of a changeset that need a class or a property which the realm does not have.
///
/// A refused declaration stays in its author's file, where it may be written to long after the upload that it came with. Such
/// a write is no malformed upload: it is refused as the declaration was.
///
/// - Complexity: O(*n*) in the instructions and the steps of their paths.
struct MissingSchema {
  private let catalog: Catalog
  /// The classes and properties that the changeset adds.
  private var classes: Set<String> = []
  private var properties: [String: Set<String>] = [:]

  init(_ catalog: Catalog) { self.catalog = catalog }

  /// The part that is to be refused for an instruction, with the object and the reason that are told; nil when all that it
  /// needs is there. Instructions that are refused already are not to be shown.
  mutating func part(
    of instruction: Instruction, at offset: Int, isList: Bool
  ) -> (part: RefusedPart, object: ObjectReference, reason: String)? {
    switch instruction {
    case .addTable(let it):
      classes.insert(it.table)
      return nil
    case .addColumn(let it):
      if !knows(it.table) { return missing(it.table) }
      if let target = it.linkTarget, !target.isEmpty, !knows(target) {
        return (
          .column(it.table, it.field), ObjectReference(className: it.table, key: .null), missing(target).reason
        )
      }
      properties[it.table, default: []].insert(it.field)
      return nil
    case .eraseTable, .eraseColumn: return nil
    case .createObject(let it): return knows(it.object.className) ? nil : missing(it.object.className)
    case .eraseObject(let it): return knows(it.object.className) ? nil : missing(it.object.className)
    case .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
      guard let target = instruction.target else { return nil }
      let name = target.object.className
      if !knows(name) { return missing(name) }
      if !knows(target.field, of: name) {
        return (
          .column(name, target.field), ObjectReference(className: name, key: .null), Self.reason(target.field, of: name)
        )
      }
      guard let reason = nested(target) ?? linked(instruction) else { return nil }
      let part: RefusedPart =
        isList ? .lists(target.object, offset: offset) : .properties(target.object, offset: offset)
      return (part, target.object, reason)
    }
  }

  private func knows(_ className: String) -> Bool { catalog[className] != nil || classes.contains(className) }

  private func knows(_ field: String, of className: String) -> Bool {
    catalog[className]?.field(field) != nil || properties[className]?.contains(field) == true
  }

  private func missing(_ className: String) -> (part: RefusedPart, object: ObjectReference, reason: String) {
    (
      .table(className), ObjectReference(className: className, key: .null),
      "the realm has no class '\(className)'; ask somebody who may add it"
    )
  }

  private static func reason(_ field: String, of className: String) -> String {
    "class '\(className)' of the realm has no property '\(field)'; ask somebody who may add it"
  }

  /// The reason why a path through embedded objects leads nowhere.
  private func nested(_ target: Target) -> String? {
    guard var field = catalog[target.object.className]?.field(target.field) else { return nil }
    var rest = target.path[...]
    while field.isFixedLink, let embedded = catalog[field.target ?? ""], embedded.kind == .embedded {
      if field.collection != .single { _ = rest.popFirst() }
      guard case .name(let name)? = rest.popFirst() else { return nil }
      if !knows(name, of: embedded.name) { return Self.reason(name, of: embedded.name) }
      guard let next = embedded.field(name) else { return nil }
      field = next
    }
    return nil
  }

  /// The reason why a link leads nowhere.
  private func linked(_ instruction: Instruction) -> String? {
    let payload: Payload? =
      switch instruction {
      case .update(let it): it.payload
      case .arrayInsert(let it): it.payload
      case .setInsert(let it): it.payload
      case .setErase(let it): it.payload
      case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject, .addInteger, .arrayMove,
        .arrayErase, .clear:
        nil
      }
    guard case .link(let object)? = payload, !knows(object.className) else { return nil }
    return missing(object.className).reason
  }
}
