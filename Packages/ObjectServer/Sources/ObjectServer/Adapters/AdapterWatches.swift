import ByteCoding
import Concurrency
import Permissions
import Transport

/// Tells programs by long poll which realms have transactions. Each follows a watch, which ends when it is not asked for a while.
// @unchecked Sendable: its variables are touched on the loop only.
final class AdapterWatches: @unchecked Sendable {
  /// The most watches at a time.
  static let maximumWatches = 256
  /// The time after its last answer at which a watch ends.
  static let patience: Duration = .seconds(120)

  private var watches: [String: AdapterWatch] = [:]

  /// Answers with the realms that have transactions, or waits for one. On the loop.
  func poll(_ call: AdminCall, on responder: any HTTPResponder) {
    if let token = call.parameters["watch"], let known = watches[token] {
      return known.poll(call, on: responder)
    }
    guard watches.count < Self.maximumWatches, !call.services.hub.isStopping else {
      return responder.respond(
        JSONAnswer.refusal(APIError(429, .tooManyAttempts, "too many programs are watching", secondsToWait: 10)))
    }
    let token = call.services.accounts.random.hex(digits: 32)
    let watch = AdapterWatch(token, call.services) { [weak self] in self?.watches[token] = nil }
    watches[token] = watch
    // Realms are listed after the watch has begun, so that none is missed.
    let services = call.services
    services.context.perform(.administration) { () -> Result<[RealmPath], APIError> in
      AdminAPI.catching(services) { try services.directory.allRealms() }
    } then: { (result: Result<Result<[RealmPath], APIError>, Never>) in
      guard case .success(let listed) = result else { return }
      switch listed {
      case .failure(let error): responder.respond(JSONAnswer.refusal(error))
      case .success(let paths): responder.respond(watch.answer(paths, isAll: true))
      }
    }
  }
}

/// One watch of all realms, and the request that waits on it.
// @unchecked Sendable: its variables are touched on the loop only.
private final class AdapterWatch: @unchecked Sendable {
  private let token: String
  private let services: AdminServices
  private let end: () -> Void
  private var watch: RealmWatch?
  private var waiting: (any HTTPResponder)?
  private var wait: (any Cancellable)?
  private var patience: (any Cancellable)?
  private var isAnswering = false

  init(_ token: String, _ services: AdminServices, end: @escaping () -> Void) {
    self.token = token
    self.services = services
    self.end = end
    let scheduler = services.context.scheduler
    let watch = RealmWatch(matching: { _ in true }) { [weak self] in
      self?.noted()
    } end: { [hub = services.hub] watch in
      scheduler.execute { hub.remove(watch) }
    }
    self.watch = watch
    services.hub.add(watch)
    expectPoll()
  }

  /// Answers at once when realms have transactions, otherwise once one has. An earlier request is answered with nothing.
  func poll(_ call: AdminCall, on responder: any HTTPResponder) {
    finish([])
    patience?.cancel()
    patience = nil
    let paths = watch?.take() ?? []
    let seconds = call.integer("wait") ?? 0
    guard paths.isEmpty, seconds > 0 else { return responder.respond(answer(paths, isAll: false)) }
    waiting = responder
    wait = services.context.scheduler.schedule(after: .seconds(seconds)) { [weak self] in self?.finish([]) }
  }

  /// Transactions of one turn of the loop go into one answer.
  private func noted() {
    guard !isAnswering else { return }
    isAnswering = true
    services.context.scheduler.execute { [weak self] in
      guard let self else { return }
      isAnswering = false
      guard waiting != nil else { return }
      finish(watch?.take() ?? [])
    }
  }

  private func finish(_ paths: [RealmPath]) {
    guard let responder = waiting else { return }
    waiting = nil
    wait?.cancel()
    wait = nil
    responder.respond(answer(paths, isAll: false))
  }

  func answer(_ paths: [RealmPath], isAll: Bool) -> HTTPResponse {
    if waiting == nil { expectPoll() }
    let body = JSONValue.object([
      ("watch", .string(token)), ("paths", .array(paths.map { .string($0.description) })), ("all", .bool(isAll)),
    ])
    return HTTPResponse(status: 200, json: Array(body.text.utf8))
  }

  private func expectPoll() {
    patience?.cancel()
    patience = services.context.scheduler.schedule(after: AdapterWatches.patience) { [weak self] in
      self?.watch?.cancel()
      self?.end()
    }
  }
}
