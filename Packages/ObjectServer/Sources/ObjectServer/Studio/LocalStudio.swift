import ByteCoding
public import Concurrency
import Cryptography
import DataModel
public import RecordStore
public import Transport

/// Serves Studio over one realm file of this machine, beside the app that uses it, to whoever has the key.
///
///     let studio = LocalStudio(file, name: "pets.realm", isReadOnly: true, pages: StudioPages.files, key: key, context: context)
///     let listener = try await network.listen(on: ListenAddress(port: 0), options: HTTPServerOptions(), handler: studio)
///     print("http://127.0.0.1:\(listener.address.port)/studio/#key=\(key)")
///
/// The key stands behind the `#` of the address, so that it is in no log, and becomes a cookie that scripts cannot read. Only
/// requests to a name of this machine are answered: a page of another site cannot pretend to be this one.
public final class LocalStudio: HTTPServerHandler {
  private let file: RealmFile
  private let name: String
  private let isReadOnly: Bool
  private let pages: StaticFiles
  private let key: String
  private let context: LoopContext
  private let positions = PositionCache()
  /// The operations of the administration API that a file has.
  private let operations: [AdminOperation]

  private static let cookie = "openrealm-studio-file"
  private static let served = ["realm", "listObjects", "writeObjects", "modelClasses", "addSchema"]

  /// A handler of requests for one file.
  ///
  /// - Parameters:
  ///   - name: the name that is shown.
  ///   - key: a secret of at least 32 characters, drawn anew for each process.
  public init(
    _ file: RealmFile, name: String, isReadOnly: Bool, pages: StaticFiles, key: String, context: LoopContext
  ) {
    self.file = file
    self.name = name
    self.isReadOnly = isReadOnly
    self.pages = pages
    self.key = key
    self.context = context
    operations = AdminOperation.all.filter { Self.served.contains($0.name) }
  }

  /// The content of the cookie of a browser that showed the key.
  private var login: String { hexText(Digest.sha256.hash(Array("openrealm-studio-file:\(key)".utf8))) }

  /// Answers a page, the login, or an operation. On the loop.
  public func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    do throws(APIError) {
      try checkHost(request)
      if AdminAPI.answers(request) { return try perform(request, responder) }
      responder.respond(try page(request))
    } catch {
      responder.respond(JSONAnswer.refusal(error))
    }
  }

  /// Names of other sites may be made to lead to this machine; they are not answered.
  private func checkHost(_ request: HTTPRequest) throws(APIError) {
    let host = request.headers["Host"] ?? ""
    let isOwn = ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
    guard isOwn, request.beginsHere(behindProxy: false) else { throw .denied("open Studio by a name of this machine") }
  }

  private func page(_ request: HTTPRequest) throws(APIError) -> HTTPResponse {
    let prefix = HTTPAPI.studioPrefix
    guard request.path.hasPrefix(prefix) else {
      guard request.path == "/" || request.path == "/studio" else {
        throw APIError(404, .notFound, "there is nothing at this path")
      }
      return HTTPResponse(status: 308, headers: ["Location": prefix])
    }
    let path = String(request.path.dropFirst(prefix.count))
    guard path == "session" else {
      guard let page = pages.response(to: request, path: path) else {
        throw APIError(404, .notFound, "there is nothing at this path")
      }
      return page
    }
    var response = HTTPResponse(status: 200, json: Array("null".utf8))
    response.headers["Cache-Control"] = "no-store"
    if request.method == "POST" {
      guard request.headers["Content-Type"]?.hasPrefix("application/json") == true,
        let given = (try? JSONValue(parsing: request.body))?["key"]?.string,
        Digest.sha256.hash(Array(given.utf8)) == Digest.sha256.hash(Array(key.utf8))
      else { throw APIError(401, .invalidSession, "this key is not the one that 'realm studio' printed last") }
      response.headers["Set-Cookie"] = "\(Self.cookie)=\(login); Path=/; HttpOnly; SameSite=Strict"
    } else if !isLoggedIn(request) {
      return response
    }
    response.body = Array(session.text.utf8)
    return response
  }

  private func isLoggedIn(_ request: HTTPRequest) -> Bool {
    (request.headers["Cookie"]?.split(separator: ";") ?? []).contains { pair in
      pair.drop { $0 == " " || $0 == "\t" } == "\(Self.cookie)=\(login)"
    }
  }

  private var session: JSONValue {
    .object([
      ("scope", "file"), ("name", .string(name)), ("path", .string(name)), ("isReadOnly", .bool(isReadOnly)),
      ("token", .string(StudioLogin.forgeryToken(of: login))),
    ])
  }

  // MARK: Operations

  private func perform(_ request: HTTPRequest, _ responder: any HTTPResponder) throws(APIError) {
    guard isLoggedIn(request) else { throw .noBearer }
    let (operation, path) = try AdminAPI.find(request, among: operations)
    if operation.isNoted {
      guard request.headers[StudioLogin.header] == StudioLogin.forgeryToken(of: login) else {
        throw .denied("the header \(StudioLogin.header) is missing or wrong: reload the page")
      }
      guard !isReadOnly else { throw .denied("the file was opened to be read only") }
    }
    let arguments = try AdminAPI.arguments(of: request, operation, path)
    context.perform(.administration) { [self] () -> Result<JSONValue?, APIError> in
      do { return .success(try answer(operation.name, arguments)) } catch let error as APIError {
        return .failure(error)
      } catch let error as RecordStoreError {
        return .failure(APIError(409, .realmConflict, error.message))
      } catch {
        return .failure(.storage)
      }
    } then: { (result: Result<Result<JSONValue?, APIError>, Never>) in
      if case .success(let result) = result { responder.respond(AdminAPI.response(result, operation)) }
    }
  }

  private func answer(_ name: String, _ arguments: AdminArguments) throws -> JSONValue? {
    guard arguments.parameters["at"] == nil else { throw APIError.notServed("a file has no history of its own") }
    switch name {
    case "realm": return .object([("path", .string(self.name)), AdminOperation.classes(of: try contents())])
    case "listObjects": return try ObjectListing(arguments).answer(try contents(), known: (positions, self.name))
    case "modelClasses":
      return .object([("source", .string(try AdminOperation.models(arguments, of: try contents().contents.schema)))])
    case "addSchema":
      let added = try AdminOperation.schema(arguments.body["classes"])
      try file.edit { try $0.addClasses(try AdminOperation.completed(added, $0.schema)) }
      return version()
    case "writeObjects":
      let isPreview = arguments.body["preview"]?.bool ?? false
      let changeset = try ObjectEdit.apply(try ObjectEdit.list(arguments.body["edits"]), isPreview: isPreview) { body in
        try file.edit(body)
      }
      return isPreview ? version(ObjectEdit.lines(of: changeset)) : version()
    default: throw APIError(404, .notFound, "a file has no such operation")
    }
  }

  private func contents() throws -> ReadableContents { ReadableContents(try file.contents()) }

  private func version(_ lines: [String]? = nil) -> JSONValue {
    let version = (try? file.contents().version) ?? 0
    return .object(
      [("version", .integer(version))] + (lines.map { [("instructions", .array($0.map(JSONValue.string)))] } ?? []))
  }
}
