/// The times that a user was sent the text `~secret~`.
final class SecretCount {
  private(set) var count = 0

  init(to user: Int, in chat: inout ChatScene) {
    let secret = Array("~secret~".utf8)
    chat.network.watch = { [unowned self] client, entries in
      for entry in entries where client == user {
        let bytes = Array(entry.changeset)
        count += bytes.indices.count { bytes[$0...].starts(with: secret) }
      }
    }
  }
}
