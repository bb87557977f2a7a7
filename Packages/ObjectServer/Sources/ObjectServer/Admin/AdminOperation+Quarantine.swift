import ByteCoding
import ChangesetOT
import Foundation
import Permissions
import SyncProtocol
import Telemetry

extension AdminOperation {
  static let files = [listQuarantine, retryQuarantined, deleteQuarantined]

  private static let uploadSchema = AdminSchema.object([
    .init("name", .string()), .init("realm", .string()), .init("user", .string()), .init("refusedAt", .string()),
    .init("message", .string()), .init("changesets", .integer()),
  ])

  private static let uploadParameter = Parameter.path("upload", "Its name in the list.")

  /// The names of the uploads, oldest first.
  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static let listQuarantine = AdminOperation(
    name: "listQuarantine", method: "GET", path: "quarantine",
    summary: "Uploads that could not be integrated, oldest first.",
    answer: .object([.init("uploads", .array(uploadSchema))]), refusals: [501],
    work: .blocking(.administration) { call in
      let folder = try call.services.requiredFiles().quarantine
      return .object([
        (
          "uploads",
          .array(
            names(in: folder).map { name in
              let report = try? QuarantineReport(in: folder + "/" + name)
              return .object([
                ("name", .string(name)), ("realm", .string(report?.realm ?? "")),
                ("user", .string(report?.user ?? "")), ("refusedAt", .string(report?.refusedAt ?? "")),
                ("message", .string(report?.message ?? "the report cannot be read")),
                ("changesets", .integer(report?.changesets.count ?? 0)),
              ])
            })
        )
      ])
    })

  private static let retryQuarantined = AdminOperation(
    name: "retryQuarantined", method: "POST", path: "quarantine/{upload}/retry",
    summary: """
      Integrates an upload of the quarantine as its device would send it now, with the rights that its author has now, and removes \
      it unless it is refused again. A device that has recovered its changes by a reset has sent them under another file: they \
      would be there twice.
      """,
    parameters: [uploadParameter],
    answer: .object([
      .init(
        "outcome", .choice(["integrated", "undone", "present", "refused"]),
        "Undone: taken without effect, as the author may not write there. Present: the device has sent it since."),
      .init("reason", .string(), isRequired: false, "The reason of a refusal."),
    ]), refusals: [404, 409, 501],
    work: .loop { call, completion in
      let services = call.services
      services.context.perform(.administration) { () -> Result<KeptUpload, APIError> in
        AdminAPI.catching(services) { try KeptUpload(call["upload"], services) }
      } then: { (result: Result<Result<KeptUpload, APIError>, Never>) in
        guard case .success(let result) = result else { return }
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(let upload):
          inStore(call, upload.report.realm, for: upload.author, completion) { target, store in
            guard target.decision.level >= .write else {
              throw APIError(
                409, .realmConflict, "the author may not write to the realm: \(target.decision.explanation)")
            }
            return try upload.integrate(into: store, with: target.access)
          }
        }
      }
    })

  private static let deleteQuarantined = AdminOperation(
    name: "deleteQuarantined", method: "DELETE", path: "quarantine/{upload}",
    summary: "Removes an upload from the quarantine, for good.", parameters: [uploadParameter], refusals: [404, 501],
    work: .blocking(.administration) { call in
      try FileManager.default.removeItem(atPath: try folder(of: call["upload"], call.services))
      return nil
    })

  /// The folder of an upload. Only names of the list have one: no path leads out of the quarantine.
  ///
  /// - Throws: ``APIError`` with 404 or 501.
  fileprivate static func folder(of name: String, _ services: AdminServices) throws(APIError) -> String {
    let folder = try services.requiredFiles().quarantine
    guard names(in: folder).contains(name) else { throw APIError(404, .notFound, "there is no such upload") }
    return folder + "/" + name
  }
}

/// An upload of the quarantine that is to be integrated after all.
private struct KeptUpload: Sendable {
  let folder: String
  let report: QuarantineReport
  let batch: UploadBatch
  /// The user who made it, with their present rights.
  let author: Bearer

  /// - Throws: ``APIError`` with 404 for one that is not there, with 409 for one whose files or author are gone.
  init(_ name: String, _ services: AdminServices) throws {
    folder = try AdminOperation.folder(of: name, services)
    do {
      report = try QuarantineReport(in: folder)
      batch = try report.batch(in: folder)
    } catch {
      throw APIError(409, .realmConflict, "the files of the upload cannot be read")
    }
    guard let user = try services.directory.user(UserId(report.user)) else {
      throw APIError(409, .realmConflict, "the author is no user any more")
    }
    guard !user.isDisabled else { throw APIError(409, .realmConflict, "the author is suspended") }
    author = Bearer(
      subject: AccessSubject(user: user.id, isAdministrator: user.isAdministrator), app: "",
      expiresAt: WallTime(millisecondsSince1970: .max))
  }

  /// Integrates the changesets in one transaction. In the realm's queue.
  func integrate(
    into store: any HistoryStore, with access: ViewAccess
  ) throws -> (value: JSONValue?, wrote: Bool) {
    guard try store.clientFile(batch.file)?.upload.client ?? .zero < batch.progress.client else {
      return (try settled("present"), false)
    }
    var batch = batch
    batch.access = access
    let failure = try store.integrate([batch]).first ?? nil
    if let failure, failure.code != .compensatingWrite {
      return (
        .object([("outcome", .string("refused")), ("reason", .string(failure.details.message))]), false
      )
    }
    return (try settled(failure == nil ? "integrated" : "undone"), true)
  }

  private func settled(_ outcome: String) throws -> JSONValue {
    try FileManager.default.removeItem(atPath: folder)
    return .object([("outcome", .string(outcome))])
  }
}
