import TestKit
import Testing

@Suite("waiting for a condition")
struct EventuallyTests {
  @Test("it ends with the first look at which the condition holds")
  func holds() async throws {
    var looks = 0
    try await eventually {
      looks += 1
      return looks == 3
    }
    #expect(looks == 3)
  }

  @Test("a clock alone does not end it, and the error names the place")
  func givesUp() async {
    var looks = 0
    let error = await #expect(throws: WaitTimeout.self) {
      try await eventually("the upload", within: .zero, looks: 4) {
        looks += 1
        return false
      }
    }
    #expect(looks == 4)
    #expect(error?.description.hasPrefix("TestKitTests/EventuallyTests.swift:") == true)
    #expect(error?.description.hasSuffix(" waited in vain for the upload") == true)
  }
}
