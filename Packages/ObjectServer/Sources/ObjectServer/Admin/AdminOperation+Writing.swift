import ByteCoding
import ChangesetOT
import DataExchange
import DataModel
import Permissions
import RecordStore
import Telemetry

/// One change of one object, as a request gives it.
struct ObjectEdit: Sendable {
  enum Action: String, CaseIterable, Sendable { case create, update, delete }

  var action: Action
  var className: String
  /// The text of the key; nil for a new object of a class without primary key, and for the null key.
  var key: String?
  /// Texts by property; nil means null.
  var values: [(name: String, text: String?)]

  static let schema = AdminSchema.object([
    .init("action", .choice(Action.allCases.map(\.rawValue))), .init("class", .string(maximum: 64)),
    .init(
      "key", .any, isRequired: false, "The key's text, or null; a new object of a class without primary key has none."),
    .init("values", .map(.any), isRequired: false, "Texts or null by property, as listObjects answers them."),
  ])

  /// - Throws: ``APIError`` with 400 for a value that is neither text nor null.
  init(_ value: JSONValue) throws(APIError) {
    guard let action = Action(rawValue: value["action"]?.string ?? "") else { throw .badRequest("no action") }
    self.action = action
    className = value["class"]?.string ?? ""
    key = value["key"]?.string
    values = []
    guard case .object(let members)? = value["values"] else { return }
    for (name, value) in members {
      switch value {
      case .null: values.append((name, nil))
      case .string(let text): values.append((name, text))
      case .bool, .number, .array, .object:
        throw APIError(400, .invalidParameter, "'\(name.prefix(64))' is neither a text nor null")
      }
    }
  }

  /// Makes the change.
  ///
  /// - Throws: ``APIError`` with 400, 404 or 409; the errors of the editor.
  func apply(to editor: RealmEditor) throws {
    let schema = editor.schema
    let type = try AdminOperation.type(className, in: schema)
    let texts = FieldText(schema)
    let object = ObjectReference(className: className, key: try objectKey(type, texts, editor))
    switch action {
    case .create:
      guard try editor.create(object) else { throw APIError(409, .realmConflict, "\(object) exists already") }
    case .update:
      guard try editor.contains(object) else { throw APIError(404, .notFound, "there is no \(object)") }
    case .delete:
      guard try editor.erase(object) else { throw APIError(404, .notFound, "there is no \(object)") }
      return
    }
    var fields: [String: StateDump.Item] = [:]
    for (name, text) in values {
      guard let property = type[name], property.type != .linkingObjects else {
        throw APIError(400, .invalidParameter, "\(className) has no property '\(name.prefix(64))' that can be set")
      }
      let mayBeNull = property.isOptional || property.collection != .single || [.object, .any].contains(property.type)
      guard text != nil || mayBeNull else { throw APIError(400, .invalidParameter, "\(name) cannot be null") }
      do { fields[name] = try texts.item(text, property) } catch let error as ExchangeError {
        throw APIError(400, .invalidParameter, "\(name): \(error.message)")
      }
    }
    do { try editor.set(fields, of: object) } catch let error as RecordStoreError where error.code == .invalidInput {
      throw APIError(400, .invalidParameter, error.message)
    }
  }

  private func objectKey(_ type: ObjectSchema, _ texts: FieldText, _ editor: RealmEditor) throws -> ObjectKey {
    if action == .create, type.primaryKey == nil { return try editor.makeKey(for: className) }
    guard let text = key else {
      guard let property = type.primaryKeyProperty, property.isOptional else {
        throw APIError(400, .missingParameter, "'key' is missing: it names an object of \(className)")
      }
      return .null
    }
    guard let key = texts.key(text, of: className) else {
      throw APIError(400, .invalidParameter, "'\(text.prefix(64))' is no key of \(className)")
    }
    return key
  }
}

extension AdminOperation {
  /// The most edits of one transaction.
  static let mostEdits = 10_000

  static let writeObjects = AdminOperation(
    name: "writeObjects", method: "POST", path: "realm/transaction",
    summary: """
      Makes changes of objects as one transaction, or none of them. It is durable when it is answered, and every client gets it. \
      For every user who may write.
      """,
    body: .object([
      .init("path", .string(maximum: 1_024)), .init("edits", .array(ObjectEdit.schema)),
      .init(
        "preview", .boolean, isRequired: false,
        "Whether nothing is to be changed: the answer says what would be written, links that go included."),
    ]),
    answer: .object([
      .init("version", .integer(), "The version of the realm's history from which on the changes are there."),
      .init("instructions", .array(.string()), isRequired: false, "What would be written; at most 500 lines."),
    ]),
    refusals: [404, 409, 501], access: .unbounded,
    work: .loop { call, completion in
      let edits: [ObjectEdit]
      do throws(APIError) { edits = try ObjectEdit.list(call.body["edits"]) } catch {
        return completion(.failure(error))
      }
      let isPreview = call.body["preview"]?.bool ?? false
      inRealm(call, call.body["path"]?.string ?? "", completion) { target, history in
        if let refusal = target.writeRefusal { throw refusal }
        let changeset = try ObjectEdit.apply(edits, isPreview: isPreview) { body in
          try history.edit(by: target.access, body)
        }
        let version = try history.state().current.version.rawValue
        var members: [(key: String, value: JSONValue)] = [("version", .integer(Int(clamping: version)))]
        if isPreview { members.append(("instructions", .array(ObjectEdit.lines(of: changeset).map(JSONValue.string)))) }
        return (.object(members), !isPreview)
      }
    })
}

extension ObjectEdit {
  /// The end of a preview, which takes everything back.
  private struct PreviewEnd: Error { var changeset: [UInt8] }

  /// - Throws: ``APIError`` with 400 for too many edits, or one of another form.
  static func list(_ value: JSONValue?) throws(APIError) -> [ObjectEdit] {
    let given = value?.elements ?? []
    guard given.count <= AdminOperation.mostEdits else {
      throw APIError(
        400, .invalidParameter,
        "'edits' has more than \(AdminOperation.mostEdits) elements: send several transactions")
    }
    var edits: [ObjectEdit] = []
    for value in given { edits.append(try ObjectEdit(value)) }
    return edits
  }

  /// Makes edits in one transaction, which is taken back if it is a preview.
  ///
  /// - Parameter transaction: runs its argument in a write transaction.
  /// - Returns: the changeset of a preview; else nothing.
  /// - Throws: ``APIError`` naming the edit that cannot be made; the errors of the editor.
  static func apply(
    _ edits: [ObjectEdit], isPreview: Bool, in transaction: ((RealmEditor) throws -> Void) throws -> Void
  ) throws -> [UInt8] {
    do {
      try transaction { editor in
        for (index, edit) in edits.enumerated() {
          do { try edit.apply(to: editor) } catch let error as APIError {
            throw edits.count == 1 ? error : APIError(error.status, error.code, "edit \(index): \(error.message)")
          }
        }
        if isPreview { throw PreviewEnd(changeset: editor.recorded) }
      }
      return []
    } catch let end as PreviewEnd {
      return end.changeset
    }
  }

  /// The instructions of a changeset as lines, cut where they are many or long.
  static func lines(of changeset: [UInt8], most: Int = 500) -> [String] {
    guard !changeset.isEmpty else { return [] }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    guard let instructions = try? Changeset(decoding: changeset, origin: origin).instructions else { return [] }
    return lines(of: instructions, most: most)
  }

  static func lines(of instructions: [Instruction], most: Int) -> [String] {
    instructions.prefix(most).map { instruction in
      let text = instruction.description
      return text.utf8.count <= 300 ? text : String(text.prefix(300)) + "…"
    }
  }
}
