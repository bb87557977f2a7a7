import Concurrency
import Foundation
import Transport

/// Sends a file as the body of a response, part by part, as the client takes it.
// @unchecked Sendable: its variables are touched on the loop only, the handle by one piece of work at a time.
final class FileBody: HTTPBodyHandler, @unchecked Sendable {
  private static let partBytes = 256 << 10

  private let handle: FileHandle
  private let context: LoopContext
  private var isReading = false
  private var isEnded = false

  private init(_ handle: FileHandle, _ context: LoopContext) {
    self.handle = handle
    self.context = context
  }

  /// Answers with a file. On the loop.
  ///
  /// - Parameter name: the name under which a browser keeps it.
  /// - Throws: ``APIError`` with 404 when it cannot be read.
  static func open(
    _ path: String, name: String, on responder: any HTTPResponder, _ context: LoopContext
  ) throws(APIError) {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw APIError(404, .notFound, "the file is not there yet, or was removed")
    }
    let plain = String(
      name.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains($0))
      })
    let head = HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "application/octet-stream", "Cache-Control": "no-store",
        "Content-Disposition": "attachment; filename=\"\(plain.isEmpty ? "export" : plain)\"",
        "X-Content-Type-Options": "nosniff",
      ])
    let body = FileBody(handle, context)
    body.send(to: responder.stream(head, options: HTTPStreamOptions(), handler: body))
  }

  private func send(to writer: any HTTPBodyWriter) {
    guard !isReading, !isEnded else { return }
    isReading = true
    let handle = handle
    context.perform(.administration) { () -> Result<Data?, any Error> in
      Result { try handle.read(upToCount: Self.partBytes) }
    } then: { [self] (result: Result<Result<Data?, any Error>, Never>) in
      isReading = false
      guard !isEnded, case .success(let read) = result else { return close() }
      switch read {
      case .success(let part?) where !part.isEmpty:
        writer.write(Array(part))
        if writer.bufferedBytes <= HTTPStreamOptions().writeLowWaterMark { send(to: writer) }
      case .success: writer.finish()
      case .failure: writer.abort()
      }
    }
  }

  // MARK: HTTPBodyHandler

  func bodyDidDrain(_ writer: any HTTPBodyWriter) { send(to: writer) }

  func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    isEnded = true
    if !isReading { close() }
  }

  /// Closed under a read, the descriptor could become another file's while that is read from.
  private func close() { try? handle.close() }
}
