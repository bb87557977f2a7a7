public import Transport

/// The settings of one node of a cluster.
public struct ClusterNode: Hashable, Sendable {
  /// The name, unique in the cluster, and the same after a restart.
  public var name: String
  /// The URL under which the other nodes reach this one.
  public var address: String
  /// The time after which the realms of a node that is not heard of may be taken by others.
  public var lease: Duration
  /// The certificates that it accepts from the other nodes, where their URLs are `https`.
  public var peerTLS: TLSClientConfiguration
  /// The release of the program, for people who look.
  public var release: String

  /// A node; the lease is of 10 seconds unless another is given, and the authorities are those of the system.
  public init(
    name: String, address: String, lease: Duration = .seconds(10),
    peerTLS: TLSClientConfiguration = TLSClientConfiguration(), release: String = ""
  ) {
    self.peerTLS = peerTLS
    self.name = name
    self.address = address
    self.lease = lease
    self.release = release
  }

  /// The time between two renewals: a third of the lease, and at most a second, since what the others changed is read with it.
  var interval: Duration { min(.seconds(1), lease / 3) }
  var leaseMilliseconds: Int64 {
    let (seconds, attoseconds) = lease.components
    return seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000
  }
}
