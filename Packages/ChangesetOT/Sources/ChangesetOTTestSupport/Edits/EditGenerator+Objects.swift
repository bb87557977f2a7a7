import ChangesetOT
import DataModel

extension EditGenerator {
  mutating func editObjects(_ state: inout ModelState) throws {
    let object = ObjectReference(className: "Item", key: .int(Int64(random.below(Int(keyLimit))) + 1))
    if state.contains(object) {
      try erase(object, &state)
      if random.oneIn(3) { try create(object, &state) }
    } else {
      try create(object, &state)
    }
  }

  private mutating func create(_ object: ObjectReference, _ state: inout ModelState) throws {
    try record(.createObject(CreateObject(object: object)), &state)
    if random.oneIn(2) {
      try update(Target(object: object, field: "n"), .int(freshNumber()), isDefault: random.oneIn(2), &state)
    }
    if random.oneIn(3) { try update(Target(object: object, field: "s"), freshText(), &state) }
  }

  /// Erases an object as a store does: first the incoming links, then the object.
  mutating func erase(_ object: ObjectReference, _ state: inout ModelState) throws {
    let link = Payload.link(object)
    for (key, fields) in (state.objects["Item"] ?? [:]).sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let source = ObjectReference(className: "Item", key: key)
      for field in ["ref", "m"] where fields[field] == .scalar(link) {
        try update(Target(object: source, field: field), .null, &state)
      }
      if case .list(let items)? = fields["refs"] {
        var size = UInt32(items.count)
        for index in items.indices.reversed() where items[index] == .scalar(link) {
          let target = Target(object: source, field: "refs", path: [.index(UInt32(index))])
          try record(.arrayErase(ArrayErase(target: target, priorSize: size)), &state)
          size -= 1
        }
      }
      if case .set(let values)? = fields["rset"], values.contains(link) {
        try record(.setErase(SetErase(target: Target(object: source, field: "rset"), payload: link)), &state)
      }
    }
    try record(.eraseObject(EraseObject(object: object)), &state)
  }

  mutating func update(
    _ target: Target, _ payload: Payload, isDefault: Bool = false, _ state: inout ModelState
  ) throws {
    try record(.update(Update(target: target, payload: payload, isDefault: isDefault)), &state)
  }

  mutating func editField(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    switch random.below(4) {
    case 0: try update(Target(object: item, field: "s"), freshText(), &state)
    case 1: try update(Target(object: item, field: "n"), .int(freshNumber()), isDefault: random.oneIn(4), &state)
    case 2: try update(Target(object: item, field: "o"), .null, isDefault: random.oneIn(4), &state)
    default: try update(Target(object: item, field: "o"), .int(freshNumber()), &state)
    }
  }

  mutating func increment(_ state: inout ModelState) throws {
    guard let item = someItem(state) else { return }
    var target = Target(object: item, field: random.oneIn(3) ? "o" : "n")
    if random.oneIn(3), case .object = state.value(item, "sub") {
      target = Target(object: item, field: "sub", path: [.name("x")])
    } else if random.oneIn(4), case .scalar(.int) = state.value(item, "m") {
      target = Target(object: item, field: "m")
    }
    try record(.addInteger(AddInteger(target: target, amount: Int64(random.below(21)) - 10)), &state)
  }

  mutating func editLinks(_ state: inout ModelState) throws {
    guard let item = someItem(state), let other = someItem(state) else { return }
    let link = Payload.link(other)
    switch random.below(4) {
    case 0: try update(Target(object: item, field: "ref"), random.oneIn(4) ? .null : link, &state)
    case 1:
      guard case .scalar = state.value(item, "m"), !weights.separatesMixedPlaces || item.key == .int(2) else { return }
      try update(Target(object: item, field: "m"), link, &state)
    case 2:
      let target = Target(object: item, field: "rset")
      guard case .set(let values) = state.value(item, "rset") else { return }
      if values.contains(link) {
        try record(.setErase(SetErase(target: target, payload: link)), &state)
      } else {
        try record(.setInsert(SetInsert(target: target, payload: link)), &state)
      }
    default:
      try editList(Target(object: item, field: "refs"), state.value(item, "refs"), element: link, &state)
    }
  }

  mutating func editSchema(_ state: inout ModelState) throws {
    let dog = ObjectReference(className: "Dog", key: .int(Int64(random.below(2)) + 1))
    guard state.classes["Dog"] != nil else {
      let key = PrimaryKeyColumn(field: "_id", type: .int)
      try record(.addTable(AddTable(table: "Dog", primaryKey: key)), &state)
      try record(.addColumn(AddColumn(table: "Dog", field: "age", type: .int)), &state)
      return
    }
    let columns = state.classes["Dog"]?.columns ?? [:]
    switch random.below(7) {
    case 0:
      if state.classes["Item"]?.columns["dog"] != nil {
        try record(.eraseColumn(EraseColumn(table: "Item", field: "dog")), &state)
      }
      try record(.eraseTable(EraseTable(table: "Dog")), &state)
    case 1:
      if columns["age"] == nil {
        try record(.addColumn(AddColumn(table: "Dog", field: "age", type: .int)), &state)
      } else {
        try record(.eraseColumn(EraseColumn(table: "Dog", field: "age")), &state)
      }
    case 2:
      let column = AddColumn(table: "Item", field: "dog", type: .link, isNullable: true, linkTarget: "Dog")
      if state.classes["Item"]?.columns["dog"] == nil { try record(.addColumn(column), &state) }
    case 3 where state.classes["Item"]?.columns["dog"] != nil:
      if let item = someItem(state), state.contains(dog) {
        try update(Target(object: item, field: "dog"), .link(dog), &state)
      }
    default:
      if !state.contains(dog) { try record(.createObject(CreateObject(object: dog)), &state) }
      if columns["age"] != nil {
        try record(.addInteger(AddInteger(target: Target(object: dog, field: "age"), amount: 1)), &state)
      }
    }
  }
}
