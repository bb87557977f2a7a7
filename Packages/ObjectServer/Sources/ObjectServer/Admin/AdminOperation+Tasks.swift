import ByteCoding
import Telemetry

extension AdminOperation {
  static let tasks = [listTasks, startTask, task, cancelTask]

  private static let taskParameter = Parameter(
    name: "task", place: .path, schema: .integer(0 ... .max), isRequired: true, summary: "The number of the task.")

  static let taskSchema = AdminSchema.object([
    .init("id", .integer()), .init("kind", .choice(AdminTasks.Kind.allCases.map(\.rawValue))),
    .init("state", .choice(["running", "done", "failed"])), .init("startedAt", .integer()),
    .init("done", .integer(), "Bytes that are done; of imports and exports thousandths."),
    .init("known", .integer(), "Bytes in all, as far as known."),
    .init("message", .string(), isRequired: false, "The result, or the reason of the failure."),
    .init(
      "problems", .array(.string()), isRequired: false,
      "The damage that a verification found, or what an import left out."),
    .init("file", .integer(), isRequired: false, "The file that an export writes, or an import reads."),
  ])

  static func value(_ task: AdminTasks.Task) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .integer(task.number)), ("kind", .string(task.kind.rawValue)), ("state", .string(task.state.rawValue)),
      ("startedAt", .integer(task.startedAt.millisecondsSince1970)), ("done", .integer(task.done)),
      ("known", .integer(task.known)),
    ]
    if let message = task.message { members.append(("message", .string(message))) }
    if let file = task.file { members.append(("file", .integer(file))) }
    if !task.problems.isEmpty { members.append(("problems", .array(task.problems.map(JSONValue.string)))) }
    return .object(members)
  }

  private static let listTasks = AdminOperation(
    name: "listTasks", method: "GET", path: "tasks", summary: "The last tasks, oldest first.",
    answer: .object([.init("tasks", .array(taskSchema))]),
    work: .blocking(.administration) { .object([("tasks", .array($0.services.tasks.all.map(value)))]) })

  private static let startTask = AdminOperation(
    name: "startTask", method: "POST", path: "tasks",
    summary: "Starts a backup, a verification or a vacuum of the data directory, beside serving.",
    body: .object([
      .init("kind", .choice(AdminTasks.Kind.startable.map(\.rawValue))),
      .init("name", .string(maximum: 64), isRequired: false, "The folder of a backup among the backups."),
    ]),
    answer: taskSchema, status: 202, refusals: [409, 501],
    work: .blocking(.administration) { call in
      let files = try call.services.requiredFiles()
      guard files.isComplete else {
        throw APIError.notServed(
          "the realms of a cluster are in its database: back that up, with pg_dump or pg_basebackup")
      }
      guard let kind = AdminTasks.Kind(rawValue: call.body["kind"]?.string ?? "") else {
        throw APIError.badRequest("no kind of task")
      }
      let name = call.body["name"]?.string ?? call.services.accounts.now.description.filter { $0 != ":" }
      return value(try call.services.tasks.start(kind, name: name, files, call.services))
    })

  private static func found(_ call: AdminCall) throws(APIError) -> AdminTasks.Task {
    guard let task = call.services.tasks.task(call.integer("task") ?? 0) else {
      throw APIError(404, .notFound, "there is no such task")
    }
    return task
  }

  private static let task = AdminOperation(
    name: "task", method: "GET", path: "tasks/{task}", summary: "A task with its progress.",
    parameters: [taskParameter], answer: taskSchema, refusals: [404],
    work: .blocking(.administration) { value(try found($0)) })

  private static let cancelTask = AdminOperation(
    name: "cancelTask", method: "DELETE", path: "tasks/{task}",
    summary: "Ends a vacuum after its file, an import after its batch; other tasks go on.",
    parameters: [taskParameter], refusals: [404],
    work: .blocking(.administration) { call in
      call.services.tasks.cancel(try found(call).number)
      return nil
    })
}
