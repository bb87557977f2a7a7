public import Permissions
public import Transport

/// A server of a cluster, as the others reach it.
public struct ServerNode: Hashable, Sendable {
  /// The name in the settings, unique in the cluster.
  public var name: String
  /// The URL under which the other nodes reach it, such as `http://10.0.0.7:9080`.
  public var address: String

  /// A node by name and URL.
  public init(name: String, address: String) {
    self.name = name
    self.address = address
  }
}

/// The server that has a realm's files.
public enum RealmPlace: Hashable, Sendable {
  /// This one.
  case here
  /// Another one, to which sessions and requests are passed on.
  case node(ServerNode)
  /// None yet, or one whose lease has ended: ``RealmPlacement/acquire(_:)`` may make it this one.
  case nobody
}

/// Where the realms of a cluster are. A server without one is alone and has all.
public protocol RealmPlacement: Sendable {
  /// This server.
  var node: ServerNode { get }
  /// The secret that all nodes of the cluster share, at least 32 random bytes: it proves that a request was passed on by one of
  /// them.
  var peerKey: [UInt8] { get }
  /// The certificates that this node accepts from the others, when their URLs are `https`.
  var peerTLS: TLSClientConfiguration { get }
  /// The reason why clients should go to other nodes, for who asks whether this one is ready; nil while they may come.
  var refusal: String? { get }
  /// The place of a realm as this server knows it, from memory. From any thread.
  func place(of path: RealmPath) -> RealmPlace
  /// Takes a realm that nobody has. Blocks; off the loop.
  ///
  /// - Returns: the place afterwards: this server, or the one that was quicker.
  /// - Throws: ``ServerError/Code/clusterFailure``
  func acquire(_ path: RealmPath) throws(ServerError) -> RealmPlace
  /// Notes what a realm cost this server: processor time of its jobs. From any thread, once per job.
  func worked(on path: RealmPath, for time: Duration)
  /// Chooses the function that is called when realms leave this server, on any thread; it closes them, so that their clients come
  /// back and are passed on.
  ///
  /// - Parameter handler: gets a test that tells of a path whether it left, and a function to be called when those are closed.
  func whenLeaving(
    _ handler:
      @escaping @Sendable (_ left: @escaping @Sendable (RealmPath) -> Bool, _ done: @escaping @Sendable () -> Void) ->
      Void)
}

extension RealmPlacement {
  /// The default: nothing is noted.
  public func worked(on path: RealmPath, for time: Duration) {}

  /// The default: clients may come.
  public var refusal: String? { nil }

  /// The default: the roots of the system, and the host name of the URL.
  public var peerTLS: TLSClientConfiguration { TLSClientConfiguration() }
}
