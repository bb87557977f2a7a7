import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the simulated loop only; what others read is behind the mutex.
/// The body of one simulated response, written in parts.
final class SimulatedBodyWriter: HTTPBodyWriter, @unchecked Sendable {
  private let exchange: SimulatedExchange
  private let network: SimulatedNetwork
  private let options: HTTPStreamOptions
  private var handler: (any HTTPBodyHandler)?
  private var isAboveLowWater = false
  /// Itself while a call of `bodyDidDrain` is due.
  private var owner: SimulatedBodyWriter?
  private let buffered = Mutex(0)
  private let isEnded = Mutex(false)

  init(
    exchange: SimulatedExchange, network: SimulatedNetwork, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) {
    self.exchange = exchange
    self.network = network
    self.options = options
    self.handler = handler
  }

  deinit {
    guard !isEnded.withLock({ $0 }) else { return }
    network.loop.execute { [exchange] in exchange.cutBody() }
  }

  var bufferedBytes: Int { buffered.withLock { $0 } }

  func write(_ part: [UInt8]) {
    guard !part.isEmpty else { return }
    network.loop.executeNowOrSoon {
      guard self.handler != nil else { return }
      self.note(self.exchange.writeBody(part))
    }
  }

  func finish() {
    network.loop.executeNowOrSoon {
      guard self.handler != nil else { return }
      self.exchange.finishBody()
      self.end(nil)
    }
  }

  func abort() { network.loop.executeNowOrSoon { self.fail(TransportError(.aborted, "the connection was cut")) } }

  // MARK: Of the exchange, on the loop

  func wasAcknowledged(_ inFlight: Int) {
    buffered.withLock { $0 = inFlight }
    guard isAboveLowWater, inFlight <= options.writeLowWaterMark, let handler else { return }
    isAboveLowWater = false
    owner = nil
    handler.bodyDidDrain(self)
  }

  func shouldFinish() { handler?.bodyShouldFinish(self) }

  func end(_ failure: TransportError?) {
    guard let handler else { return }
    abandon()
    network.loop.execute { handler.body(self, didEnd: failure) }
  }

  /// Ends without a report: the process is gone.
  func abandon() {
    handler = nil
    owner = nil
    isEnded.withLock { $0 = true }
  }

  private func fail(_ error: TransportError) {
    guard handler != nil else { return }
    exchange.cutBody()
    end(error)
  }

  private func note(_ inFlight: Int) {
    buffered.withLock { $0 = inFlight }
    if inFlight > options.writeLowWaterMark {
      isAboveLowWater = true
      owner = self
    }
    guard inFlight > options.writeBudget else { return }
    fail(
      TransportError(
        .writeBudgetExceeded, "the peer reads too slowly: more than \(options.writeBudget) bytes wait for it"))
  }
}
