import ChangesetOT
import DataModel

extension EditGenerator {
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
