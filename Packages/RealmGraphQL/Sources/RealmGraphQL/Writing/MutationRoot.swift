import DataModel
import GraphQL
import QueryLanguage
import RecordStore

/// The root of mutations. Each root field is a transaction of its own: it is durable before the next one begins, and one that
/// fails takes nothing back of those before it.
struct MutationRoot: ObjectBatch {
  let model: RealmModel
  let roots: RootFields
  let store: any RealmGraphQLStore

  var count: Int { 1 }
  var types: BatchTypes { .all("Mutation") }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    do { return try perform(field) } catch let error as WriteRefusal {
      throw GraphQLError(error.reason, code: "FORBIDDEN")
    } catch let error as RecordStoreError where error.code == .invalidInput {
      throw GraphQLError(error.message, code: "BAD_INPUT")
    }
  }

  private func perform(_ field: FieldCall) throws -> FieldColumn {
    let policy = UpdatePolicy(field.arguments["updatePolicy"])
    switch roots.mutation[field.name] {
    case .create(let type):
      let input = field.arguments["input"] ?? .null
      let object = try store.write { try ObjectWriter(model: model, editor: $0, policy: policy).write(input, of: type) }
      return try objects([object], of: type, .optional([0]))
    case .createMany(let type):
      let inputs = field.arguments["input"]?.elements ?? []
      let objects = try store.write { editor in
        let writer = ObjectWriter(model: model, editor: editor, policy: policy)
        return try inputs.map { try writer.write($0, of: type) }
      }
      return try self.objects(objects, of: type, .lists([0, objects.count]))
    case .edit(let type):
      let object = try named(field, type)
      guard try isReadable(object, type) else { return try objects([], of: type, .optional([-1])) }
      let edits = field.arguments["edits"]?.elements ?? []
      let isThere = try store.write {
        try ObjectWriter(model: model, editor: $0, policy: .modified).edit(object, of: type, edits)
      }
      return try objects(isThere ? [object] : [], of: type, .optional([isThere ? 0 : -1]))
    case .delete(let type):
      let object = try named(field, type)
      guard try isReadable(object, type) else { return .values([.bool(false)]) }
      return .values([.bool(try store.write { try $0.erase(object) })])
    case .deleteMany(let type): return .values([.int(Int64(try delete(type, field)))])
    case .subscribe(let type): return try subscribe(type, field)
    case .unsubscribe:
      return .values([.bool(try store.subscriptions?.remove(field.arguments["name"]?.string ?? "") ?? false)])
    case nil: return .values([.null])
    }
  }

  // MARK: Objects

  private func named(_ field: FieldCall, _ type: ClassModel) throws -> ObjectReference {
    ObjectReference(className: type.className, key: try type.objectKey(field.arguments[type.keyName] ?? .null))
  }

  /// An object that the user may not read is as good as none: a refusal would tell that it is there.
  private func isReadable(_ object: ObjectReference, _ type: ClassModel) throws -> Bool {
    let reading = RealmReading(model, try store.read())
    guard reading.readable.isBounded else { return true }
    guard let row = try reading.table(type.className).table.row(forKey: object.key) else { return false }
    return try reading.readable.isReadable(row, of: type.className)
  }

  /// Objects as they are after the transaction. What another transaction deleted meanwhile is left out, and so is what the user may
  /// not read: a write that changes nothing is refused by no rule, and must not show the object that it names.
  private func objects(
    _ objects: [ObjectReference], of type: ClassModel, _ places: ObjectPlaces
  ) throws -> FieldColumn {
    let reading = RealmReading(model, try store.read())
    let table = try reading.table(type.className).table
    let rows = try objects.compactMap { try table.row(forKey: $0.key) }
      .filter { try reading.readable.isReadable($0, of: type.className) }
    let batch = try reading.batch(type, rows)
    if rows.count == objects.count { return .objects(batch, places) }
    if case .lists = places { return .objects(batch, .lists([0, rows.count])) }
    return .objects(batch, .optional([-1]))
  }

  private func delete(_ type: ClassModel, _ field: FieldCall) throws -> Int {
    let reading = RealmReading(model, try store.read())
    let table = try reading.table(type.className).table
    let found = try CollectionSelection(field, type, reading).rows().compactMap { try table.objectKey(of: $0) }
    return try store.write { editor in
      var count = 0
      for key in found where try editor.erase(ObjectReference(className: type.className, key: key)) { count += 1 }
      return count
    }
  }

  // MARK: Subscriptions of realms that are opened by queries

  private func subscribe(_ type: ClassModel, _ field: FieldCall) throws -> FieldColumn {
    guard let subscriptions = store.subscriptions else {
      throw GraphQLError("This realm is not opened by queries.", code: "BAD_REQUEST")
    }
    let reading = RealmReading(model, try store.read())
    let selection = try CollectionSelection(field, type, reading)
    let rows = try selection.rows()
    let text = try selection.text()
    try subscriptions.add(
      QuerySubscription(
        name: field.arguments["name"]?.string ?? "[\(type.className)] \(text)", objectType: type.className, query: text)
    )
    return .objects(try reading.batch(type, rows), .lists([0, rows.count]))
  }
}
