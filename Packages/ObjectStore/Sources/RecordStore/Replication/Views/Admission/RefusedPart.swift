import ChangesetOT
import DataModel

/// A part of an upload that is not taken.
enum RefusedPart: Hashable {
  /// Everything that the upload does to an object, from the refused changeset on.
  case object(ObjectReference)
  /// The properties of an object other than its access lists, in one changeset.
  case properties(ObjectReference, offset: Int)
  /// The access lists of an object, in one changeset.
  case lists(ObjectReference, offset: Int)
  /// A field of an object whose collection, or what is in it, is another one in the author's file: everything that is done to
  /// it, from the refused changeset on.
  case field(ObjectReference, String)
  /// The declaration of a class, from the refused changeset on.
  case table(String)
  /// The declaration of a field, from the refused changeset on.
  case column(String, String)
}

/// The refusal of a part of an upload: the place of the first refused changeset in the batch, and what its author is told.
struct Refused {
  var offset: Int
  var write: RefusedWrite
}

extension [RefusedPart: Refused] {
  /// Whether an instruction is refused.
  ///
  /// - Parameters:
  ///   - offset: the place of its changeset in the batch.
  ///   - isList: whether the field that it addresses is an access list.
  func contains(_ instruction: Instruction, at offset: Int, isList: Bool) -> Bool {
    if isEmpty { return false }
    if let object = instruction.object {
      if holds(.object(object), at: offset) || holds(.table(object.className), at: offset) { return true }
      guard let field = instruction.target?.field else { return false }
      if holds(.column(object.className, field), at: offset) || holds(.field(object, field), at: offset) { return true }
      return self[isList ? .lists(object, offset: offset) : .properties(object, offset: offset)] != nil
    }
    switch instruction {
    case .addTable(let it): return holds(.table(it.table), at: offset)
    case .addColumn(let it):
      return holds(.table(it.table), at: offset) || holds(.column(it.table, it.field), at: offset)
    case .eraseTable, .createObject, .eraseObject, .update, .addInteger, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear, .setInsert, .setErase:
      return false
    }
  }

  private func holds(_ part: RefusedPart, at offset: Int) -> Bool { self[part].map { $0.offset <= offset } ?? false }

  /// The first refusals of both.
  mutating func merge(_ others: [RefusedPart: Refused]) {
    merge(others) { first, second in first.offset <= second.offset ? first : second }
  }
}

extension Instruction {
  /// Whether later instructions on the same field address what this one made of it: places in a list, parts of a value.
  var changesPlaces: Bool {
    switch self {
    case .update(let it): !it.target.path.isEmpty || it.payload.value == nil
    case .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase: true
    case .addTable, .eraseTable, .createObject, .eraseObject, .addInteger, .addColumn, .eraseColumn: false
    }
  }
}
