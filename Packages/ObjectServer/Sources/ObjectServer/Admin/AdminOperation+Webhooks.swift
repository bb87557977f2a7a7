import ByteCoding

extension AdminOperation {
  static let webhooks = [listWebhooks, listDeadLetters, sendDeadLetter, deleteDeadLetter]

  private static func running(_ services: AdminServices) throws(APIError) -> any WebhookAdministration {
    guard let webhooks = services.webhooks else { throw .notServed("this server has no webhooks") }
    return webhooks
  }

  private static let listWebhooks = AdminOperation(
    name: "listWebhooks", method: "GET", path: "webhooks",
    summary: "The webhooks of the server's configuration.",
    answer: .object([
      .init(
        "webhooks",
        .array(
          .object([
            .init("name", .string()), .init("url", .string()),
            .init("pattern", .string(), "The regular expression of the realms' paths."),
            .init("deadLetters", .integer(), "The messages that were never accepted."),
          ])))
    ]), refusals: [501],
    work: .blocking(.administration) { call in
      .object([
        (
          "webhooks",
          .array(
            try running(call.services).webhooks().map { webhook in
              .object([
                ("name", .string(webhook.name)), ("url", .string(webhook.url)), ("pattern", .string(webhook.pattern)),
                ("deadLetters", .integer(webhook.deadLetters)),
              ])
            })
        )
      ])
    })

  private static let listDeadLetters = AdminOperation(
    name: "listDeadLetters", method: "GET", path: "webhooks/dead-letters",
    summary: "Messages of webhooks that their receivers never accepted, by id, page by page.",
    parameters: [
      .query("webhook", "Only those of one webhook."),
      .query("after", "The last letter of the page before."), limit,
    ],
    answer: .object([
      .init(
        "letters",
        .array(
          .object([
            .init("id", .string()), .init("webhook", .string()),
            .init("event", .string(), "The transaction, as receivers are told it."),
            .init("reason", .string(), "The last failure."), .init("bytes", .integer(), "The size of the message."),
          ]))), .init("total", .integer(), "The letters that match."),
      .init("next", .string(), isRequired: false, "The value of 'after' for the next page; missing on the last one."),
    ]), refusals: [501],
    work: .blocking(.administration) { call in
      let all = try running(call.services).deadLetters().filter { letter in
        call.parameters["webhook"].map { $0 == letter.webhook } ?? true
      }
      let after = call.parameters["after"] ?? ""
      // By id, so that a page follows another one also when letters were removed between them.
      let rest = all.drop { $0.id <= after }
      let page = rest.prefix(call.limit)
      var members: [(key: String, value: JSONValue)] = [
        (
          "letters",
          .array(
            page.map { letter in
              .object([
                ("id", .string(letter.id)), ("webhook", .string(letter.webhook)), ("event", .string(letter.event)),
                ("reason", .string(letter.reason)), ("bytes", .integer(letter.bytes)),
              ])
            })
        ), ("total", .integer(all.count)),
      ]
      if rest.count > page.count, let last = page.last { members.append(("next", .string(last.id))) }
      return .object(members)
    })

  private static let sendDeadLetter = AdminOperation(
    name: "sendDeadLetter", method: "POST", path: "webhooks/dead-letters/{letter}/send",
    summary: "Sends a dead letter again; it is removed when its receiver accepts it.",
    parameters: [.path("letter", "Its id in the list.")],
    answer: .object([
      .init("accepted", .boolean), .init("reason", .string(), isRequired: false, "Why it was not accepted."),
    ]), refusals: [404, 501],
    work: .loop { call, completion in
      let webhooks: any WebhookAdministration
      do throws(APIError) { webhooks = try running(call.services) } catch { return completion(.failure(error)) }
      let scheduler = call.services.context.scheduler
      webhooks.sendAgain(call["letter"]) { outcome in
        scheduler.execute {
          switch outcome {
          case .accepted?: completion(.success(.object([("accepted", .bool(true))])))
          case .refused(let reason)?:
            completion(.success(.object([("accepted", .bool(false)), ("reason", .string(reason))])))
          case nil: completion(.failure(APIError(404, .notFound, "there is no such letter")))
          }
        }
      }
    })

  private static let deleteDeadLetter = AdminOperation(
    name: "deleteDeadLetter", method: "DELETE", path: "webhooks/dead-letters/{letter}",
    summary: "Removes a dead letter, for good.", parameters: [.path("letter", "Its id in the list.")],
    refusals: [404, 501],
    work: .blocking(.administration) { call in
      guard try running(call.services).removeDeadLetter(call["letter"]) else {
        throw APIError(404, .notFound, "there is no such letter")
      }
      return nil
    })
}
