import Permissions

/// The messages that wait for subscribers who read slowly, in bytes. On the loop.
extension GraphQLRealms {
  /// Whether another message may wait for a socket: all sockets of its user, and those of all users, hold no more than the settings
  /// allow.
  ///
  /// - Complexity: O(1) while the counts of the last messages stay below the bounds; O(WebSockets) when they reach one, because what
  ///   was read since is then found out.
  func mayBuffer(for socket: GraphQLSocket) -> Bool {
    guard let user = socket.bearer?.user else { return true }
    count(socket, of: user)
    if isWithinBounds(user) { return true }
    for other in sockets.values { if let user = other.bearer?.user { count(other, of: user) } }
    return isWithinBounds(user)
  }

  /// Takes a socket that is gone out of the counts.
  func forgetBuffer(of socket: GraphQLSocket, _ counted: Int) {
    guard let user = socket.bearer?.user else { return }
    change(user, by: -counted)
  }

  private func isWithinBounds(_ user: UserId) -> Bool {
    buffered[user, default: 0] <= settings.bufferedBytesPerUser && bufferedTotal <= settings.bufferedBytes
  }

  private func count(_ socket: GraphQLSocket, of user: UserId) {
    let now = socket.bufferedBytes
    change(user, by: now - socket.countedBytes)
    socket.countedBytes = now
  }

  private func change(_ user: UserId, by bytes: Int) {
    guard bytes != 0 else { return }
    bufferedTotal += bytes
    buffered[user, default: 0] += bytes
    if buffered[user] == 0 { buffered[user] = nil }
  }
}
