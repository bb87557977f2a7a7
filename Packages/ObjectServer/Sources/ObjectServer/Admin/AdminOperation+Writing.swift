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
    summary:
      "Makes changes of objects as one transaction, or none of them. It is durable when it is answered, and every client gets it.",
    body: .object([.init("path", .string(maximum: 1_024)), .init("edits", .array(ObjectEdit.schema))]),
    answer: .object([
      .init("version", .integer(), "The version of the realm's history from which on the changes are there.")
    ]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let services = call.services
      services.context.perform(.directory) { () -> Result<(RealmPath, [ObjectEdit]), APIError> in
        do throws(APIError) { return .success(try checked(call)) } catch { return .failure(error) }
      } then: { (result: Result<Result<(RealmPath, [ObjectEdit]), APIError>, Never>) in
        guard case .success(let result) = result else { return }
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(let (path, edits)):
          services.hub.serve(path, for: call.bearer?.user ?? Accounts.administratorTokenUser) { store in
            try write(edits, to: store)
          } then: {
            completion($0.mapError { Self.refusal($0, services) })
          }
        }
      }
    })

  private static func checked(_ call: AdminCall) throws(APIError) -> (RealmPath, [ObjectEdit]) {
    let path = try path(call.body["path"]?.string ?? "")
    guard let facts = try? call.services.directory.facts(of: path) else { throw .storage }
    guard facts.exists else { throw APIError(404, .notFound, "there is no realm at this path") }
    let given = call.body["edits"]?.elements ?? []
    guard given.count <= mostEdits else {
      throw APIError(400, .invalidParameter, "'edits' has more than \(mostEdits) elements: send several transactions")
    }
    var edits: [ObjectEdit] = []
    for value in given { edits.append(try ObjectEdit(value)) }
    return (path, edits)
  }

  private static func write(_ edits: [ObjectEdit], to store: any HistoryStore) throws -> (
    value: JSONValue?, wrote: Bool
  ) {
    guard let history = store.graphQL?.history else {
      throw APIError.notServed("the realms of this server are kept where this API does not reach them")
    }
    try history.edit(by: operatorAccess) { editor in
      for (index, edit) in edits.enumerated() {
        do { try edit.apply(to: editor) } catch let error as APIError {
          throw edits.count == 1 ? error : APIError(error.status, error.code, "edit \(index): \(error.message)")
        }
      }
    }
    let version = try history.state().current.version.rawValue
    return (.object([("version", .integer(Int(clamping: version)))]), true)
  }

  /// Everything is open to administrators, also in realms with permissions of their own.
  private static var operatorAccess: ViewAccess {
    ViewAccess(
      user: Accounts.administratorTokenUser.rawValue, isAdministrator: true,
      tokenBound: Privileges(bound: .admin).rawValue, followsLinks: true, mayHoldWhole: true)
  }

  private static func refusal(_ error: any Error, _ services: AdminServices) -> APIError {
    switch error {
    case let error as APIError: return error
    case let error as ServerError where error.code == .realmConflict:
      return APIError(409, .realmConflict, "\(error.message); \(error.remedy)")
    case let error as WriteRefusal: return APIError(409, .realmConflict, error.reason)
    default:
      services.logger.error("a transaction failed", ["reason": LogValue("\(error)")])
      return .storage
    }
  }
}
