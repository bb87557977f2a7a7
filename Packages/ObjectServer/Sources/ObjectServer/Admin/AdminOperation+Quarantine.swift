import ByteCoding
import Foundation

extension AdminOperation {
  static let files = [listQuarantine, deleteQuarantined]

  private static let uploadSchema = AdminSchema.object([
    .init("name", .string()), .init("realm", .string()), .init("user", .string()), .init("refusedAt", .string()),
    .init("message", .string()), .init("changesets", .integer()),
  ])

  private static let listQuarantine = AdminOperation(
    name: "listQuarantine", method: "GET", path: "quarantine",
    summary: "Uploads that could not be integrated, oldest first.",
    answer: .object([.init("uploads", .array(uploadSchema))]), refusals: [501],
    work: .blocking(.administration) { call in
      let folder = try call.services.requiredFiles().quarantine
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      return .object([
        (
          "uploads",
          .array(
            names.map { name in
              let data = FileManager.default.contents(atPath: "\(folder)/\(name)/report.json")
              let report = data.flatMap { try? JSONValue(parsing: Array($0)) }
              func text(_ member: String) -> JSONValue { .string(report?[member]?.string ?? "") }
              return .object([
                ("name", .string(name)), ("realm", text("realm")), ("user", text("user")),
                ("refusedAt", text("refusedAt")), ("message", text("message")),
                ("changesets", .integer(report?["changesets"]?.elements?.count ?? 0)),
              ])
            })
        )
      ])
    })

  private static let deleteQuarantined = AdminOperation(
    name: "deleteQuarantined", method: "DELETE", path: "quarantine/{upload}",
    summary: "Removes an upload from the quarantine, for good.",
    parameters: [.path("upload", "Its name in the list.")], refusals: [404, 501],
    work: .blocking(.administration) { call in
      let folder = try call.services.requiredFiles().quarantine
      // Only a name of the list is removed: no path leads out of the folder.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      guard names.contains(call["upload"]) else { throw APIError(404, .notFound, "there is no such upload") }
      try FileManager.default.removeItem(atPath: folder + "/" + call["upload"])
      return nil
    })
}
