public import ChangesetOT
public import DataModel

extension [AdapterInstruction] {
  /// The steps of a changeset. Neighbouring steps on the fields of one object become one, and so do the declarations of one class.
  ///
  /// - Parameter schema: the classes after the changeset, which tell fields of embedded objects from keys of dictionaries.
  /// - Complexity: O(*n*) in the instructions.
  public init(_ instructions: [Instruction], schema: Schema) {
    self.init()
    let places = PlaceKinds(schema)
    for instruction in instructions { add(instruction, places) }
  }

  private mutating func add(_ instruction: Instruction, _ places: PlaceKinds) {
    switch instruction {
    case .addTable(let table): append(.addType(Self.schema(of: table)))
    case .eraseTable(let table): append(.eraseType(className: table.table))
    case .addColumn(let column): declare(Property(column), in: column.table)
    case .eraseColumn(let column): append(.eraseProperty(className: column.table, property: column.field))
    case .createObject(let creation): append(.insert(creation.object, values: [:]))
    case .eraseObject(let erasure): append(.delete(erasure.object))
    case .update(let update): set(update, places)
    case .addInteger(let addition): append(.increment(AdapterPlace(addition.target), amount: addition.amount))
    case .arrayInsert(let insertion):
      guard let (place, step) = AdapterPlace.parent(of: insertion.target), case .index(let index) = step else { return }
      append(.listInsert(place, index: index, AdapterValue(insertion.payload)))
    case .arrayMove(let move):
      guard let (place, step) = AdapterPlace.parent(of: move.target), case .index(let index) = step else { return }
      append(.listMove(place, from: index, to: Int(move.destination)))
    case .arrayErase(let erasure):
      guard let (place, step) = AdapterPlace.parent(of: erasure.target), case .index(let index) = step else { return }
      append(.listErase(place, index: index))
    case .clear(let clearing):
      let place = AdapterPlace(clearing.target)
      switch clearing.collection {
      case .list, .single: append(.listClear(place))
      case .set: append(.setClear(place))
      case .dictionary: append(.dictionaryClear(place))
      }
    case .setInsert(let insertion):
      append(.setInsert(AdapterPlace(insertion.target), AdapterValue(insertion.payload)))
    case .setErase(let erasure): append(.setErase(AdapterPlace(erasure.target), AdapterValue(erasure.payload)))
    }
  }

  private mutating func set(_ update: Update, _ places: PlaceKinds) {
    guard let (place, step) = AdapterPlace.parent(of: update.target) else {
      return set(update.target.object, update.target.field, AdapterValue(update.payload))
    }
    switch step {
    case .index(let index): append(.listSet(place, index: index, AdapterValue(update.payload)))
    case .name(let key) where update.payload == .erased: append(.dictionaryErase(place, key: key))
    case .name(let key) where places.isDictionary(place):
      append(.dictionarySet(place, key: key, AdapterValue(update.payload)))
    case .name: append(.nestedSet(AdapterPlace(update.target), AdapterValue(update.payload)))
    }
  }

  private mutating func set(_ object: ObjectReference, _ field: String, _ value: AdapterValue) {
    switch last {
    case .insert(object, var values)?:
      values[field] = value
      self[count - 1] = .insert(object, values: values)
    case .set(object, var values)?:
      values[field] = value
      self[count - 1] = .set(object, values: values)
    default: append(.set(object, values: [field: value]))
    }
  }

  private mutating func declare(_ property: Property, in className: String) {
    switch last {
    case .addType(var schema)? where schema.className == className:
      if schema[property.name] == nil { schema.properties.append(property) }
      self[count - 1] = .addType(schema)
    case .addProperties(className, let properties)?:
      self[count - 1] = .addProperties(className: className, properties + [property])
    default: append(.addProperties(className: className, [property]))
    }
  }

  private static func schema(of table: AddTable) -> ObjectSchema {
    var schema = ObjectSchema(className: table.table, kind: table.kind, properties: [])
    guard let key = table.primaryKey, let type = PropertyType(key.type) else { return schema }
    schema.primaryKey = key.field
    schema.properties = [Property(name: key.field, type: type, isOptional: key.isNullable)]
    return schema
  }
}

extension AdapterPlace {
  init(_ target: Target) {
    self.init(target.object, target.field, path: target.path.map(Step.init))
  }

  /// The place that has the value of a target, and the last step to it; nil for a whole field.
  static func parent(of target: Target) -> (AdapterPlace, Step)? {
    guard let last = target.path.last else { return nil }
    return (AdapterPlace(target.object, target.field, path: target.path.dropLast().map(Step.init)), Step(last))
  }
}

extension AdapterPlace.Step {
  init(_ element: PathElement) {
    switch element {
    case .index(let index): self = .index(Int(index))
    case .name(let name): self = .name(name)
    }
  }
}

extension AdapterValue {
  init(_ payload: Payload) {
    switch payload {
    case .objectValue: self = .embedded
    case .list: self = .emptyCollection(.list)
    case .set: self = .emptyCollection(.set)
    case .dictionary: self = .emptyCollection(.dictionary)
    case .erased: self = .value(.null)
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .link, .objectId, .uuid:
      self = .value(payload.value ?? .null)
    }
  }
}

extension PropertyType {
  init?(_ key: ObjectKeyType) {
    switch key {
    case .int: self = .int
    case .string: self = .string
    case .objectId: self = .objectId
    case .uuid: self = .UUID
    case .null, .global: return nil
    }
  }

  /// The type of the values of a column; that of mixed values for none.
  init(_ payload: PayloadType?) {
    switch payload {
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .data: self = .data
    case .timestamp: self = .date
    case .float: self = .float
    case .double: self = .double
    case .decimal128: self = .decimal128
    case .link, .objectValue: self = .object
    case .objectId: self = .objectId
    case .uuid: self = .UUID
    case .null, .dictionary, .erased, .list, .set, nil: self = .any
    }
  }
}

extension Property {
  init(_ column: AddColumn) {
    self.init(
      name: column.field, type: PropertyType(column.type), collection: column.collection,
      objectClassName: column.linkTarget, isOptional: column.isNullable)
  }
}
