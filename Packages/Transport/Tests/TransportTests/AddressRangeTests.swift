import Testing
import Transport

@Suite("Ranges of addresses")
struct AddressRangeTests {
  @Test(
    "a range has the addresses that begin with its bits",
    arguments: [
      ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
      ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
      ("203.0.113.7", "203.0.113.7", true), ("203.0.113.7", "203.0.113.6", false), ("0.0.0.0/0", "8.8.8.8", true),
      ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "8.8.8.8", true), ("::1", "::1", true), ("::1", "127.0.0.1", false),
      ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
      ("::ffff:10.0.0.0/104", "10.2.3.4", true),
    ])
  func contains(range: String, address: String, isIn: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(try #require(IPAddress(address))) == isIn)
  }

  @Test(
    "what is no range is none",
    arguments: [
      "", "/8", "ten", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.1/8",
      "10.0.0.0/8/8", "2001:db8::/129", "2001:db8::1/32", "10.0.0.0/ 8", "[::1]", "10.0.0.1:80", "::ffff:10.0.0.0/8",
    ])
  func refused(text: String) { #expect(AddressRange(text) == nil) }

  @Test("a range of every address says so")
  func everyAddress() {
    for text in ["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"] { #expect(AddressRange(text)?.isEveryAddress == true) }
    for text in ["0.0.0.0/1", "10.0.0.0/8", "::/96", "::/1"] { #expect(AddressRange(text)?.isEveryAddress == false) }
  }

  @Test("an address of a connection has a port, or none")
  func remoteAddresses() {
    let four = IPAddress("203.0.113.7"), six = IPAddress("2001:db8::1")
    #expect(four != nil && six != nil && four != six)
    for text in ["203.0.113.7:80", "203.0.113.7", "[::ffff:203.0.113.7]:80"] {
      #expect(IPAddress(remoteAddress: text) == four)
    }
    for text in ["[2001:db8::1]:80", "2001:db8::1", "[2001:db8::1%eth0]:80"] {
      #expect(IPAddress(remoteAddress: text) == six)
    }
    #expect(IPAddress(remoteAddress: "phone:80") == nil)
  }
}
