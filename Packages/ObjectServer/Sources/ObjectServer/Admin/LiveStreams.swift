import ByteCoding
import Concurrency
import Permissions
import Synchronization
import Telemetry
import Transport

/// The open streams of server-sent events of the administration API.
// @unchecked Sendable: its variables are touched on the loop only.
final class LiveStreams: @unchecked Sendable {
  /// The most streams at a time.
  static let maximumStreams = 32
  /// The interval at which the list of connections is looked at, and the bearers of streams are reviewed.
  static let interval: Duration = .seconds(1)

  enum Topic: String, CaseIterable { case sessions, metrics, logs }

  private struct Subscriber {
    var stream: EventStream
    var topics: Set<Topic>
    /// The request, whose bearer is looked at again and again.
    var request: HTTPRequest
    var observer: UInt64?
    var lastSessions = ""
  }

  private var subscribers: [UInt64: Subscriber] = [:]
  private var last: UInt64 = 0
  private var isTicking = false
  private var ticks = 0

  /// Opens a stream. On the loop.
  func open(_ call: AdminCall, on responder: any HTTPResponder) {
    let names = call.parameters["topics"].map { $0.split(separator: ",").map(String.init) } ?? []
    let topics = names.compactMap(Topic.init(rawValue:))
    guard topics.count == names.count else {
      return responder.respond(
        JSONAnswer.refusal(APIError(400, .invalidParameter, "'topics' are sessions, metrics and logs")))
    }
    guard subscribers.count < Self.maximumStreams, !call.services.hub.isStopping else {
      return responder.respond(
        JSONAnswer.refusal(APIError(429, .tooManyAttempts, "too many streams are open", secondsToWait: 10)))
    }
    last += 1
    let (number, services) = (last, call.services)
    let stream = EventStream.open(on: responder, scheduler: services.context.scheduler) { [weak self] in
      guard let self, let gone = subscribers.removeValue(forKey: number) else { return }
      if let observer = gone.observer { services.recentLogs?.removeObserver(observer) }
    }
    var subscriber = Subscriber(
      stream: stream, topics: Set(topics.isEmpty ? Topic.allCases : topics),
      request: call.http)
    if subscriber.topics.contains(.logs), let recent = services.recentLogs {
      let level = call.parameters["level"].flatMap { LogLevel($0) } ?? .info
      subscriber.observer = recent.addObserver { entry in
        guard entry.entry.level >= level else { return }
        stream.send(
          ServerSentEvent(event: "log", id: String(entry.number), data: AdminOperation.value(entry).text))
      }
    }
    subscribers[number] = subscriber
    publish(services, isFull: true)
    tick(services)
  }

  private func tick(_ services: AdminServices) {
    guard !isTicking else { return }
    isTicking = true
    services.context.scheduler.schedule(after: Self.interval) { [weak self] in
      guard let self else { return }
      isTicking = false
      ticks += 1
      guard !subscribers.isEmpty else { return }
      publish(services, isFull: ticks % 2 == 0)
      review(services)
      tick(services)
    }
  }

  private func publish(_ services: AdminServices, isFull: Bool) {
    var sessions: String?
    var metrics: String?
    for (number, subscriber) in subscribers {
      if subscriber.topics.contains(.sessions) {
        let text = sessions ?? AdminOperation.connections(services.hub).text
        sessions = text
        if text != subscriber.lastSessions {
          subscribers[number]?.lastSessions = text
          subscriber.stream.send(ServerSentEvent(event: "sessions", data: text))
        }
      }
      if isFull, subscriber.topics.contains(.metrics) {
        let text = metrics ?? AdminOperation.metricValues(services.registry).text
        metrics = text
        subscriber.stream.send(ServerSentEvent(event: "metrics", data: text))
      }
    }
  }

  /// Ends the streams of bearers whose tokens have expired, whose logins have ended, or who are no administrators any more.
  private func review(_ services: AdminServices) {
    let requests = subscribers.mapValues(\.request)
    services.context.perform(.directory) { () throws(Never) -> [UInt64] in
      requests.filter { _, request in
        (try? HTTPAPI.bearer(of: request, asking: .administrator, services.accounts)) == nil
      }.map(\.key)
    } then: { [weak self] result in
      guard let self, case .success(let ended) = result else { return }
      for number in ended { subscribers[number]?.stream.finish() }
    }
  }
}
