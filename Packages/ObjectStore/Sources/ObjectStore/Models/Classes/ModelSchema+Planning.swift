import RecordStore

extension ModelSchema {
  /// The changes that a file with a catalog needs. Constant time for the catalog that fitted last.
  func plan(for catalog: Catalog) -> SchemaPlan {
    if fits(catalog) { return SchemaPlan() }
    let plan = SchemaPlan(schema, catalog)
    if plan.isEmpty { note(fitting: catalog) }
    return plan
  }
}
