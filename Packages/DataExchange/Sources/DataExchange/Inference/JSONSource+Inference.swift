import DataModel

extension JSONSource {
  /// A class for each array of objects whose class `known` lacks, from the members of the objects.
  func inferredClasses(
    beside known: Schema, _ progress: (_ offset: Int) throws -> Void
  ) throws -> [ObjectSchema] {
    guard schema == nil else { return [] }
    var reader = try JSONReader(path: path)
    var classes: [ObjectSchema] = []
    func take(_ name: String, _ reader: inout JSONReader) throws {
      if let object = try infer(name, known, &reader, progress) { classes.append(object) }
    }
    if try reader.isAtArray() {
      try take(arrayClass(known), &reader)
      return classes
    }
    try reader.forEachMember { name, reader in
      switch name {
      case "format", "version", "schemaVersion": _ = try reader.value()
      case "objects" where try !reader.isAtArray(): try reader.forEachMember(take)
      default: try take(name, &reader)
      }
    }
    return classes
  }

  private func infer(
    _ className: String, _ known: Schema, _ reader: inout JSONReader, _ progress: (Int) throws -> Void
  ) throws -> ObjectSchema? {
    var order: [String] = []
    var members: [String: JSONInference] = [:]
    var objects = 0
    try reader.forEachElement { reader in
      let node = try reader.value()
      guard case .object(let given) = node.content else {
        throw ExchangeError("expected an object, found \(node.summary).", at: node.position, in: path)
      }
      for (name, value) in given where name != "$key" {
        if members[name] == nil { order.append(name) }
        members[name, default: JSONInference()].take(value)
      }
      objects += 1
      try progress(reader.offset)
    }
    guard known[className] == nil else { return nil }
    let properties = zip(order, InferredName.unique(order)).map { name, property in
      let member = members[name] ?? JSONInference()
      return member.property(named: property, isAlwaysGiven: member.count == objects)
    }
    return ObjectSchema(
      className: InferredName.name(className, limit: InferredName.classLimit), properties: properties)
  }
}
