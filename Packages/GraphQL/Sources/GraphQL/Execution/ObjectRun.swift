/// Objects that answer one by one, as a batch.
struct ObjectRun: ObjectBatch {
  let objects: [any GraphQLObject]

  var count: Int { objects.count }

  var types: BatchTypes {
    guard let first = objects.first?.typeName else { return .each([]) }
    let names = objects.map(\.typeName)
    return names.allSatisfy { $0 == first } ? .all(first) : .each(names)
  }

  func subset(_ positions: [Int]) -> any ObjectBatch { ObjectRun(objects: positions.map { objects[$0] }) }

  func resolve(_ field: FieldCall) -> FieldColumn {
    var values: [ResolvedValue] = []
    values.reserveCapacity(objects.count)
    var isDeferred = false
    for object in objects {
      let value: ResolvedValue
      do { value = try object.resolve(field) } catch { value = .failure(error) }
      isDeferred = isDeferred || value.isDeferred
      values.append(value)
    }
    guard isDeferred else { return .values(values) }
    return .deferred { [values] in .values(await ResolvedValue.settled(values)) }
  }
}

extension ResolvedValue {
  /// Whether the value, or an element of it, takes time.
  var isDeferred: Bool {
    switch self {
    case .deferred: true
    case .list(let values): values.contains(where: \.isDeferred)
    case .null, .bool, .int, .double, .string, .json, .object, .failure: false
    }
  }

  /// The values with everything deferred in them awaited, side by side.
  static func settled(_ values: [ResolvedValue]) async -> [ResolvedValue] {
    await withTaskGroup(of: (Int, ResolvedValue).self) { group in
      for (index, value) in values.enumerated() where value.isDeferred {
        group.addTask { (index, await value.settled) }
      }
      var result = values
      for await (index, value) in group { result[index] = value }
      return result
    }
  }

  private var settled: ResolvedValue {
    get async {
      switch self {
      case .deferred(let work):
        do { return try await work().settled } catch { return .failure(error) }
      case .list(let values): return .list(await Self.settled(values))
      case .null, .bool, .int, .double, .string, .json, .object, .failure: return self
      }
    }
  }
}
