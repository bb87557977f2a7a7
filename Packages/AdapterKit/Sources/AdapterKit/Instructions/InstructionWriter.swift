import ChangesetOT
import DataModel
import RecordStore

/// Writes the steps of one transaction as the instructions of a changeset.
///
///     var writer = InstructionWriter(base: contents)
///     for step in steps { try writer.add(step) }
///     writer.instructions
///
/// An instruction inside a list carries the size of the list just before it. The writer counts it from a `listClear` or the
/// creation of the object on; for other lists it asks for the size in the state on which the transaction is based.
struct InstructionWriter {
  /// The instructions so far.
  private(set) var instructions: [Instruction] = []
  private let base: RealmContents?
  private var position = 0
  private var lists: [ObjectReference: ObjectLists]

  /// The lists of one object, as the steps before left them.
  private struct ObjectLists {
    var sizes: [AdapterPlace: Int] = [:]
    /// Whether the object was made, or deleted, by the transaction.
    var isCreated = false
    /// Places with new content, beneath which every list begins empty.
    var fresh: Set<AdapterPlace> = []
    /// Lists whose elements have other indexes than in the base.
    var shifted: Set<AdapterPlace> = []

    /// Notes that a place has new content.
    mutating func renew(_ place: AdapterPlace) {
      sizes = sizes.filter { !$0.key.isWithin(place) }
      shifted = shifted.filter { !$0.isWithin(place) }
      fresh.insert(place)
    }

    /// Notes that the elements of a list have other indexes.
    mutating func shift(_ place: AdapterPlace) {
      sizes = sizes.filter { $0.key == place || !$0.key.isWithin(place) }
      fresh = fresh.filter { $0 == place || !$0.isWithin(place) }
      shifted.insert(place)
    }
  }

  /// A writer.
  ///
  /// - Parameters:
  ///   - base: the state on which the transaction is based; nil when it is not at hand.
  ///   - sizes: of lists in that state which the adapter knows itself.
  init(base: RealmContents?, sizes: [AdapterPlace: Int] = [:]) {
    self.base = base
    lists = [:]
    for (place, size) in sizes { lists[place.object, default: ObjectLists()].sizes[place] = size }
  }

  /// Adds a step.
  ///
  /// - Throws: ``AdapterError`` with code `badInstruction` and the number of a step that cannot be written; `RecordStoreError`
  ///   when the base cannot be read.
  mutating func add(_ step: AdapterInstruction) throws {
    defer { position += 1 }
    switch step {
    case .insert(let object, let values):
      instructions.append(.createObject(CreateObject(object: object)))
      if try base?.object(object) == nil { lists[object, default: ObjectLists()].isCreated = true }
      try set(values, of: object)
    case .set(let object, let values): try set(values, of: object)
    case .delete(let object): erase(object)
    case .clear(let className):
      guard let base else { throw refused("all objects of a class are deleted only with the newest base") }
      guard base.schema[className] != nil else { return }
      try base.forEachObject(of: className) { record in
        erase(record.reference)
        return true
      }
    case .increment(let place, let amount):
      instructions.append(.addInteger(AddInteger(target: Target(place), amount: amount)))
    case .listSet(let place, let index, let value):
      let size = try size(of: place, with: index, upTo: -1)
      let element = place.appending(.index(index))
      renew(element)
      try update(element, value, priorSize: size)
    case .listInsert(let place, let index, let value):
      let size = try size(of: place, with: index, upTo: 0)
      let element = place.appending(.index(index))
      if index < size { shift(place) }
      renew(element)
      set(size + 1, of: place)
      instructions.append(
        .arrayInsert(ArrayInsert(target: Target(element), payload: try payload(value), priorSize: UInt32(size))))
    case .listMove(let place, let from, let to):
      let size = try size(of: place, with: max(from, to), upTo: -1)
      guard from >= 0, to >= 0 else { throw refused("an index is negative") }
      shift(place)
      instructions.append(
        .arrayMove(
          ArrayMove(
            target: Target(place.appending(.index(from))), destination: UInt32(to), priorSize: UInt32(size))))
    case .listErase(let place, let index):
      let size = try size(of: place, with: index, upTo: -1)
      shift(place)
      set(size - 1, of: place)
      instructions.append(
        .arrayErase(ArrayErase(target: Target(place.appending(.index(index))), priorSize: UInt32(size))))
    case .listClear(let place): clear(place, .list)
    case .setInsert(let place, let value):
      instructions.append(.setInsert(SetInsert(target: Target(place), payload: try payload(value))))
    case .setErase(let place, let value):
      instructions.append(.setErase(SetErase(target: Target(place), payload: try payload(value))))
    case .setClear(let place): clear(place, .set)
    case .dictionarySet(let place, let key, let value):
      let entry = place.appending(.name(key))
      renew(entry)
      try update(entry, value)
    case .dictionaryErase(let place, let key):
      let entry = place.appending(.name(key))
      renew(entry)
      instructions.append(.update(Update(target: Target(entry), payload: .erased)))
    case .dictionaryClear(let place): clear(place, .dictionary)
    case .nestedSet(let place, let value):
      renew(place)
      try update(place, value)
    case .addType(let schema):
      guard let table = AddTable(schema) else { throw refused("\(schema.className) has a primary key of no such type") }
      instructions.append(.addTable(table))
      declare(schema.properties.filter { $0.name != schema.primaryKey }, of: schema.className)
    case .addProperties(let className, let properties): declare(properties, of: className)
    case .eraseType(let className): instructions.append(.eraseTable(EraseTable(table: className)))
    case .eraseProperty(let className, let property):
      instructions.append(.eraseColumn(EraseColumn(table: className, field: property)))
    }
  }

  private func refused(_ reason: String) -> AdapterError {
    AdapterError(
      .badInstruction, "step \(position): \(reason)", remedy: "see the steps that an adapter may write")
  }

  private func payload(_ value: AdapterValue) throws -> Payload {
    guard let payload = Payload(value) else { throw refused("a collection with content is written step by step") }
    return payload
  }

  private mutating func update(_ place: AdapterPlace, _ value: AdapterValue, priorSize: Int? = nil) throws {
    instructions.append(
      .update(
        Update(target: Target(place), payload: try payload(value), priorSize: priorSize.map { UInt32($0) })))
  }

  private mutating func set(_ values: [String: AdapterValue], of object: ObjectReference) throws {
    for (field, value) in values.sorted(by: { $0.key < $1.key }) {
      let place = AdapterPlace(object, field)
      renew(place)
      try update(place, value)
    }
  }

  private mutating func declare(_ properties: [Property], of className: String) {
    for property in properties { instructions.append(.addColumn(AddColumn(property, of: className))) }
  }

  private mutating func erase(_ object: ObjectReference) {
    instructions.append(.eraseObject(EraseObject(object: object)))
    lists[object] = ObjectLists(isCreated: true)
  }

  private mutating func clear(_ place: AdapterPlace, _ collection: CollectionKind) {
    renew(place)
    set(0, of: place)
    instructions.append(.clear(Clear(target: Target(place), collection: collection)))
  }

  private mutating func renew(_ place: AdapterPlace) { lists[place.object, default: ObjectLists()].renew(place) }

  private mutating func shift(_ place: AdapterPlace) { lists[place.object, default: ObjectLists()].shift(place) }

  private mutating func set(_ size: Int, of place: AdapterPlace) {
    lists[place.object, default: ObjectLists()].sizes[place] = size
  }

  /// The size of a list just before the step.
  private func size(of place: AdapterPlace, with index: Int, upTo excess: Int) throws -> Int {
    let size = try lists[place.object]?.sizes[place] ?? sizeInBase(of: place)
    guard index >= 0, index <= size + excess, size < Int(UInt32.max) else {
      throw refused("index \(index) is beyond a list of \(size)")
    }
    return size
  }

  private func sizeInBase(of place: AdapterPlace) throws -> Int {
    let ways = (0...place.path.count).map {
      AdapterPlace(place.object, place.property, path: Array(place.path.prefix($0)))
    }
    let known = lists[place.object] ?? ObjectLists()
    if ways.dropLast().contains(where: known.shifted.contains) {
      throw refused("a list within a list whose elements moved before is cleared first, and then filled")
    }
    if known.isCreated || ways.contains(where: known.fresh.contains) { return 0 }
    guard let base else {
      throw refused("without the newest base a list is cleared first, and then filled")
    }
    guard let record = try base.object(place.object), let field = record[place.property],
      let size = field.listSize(at: place.path[...])
    else { throw refused("there is no list at \(place.object).\(place.property)") }
    return size
  }
}

extension AdapterPlace {
  func appending(_ step: Step) -> AdapterPlace { AdapterPlace(object, property, path: path + [step]) }

  /// Whether the place is another one, or lies inside it.
  func isWithin(_ other: AdapterPlace) -> Bool {
    object == other.object && property == other.property && path.starts(with: other.path)
  }
}
