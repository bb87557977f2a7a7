import RecordStore

extension ModelSchema {
  /// What has to happen to a file with this catalog; not worked out again for the catalog that fitted last.
  func plan(for catalog: Catalog) -> SchemaPlan {
    if fits(catalog) { return SchemaPlan() }
    let plan = SchemaPlan(schema, catalog)
    if plan.isEmpty { note(fitting: catalog) }
    return plan
  }
}
