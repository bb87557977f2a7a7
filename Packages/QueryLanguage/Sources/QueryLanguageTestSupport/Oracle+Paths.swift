import DataModel
import QueryLanguage

/// Paths, step by step.
extension Oracle {
  /// A path while it is walked: objects reached so far, and whether there may be many.
  struct Walk {
    var objects: [Object]
    var isMany = false
    /// The lists of values at the end, one for each object reached; nil while at objects.
    var lists: [[Value]]?
    var leafIsList = false
  }

  func walk(_ path: QueryPath, _ start: Object) -> Walk {
    var walk = Walk(objects: [start])
    var className = start.className
    var at = 0
    while at < path.elements.count {
      let step = path.elements[at].step
      at += 1
      switch step {
      case .backlinks(let origin, let name):
        walk.objects = walk.objects.flatMap { origins($0, origin, name) }
        walk.isMany = true
        className = origin
      case .name(let name):
        guard let property = property(name, className) else {
          if name.lowercased() == "length", let lists = walk.lists {
            walk.lists = lists.map { $0.map(Self.byteCount) }
          }
          continue
        }
        let next = at < path.elements.count ? path.elements[at].step : nil
        if property.collection == .single {
          if property.type == .object {
            walk.objects = walk.objects.compactMap { target(value(property, $0)) }
            className = property.objectClassName ?? ""
          } else {
            walk.lists = walk.objects.map { [value(property, $0)] }
          }
          continue
        }
        var collections = walk.objects.map { elements(value(property, $0), isSet: property.collection == .set) }
        var isOne = false
        var consumed = true
        switch next {
        case .index(let index): collections = collections.map { index < $0.count ? [$0[index]] : [.null] }; isOne = true
        case .last: collections = collections.map { $0.isEmpty ? [.null] : Array($0.suffix(1)) }; isOne = true
        case .all, .values: break
        case .keys:
          collections = walk.objects.map { object in
            if case .dictionary(let entries) = value(property, object) {
              entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) }
            } else {
              []
            }
          }
        case .key(let key): collections = walk.objects.map { [entry(key, value(property, $0))] }; isOne = true
        case .name(let key)
        where property.collection == .dictionary
          && (property.type != .object || self.property(key, property.objectClassName ?? "") == nil):
          collections = walk.objects.map { [entry(key, value(property, $0))] }
          isOne = true
        case .name, .backlinks, .allBacklinks, .argument, .keyPathArgument, nil: consumed = false
        }
        if consumed { at += 1 }
        var isKeys = false
        if consumed, case .keys? = next { isKeys = true }
        if property.type == .object, !isKeys {
          walk.objects = collections.flatMap { $0.compactMap { target($0) } }
          // Under a key stands one object, at an index of a list still "many".
          var isKeyed = false
          if consumed, case .key? = next { isKeyed = true }
          if consumed, case .name? = next { isKeyed = true }
          if !isKeyed { walk.isMany = true }
          className = property.objectClassName ?? ""
        } else {
          walk.lists = collections
          walk.leafIsList = !isOne
        }
      case .allBacklinks, .index, .last, .all, .key, .argument, .keys, .values, .keyPathArgument: continue
      }
    }
    return walk
  }

  /// The order of a set: that of its values, of objects that of their rows.
  private func comesBefore(_ left: Value, _ right: Value) -> Bool {
    if let left = target(left), let right = target(right) { return left.position < right.position }
    return compareForSort(left, right) < 0
  }

  private func entry(_ key: String, _ value: Value) -> Value {
    if case .dictionary(let entries) = value { entries[key] ?? .null } else { .null }
  }

  func elements(_ value: Value, isSet: Bool) -> [Value] {
    if case .list(let values) = value { return isSet ? values.sorted(by: comesBefore) : values }
    guard case .dictionary(let entries) = value else { return [] }
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  /// The objects at the end of a path, in one list.
  func reach(_ path: QueryPath, _ object: Object) -> [[Object]] { [walk(path, object).objects] }

  func values(_ path: QueryPath, _ object: Object) -> Side {
    let walk = walk(path, object)
    guard let lists = walk.lists else {
      let links = walk.objects.map(link)
      return walk.isMany ? .lists([links]) : .one(links.first ?? .null)
    }
    if walk.isMany { return walk.leafIsList ? .lists(lists.isEmpty ? [[]] : lists) : .lists([lists.flatMap { $0 }]) }
    if walk.leafIsList { return .lists([lists.first ?? []]) }
    return .one(lists.first?.first ?? .null)
  }

  static func byteCount(_ value: Value) -> Value {
    if case .string(let text) = value { return .int(Int64(text.utf8.count)) }
    if case .data(let bytes) = value { return .int(Int64(bytes.count)) }
    return .int(0)
  }
}
