import DataModel
import QueryLanguage

/// Counts and aggregates.
extension Oracle {
  func count(_ path: QueryPath, _ object: Object) -> Side {
    if path.elements.last?.step == .allBacklinks {
      var total = 0
      for table in schema.schema.objectSchema {
        for position in 0..<(source.memoryTable(table.className)?.rowCount ?? 0) {
          for property in table.properties {
            total += occurrences(
              of: link(object), in: value(property, Object(className: table.className, position: position)))
          }
        }
      }
      return .one(.int(Int64(total)))
    }
    let walk = walk(path, object)
    guard let lists = walk.lists else {
      if let name = path.elements.last, case .name(let last) = name.step {
        // A dictionary counts its entries, empty ones too.
        var owners = path
        owners.elements.removeLast()
        let before = owners.elements.isEmpty ? [object] : self.walk(owners, object).objects
        let dictionaries = before.compactMap { owner -> Value? in
          guard let property = property(last, owner.className), property.collection == .dictionary else { return nil }
          return value(property, owner)
        }
        if !dictionaries.isEmpty {
          return .one(.int(Int64(dictionaries.reduce(0) { $0 + elements($1, isSet: false).count })))
        }
      }
      return .one(.int(Int64(walk.objects.count)))
    }
    if walk.leafIsList {
      if walk.isMany { return .lists([lists.map { .int(Int64($0.count)) }]) }
      return .one(.int(Int64(lists.first?.count ?? 0)))
    }
    func length(_ value: Value) -> Value {
      [.string, .data].contains(value.propertyType) ? Self.byteCount(value) : .null
    }
    if walk.isMany { return .lists([lists.flatMap { $0 }.map(length)]) }
    return .one(length(lists.first?.first ?? .null))
  }

  func aggregate(_ node: AggregateNode, _ object: Object) -> Side {
    let walk = walk(node.path, object)
    if let name = node.property {
      let values = walk.objects.compactMap { owner in property(name, owner.className).map { value($0, owner) } }
      let type = walk.objects.first.flatMap { property(name, $0.className)?.type }
      return .one(total(values, node.operation, type ?? typeOfAggregate(node, object.className)))
    }
    let type = typeOfAggregate(node, object.className)
    let totals = (walk.lists ?? []).map { total($0, node.operation, type) }
    if walk.isMany { return .lists([totals]) }
    return .one(totals.first ?? total([], node.operation, type))
  }

  private func total(_ values: [Value], _ operation: AggregateOperation, _ type: PropertyType) -> Value {
    func isNumber(_ value: Value) -> Bool { [.int, .float, .double, .decimal128].contains(value.propertyType) }
    let present = values.filter { $0 != .null }
    switch operation {
    case .min: return present.min { compareForSort($0, $1) < 0 } ?? .null
    case .max:
      var best: Value = .null
      for value in present where best == .null || compareForSort(value, best) > 0 { best = value }
      return best
    case .sum, .average:
      let numbers = present.filter(isNumber)
      if operation == .average, numbers.isEmpty { return .null }
      var kind = type
      if type == .any {
        let kinds = Set(numbers.compactMap(\.propertyType))
        kind = kinds.count > 1 || operation == .average ? .decimal128 : kinds.first ?? .int
      }
      switch kind {
      case .int:
        var sum: Int64 = 0
        for case .int(let value) in numbers { sum &+= value }
        return operation == .sum ? .int(sum) : .double(Double(sum) / Double(numbers.count))
      case .float, .double:
        let sum = numbers.reduce(0.0) { $0 + Self.double($1) }
        if operation == .average { return .double(sum / Double(numbers.count)) }
        return kind == .float ? .float(Float(sum)) : .double(sum)
      case .decimal128, .bool, .string, .data, .date, .object, .linkingObjects, .any, .objectId, .UUID:
        var sum = Decimal128(0)
        for number in numbers { sum = sum + (number.asDecimal ?? Decimal128(0)) }
        return .decimal128(operation == .sum ? sum : sum / Decimal128(numbers.count))
      }
    }
  }
}
