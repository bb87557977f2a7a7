import AdapterKit
import ByteCoding
import ChangesetOT
import CommitFeed
import Foundation
import Permissions
import RecordStore
import Telemetry
import Transport

extension AdminOperation {
  static let adapters = [
    adapterTransactions, writeAdapterTransaction, advanceAdapter, adapterState, adapterContents, leaseAdapter,
    removeAdapter, watchRealms,
  ]

  private static let name = Parameter.path("adapter", "The name of the adapter; its position goes with it.")
  private static let lease = Parameter.query("lease", "The lease that the process holds.")
  private static let start = Parameter.query(
    "start", .choice(["oldest", "newest"]), "Where an unknown adapter begins; oldest unless given.")
  private static let pathMember = AdminSchema.Member("path", .string(maximum: 1_024))
  private static let leaseMember = AdminSchema.Member("lease", .string(maximum: 64), isRequired: false)

  private static let adapterTransactions = AdminOperation(
    name: "adapterTransactions", method: "GET", path: "adapters/{adapter}/transactions",
    summary:
      "The transactions of a realm after the adapter's position, one JSON document per line, its own not among them. Waits for the first one. They are told again until the position is moved.",
    parameters: [
      name, pathParameter,
      .query("after", "A position to go on from that is kept elsewhere, such as 12-77."),
      start,
      .query("wait", .integer(0...60), "The seconds to wait for a transaction; 0 unless given."),
      .query(
        "form", .choice(["instructions", "changesets"]),
        "Instructions unless given; changesets are bytes in base64 for a copy of the realm, the adapter's own among them."
      ),
      limit, lease,
    ],
    answer: .any, refusals: [404, 409, 410, 429], contentType: "application/x-ndjson",
    work: .stream { call, responder in call.services.adapterStreams.poll(call, on: responder) })

  private static let writeAdapterTransaction = AdminOperation(
    name: "writeAdapterTransaction", method: "POST", path: "adapters/{adapter}/transactions",
    summary:
      "Writes one transaction of another system, merged with the realm's, once for each number. It is durable when it is answered, and not told to its adapter.",
    parameters: [name],
    body: .object([
      pathMember,
      .init("number", .integer(1 ... .max), "Grows with each transaction; one that was written is passed over."),
      .init(
        "base", .string(maximum: 64), isRequired: false,
        "The position that the other system had seen; the adapter's stored position unless given."),
      .init(
        "time", .integer(), isRequired: false,
        "Milliseconds since 1970; what is later wins. The server's clock unless given."),
      .init("instructions", .array(.any), isRequired: false),
      .init(
        "changeset", .string(), isRequired: false,
        "In place of instructions: what a copy at the base recorded, in base64."), leaseMember,
    ]),
    answer: .object([
      .init("position", .string(), "The newest position of the realm, which has the transaction."),
      .init("written", .integer(), "The number of the last transaction that was written."),
    ]),
    refusals: [404, 409],
    work: .loop { call, completion in
      let now = call.services.context.scheduler.wallTime
      serve(call, call.arguments.text("path"), call.body["lease"]?.string, writes: true, then: completion) {
        history, path in
        let adapter = try RealmAdapter(call["adapter"], of: path.description, history)
        let base =
          try call.body["base"]?.string.map { try position($0, of: path, history) } ?? adapter.storedSaltedPosition()
        let number = call.body["number"]?.unsignedInteger ?? 0
        let time = OriginTimestamp(unixMilliseconds: call.body["time"]?.integer ?? now.millisecondsSince1970)
        if let text = call.body["changeset"]?.string {
          guard let bytes = Data(base64Encoded: text) else {
            throw APIError(400, .invalidParameter, "'changeset' is no base64")
          }
          try adapter.write(changeset: Array(bytes), number: number, base: base.version, time: time)
        } else {
          try adapter.write(try steps(of: call), number: number, base: base.version, time: time)
        }
        return .object([
          ("position", .string(AdapterPosition.text(try adapter.present().position))),
          ("written", .integer(try adapter.written().client.rawValue)),
        ])
      }
    })

  /// The instructions of a body.
  private static func steps(of call: AdminCall) throws -> [AdapterInstruction] {
    guard let elements = call.body["instructions"]?.elements else {
      throw APIError(400, .missingParameter, "'instructions' or 'changeset' is missing")
    }
    return try elements.enumerated().map { index, json in
      do throws(AdapterError) { return try AdapterInstruction(json) } catch {
        throw APIError(400, .invalidParameter, "instructions[\(index)]: \(error.message)")
      }
    }
  }

  private static let advanceAdapter = AdminOperation(
    name: "advanceAdapter", method: "POST", path: "adapters/{adapter}/position",
    summary: "Moves the adapter's position: everything up to it is dealt with, and is not told again.",
    parameters: [name],
    body: .object([
      pathMember, .init("position", .string(maximum: 64), "That of a transaction."),
      leaseMember,
    ]),
    refusals: [404, 409, 410],
    work: .loop { call, completion in
      serve(call, call.arguments.text("path"), call.body["lease"]?.string, then: completion) { history, path in
        var adapter = try RealmAdapter(call["adapter"], of: path.description, history)
        try adapter.advance(to: try position(call.arguments.text("position"), of: path, history))
        return nil
      }
    })

  private static let adapterState = AdminOperation(
    name: "adapterState", method: "GET", path: "adapters/{adapter}",
    summary: "Where an adapter is in a realm; makes it known there.",
    parameters: [name, pathParameter, start],
    answer: .object([
      .init("position", .string(), "The newest position that the adapter has dealt with."),
      .init("version", .integer(), "Its version."),
      .init("author", .integer(), "The client file under which the adapter writes."),
      .init("present", .string(), "The newest position of the realm."),
      .init("written", .integer(), "The number of the last transaction that it wrote; 0 for none."),
    ]),
    refusals: [404, 409],
    work: .loop { call, completion in
      serve(call, call["path"], call.parameters["lease"], isReading: true, then: completion) { history, path in
        let adapter = try RealmAdapter(
          call["adapter"], of: path.description, history,
          from: call.parameters["start"] == "newest" ? .newest : .oldest)
        let position = try adapter.storedSaltedPosition()
        return .object([
          ("position", .string(AdapterPosition.text(position))), ("version", .integer(position.version.rawValue)),
          ("author", .integer(adapter.ident.rawValue)),
          ("present", .string(AdapterPosition.text(try adapter.present().position))),
          ("written", .integer(try adapter.written().client.rawValue)),
        ])
      }
    })

  private static let adapterContents = AdminOperation(
    name: "adapterContents", method: "GET", path: "adapters/{adapter}/contents",
    summary:
      "All of a realm at one position, for a first load and for an adapter that was away for too long: a line with the position, one with the classes, and one per object with the steps that make it.",
    parameters: [
      name, pathParameter,
      .query(
        "at", .choice(["present", "position"]), "The present unless given; or the position that the adapter has."),
    ],
    answer: .any, refusals: [404, 409, 410, 429], contentType: "application/x-ndjson",
    work: .stream { call, responder in call.services.adapterStreams.contents(call, on: responder) })

  private static let leaseAdapter = AdminOperation(
    name: "leaseAdapter", method: "POST", path: "adapters/{adapter}/lease",
    summary:
      "Takes or renews the lease of a realm for one of several processes with the same adapter. Every call with the lease renews it; another process may take it when it was not used for its time, and the calls of the first are refused from then on.",
    parameters: [name],
    body: .object([
      pathMember, leaseMember,
      .init("release", .boolean, isRequired: false, "Whether to give the lease back."),
    ]),
    answer: .object([.init("lease", .string()), .init("seconds", .integer(), "Its time after the last use.")]),
    refusals: [409, 429],
    work: .blocking(.administration) { call in
      let key = AdapterLeases.Key(adapter: call["adapter"], path: try path(call.arguments.text("path")))
      let token = call.body["lease"]?.string
      let services = call.services
      if call.body["release"]?.bool == true {
        services.adapters.give(key, token: token)
        return .object([("lease", .string(token ?? "")), ("seconds", .integer(0))])
      }
      let lease = try services.adapters.take(
        key, token: token, at: services.context.scheduler.wallTime, random: services.accounts.random)
      return .object([
        ("lease", .string(lease)), ("seconds", .integer(AdapterLeases.duration.components.seconds)),
      ])
    })

  private static let watchRealms = AdminOperation(
    name: "watchRealms", method: "GET", path: "adapters/{adapter}/realms",
    summary:
      "The paths of realms with transactions since the last answer of a watch. Waits for the first one. Without a watch, or with one that has ended, the answer names a new one and all realms.",
    parameters: [
      name, .query("watch", "That of the last answer."),
      .query("wait", .integer(0...60), "The seconds to wait for a transaction; 0 unless given."),
    ],
    answer: .object([
      .init("watch", .string()), .init("paths", .array(.string())),
      .init("all", .boolean, "Whether the watch is new, and these are all realms."),
    ]),
    refusals: [429],
    work: .stream { call, responder in call.services.adapterWatches.poll(call, on: responder) })

  private static let removeAdapter = AdminOperation(
    name: "removeAdapter", method: "DELETE", path: "adapters/{adapter}",
    summary: "Forgets the position of an adapter in a realm, which then keeps no history for it.",
    parameters: [name, pathParameter, lease], refusals: [404, 409],
    work: .loop { call, completion in
      serve(call, call["path"], call.parameters["lease"], then: completion) { history, path in
        guard try RealmAdapter.remove(call["adapter"], of: path.description, history) else {
          throw APIError(404, .notFound, "there is no such adapter")
        }
        call.services.adapterCallers.forget(AdapterLeases.Key(adapter: call["adapter"], path: path))
        return nil
      }
    })

  /// A position that a caller gives.
  private static func position(
    _ text: String, of path: RealmPath, _ history: ServerHistory
  ) throws -> SaltedServerVersion {
    guard let position = AdapterPosition.position(text) else {
      throw APIError(400, .invalidParameter, "'\(text.prefix(64))' is no position")
    }
    try CommitFeed(of: path.description, history).check(position)
    return position
  }

  /// Does blocking work on a realm's history for an adapter.
  ///
  /// - Parameters:
  ///   - isReading: whether the work is open to processes without the lease.
  ///   - writes: whether sessions are to hear of a commit.
  private static func serve(
    _ call: AdminCall, _ text: String, _ lease: String?, isReading: Bool = false, writes: Bool = false,
    then completion: @escaping @Sendable (Result<JSONValue?, APIError>) -> Void,
    _ work: @escaping @Sendable (ServerHistory, RealmPath) throws -> JSONValue?
  ) {
    let services = call.services
    do throws(APIError) {
      let path = try path(text)
      try AdapterCalls.hold(call, path, isReading ? nil : .some(lease)) { result in
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(let hold):
          hold.perform {
            try work($0, path)
          } then: { result in
            if writes { hold.noteCommit() }
            services.context.scheduler.execute {
              completion(result.mapError { AdapterCalls.refusal($0, services) })
            }
          }
        }
      }
    } catch {
      completion(.failure(error))
    }
  }
}
