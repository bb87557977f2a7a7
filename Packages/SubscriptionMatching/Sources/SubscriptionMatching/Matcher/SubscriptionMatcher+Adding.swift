public import QueryLanguage

extension SubscriptionMatcher {
  /// Adds a subscription, or gives one another query.
  ///
  /// A query that is stateless but for a SORT is stateless: the clause orders the matches and does not choose them.
  ///
  /// - Parameters:
  ///   - arguments: the values of `$0`, `$1`, …
  ///   - id: the name of the subscription; one that exists loses its former query.
  /// - Returns: the cohort, and whether it is evaluated exactly or needs state.
  /// - Throws: ``QueryError`` when the query does not fit the schema or its arguments; nothing has changed then.
  /// - Complexity: O(*n* · *d*) for a query of *n* bytes nested *d* deep, O(log *q*) for each of its lookups among *q*
  ///   queries, and a move of O(*q*) words where many share one lookup.
  @discardableResult
  public mutating func add(
    _ query: ParsedQuery, className: String, arguments: [QueryArgument] = [], id: ID
  ) throws(QueryError) -> (cohort: CohortID, evaluation: CohortEvaluation) {
    let plan = try decidingPlan(QueryPlan(query, className: className, schema: schema, arguments: arguments))
    let key = CohortKey(plan.query, className: className)
    if let slot = slotOfKey[key], let known = cohorts[slot] {
      if slotOfID[id] != slot {
        remove(id)
        cohorts[slot]?.subscribers.insert(id)
        slotOfID[id] = slot
      }
      return (CohortID(slot: slot), known.evaluation)
    }
    remove(id)
    let slot = insert(plan, key, id)
    slotOfID[id] = slot
    if key.isComparable { slotOfKey[key] = slot }
    return (CohortID(slot: slot), cohorts[slot]?.evaluation ?? .stateless)
  }

  /// The plan without its SORT clauses where nothing but the predicate chooses objects, and each by itself.
  private func decidingPlan(_ plan: QueryPlan) throws(QueryError) -> QueryPlan {
    let sorts = plan.query.clauses.allSatisfy { if case .sort = $0 { true } else { false } }
    guard sorts, !plan.query.clauses.isEmpty else { return plan }
    let bare = try QueryPlan(ParsedQuery(plan.query.predicate), className: plan.className, schema: schema)
    return stateReason(bare) == nil ? bare : plan
  }

  private mutating func insert(_ plan: QueryPlan, _ key: CohortKey, _ id: ID) -> Int {
    var cohort = Cohort<ID>(key: key, evaluation: .stateless, subscribers: [id])
    var entry = CohortFilter()
    let slot = freeSlots.popLast() ?? cohorts.count
    if let reason = stateReason(plan) {
      cohort.evaluation = .needsState(reason)
      let reads = ReadSet(plan, schema.schema, showsIncluded: reason == .includes)
      cohort.reads = reads
      dependents.insert(slot, reads)
    } else if let filter = ObjectFilter(plan), let objectSchema = schema.schema[plan.className] {
      cohort.lookups = filter.lookups.map { Array(Set($0)) }
      entry.filter = filter
      entry.reads = PropertyMask(
        plan.propertiesRead.compactMap { reference in
          objectSchema.properties.firstIndex { $0.name == reference.property }
        })
      seed &+= 1
      classes[plan.className, default: ClassIndex(objectSchema)]
        .insert(slot, cohort.lookups, reads: entry.reads, seed: seed)
    }
    if slot == cohorts.count {
      cohorts.append(cohort)
      filters.append(entry)
      stamps.append(0)
    } else {
      cohorts[slot] = cohort
      filters[slot] = entry
    }
    return slot
  }

  /// The part of a query that no single object decides; nil when there is none.
  private func stateReason(_ plan: QueryPlan) -> StateReason? {
    for clause in plan.query.clauses {
      switch clause {
      case .include: return .includes
      case .limit: return .limit
      case .distinct: return .distinct
      case .sort: continue
      }
    }
    if plan.followsLinks { return .links }
    let own = schema.schema[plan.className]
    let readsCollection = plan.propertiesRead.contains { own?[$0.property].map { $0.collection != .single } ?? false }
    return readsCollection ? .collections : nil
  }

  /// Removes a subscription.
  ///
  /// - Returns: false when there was none.
  /// - Complexity: O(1), and for the last subscription of its query that of adding it.
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard let slot = slotOfID.removeValue(forKey: id) else { return false }
    cohorts[slot]?.subscribers.remove(id)
    guard let cohort = cohorts[slot], cohort.subscribers.isEmpty else { return true }
    let className = cohort.key.className
    slotOfKey[cohort.key] = nil
    if let reads = cohort.reads {
      dependents.remove(slot, reads)
    } else {
      classes[className]?.remove(slot, cohort.lookups, reads: filters[slot].reads)
      if classes[className]?.isEmpty == true { classes[className] = nil }
    }
    cohorts[slot] = nil
    filters[slot] = CohortFilter()
    freeSlots.append(slot)
    return true
  }
}
