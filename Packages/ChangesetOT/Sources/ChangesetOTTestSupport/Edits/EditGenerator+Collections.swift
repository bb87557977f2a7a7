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
}

extension Target {
  func appending(_ element: PathElement) -> Target {
    var target = self
    target.path.append(element)
    return target
  }
}
