import CommandLineKit
import DataExchange
import DataModel
import RecordStore

extension RealmTool {
  static let set = Command(
    "set", summary: "Give fields of an object new values.",
    discussion: """
      Values are written as in a cell of CSV: plain, or JSON for lists, sets, dictionaries, embedded objects and mixed \
      values. FIELD= gives an empty text, or null where the property is no text; FIELD:=null gives null.

        realm set pets.realm Dog 7 age=9 name=Rex
        realm set pets.realm Dog 8 name=Ada --create
      """,
    options: [.flag("create", help: "Make the object if there is none.")],
    arguments: [
      fileArgument, .one("class", help: "The class of the object."),
      .one("key", help: "Its primary key; of a class without one, its $key as 'realm query' prints it."),
      .many("field", kind: .nonEmptyText, help: "FIELD=VALUE."),
    ]
  ) { invocation, console in
    let file = try open(invocation, writable: true)
    try failing("cannot write to \(invocation.argument("file") ?? "")") {
      let schema = try file.contents().schema
      let object = try reference(invocation.argument("class") ?? "", invocation.argument("key") ?? "", schema)
      let fields = try fields(invocation.arguments("field"), invocation, schema[object.className], schema)
      let made = try file.edit { editor in
        let exists = try editor.contains(object)
        guard exists || invocation.flag("create") else { throw noObject(object) }
        if !exists { try editor.create(object) }
        try editor.set(fields, of: object)
        return !exists
      }
      guard !invocation.flag("json") else {
        return console.print(json: .object([("created", .integer(made ? 1 : 0)), ("updated", .integer(made ? 0 : 1))]))
      }
      console.print("\(made ? "made" : "changed") \(object)")
    }
  }

  static let delete = Command(
    "delete", summary: "Delete objects by their keys, or those that match a query.",
    discussion: """
      Links to them become empty. All of them go in one transaction, or none.

        realm delete pets.realm Dog 7 8
        realm delete pets.realm Dog --where "age > 20"
      """,
    options: [.value("where", valueName: "QUERY", kind: .nonEmptyText, help: "Delete what matches.")],
    arguments: [
      fileArgument, .one("class", help: "The class of the objects."),
      .many("key", atLeastOne: false, help: "Primary keys, or $keys."),
    ]
  ) { invocation, console in
    let keys = invocation.arguments("key")
    guard keys.isEmpty == (invocation.text("where") != nil) else {
      throw UsageError(invocation, "name keys, or a query with '--where', and not both")
    }
    let file = try open(invocation, writable: true)
    try failing("cannot write to \(invocation.argument("file") ?? "")") {
      let contents = try file.contents()
      let className = invocation.argument("class") ?? ""
      var objects = try keys.map { try reference(className, $0, contents.schema) }
      if let query = invocation.text("where") {
        guard contents.schema[className] != nil else { throw unknownClass(className, contents.schema) }
        try contents.forEachObject(of: className, matching: query) { record in
          objects.append(record.reference)
          return true
        }
      }
      try file.edit { editor in
        for object in objects {
          guard try editor.erase(object) || keys.isEmpty else { throw noObject(object) }
        }
      }
      invocation.flag("json")
        ? console.print(json: .object([("deleted", .integer(objects.count))]))
        : console.print("deleted \(objects.count) object\(objects.count == 1 ? "" : "s")")
    }
  }

  private static func noObject(_ object: ObjectReference) -> CommandFailure {
    CommandFailure("there is no \(object)", remedy: "'realm query' prints the keys", code: "noSuchObject")
  }

  private static func reference(_ className: String, _ key: String, _ schema: Schema) throws -> ObjectReference {
    guard let object = schema[className] else { throw unknownClass(className, schema) }
    guard let value = FieldText(schema).key(key, of: className) else {
      let type = object.primaryKeyProperty.map { "its key '\($0.name)' is \($0.phrase)" } ?? "a $key is such as 0-7"
      throw CommandFailure("'\(key)' names no \(className); \(type)", code: "badKey")
    }
    return ObjectReference(className: className, key: value)
  }

  private static func fields(
    _ words: [String], _ invocation: Invocation, _ object: ObjectSchema?, _ schema: Schema
  ) throws -> [String: StateDump.Item] {
    let texts = FieldText(schema)
    var fields: [String: StateDump.Item] = [:]
    for word in words {
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw UsageError(invocation, "'\(word)' is no FIELD=VALUE")
      }
      let isLiteral = word[word.index(before: sign)] == ":"
      let name = String(word[..<(isLiteral ? word.index(before: sign) : sign)])
      let text = String(word[word.index(after: sign)...])
      guard let object, let property = object[name] else {
        let known = object?.properties.map(\.name) ?? []
        throw CommandFailure(
          "\(object?.className ?? "") has no property '\(name)'" + NearestWord.suggestion(for: name, among: known),
          remedy: "use one of " + known.joined(separator: ", "), code: "unknownProperty")
      }
      guard !isLiteral || text == "null" else {
        throw UsageError(invocation, "'\(word)': only null may follow :=")
      }
      let isText = property.type == .string && property.collection == .single
      fields[name] = try texts.item(isLiteral || (text.isEmpty && !isText) ? nil : text, property)
    }
    return fields
  }
}
