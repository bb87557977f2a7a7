/// The connections of a client, by server and user: those that have sessions, or had some a while ago.
// @unchecked Sendable: `links` is touched on the loop only.
final class LinkTable: @unchecked Sendable {
  private let environment: SyncEnvironment
  private var links: [SyncTarget.ConnectionKey: Link] = [:]

  init(_ environment: SyncEnvironment) { self.environment = environment }

  /// How many there are. On the loop.
  var count: Int { links.count }

  /// The connection that sessions of a target share. On the loop.
  func link(for target: SyncTarget, _ tokens: any TokenSource) -> Link {
    let key = target.connectionKey
    if let link = links[key] { return link }
    let link = Link(target: target, tokens: tokens, environment: environment) { [weak self] link in
      if let self, links[key] === link { links[key] = nil }
    }
    links[key] = link
    return link
  }
}
