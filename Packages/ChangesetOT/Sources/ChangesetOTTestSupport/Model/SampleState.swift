import ChangesetOT
import DataModel

extension ModelState {
  /// A realm with a field of every shape and three objects: the base of the random tests.
  public static func sample() -> ModelState {
    var state = ModelState()
    state.classes["Sub"] = ModelClass(
      kind: .embedded, key: nil,
      columns: [
        "x": ModelColumn(.int), "y": ModelColumn(.string), "l": ModelColumn(.int, collection: .list),
        "more": ModelColumn(.link, collection: .list, linkTarget: "Sub"),
      ])
    state.classes["Item"] = ModelClass(
      key: PrimaryKeyColumn(field: "_id", type: .int),
      columns: [
        "n": ModelColumn(.int), "o": ModelColumn(.int, isNullable: true), "s": ModelColumn(.string),
        "m": .mixed, "ref": ModelColumn(.link, isNullable: true, linkTarget: "Item"),
        "refs": ModelColumn(.link, collection: .list, linkTarget: "Item"),
        "rset": ModelColumn(.link, collection: .set, linkTarget: "Item"),
        "tags": ModelColumn(.string, collection: .list), "nums": ModelColumn(.int, collection: .set),
        "props": ModelColumn(nil, isNullable: true, collection: .dictionary),
        "sub": ModelColumn(.link, isNullable: true, linkTarget: "Sub"),
        "subs": ModelColumn(.link, collection: .list, linkTarget: "Sub"),
        "subd": ModelColumn(.link, isNullable: true, collection: .dictionary, linkTarget: "Sub"),
      ])
    state.objects["Item"] = [:]
    let sub = state.initialFields(of: "Sub")
    for key in Int64(1)...3 {
      var fields = state.initialFields(of: "Item")
      fields["tags"] = .list(["a", "b", "c"].map { .scalar(.string($0)) })
      fields["nums"] = .set([.int(1), .int(2)])
      fields["props"] = .dictionary(["a": .scalar(.int(1)), "l": .list([.scalar(.int(1)), .scalar(.int(2))])])
      fields["subs"] = .list([.object(sub), .object(sub)])
      fields["subd"] = .dictionary(["base": .object(sub)])
      if key != 2 { fields["sub"] = .object(sub) }
      if key == 1 { fields["m"] = .list([.scalar(.int(7)), .dictionary(["k": .scalar(.int(1))])]) }
      if key == 2 { fields["m"] = .scalar(.int(5)) }
      fields["refs"] = .list([1, 2, 3].map { .scalar(.link(ObjectReference(className: "Item", key: .int($0)))) })
      state.objects["Item"]?[.int(key)] = fields
    }
    return state
  }
}
