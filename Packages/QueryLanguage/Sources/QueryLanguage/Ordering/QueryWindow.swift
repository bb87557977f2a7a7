/// The SORT and LIMIT of a query that keeps the first objects of an order, in which each object has its place by its own values.
///
///     let window = plan.window                        // of "done == false SORT(due ASC) LIMIT(50)"; nil for other clauses
///     window?.limit                                   // 50
///     let rank = try window?.ranking(in: source)      // rank(row): where an object stands
///
/// With it a store keeps the first objects up to date as objects change, and need not ask for them anew.
public struct QueryWindow: Sendable {
  /// The place of an object in the order. Ranks of one query over one schema can be compared, across snapshots too.
  public struct Rank: Hashable, Sendable {
    let rank: SortRank
  }

  /// The greatest number of objects that the query gives.
  public let limit: Int
  let keys: [ResolvedSortKey]

  /// A function that tells the rank of each object of the class in a source.
  ///
  /// - Complexity: each call O(1) for each key.
  public func ranking(in source: any QuerySource) -> (QueryRow) throws -> Rank {
    let execution = Execution(source)
    let readers = keys.map { SortKeyReader($0.path, isAscending: $0.isAscending, execution) }
    return { row in Rank(rank: try SortRank(readers, row)) }
  }

  /// Negative when an object of the first rank comes before one of the second, positive when it comes after; zero when the
  /// order says nothing about the two.
  public func order(_ first: Rank, _ second: Rank) -> Int {
    for (at, key) in keys.enumerated() {
      let isExact = SortCell.isExact(key.path.type) && key.path.steps.isEmpty
      let order = first.rank.compare(second.rank, at: at, isExact: isExact)
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }
}

extension QueryPlan {
  /// The window of a query whose clauses are a LIMIT, perhaps behind SORTs by values of the objects themselves; nil for
  /// others, and where the condition asks about other objects.
  public var window: QueryWindow? {
    guard !followsLinks, !countsAllLinks, includes.isEmpty, let last = stages.last, case .limit(let limit) = last else {
      return nil
    }
    switch stages.dropLast().first {
    case nil: return QueryWindow(limit: limit, keys: [])
    case .sort(let keys) where stages.count == 2: return QueryWindow(limit: limit, keys: keys)
    case .sort, .distinct, .limit: return nil
    }
  }
}
