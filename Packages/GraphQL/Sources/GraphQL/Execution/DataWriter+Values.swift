/// Lists, leaves and places of objects.
extension DataWriter {
  /// Writes one value of a leaf type, or a list of such; false when null is not allowed in its place.
  mutating func value(_ value: ResolvedValue, _ type: TypeReference, _ call: FieldCall) -> Bool {
    if case .failure(let error) = value {
      record(error, call)
      return false
    }
    if case .null = value {
      if type.isNonNull {
        recordNull(call)
        return false
      }
      json.writeNull()
      return true
    }
    if let element = type.element {
      guard case .list(let values) = value else {
        record(GraphQLError("Expected a list for \"\(call.parentType).\(call.name)\"."), call)
        return false
      }
      return list(values.count, element) { $0.value(values[$1], element, call) }
    }
    guard let coerced = call.leaf.coerce(value) else {
      record(GraphQLError("\"\(type.nullable)\" cannot represent \(shown(value))."), call)
      return false
    }
    return write(coerced, call)
  }

  private mutating func write(_ value: ResolvedValue, _ call: FieldCall) -> Bool {
    switch value {
    case .bool(let bool): json.write(bool)
    case .int(let int): json.write(int)
    case .double(let double): json.write(double)
    case .string(let text): json.write(text)
    case .json(let value): json.raw(value.text)
    case .list(let values):
      json.raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { json.raw(",") }
        guard write(value, call) else { return false }
      }
      json.raw("]")
    case .null: json.writeNull()
    case .object, .failure, .deferred:
      record(GraphQLError("\"\(call.type.nullable)\" cannot represent \(shown(value))."), call)
      return false
    }
    return true
  }

  private func shown(_ value: ResolvedValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .int(let int): "\(int)"
    case .double(let double): "\(double)"
    case .string(let text): Printer.quoted(text.count > 80 ? text.prefix(80) + "…" : text)
    case .json(let value): value.text
    case .list: "a list"
    case .object: "an object"
    case .failure, .deferred: "this value"
    }
  }

  /// A list; an element that fails is null where elements may be null.
  mutating func list(_ count: Int, _ element: TypeReference, _ body: (inout Self, Int) -> Bool) -> Bool {
    let isNullable = !element.isNonNull
    json.raw(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { json.raw(UInt8(ascii: ",")) }
      let mark = json.count
      enter(index)
      let isWritten = body(&self, index)
      leave()
      if !isWritten {
        guard isNullable, refusal == nil else { return false }
        json.truncate(to: mark)
        json.writeNull()
      }
    }
    json.raw(UInt8(ascii: "]"))
    return true
  }

  /// The objects below one object.
  mutating func objects(_ node: BatchNode, _ places: ObjectPlaces, _ row: Int, _ call: FieldCall) -> Bool {
    switch places {
    case .one: return single(node, row, call)
    case .optional(let positions):
      return positions[row] < 0 ? absent(call.type, call) : single(node, positions[row], call)
    case .lists(let offsets):
      guard let element = call.type.element, element.element == nil else { return misfit(call) }
      let start = offsets[row]
      if node.places.isEmpty, let group = node.groups.first, group.problem == nil {
        return objects(group, start..<offsets[row + 1], element)
      }
      return list(offsets[row + 1] - start, element) { $0.object(node, start + $1, of: call) }
    case .shapes(let shapes): return shape(shapes[row], call.type, node, call)
    }
  }

  private mutating func single(_ node: BatchNode, _ row: Int, _ call: FieldCall) -> Bool {
    call.type.element == nil ? object(node, row, of: call) : misfit(call)
  }

  private mutating func misfit(_ call: FieldCall) -> Bool {
    record(
      GraphQLError("The value of \"\(call.parentType).\(call.name)\" does not have the type \"\(call.type)\"."), call)
    return false
  }

  private mutating func absent(_ type: TypeReference, _ call: FieldCall) -> Bool {
    if type.isNonNull {
      recordNull(call)
      return false
    }
    json.writeNull()
    return true
  }

  private mutating func shape(
    _ shape: ObjectPlaces.Shape, _ type: TypeReference, _ node: BatchNode, _ call: FieldCall
  ) -> Bool {
    switch shape {
    case .null: return absent(type, call)
    case .failure(let error):
      record(error, call)
      return false
    case .object(let position): return type.element == nil ? object(node, position, of: call) : misfit(call)
    case .list(let shapes):
      guard let element = type.element else { return misfit(call) }
      return list(shapes.count, element) { $0.shape(shapes[$1], element, node, call) }
    }
  }
}
