import CommandLineKit
import DataExchange
import DataModel
import RecordStore

extension RealmTool {
  static let query = Command(
    "query", summary: "Print the objects of a class that match a query.",
    discussion: """
      The query is one of the query language, with its clauses; without one, all objects are printed.

        realm query pets.realm Dog
        realm query pets.realm Dog "age > 8 AND owner.name BEGINSWITH 'A' SORT(age DESC)" --limit 10
        realm query pets.realm Dog "age > 8" --count
      """,
    options: [
      .value("limit", short: "n", kind: .integer(0...Int.max), help: "At most so many objects."),
      .value("fields", short: "f", valueName: "NAMES", help: "Only these properties, separated by commas."),
      .flag("count", help: "Print the number of objects only."),
      .flag("explain", help: "Print how the query would run."),
      .flag("csv", help: "Print CSV with all properties."),
    ],
    arguments: [
      fileArgument, .one("class", help: "The class of the objects."), .optional("query", help: "Which objects."),
    ]
  ) { invocation, console in
    let file = try open(invocation)
    try failing("cannot query \(invocation.argument("file") ?? "")") {
      let contents = try file.contents()
      let name = invocation.argument("class") ?? ""
      guard let object = contents.schema[name] else { throw unknownClass(name, contents.schema) }
      var text = invocation.argument("query")
      if let limit = invocation.integer("limit") { text = (text ?? "TRUEPREDICATE") + " LIMIT(\(limit))" }
      if invocation.flag("explain") {
        return console.print(
          ConsoleText(lines: try contents.explanation(of: name, matching: text ?? "TRUEPREDICATE"), indent: 0))
      }
      if invocation.flag("count") {
        let count = try text.map { try contents.count(of: name, matching: $0) } ?? contents.count(of: name)
        return invocation.flag("json") ? console.print(json: JSONOutput.integer(count)) : console.print("\(count)")
      }
      if invocation.flag("csv") {
        return try RealmExport(contents).writeCSV(of: name, matching: text) { console.write(exactly: $0) }
      }
      let fields = try fields(invocation, object)
      try print(contents, object, text, fields, invocation, console)
    }
  }

  private static func fields(_ invocation: Invocation, _ object: ObjectSchema) throws -> [Property] {
    guard let names = invocation.text("fields") else { return object.properties }
    return try names.split(separator: ",").map { name in
      guard let property = object[String(name)] else {
        let known = object.properties.map(\.name)
        throw CommandFailure(
          "\(object.className) has no property '\(name)'" + NearestWord.suggestion(for: String(name), among: known),
          remedy: "use some of " + known.joined(separator: ","), code: "unknownProperty")
      }
      return property
    }
  }

  private static func print(
    _ contents: RealmContents, _ object: ObjectSchema, _ text: String?, _ fields: [Property], _ invocation: Invocation,
    _ console: Console
  ) throws {
    let export = RealmExport(contents)
    if invocation.flag("json") {
      // One object per line, so that any number of them needs no memory.
      return try contents.forEachObject(of: object.className, matching: text) { record in
        var shown = record
        if invocation.text("fields") != nil {
          let names = Set(fields.map(\.name))
          shown.fields = shown.fields.filter { names.contains($0.key) }
        }
        console.writeJSON(export.json(shown) + "\n")
        return true
      }
    }
    let showsKey = object.primaryKey == nil
    var table = TextTable(
      columns: (showsKey ? [.init("$key")] : [])
        + fields.map {
          .init($0.name, alignsRight: [.int, .float, .double, .decimal128].contains($0.type), shrinks: true)
        })
    try contents.forEachObject(of: object.className, matching: text) { record in
      let cells = fields.map { property in record[property.name].map { cell($0, property, export) } ?? "" }
      table.rows.append((showsKey ? [export.text(record.key)] : []) + cells)
      return true
    }
    console.print(table)
    console.note("\(table.rows.count) object\(table.rows.count == 1 ? "" : "s")")
  }

  /// A value in a cell of a table: texts without quotes, null as a dash.
  private static func cell(_ item: StateDump.Item, _ property: Property, _ export: RealmExport) -> String {
    switch item {
    case .value(.null): return "-"
    case .value(.string(let text)): return text
    default:
      let json = export.json(item, of: property)
      return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
    }
  }
}
