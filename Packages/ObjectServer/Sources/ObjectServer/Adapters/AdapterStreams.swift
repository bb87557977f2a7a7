import AdapterKit
import ByteCoding
import Concurrency
import Permissions
import RecordStore
import Transport

/// The answers in lines to adapters: transactions, and the contents of realms. Bounded in their number, and each in its bytes.
// @unchecked Sendable: its variables are touched on the loop only.
final class AdapterStreams: @unchecked Sendable {
  /// The most requests that wait for transactions.
  static let maximumWaiting = 1_024
  /// The most contents that are sent at a time, each of which holds a snapshot of its realm.
  static let maximumContents = 8
  /// The bytes of lines after which an answer ends.
  static let answerBytes = 4 << 20

  private var waiting = 0
  private var contents = 0

  /// Answers with the transactions after a position, or waits for one. On the loop.
  func poll(_ call: AdminCall, on responder: any HTTPResponder) {
    do throws(APIError) {
      guard waiting < Self.maximumWaiting, !call.services.hub.isStopping else {
        throw APIError(429, .tooManyAttempts, "too many adapters are waiting", secondsToWait: 10)
      }
      let poll = try AdapterPoll(call) { [self] response in
        waiting -= 1
        responder.respond(response)
      }
      waiting += 1
      poll.begin()
    } catch {
      responder.respond(JSONAnswer.refusal(error))
    }
  }

  /// Sends all of a realm. On the loop.
  func contents(_ call: AdminCall, on responder: any HTTPResponder) {
    let services = call.services
    do throws(APIError) {
      guard contents < Self.maximumContents, !services.hub.isStopping else {
        throw APIError(429, .tooManyAttempts, "too many contents are being sent", secondsToWait: 10)
      }
      let path = try AdminOperation.path(call["path"])
      contents += 1
      try AdapterCalls.hold(call, path, nil) { [self] result in
        switch result {
        case .failure(let error):
          contents -= 1
          responder.respond(JSONAnswer.refusal(error))
        case .success(let hold):
          let adapter = call.parameters["at"] == "position" ? call["adapter"] : nil
          let stream = AdapterContentsStream(hold, services, atPositionOf: adapter) { [self] in contents -= 1 }
          stream.begin(on: responder)
        }
      }
    } catch {
      responder.respond(JSONAnswer.refusal(error))
    }
  }

  /// An answer in lines.
  static func response(_ lines: [UInt8]) -> HTTPResponse {
    var response = HTTPResponse(status: 200, body: lines)
    response.headers["Content-Type"] = "application/x-ndjson"
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}

/// One request for transactions, which may wait for the first one.
// @unchecked Sendable: its variables are touched on the loop only.
private final class AdapterPoll: @unchecked Sendable {
  private let call: AdminCall
  private let path: RealmPath
  private let end: @Sendable (HTTPResponse) -> Void
  private var watch: RealmWatch?
  /// The end of the wait.
  private var timer: (any Cancellable)?
  private var isReading = false
  private var isAsked = false
  private var isOver = false
  private var hasWaited = false

  init(_ call: AdminCall, end: @escaping @Sendable (HTTPResponse) -> Void) throws(APIError) {
    self.call = call
    path = try AdminOperation.path(call["path"])
    self.end = end
  }

  func begin() {
    let services = call.services
    let seconds = AdapterLeases.wait(call.integer("wait") ?? 0, holding: call.parameters["lease"])
    if seconds > 0 {
      let path = path
      let watch = RealmWatch(matching: { $0 == path }) { [weak self] in
        _ = self?.watch?.take()
        self?.read()
      } end: { [hub = services.hub] watch in
        services.context.scheduler.execute { hub.remove(watch) }
      }
      self.watch = watch
      services.hub.add(watch)
      timer = services.context.scheduler.schedule(after: .seconds(seconds)) { [self] in
        hasWaited = true
        read()
      }
    } else {
      hasWaited = true
    }
    read()
  }

  private func finish(_ response: HTTPResponse) {
    guard !isOver else { return }
    isOver = true
    watch?.cancel()
    watch = nil
    timer?.cancel()
    timer = nil
    end(response)
  }

  private func read() {
    guard !isOver else { return }
    guard !isReading else { return isAsked = true }
    isReading = true
    do throws(APIError) {
      try AdapterCalls.hold(call, path, .some(call.parameters["lease"])) { [self] result in
        switch result {
        case .failure(let error): finish(JSONAnswer.refusal(error))
        case .success(let hold):
          let (call, path) = (call, path)
          hold.perform { history in
            try Self.lines(call, path, history)
          } then: { [self] result in
            call.services.context.scheduler.execute { [self] in answered(result) }
          }
        }
      }
    } catch {
      finish(JSONAnswer.refusal(error))
    }
  }

  private func answered(_ result: Result<[UInt8], any Error>) {
    isReading = false
    switch result {
    case .failure(let error): return finish(JSONAnswer.refusal(AdapterCalls.refusal(error, call.services)))
    case .success(let lines) where !lines.isEmpty || hasWaited || call.services.hub.isStopping:
      return finish(AdapterStreams.response(lines))
    case .success: break
    }
    if isAsked {
      isAsked = false
      read()
    }
  }

  /// The transactions after the position, one per line.
  private static func lines(_ call: AdminCall, _ path: RealmPath, _ history: ServerHistory) throws -> [UInt8] {
    var adapter = try RealmAdapter(
      call["adapter"], of: path.description, history, from: call.parameters["start"] == "newest" ? .newest : .oldest)
    if let text = call.parameters["after"] {
      guard let position = AdapterPosition.position(text) else {
        throw APIError(400, .invalidParameter, "'\(text.prefix(64))' is no position")
      }
      try adapter.resume(after: position)
    }
    var lines: [UInt8] = []
    var count = 0
    /// The next transaction in the form that was asked for.
    func next() throws -> JSONValue? {
      guard call.parameters["form"] == "changesets" else { return try adapter.current()?.json }
      return try adapter.currentCommit(includingOwn: true)?.json
    }
    while count < call.limit, lines.count < AdapterStreams.answerBytes, let line = try next() {
      lines += line.text.utf8
      lines.append(0x0A)
      count += 1
      adapter.pass()
    }
    return lines
  }
}
