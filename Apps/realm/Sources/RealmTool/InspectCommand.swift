import CommandLineKit
import DataExchange
import DataModel
import ObjectStore

extension RealmTool {
  static let inspect = Command(
    "inspect", summary: "Print what a file holds: versions, sizes, classes with their numbers of objects.",
    arguments: [fileArgument]
  ) { invocation, console in
    let file = try open(invocation)
    try failing("cannot read \(invocation.argument("file") ?? "")") {
      let contents = try file.contents()
      let sizes = try file.statistics()
      let classes = contents.schema.objectSchema
      if invocation.flag("json") {
        return console.print(
          json: .object([
            ("schemaVersion", .integer(Int(contents.schemaVersion))), ("version", .integer(Int(contents.version))),
            ("fileSize", .integer(sizes.fileSize)), ("nodes", .integer(sizes.nodes)),
            ("retiredNodes", .integer(sizes.retiredNodes)),
            (
              "classes",
              .array(
                classes.map {
                  .object([
                    ("name", .text($0.className)), ("kind", .text("\($0.kind)")),
                    ("primaryKey", $0.primaryKey.map { .text($0) } ?? .null),
                    ("properties", .integer($0.properties.count)),
                    ("objects", .integer(contents.count(of: $0.className))),
                  ])
                })
            ),
          ]))
      }
      console.print("schema version  \(contents.schemaVersion)")
      console.print("commits         \(contents.version)")
      console.print("size            \(size(sizes.fileSize)) in \(sizes.nodes) nodes")
      if sizes.retiredNodes > 0 {
        console.print("reclaimable     \(sizes.retiredNodes) nodes; 'realm compact' gives them back")
      }
      console.print()
      var table = TextTable(columns: [
        .init("class"), .init("kind"), .init("key"), .init("properties", alignsRight: true),
        .init("objects", alignsRight: true),
      ])
      table.rows = classes.map {
        [
          $0.className, "\($0.kind)", $0.primaryKey ?? "-", "\($0.properties.count)",
          "\(contents.count(of: $0.className))",
        ]
      }
      console.print(table)
    }
  }

  static let schema = Command(
    "schema", summary: "Print the classes of a file with their properties.",
    arguments: [fileArgument, .optional("class", help: "Only this class.")]
  ) { invocation, console in
    let file = try open(invocation)
    try failing("cannot read \(invocation.argument("file") ?? "")") {
      var schema = try file.contents().schema
      if let name = invocation.argument("class") {
        guard let object = schema[name] else { throw unknownClass(name, schema) }
        schema = Schema([object])
      }
      if invocation.flag("json") { return console.writeJSON(SchemaText.json(schema) + "\n") }
      for (number, object) in schema.objectSchema.enumerated() {
        if number > 0 { console.print() }
        let kind: ConsoleText = object.kind == .topLevel ? "" : " (\(object.kind))"
        console.print(console.styled(object.className, .bold) + kind)
        var table = TextTable(columns: [.init("  property"), .init("type")])
        table.rows = object.properties.map { property in
          guard property.name == object.primaryKey else { return ["  " + property.name, property.phrase] }
          var key = property
          key.isIndexed = false
          return ["  " + property.name, key.phrase + ", primary key"]
        }
        console.print(table)
      }
    }
  }

  static func unknownClass(_ name: String, _ schema: Schema) -> CommandFailure {
    let known = schema.objectSchema.map(\.className)
    return CommandFailure(
      "the file has no class '\(name)'" + NearestWord.suggestion(for: name, among: known),
      remedy: known.isEmpty
        ? "it has none yet; 'realm import' makes some" : "use one of " + known.joined(separator: ", "),
      code: "unknownClass")
  }
}
