import Testing
import Transport

@Suite("Peer groups")
struct PeerGroupTests {
  @Test(
    "a group is an IPv4 address, the /64 of an IPv6 address, or a name",
    arguments: [
      ("203.0.113.7:51234", "203.0.113.7", false), ("203.0.113.7", "203.0.113.7", false),
      ("127.0.0.1:80", "127.0.0.1", true), ("[::ffff:203.0.113.7]:80", "203.0.113.7", false),
      ("[::ffff:127.0.0.1]:80", "127.0.0.1", true), ("[::1]:80", "0:0:0:0::/64", true),
      ("[2001:db8:1:2:3:4:5:6]:80", "2001:db8:1:2::/64", false),
      ("[2001:db8:1:2::ffff]:81", "2001:db8:1:2::/64", false),
      ("[2001:db8:1:3::1]:80", "2001:db8:1:3::/64", false), ("2001:db8:1:2::1", "2001:db8:1:2::/64", false),
      ("[fe80::1%eth0]:80", "fe80:0:0:0::/64", false), ("phone", "phone", false), ("phone:80", "phone", false),
      ("", "", false),
    ])
  func groups(address: String, description: String, isLocal: Bool) {
    let group = PeerGroup(remoteAddress: address)
    #expect(group.description == description)
    #expect(group.isLocal == isLocal)
  }
}
