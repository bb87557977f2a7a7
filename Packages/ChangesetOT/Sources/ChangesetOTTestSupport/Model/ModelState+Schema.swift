import ChangesetOT
import DataModel

// Declarations and erasures of classes and fields.

extension ModelState {
  mutating func addTable(_ it: AddTable) throws(Refusal) {
    guard let present = classes[it.table] else {
      classes[it.table] = ModelClass(kind: it.kind, key: it.primaryKey)
      objects[it.table] = [:]
      return
    }
    guard present.kind == it.kind, present.key == it.primaryKey else { throw Refusal("class declared differently") }
  }

  mutating func eraseTable(_ table: String) throws(Refusal) {
    guard classes[table] != nil else { throw Refusal("no such class") }
    for (name, other) in classes where name != table {
      if other.columns.values.contains(where: { $0.linkTarget == table }) { throw Refusal("class is linked to") }
    }
    classes[table] = nil
    objects[table] = nil
  }

  mutating func addColumn(_ it: AddColumn) throws(Refusal) {
    guard let present = classes[it.table] else { throw Refusal("no such class") }
    if let target = it.linkTarget, !target.isEmpty, classes[target] == nil { throw Refusal("no such target class") }
    let column = ModelColumn(
      it.type, isNullable: it.isNullable, collection: it.collection, linkTarget: it.linkTarget)
    if let old = present.columns[it.field] {
      guard old.type == column.type, old.collection == column.collection, old.linkTarget == column.linkTarget else {
        throw Refusal("field declared differently")
      }
      return
    }
    classes[it.table]?.columns[it.field] = column
    objects[it.table] = objects[it.table]?.mapValues { fields in
      var fields = fields
      fields[it.field] = column.initialValue()
      return fields
    }
  }

  mutating func eraseColumn(_ it: EraseColumn) throws(Refusal) {
    guard classes[it.table]?.columns[it.field] != nil else { throw Refusal("no such field") }
    classes[it.table]?.columns[it.field] = nil
    objects[it.table] = objects[it.table]?.mapValues { fields in fields.filter { $0.key != it.field } }
  }
}
