import DataModel

/// A class made from values, and its primary key if one was asked for.
enum InferredClass {
  /// The class with that property as its primary key; unchanged for nil.
  ///
  /// - Throws: ``ExchangeError`` when the class has no such property, or it cannot be a key.
  static func keyed(_ object: ObjectSchema, by key: String?, file: String) throws -> ObjectSchema {
    guard let key else { return object }
    guard let property = object.property(named: key) else {
      let known = object.properties.map(\.name).joined(separator: ", ")
      throw ExchangeError("there is no '\(key)' to be the key; there is \(known).", file: file, place: object.className)
    }
    guard [.int, .string, .UUID].contains(property.type), property.collection == .single, !property.isOptional else {
      throw ExchangeError(
        "'\(key)' cannot be the key: it is \(property.phrase); a key is an int, a string or a uuid that is never empty.",
        file: file, place: object.className)
    }
    var properties = object.properties
    for position in properties.indices where properties[position].name == property.name {
      properties[position].isIndexed = true
    }
    return ObjectSchema(className: object.className, primaryKey: property.name, properties: properties)
  }

  /// The error for a class that the realm does not have and that is not to be made.
  static func unknown(_ name: String, _ known: Schema, file: String) -> ExchangeError {
    let names = known.objectSchema.filter { $0.kind != .embedded }.map(\.className)
    return ExchangeError(
      "there is no class '\(name)' whose objects stand by themselves; there is \(names.joined(separator: ", ")).",
      file: file)
  }
}
