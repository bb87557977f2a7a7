import DataModel

/// The type of a member of JSON objects, from its values. Objects, and values of several types, are mixed; integers among
/// other numbers are doubles; an array is a list of the type of its elements.
struct JSONInference {
  private enum Kind { case bool, int, double, text, array, object }

  private var kinds: Set<Kind> = []
  private var texts = ColumnInference()
  private var elements: [JSONInference] = []
  private var hasNull = false
  /// The number of values, to be compared with the number of objects.
  private(set) var count = 0

  /// Takes the value of the next object that has the member. O(size of the value).
  mutating func take(_ node: JSONNode) {
    count += 1
    switch node.content {
    case .null: hasNull = true
    case .bool: kinds.insert(.bool)
    case .number(let text): kinds.insert(Int64(text) == nil ? .double : .int)
    case .string(let text):
      kinds.insert(.text)
      texts.take(text)
    case .object: kinds.insert(.object)
    case .array(let nodes):
      kinds.insert(.array)
      var inner = elements.popLast() ?? JSONInference()
      // Deeper values belong to mixed ones, of whatever type.
      for node in nodes { inner.take(node) }
      elements = [inner]
    }
  }

  /// The property of that name.
  ///
  /// - Parameter isAlwaysGiven: whether every object has the member.
  func property(named name: String, isAlwaysGiven: Bool) -> Property {
    if kinds == [.array], !hasNull, let inner = elements.last {
      let type = inner.scalarType
      return Property(
        name: name, type: type, collection: .list, isOptional: type == .any || inner.hasNull)
    }
    let type = scalarType
    return Property(name: name, type: type, isOptional: type == .any || hasNull || !isAlwaysGiven)
  }

  private var scalarType: PropertyType {
    switch kinds {
    case []: hasNull ? .any : .string
    case [.bool]: .bool
    case [.int]: .int
    case [.double], [.int, .double]: .double
    case [.text]: [.date, .UUID].contains(texts.type) ? texts.type : .string
    default: .any
    }
  }
}
