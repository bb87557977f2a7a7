import AdapterKit
import ByteCoding
import Concurrency
import Permissions
import RecordStore
import Transport

/// Sends all of a realm at one position, a part whenever the client took the one before; until the files are wanted. The adapter asks again
/// then.
// @unchecked Sendable: its variables are touched on the loop, and by the work that runs one at a time.
final class AdapterContentsStream: HTTPBodyHandler, @unchecked Sendable {
  /// The objects of one part.
  private static let portion = 1_024

  private let hold: RealmHold
  private let services: AdminServices
  private let adapter: String?
  private let end: @Sendable () -> Void
  /// Reading state, of the work only.
  private var state: AdapterState?
  private var classes: [String] = []
  private var offset = 0
  /// Of the loop.
  private var writer: (any HTTPBodyWriter)?
  private var isReading = false
  private var isOver = false

  /// - Parameters:
  ///   - adapter: the adapter whose position is meant; nil for the present.
  ///   - end: called once on the loop, when everything is sent or the client is gone.
  init(
    _ hold: RealmHold, _ services: AdminServices, atPositionOf adapter: String?, end: @escaping @Sendable () -> Void
  ) {
    self.hold = hold
    self.services = services
    self.adapter = adapter
    self.end = end
  }

  /// Answers a request. On the loop.
  func begin(on responder: any HTTPResponder) {
    hold.perform { [self] history in
      let state = try Self.state(hold.path, history, adapter)
      self.state = state
      classes = state.schema.objectSchema.filter { $0.kind != .embedded }.map(\.className)
      return Self.line([("position", .string(AdapterPosition.text(state.position)))])
        + Self.line(state.schema.objectSchema.map { AdapterInstruction.addType($0) })
    } then: { [self] result in
      services.context.scheduler.execute { [self] in
        switch result {
        case .failure(let error):
          end()
          responder.respond(JSONAnswer.refusal(AdapterCalls.refusal(error, services)))
        case .success(let head):
          var options = Self.options
          options.writeBudget = 64 << 20
          let writer = responder.stream(AdapterStreams.response(head), options: options, handler: self)
          guard !isOver else { return }
          self.writer = writer
          // The client may take its time; whoever waits for the files need not.
          hold.whenWanted { [weak self] in self?.writer?.abort() }
          send(to: writer)
        }
      }
    }
  }

  private static func state(_ path: RealmPath, _ history: ServerHistory, _ adapter: String?) throws -> AdapterState {
    if let adapter { return try RealmAdapter(adapter, of: path.description, history).state() }
    let (position, contents) = try history.feedPresent()
    return AdapterState(position: position, contents: contents)
  }

  private static let options = HTTPStreamOptions()

  /// Sends the next part, and further ones until the client has to take some first.
  private func send(to writer: any HTTPBodyWriter) {
    guard !isReading, !isOver else { return }
    isReading = true
    hold.perform { [self] _ in
      try part()
    } then: { [self] result in
      services.context.scheduler.execute { [self] in
        isReading = false
        switch result {
        case .failure: writer.abort()
        case .success(nil): writer.finish()
        case .success(let part?):
          writer.write(part)
          if writer.bufferedBytes <= Self.options.writeLowWaterMark { send(to: writer) }
        }
      }
    }
  }

  /// Sends the next part.
  func bodyDidDrain(_ writer: any HTTPBodyWriter) { send(to: writer) }

  /// Called when everything is sent, or the client is gone.
  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    isOver = true
    self.writer = nil
    end()
  }

  /// The next lines; nil when all are made.
  private func part() throws -> [UInt8]? {
    guard let state else { return nil }
    var lines: [UInt8] = []
    guard let name = classes.first else {
      for record in try state.deleted() {
        lines += Self.line(AdapterInstruction.restoring(record, schema: state.schema))
      }
      self.state = nil
      return lines.isEmpty ? nil : lines
    }
    let page = try state.page(of: name, from: offset, count: Self.portion)
    offset += page.looked
    if page.looked < Self.portion {
      classes.removeFirst()
      offset = 0
    }
    for record in page.records { lines += Self.line(AdapterInstruction.restoring(record, schema: state.schema)) }
    // A part without bytes would not drain.
    return lines.isEmpty ? try part() : lines
  }

  private static func line(_ instructions: [AdapterInstruction]) -> [UInt8] {
    line([("instructions", .array(instructions.map(\.json)))])
  }

  private static func line(_ members: [(key: String, value: JSONValue)]) -> [UInt8] {
    Array((JSONValue.object(members).text + "\n").utf8)
  }
}
