import ChangesetOT
import DataModel

extension EditGenerator {
  mutating func editDictionary(_ state: inout ModelState) throws {
    guard let item = someItem(state), case .dictionary(let entries) = state.value(item, "props") else { return }
    let props = Target(object: item, field: "props")
    if random.oneIn(10) { return try record(.clear(Clear(target: props, collection: .dictionary)), &state) }
    let name = random.pick(["a", "b", "l"]) ?? "a"
    let target = Target(object: item, field: "props", path: [.name(name)])
    try editMixedValue(target, entries[name], isEntry: true, &state)
  }

  mutating func editMixed(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    try editMixedValue(Target(object: item, field: "m"), state.value(item, "m"), isEntry: false, &state)
  }

  /// One edit of a mixed value or of something inside it; `value` is nil for a missing dictionary key.
  private mutating func editMixedValue(
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
        try editMixedValue(inner, entries[name], isEntry: true, &state)
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
    // A mixed value may become a collection, or stop being one, but never both.
    if target.losesCollections ? draw == 2 || draw == 3 : isCollection && draw != 4 { return }
    // With three authors, a mixed value is reserved for scalars, for lists or for dictionaries.
    if weights.separatesMixedPlaces, !isCollection, !target.losesCollections {
      guard target.allowedAssignments.contains(draw) else { return }
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
}

extension Target {
  /// Whether a collection in this mixed value may be overwritten; then no author makes it one.
  var losesCollections: Bool {
    field == "props" ? path == [.name("l")] : path.isEmpty && object.key == .int(1)
  }

  /// The assignments to this mixed value when every one is reserved for one kind.
  var allowedAssignments: [Int] {
    let scalars = [0, 1, 5]
    guard case .name(let name)? = path.last else {
      guard path.isEmpty else { return scalars }
      return object.key == .int(2) ? scalars : object.key == .int(3) ? [2] : [3]
    }
    return name == "b" || name == "k" ? [2] : name == "j" ? [3] : scalars
  }
}
