import ByteCoding
import ObjectServer
import Telemetry
import Transport

/// Messages of another node of a cluster, for both ends of a link with two streams.
let linkTarget = FuzzTarget(
  name: "link", corpus: { LinkTarget.corpus },
  feed: { bytes in
    LinkTarget.readAgain(bytes)
    for role in [PeerLink.Role.opener, .acceptor] { LinkTarget.feed(bytes, to: role) }
  })

private enum LinkTarget {
  private static let opening = StreamOpening(
    target: "/realm-sync", protocolTokens: ["com.mongodb.realm-sync#14"], headers: ["Authorization": "Bearer t"],
    address: "10.0.0.1:5000", isSecure: true, hops: 1)

  static var corpus: [[UInt8]] {
    let ends: [LinkFrame] = [
      .close(4_001, reason: "expired"), .abort, .refused(HTTPResponse(status: 503, text: "no\n")),
    ]
    let parts: [LinkFrame] = [
      .message(isText: false, total: 5, [1]), .more([2, 3]), .more([4, 5]), .message(isText: true, total: 1, [0x61]),
      .credit(1),
    ]
    return [
      written([.open(opening)], of: 3), written([.accepted(protocolToken: "a")] + parts, of: 1),
      written([.ping, .pong], of: 0),
    ] + ends.map { written(parts + [$0], of: 1) }
  }

  private static func written(_ frames: [LinkFrame], of stream: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    for frame in frames { frame.write(stream: stream, to: &writer) }
    return writer.bytes
  }

  /// Frames that were read come back from the bytes that they are written as.
  static func readAgain(_ bytes: [UInt8]) {
    var reader = LinkFrameReader(bytes)
    while let (stream, frame) = try? reader.next() {
      var again = LinkFrameReader(written([frame], of: stream))
      let read = try? again.next()
      precondition(read?.stream == stream && read?.frame == frame, "a frame comes back from its own bytes")
    }
  }

  static func feed(_ bytes: [UInt8], to role: PeerLink.Role) {
    var link = PeerLink(role, at: .zero)
    for stream in UInt64(1)...2 {
      switch role {
      case .opener:
        _ = link.open(opening, WebSocketOptions(), at: .zero)
        link.received(written([.accepted(protocolToken: nil)], of: stream), at: .zero)
      case .acceptor:
        link.received(written([.open(opening)], of: stream), at: .zero)
        _ = link.accept(stream, protocolToken: nil, WebSocketOptions())
      }
    }
    link.pause(2, true)
    link.received(bytes, at: .zero)
    link.pause(2, false)
    while let effect = link.next(room: 1 << 20) {
      if case .offered(let stream, _) = effect { _ = link.accept(stream, protocolToken: nil, WebSocketOptions()) }
    }
    precondition(link.queuedBytes == 0, "nothing was sent")
    precondition(link.streamCount <= 2 + bytes.count, "no stream without a frame")
  }
}
