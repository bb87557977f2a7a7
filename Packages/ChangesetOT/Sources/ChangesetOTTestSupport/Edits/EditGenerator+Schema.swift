public import DataModel

extension EditGenerator {
  /// The classes that its edits begin with: `Item` with a field of each kind of place, and the embedded `Sub`.
  public static let schema: Schema = {
    func link(_ name: String, _ target: String, _ collection: CollectionKind = .single) -> Property {
      Property(
        name: name, type: .object, collection: collection, objectClassName: target,
        isOptional: collection == .single || collection == .dictionary)
    }
    return Schema([
      ObjectSchema(
        className: "Sub", kind: .embedded,
        properties: [
          Property(name: "x", type: .int), Property(name: "y", type: .string),
          Property(name: "l", type: .int, collection: .list), link("more", "Sub", .list),
        ]),
      ObjectSchema(
        className: "Item", primaryKey: "_id",
        properties: [
          Property(name: "_id", type: .int), Property(name: "n", type: .int),
          Property(name: "o", type: .int, isOptional: true), Property(name: "s", type: .string),
          Property(name: "m", type: .any, isOptional: true), link("ref", "Item"), link("refs", "Item", .list),
          link("rset", "Item", .set), Property(name: "tags", type: .string, collection: .list),
          Property(name: "nums", type: .int, collection: .set),
          Property(name: "props", type: .any, collection: .dictionary, isOptional: true), link("sub", "Sub"),
          link("subs", "Sub", .list), link("subd", "Sub", .dictionary),
        ]),
    ])
  }()
}
