import ByteCoding
import ChangesetOT
import GraphQL
import QueryLanguage
import SyncProtocol
import TodoCore
import Transport

/// Every decoder that bytes from outside can reach.
let targets: [FuzzTarget] = [
  jwtTarget,
  authTarget,
  HTTPTarget.target, linkTarget,
  FuzzTarget(
    name: "changeset", corpus: { changesetCorpus() },
    feed: { bytes in
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))
      guard let changeset = try? Changeset(decoding: bytes, origin: origin) else { return }
      let again = changeset.encoded()
      precondition(
        (try? Changeset(decoding: again, origin: origin)) == changeset,
        "a decoded changeset comes back from its own bytes")
    }),
  FuzzTarget(
    name: "client-message", corpus: { recordedMessages(from: "client") },
    feed: { bytes in
      for flavour in [SyncFlavour.full, .flexible] {
        for version in [UInt16(8), 14] {
          let dialect = Dialect(flavour, ProtocolVersion(version))
          guard let message = try? MessageDecoder(dialect: dialect).clientMessage(bytes) else { continue }
          _ = message.encoded(for: dialect)
        }
      }
    }),
  FuzzTarget(
    name: "server-message", corpus: { recordedMessages(from: "server") },
    feed: { bytes in
      for flavour in [SyncFlavour.full, .flexible] {
        for version in [UInt16(8), 14] {
          let dialect = Dialect(flavour, ProtocolVersion(version))
          guard let message = try? MessageDecoder(dialect: dialect).serverMessage(bytes) else { continue }
          _ = message.encoded(for: dialect)
        }
      }
    }),
  FuzzTarget(
    name: "websocket", corpus: { webSocketCorpus() },
    feed: { bytes in
      for role in [WebSocketRole.client, .server] {
        for limit in [50, 1 << 16] {
          precondition(
            webSocketOutcome(bytes, role, limit, piece: 7)
              == webSocketOutcome(bytes, role, limit, piece: max(1, bytes.count)),
            "events depend on how the stream is cut")
        }
      }
    }),
  FuzzTarget(
    name: "http-request",
    corpus: {
      [
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\n", "3;a=b\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: u\r\n\r\n",
      ].map { Array($0.utf8) }
    },
    feed: { bytes in
      precondition(httpOutcome(bytes, piece: 3) == httpOutcome(bytes, piece: max(1, bytes.count)), "a cut decides")
    }),
  conversationTarget, CostSearch.target,
  FuzzTarget(
    name: "query", corpus: { recordedQueries() },
    feed: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let query = try? ParsedQuery(parsing: text) else { return }
      _ = query.description
    }),
  FuzzTarget(
    name: "graphql", corpus: { graphQLCorpus() },
    feed: { bytes in
      guard let document = try? GraphQLDocument(parsing: bytes) else { return }
      let printed = document.description
      precondition(
        (try? GraphQLDocument(parsing: printed))?.description == printed, "a printed document comes back from its text")
      if let schema = graphQLSchema { _ = document.validate(against: schema) }
      _ = try? GraphQLSchema(document)
    }),
  GraphQLRequestTarget.target, GraphQLServiceTarget.target,
  FuzzTarget(
    name: "todo-import",
    corpus: {
      [
        "(A) 2026-01-02 Call Mum +family @phone due:2026-01-05\nx 2026-01-03 done thing\n",
        "# Groceries\n- [ ] milk\n  - [x] oat\n* [ ] bread\n",
        "title,done,priority,due,notes\r\n\"Buy \"\"milk\"\"\",yes,A,2026-02-01,\"two\nlines\"\r\n",
      ].map { Array($0.utf8) }
    },
    feed: { bytes in
      for name in ["a.txt", "a.md", "a.csv", ""] { _ = Importer.read(bytes, name: name).count }
    }),
  FuzzedRealm(isEncrypted: false).target, FuzzedRealm(isEncrypted: true).target,
]

/// A decoder that is wrong on purpose: a run that does not see it fail cannot see anything.
let canary = FuzzTarget(
  name: "canary", corpus: { [[1, 2, 3, 4]] },
  feed: { bytes in precondition(bytes.first != 0x80, "the canary traps on 0x80") })

private func changesetCorpus() -> [[UInt8]] {
  let decoder = MessageDecoder(dialect: Dialect(.full, ProtocolVersion(14)))
  let uploads = recordedMessages(from: "client").compactMap { bytes -> UploadMessage? in
    guard case .upload(let upload)? = try? decoder.clientMessage(bytes) else { return nil }
    return upload
  }
  return uploads.flatMap(\.entries).map(\.changeset)
}

private func webSocketCorpus() -> [[UInt8]] {
  [
    [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F],
    [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58],
    [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F],
    [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [0x88, 0x02, 0x03, 0xE8],
    [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 0, count: 256),
    [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65536),
    [0x82, 0x7F, 0, 0, 0, 0, 0x80, 0, 0, 0],
  ]
}
