import DataModel
import PostgresClient

/// Decides which tables and columns the classes have, from the settings and from what the database has. A pure value.
struct TablePlan {
  /// A column that the database has.
  struct Found: Hashable, Sendable {
    var type: String
    var isArray: Bool
    var isEnum: Bool
  }

  let configuration: ConnectorConfiguration
  /// The columns that there are, by table and name.
  let found: [String: [String: Found]]

  private var json: ItemJSON { ItemJSON(schema: configuration.schema) }

  /// The tables of the classes, those that others link to first.
  ///
  /// - Throws: ``ConfigurationError`` when a column has a type that does not fit its property.
  func tables() throws -> [ClassTable] {
    var tables: [ClassTable] = []
    for layout in configuration.schema.objectSchema where layout.kind == .topLevel {
      guard let keyProperty = layout.primaryKeyProperty else { continue }
      let name = configuration.table(of: layout.className)
      var columns = [try column(keyProperty, layout, name)]
      var subTables: [SubTable] = []
      for property in layout.properties where property.name != layout.primaryKey && property.type != .linkingObjects {
        if let sub = try subTable(property, layout, name) {
          subTables.append(sub)
        } else {
          columns.append(try column(property, layout, name))
        }
      }
      tables.append(
        ClassTable(
          schema: layout, namespace: configuration.namespace, name: name,
          template: try RealmPathTemplate(configuration.path(of: layout.className)), key: columns[0], columns: columns,
          subTables: subTables))
    }
    return sorted(tables)
  }

  // MARK: Columns

  private func form(_ property: Property) -> Column.Form {
    guard property.collection == .single || property.collection == .list else { return .json }
    if property.type == .any { return .json }
    guard property.type == .object else { return .scalar }
    guard let target = configuration.schema[property.objectClassName ?? ""], target.kind != .embedded,
      let key = target.primaryKeyProperty
    else { return .json }
    return .link(className: target.className, key.type)
  }

  private func column(_ property: Property, _ layout: ObjectSchema, _ table: String) throws -> Column {
    let name = configuration.column(of: property.name, in: layout.className)
    return try column(
      property, named: name, form: property.collection == .list ? .array : form(property), layout.className, table)
  }

  private func column(
    _ property: Property, named name: String, form: Column.Form, _ className: String, _ table: String
  ) throws -> Column {
    func made(_ type: String) -> Column {
      Column(property: property, name: name, sqlType: type, form: form, className: className, json: json)
    }
    guard let there = found[table]?[name] else { return made(ColumnTypes.planned(property, form)) }
    let custom =
      configuration.customTypes[there.type] ?? (there.isEnum ? configuration.customTypes["USER-DEFINED"] : nil)
      ?? (there.isArray ? configuration.customTypes["ARRAY"] : nil)
    guard ColumnTypes.fits(custom ?? (there.isEnum ? "text" : there.type), property, form) else {
      throw ConfigurationError(
        "the column \(table).\(name) is of type \(there.type), which \(className).\(property.name) cannot hold; "
          + "declare the property otherwise, or name a type that it stands for in [types]")
    }
    return made(there.type)
  }

  // MARK: Tables beside

  /// The table of a list, or of an embedded object that the settings put into one; nil for what stands in a column.
  private func subTable(_ property: Property, _ layout: ObjectSchema, _ table: String) throws -> SubTable? {
    let place = "\(layout.className).\(property.name)"
    let embedded = configuration.schema[property.objectClassName ?? ""].flatMap { $0.kind == .embedded ? $0 : nil }
    let isSplit = embedded != nil && configuration.embeddedTables.contains(place)
    let columnName = configuration.column(of: property.name, in: layout.className)
    switch property.collection {
    case .list: if found[table]?[columnName]?.isArray == true { return nil }
    case .single: if !isSplit { return nil }
    case .set, .dictionary: return nil
    }
    let name = configuration.tableNames[place] ?? "\(table)_\(columnName)"
    var element = property
    element.collection = .single
    guard isSplit, let embedded else {
      return SubTable(
        property: property, name: name, isList: true,
        columns: [try column(element, named: "target", form: form(element), layout.className, name)], isEmbedded: false)
    }
    return SubTable(
      property: property, name: name, isList: property.collection == .list,
      columns: try embedded.properties.filter { $0.type != .linkingObjects }.map { inner in
        guard inner.collection != .list else {
          // A list inside a list's element has no table of its own.
          return try column(
            inner, named: configuration.column(of: inner.name, in: embedded.className), form: .json, embedded.className,
            name)
        }
        return try column(inner, embedded, name)
      }, isEmbedded: true)
  }

  /// Classes that are linked to before those that link to them, as far as that is possible.
  private func sorted(_ tables: [ClassTable]) -> [ClassTable] {
    var rest = tables
    var sorted: [ClassTable] = []
    while !rest.isEmpty {
      let names = Set(rest.map(\.className))
      let index =
        rest.firstIndex { table in
          !table.columns.contains { column in
            guard case .link(let target, _) = column.form else { return false }
            return target != table.className && names.contains(target)
          }
        } ?? 0
      sorted.append(rest.remove(at: index))
    }
    return sorted
  }
}
