public import Transport

/// The settings of one node of a cluster.
public struct ClusterNode: Hashable, Sendable {
  /// The name, unique in the cluster, and the same after a restart.
  public var name: String
  /// The URL under which the other nodes reach this one.
  public var address: String
  /// The time after which the realms of a node that is not heard of may be taken by others.
  public let lease: Duration
  /// The time between two renewals of the lease, with which what the others changed is read: at most a third of the lease.
  public let interval: Duration
  /// The certificates that it accepts from the other nodes, where their URLs are `https`.
  public var peerTLS: TLSClientConfiguration
  /// The release of the program, for people who look.
  public var release: String

  /// A node; the lease is of 10 seconds, renewed each second, unless others are given; the authorities are those of the system.
  public init(
    name: String, address: String, lease: Duration = .seconds(10), interval: Duration = .seconds(1),
    peerTLS: TLSClientConfiguration = TLSClientConfiguration(), release: String = ""
  ) {
    self.peerTLS = peerTLS
    self.name = name
    self.address = address
    self.lease = lease
    self.interval = min(interval, lease / 3)
    self.release = release
  }

  var leaseMilliseconds: Int64 {
    let (seconds, attoseconds) = lease.components
    return seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000
  }
}
