import ByteCoding
import Cryptography
import DataExchange
import Foundation
import Permissions
import RecordStore
import Transport

extension AdminOperation {
  static let exchange = [beginUpload, appendUpload, removeUpload, startImport, startExport, downloadExport]

  /// The most bytes of one part of a file that is sent; the body of a request is bounded.
  private static let mostPartBytes = 512 << 10

  private static let fileParameter = Parameter(
    name: "file", place: .path, schema: .integer(0 ... .max), isRequired: true, summary: "The number of the file.")
  private static let fileSchema = AdminSchema.object([.init("file", .integer()), .init("bytes", .integer())])
  private static let formats = ExchangeFormat.allCases.map(\.rawValue)

  private static let beginUpload = AdminOperation(
    name: "beginUpload", method: "POST", path: "files",
    summary: "Begins a file that is to be imported; it is sent in parts, and kept for an hour.",
    body: .object([.init("name", .string(maximum: 256), "Its ending says the format.")]), answer: fileSchema,
    status: 201, refusals: [409, 501],
    work: .blocking(.administration) { call in
      let files = try call.services.requiredExchange()
      let made = try files.begin(
        call.arguments.text("name"), at: call.services.accounts.now, keeping: call.services.tasks.isUsed)
      return .object([("file", .integer(made.number)), ("bytes", .integer(0))])
    })

  private static let appendUpload = AdminOperation(
    name: "appendUpload", method: "PUT", path: "files/{file}", summary: "Adds a part at the end of a file.",
    parameters: [fileParameter],
    body: .object([
      .init("at", .integer(0 ... .max), "The length so far."),
      .init("data", .string(maximum: mostPartBytes * 4 / 3 + 4), "At most 512 KiB in base64."),
    ]),
    answer: fileSchema, refusals: [404, 409, 501],
    work: .blocking(.administration) { call in
      guard let bytes = try? Base64.standard.decode(call.arguments.text("data")) else {
        throw APIError(400, .invalidParameter, "'data' is no base64")
      }
      let number = call.integer("file") ?? 0
      let length = try call.services.requiredExchange().append(bytes, at: call.body["at"]?.integer ?? 0, to: number)
      return .object([("file", .integer(number)), ("bytes", .integer(length))])
    })

  private static let removeUpload = AdminOperation(
    name: "removeFile", method: "DELETE", path: "files/{file}", summary: "Removes a file of an import or export.",
    parameters: [fileParameter], refusals: [409, 501],
    work: .blocking(.administration) { call in
      let number = call.integer("file") ?? 0
      guard !call.services.tasks.isUsed(number) else {
        throw APIError(409, .realmConflict, "a task reads or writes the file: wait for its end")
      }
      try call.services.requiredExchange().remove(number)
      return nil
    })

  private static let startImport = AdminOperation(
    name: "startImport", method: "POST", path: "realm/import",
    summary: """
      Starts a task that brings the objects of a file into a realm. The whole file is read first: one that does not fit changes \
      nothing. Then it is written in transactions of at most 5,000 objects, between which others write. A task that fails or is \
      ended on the way says how much was written, and that stays: repeated, it completes objects that have a key in the file.
      """,
    body: .object([
      .init("path", .string(maximum: 1_024)),
      .init("file", .integer(0 ... .max), "The number of a file that was sent."),
      .init("class", .string(maximum: 57), isRequired: false, "The class of the objects of a file that names none."),
      .init("makesClasses", .boolean, isRequired: false, "Whether missing classes are made from the values."),
      .init("primaryKey", .string(maximum: 63), isRequired: false, "The primary key of the class that is made."),
      .init("skipsBadObjects", .boolean, isRequired: false, "Whether objects that do not fit are left out."),
    ]),
    answer: taskSchema, status: 202, refusals: [404, 409, 501],
    work: .loop { call, completion in
      let services = call.services
      let number = call.body["file"]?.integer ?? 0
      let started: (AdminTasks.Task, RealmImport)
      do {
        let path = try services.requiredExchange().path(number)
        var run = RealmImport(
          path: path, className: call.body["class"]?.string,
          skipsBadObjects: call.body["skipsBadObjects"]?.bool ?? false)
        run.makesClasses = call.body["makesClasses"]?.bool ?? false
        run.primaryKey = call.body["primaryKey"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        started = (try services.tasks.begin(.importing, at: services.accounts.now, file: number), run)
      } catch {
        return completion(.failure(refusal(error, services)))
      }
      let (task, run) = started
      completion(.success(value(task)))
      ImportTask(run, of: call, task).begin()
    })

  private static let startExport = AdminOperation(
    name: "startExport", method: "POST", path: "realm/export",
    summary: "Starts a task that writes a realm, or one class as CSV, to a file that can then be fetched.",
    body: .object([
      .init("path", .string(maximum: 1_024)), .init("format", .choice(formats)),
      .init("class", .string(maximum: 57), isRequired: false, "The class; required for CSV."),
      .init("query", .string(maximum: 65_536), isRequired: false, "The objects of a CSV file; all unless given."),
    ]),
    answer: taskSchema, status: 202, refusals: [404, 409, 501],
    work: .blocking(.administration) { call in
      let services = call.services
      let path = try existingPath(call.arguments.text("path"), services)
      let files = try services.requiredFiles()
      let format = ExchangeFormat(rawValue: call.arguments.text("format")) ?? .json
      let name = call.body["class"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      if let name { _ = try type(name, in: files.contents(path).schema) }
      guard format != .csv || name != nil else {
        throw APIError(400, .missingParameter, "CSV is for one class: name it")
      }
      let title =
        (name ?? path.description.split(separator: "/").last.map(String.init) ?? "realm") + "." + format.rawValue
      let exchange = try services.requiredExchange()
      let made = try exchange.begin(title, at: services.accounts.now, keeping: services.tasks.isUsed)
      let task: AdminTasks.Task
      do throws(APIError) {
        task = try services.tasks.begin(.exporting, at: services.accounts.now, file: made.number)
      } catch {
        exchange.remove(made.number)
        throw error
      }
      let query = call.body["query"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      services.context.executor.submit(to: .maintenance) {
        do {
          let export = RealmExport(try files.contents(path), classNames: name.map { [$0] })
          let count =
            try format == .csv
            ? export.writeCSVFile(of: name ?? "", matching: query, to: made.path) { services.tasks.progress(task, $0) }
            : export.write(to: made.path, format: format) { services.tasks.progress(task, $0) }
          services.tasks.end(task, .done, "\(count) objects", services.logger)
        } catch {
          exchange.remove(made.number)
          let reason = (error as? ExchangeError)?.withoutFile ?? "\(error)"
          services.tasks.end(task, .failed, reason, services.logger)
        }
      }
      return value(task)
    })

  private static let downloadExport = AdminOperation(
    name: "downloadFile", method: "GET", path: "files/{file}", summary: "The file that an export wrote.",
    parameters: [fileParameter], answer: .string(), refusals: [404, 409, 501], contentType: "application/octet-stream",
    work: .stream { call, responder in
      let services = call.services
      let number = call.integer("file") ?? 0
      do throws(APIError) {
        let found = try services.requiredExchange().found(number)
        guard !services.tasks.isUsed(number) else {
          throw APIError(409, .realmConflict, "a task reads or writes the file: wait for its end")
        }
        try FileBody.open(found.path, name: found.name, on: responder, services.context)
      } catch {
        responder.respond(JSONAnswer.refusal(error))
      }
    })
}

extension ExchangeError {
  /// The sentence without the name of the file on the server's disk.
  var withoutFile: String {
    var error = self
    error.file = nil
    return error.description
  }
}

extension AdminServices {
  /// The files of imports and exports, where the server has a data directory.
  ///
  /// - Throws: ``APIError`` with 501
  func requiredExchange() throws(APIError) -> ExchangeFiles {
    guard let exchange else { throw .notServed("this server has no data directory of its own") }
    return exchange
  }
}
