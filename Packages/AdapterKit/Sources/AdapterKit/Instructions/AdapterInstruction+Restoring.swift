public import DataModel
public import RecordStore

extension AdapterInstruction {
  /// The steps that make an object of a realm again, with all that it has: for a first load of another system.
  ///
  ///     try contents.forEachObject(of: "Task") { record in
  ///       try other.apply(AdapterInstruction.restoring(record, schema: contents.schema))
  ///       return true
  ///     }
  ///
  /// - Parameter schema: the classes of the realm.
  /// - Complexity: O(*n*) in the values of the object.
  public static func restoring(_ record: ObjectRecord, schema: Schema) -> [AdapterInstruction] {
    var values: [String: AdapterValue] = [:]
    var steps: [AdapterInstruction] = []
    let primaryKey = schema[record.reference.className]?.primaryKey
    for (name, item) in record.fields.sorted(by: { $0.key < $1.key }) where name != primaryKey {
      let place = AdapterPlace(record.reference, name)
      if let value = AdapterValue(opening: item) { values[name] = value }
      steps += content(of: item, at: place)
    }
    return [.insert(record.reference, values: values)] + steps
  }

  /// The steps that fill a place, once it is opened.
  private static func content(of item: StateDump.Item, at place: AdapterPlace) -> [AdapterInstruction] {
    switch item {
    case .value(let value): content(of: value, at: place)
    case .embedded(let fields):
      fields.sorted { $0.key < $1.key }.flatMap { name, field -> [AdapterInstruction] in
        let inner = place.appending(.name(name))
        let opening = AdapterValue(opening: field).map { [AdapterInstruction.nestedSet(inner, $0)] } ?? []
        return opening + content(of: field, at: inner)
      }
    case .list(let items):
      items.enumerated().flatMap { index, element in
        [.listInsert(place, index: index, AdapterValue(opening: element) ?? .value(.null))]
          + content(of: element, at: place.appending(.index(index)))
      }
    case .dictionary(let entries):
      entries.sorted { $0.key < $1.key }.flatMap { key, element in
        [.dictionarySet(place, key: key, AdapterValue(opening: element) ?? .value(.null))]
          + content(of: element, at: place.appending(.name(key)))
      }
    case .set(let members): members.map { .setInsert(place, .value($0)) }
    }
  }

  private static func content(of value: Value, at place: AdapterPlace) -> [AdapterInstruction] {
    switch value {
    case .list(let elements):
      elements.enumerated().flatMap { index, element in
        [.listInsert(place, index: index, AdapterValue(opening: element))]
          + content(of: element, at: place.appending(.index(index)))
      }
    case .dictionary(let entries):
      entries.sorted { $0.key < $1.key }.flatMap { key, element in
        [.dictionarySet(place, key: key, AdapterValue(opening: element))]
          + content(of: element, at: place.appending(.name(key)))
      }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link: []
    }
  }
}

extension AdapterValue {
  /// The value that is set before the content; nil for a collection that is there with its object.
  fileprivate init?(opening item: StateDump.Item) {
    switch item {
    case .value(let value): self.init(opening: value)
    case .embedded: self = .embedded
    case .list, .set, .dictionary: return nil
    }
  }

  fileprivate init(opening value: Value) {
    switch value {
    case .list: self = .emptyCollection(.list)
    case .dictionary: self = .emptyCollection(.dictionary)
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link:
      self = .value(value)
    }
  }
}
