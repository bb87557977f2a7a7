/// Writes the body of a response in parts. All methods can be called from any thread; outside of the loop they take effect soon.
///
///     let writer = responder.stream(HTTPResponse(status: 200), options: HTTPStreamOptions(), handler: export)
///     writer.write(header)                                  // then, whenever `bodyDidDrain` is called, the next part
///     writer.finish()
///
/// A writer that is released without ``finish()`` cuts the connection, so that the peer sees that the body is not whole. While a
/// call of ``HTTPBodyHandler/bodyDidDrain(_:)`` is due it need not be kept.
public protocol HTTPBodyWriter: AnyObject, Sendable {
  /// Bytes passed to ``write(_:)`` that the system has not taken: the measure for back-pressure.
  var bufferedBytes: Int { get }

  /// Sends a part of the body, in order. Ignored after the end.
  ///
  /// When more than ``HTTPStreamOptions/writeBudget`` is buffered, the connection is aborted with
  /// ``TransportError/Code/writeBudgetExceeded``: wait for ``HTTPBodyHandler/bodyDidDrain(_:)`` well before.
  func write(_ part: [UInt8])

  /// Ends the body; the connection serves the next request afterwards. Only the first end has an effect.
  func finish()

  /// Cuts the connection, so that the peer sees that the body is not whole.
  func abort()
}

/// Receives the events of a body that is written in parts. Called on the loop; the end is the last event.
public protocol HTTPBodyHandler: AnyObject, Sendable {
  /// Called when the buffered bytes fall to ``HTTPStreamOptions/writeLowWaterMark`` or below.
  func bodyDidDrain(_ writer: any HTTPBodyWriter)

  /// Called when the server begins to shut down; a body without an end of its own finishes now.
  func bodyShouldFinish(_ writer: any HTTPBodyWriter)

  /// Called once: nil after ``HTTPBodyWriter/finish()``, else the reason why the peer did not get the whole body.
  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?)
}

extension HTTPBodyHandler {
  /// Does nothing.
  public func bodyDidDrain(_ writer: any HTTPBodyWriter) {}
  /// Does nothing: the body is cut when the grace of the shut-down ends.
  public func bodyShouldFinish(_ writer: any HTTPBodyWriter) {}
}

/// Limits of one body that is written in parts.
public struct HTTPStreamOptions: Hashable, Sendable {
  /// The most bytes buffered; beyond it the connection is aborted.
  public var writeBudget = 4 << 20
  /// The buffered bytes at which ``HTTPBodyHandler/bodyDidDrain(_:)`` is called.
  public var writeLowWaterMark = 64 << 10
  /// The time in which a peer has to take some of the buffered bytes; one that takes none is cut.
  public var stallTimeout: Duration = .seconds(60)

  /// The default limits.
  public init() {}
}

/// Receives a response in parts. Called on the loop, in order; the end is the last event.
public protocol HTTPResponseHandler: AnyObject, Sendable {
  /// Called first, with status and headers; the body is empty.
  func responseDidBegin(_ head: HTTPResponse)
  /// Called for each part of the body, as it arrives.
  func response(didReceive part: [UInt8])
  /// Called once: nil after the last part, else the reason why there is no further one.
  func response(didEnd failure: TransportError?)
}
