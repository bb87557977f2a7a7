import ChangesetOT
import DataModel

extension EditGenerator {
  mutating func editTags(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    try editList(Target(object: item, field: "tags"), state.value(item, "tags"), element: freshText(), &state)
  }

  /// One edit of a list: insert, write, move, remove or clear.
  mutating func editList(
    _ list: Target, _ value: ModelValue, element: Payload, _ state: inout ModelState
  ) throws {
    guard case .list(let items) = value else { return }
    let size = UInt32(items.count)
    func at(_ index: Int) -> Target {
      var target = list
      target.path.append(.index(UInt32(index)))
      return target
    }
    switch random.below(items.isEmpty ? 3 : 12) {
    case 0..<5:
      let index = random.oneIn(3) ? items.count : random.below(items.count + 1)
      try record(.arrayInsert(ArrayInsert(target: at(index), payload: element, priorSize: size)), &state)
    case 5, 6:
      let index = random.below(items.count)
      if element == .objectValue {
        try record(.arrayErase(ArrayErase(target: at(index), priorSize: size)), &state)
        try record(.arrayInsert(ArrayInsert(target: at(index), payload: element, priorSize: size - 1)), &state)
      } else {
        if element == .list || element == .dictionary { return }
        try record(.update(Update(target: at(index), payload: element, priorSize: size)), &state)
      }
    case 7, 8:
      let (from, to) = (random.below(items.count), random.below(items.count))
      guard from != to else { return }
      try record(.arrayMove(ArrayMove(target: at(from), destination: UInt32(to), priorSize: size)), &state)
    case 9, 10:
      try record(.arrayErase(ArrayErase(target: at(random.below(items.count)), priorSize: size)), &state)
    default:
      if random.oneIn(2) { try record(.clear(Clear(target: list, collection: .list)), &state) }
    }
  }

  mutating func editSet(_ state: inout ModelState) throws {
    guard let item = someItem(state), case .set(let values) = state.value(item, "nums") else { return }
    let target = Target(object: item, field: "nums")
    let value = Payload.int(Int64(random.below(4)))
    if random.oneIn(8) {
      try record(.clear(Clear(target: target, collection: .set)), &state)
    } else if values.contains(value) {
      try record(.setErase(SetErase(target: target, payload: value)), &state)
    } else {
      try record(.setInsert(SetInsert(target: target, payload: value)), &state)
    }
  }

  mutating func editDictionary(_ state: inout ModelState) throws {
    guard let item = someItem(state), case .dictionary(let entries) = state.value(item, "props") else { return }
    let props = Target(object: item, field: "props")
    if random.oneIn(10) { return try record(.clear(Clear(target: props, collection: .dictionary)), &state) }
    let name = random.pick(["a", "b", "l"]) ?? "a"
    let target = Target(object: item, field: "props", path: [.name(name)])
    try editMixedPlace(target, entries[name], isEntry: true, &state)
  }

  mutating func editMixed(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    try editMixedPlace(Target(object: item, field: "m"), state.value(item, "m"), isEntry: false, &state)
  }

  /// One edit of a mixed value or of something inside it; `value` is nil for a missing dictionary key.
  private mutating func editMixedPlace(
    _ target: Target, _ value: ModelValue?, isEntry: Bool, _ state: inout ModelState
  ) throws {
    switch value {
    case .list(let items)? where !random.oneIn(4):
      if !items.isEmpty, target.path.count < 4, random.oneIn(3) {
        let index = random.below(items.count)
        if case .scalar = items[index] {
        } else {
          var inner = target
          inner.path.append(.index(UInt32(index)))
          return try editInside(inner, items[index], &state)
        }
      }
      let element: Payload = random.oneIn(4) ? (random.oneIn(2) ? .dictionary : .list) : .int(freshNumber())
      try editList(target, .list(items), element: element, &state)
    case .dictionary? where !random.oneIn(4):
      try editInside(target, value ?? .null, &state)
    default:
      try assign(target, value, isEntry: isEntry, &state)
    }
  }

  /// An edit below a collection in a mixed value.
  private mutating func editInside(_ target: Target, _ value: ModelValue, _ state: inout ModelState) throws {
    switch value {
    case .dictionary(let entries):
      let name = random.oneIn(2) ? "k" : "j"
      var inner = target
      inner.path.append(.name(name))
      if target.path.count < 4 {
        try editMixedPlace(inner, entries[name], isEntry: true, &state)
      } else {
        try update(inner, .int(freshNumber()), &state)
      }
    case .list: try editList(target, value, element: .int(freshNumber()), &state)
    case .scalar, .object, .set: break
    }
  }

  private mutating func assign(
    _ target: Target, _ value: ModelValue?, isEntry: Bool, _ state: inout ModelState
  ) throws {
    let isCollection = if case .scalar? = value { false } else { value != nil }
    let draw = random.below(6)
    // A place may become a collection, or stop being one, but no place may do both.
    if target.losesCollections ? draw == 2 || draw == 3 : isCollection && draw != 4 { return }
    // Among three authors, moreover, a place is for scalars, for lists or for dictionaries.
    if weights.separatesMixedPlaces, !isCollection, !target.losesCollections {
      guard target.places.contains(draw) else { return }
    }
    switch draw {
    case 0: try update(target, .null, &state)
    case 1 where isEntry: try update(target, .erased, &state)
    case 2:
      try update(target, .list, &state)
      var first = target
      first.path.append(.index(0))
      try record(
        .arrayInsert(ArrayInsert(target: first, payload: .int(freshNumber()), priorSize: 0)), &state)
    case 3:
      try update(target, .dictionary, &state)
    case 4:
      guard value != nil else { return }
      if case .scalar? = value { return }
      let kind: CollectionKind = if case .list? = value { .list } else { .dictionary }
      try record(.clear(Clear(target: target, collection: kind)), &state)
    default: try update(target, .int(freshNumber()), &state)
    }
  }

  mutating func editEmbedded(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    switch random.below(4) {
    case 0:
      let target = Target(object: item, field: "sub")
      if case .object(let fields) = state.value(item, "sub"), !random.oneIn(4) {
        return try editFields(target, fields, &state)
      }
      if case .object = state.value(item, "sub") { try update(target, .null, &state) }
      if random.oneIn(4) { return }
      try update(target, .objectValue, &state)
      try update(target.appending(.name("x")), .int(freshNumber()), &state)
    case 1, 2:
      let target = Target(object: item, field: "subs")
      guard case .list(let items) = state.value(item, "subs") else { return }
      let index = random.below(items.count)
      if !items.isEmpty, random.oneIn(2), case .object(let fields) = items[index] {
        return try editFields(target.appending(.index(UInt32(index))), fields, &state)
      }
      try editList(target, .list(items), element: .objectValue, &state)
    default:
      let target = Target(object: item, field: "subd")
      guard case .dictionary(let entries) = state.value(item, "subd") else { return }
      if let name = random.pick(entries.keys.sorted()), !random.oneIn(3), case .object(let fields)? = entries[name] {
        return try editFields(target.appending(.name(name)), fields, &state)
      }
      let name = random.oneIn(2) ? "a" : "b"
      let entry = target.appending(.name(name))
      if entries[name] != nil { try update(entry, .erased, &state) }
      if !random.oneIn(3) { try update(entry, .objectValue, &state) }
    }
  }

  private mutating func editFields(
    _ target: Target, _ fields: [String: ModelValue], _ state: inout ModelState
  ) throws {
    switch random.below(5) {
    case 0: try update(target.appending(.name("x")), .int(freshNumber()), &state)
    case 1: try update(target.appending(.name("y")), freshText(), &state)
    case 2: try record(.addInteger(AddInteger(target: target.appending(.name("x")), amount: 1)), &state)
    case 3:
      let list = target.appending(.name("l"))
      try editList(list, fields["l"] ?? .null, element: .int(freshNumber()), &state)
    default:
      let list = target.appending(.name("more"))
      guard target.path.count < 4, case .list(let items)? = fields["more"] else { return }
      let index = random.below(items.count)
      if !items.isEmpty, random.oneIn(2), case .object(let inner) = items[index] {
        return try editFields(list.appending(.index(UInt32(index))), inner, &state)
      }
      try editList(list, .list(items), element: .objectValue, &state)
    }
  }
}

extension Target {
  /// Whether a collection in this mixed place may be overwritten; then nobody makes it one.
  var losesCollections: Bool {
    field == "props" ? path == [.name("l")] : path.isEmpty && object.key == .int(1)
  }

  /// The assignments allowed here when every place has one kind.
  var places: [Int] {
    let scalars = [0, 1, 5]
    guard case .name(let name)? = path.last else {
      guard path.isEmpty else { return scalars }
      return object.key == .int(2) ? scalars : object.key == .int(3) ? [2] : [3]
    }
    return name == "b" || name == "k" ? [2] : name == "j" ? [3] : scalars
  }

  func appending(_ element: PathElement) -> Target {
    var target = self
    target.path.append(element)
    return target
  }
}
