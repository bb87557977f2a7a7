import AccessTokens
import Cryptography
import Foundation
import Permissions
import Telemetry

/// Verification of access tokens, in processor time, beside `openssl speed` of the signature alone.
let authTokenBenchmarks = Suite(prefix: "auth.verify-") { report in
  for subject in VerifiedAlgorithm.all where report.wants("auth.verify-" + subject.name) {
    let key = try subject.key()
    let issuer = TokenIssuer(key: key, keyIdentifier: "0123456789abcdef")
    let now = WallTime(secondsSince1970: 1_700_000_000)
    // Tokens that differ, as those of many users do.
    let tokens = try (0..<64).map { number in
      try issuer.sign(
        TokenClaims(
          kind: .access, user: UserId("65a1b2c3d4e5f60718293a\(10 + number)"), app: "todo-abcde",
          login: "0123456789abcdef0123456789abcd\(10 + number)", issuedAt: now, expiresAt: now + .seconds(1_800)))
    }
    let verifier = issuer.verifier
    var ours: [Double] = []
    var rivals: [Double] = []
    for _ in 0..<5 {
      rivals.append(try OpenSSLSpeed.seconds(subject.primitive, bytes: tokens[0].utf8.count))
      let time = try processorSeconds {
        for _ in 0..<subject.rounds {
          for token in tokens { consume(try verifier.verify(token, kind: .access, at: now)) }
        }
      }
      ours.append(time / Double(subject.rounds * tokens.count))
    }
    report.row(
      "auth.verify-" + subject.name, "an access token verified, beside openssl speed \(subject.primitive)",
      ours: median(ours), rival: median(rivals), unit: "s", subject.bound)
    report.row(
      "auth.verify-\(subject.name)-rate", "such verifications per second and core", ours: 1 / median(ours), rival: nil,
      unit: "/s")
  }
}

/// A kind of key, and the name that `openssl speed` has for it.
private struct VerifiedAlgorithm: Sendable {
  var name: String
  var primitive: String
  var rounds: Int
  var bound: Bound
  var key: @Sendable () throws -> SigningKey

  static let all = [
    VerifiedAlgorithm(name: "es256", primitive: "ecdsap256", rounds: 100, bound: .gainAtLeast(0.8)) {
      try .generateP256()
    },
    VerifiedAlgorithm(name: "rs256", primitive: "rsa2048", rounds: 200, bound: .gainAtLeast(0.8)) {
      try .generateRSA()
    },
    // The signature is so cheap that reading the token costs most: the limit is the time itself.
    VerifiedAlgorithm(name: "hs256", primitive: "hmac", rounds: 500, bound: .atMost(5e-6)) {
      try .sharedSecret(Array(repeating: 7, count: 32))
    },
  ]
}

/// `openssl speed`, the program that comes with the library which this project uses.
private enum OpenSSLSpeed {
  /// Processor seconds of one verification, or of one tag over as many bytes.
  static func seconds(_ primitive: String, bytes: Int) throws -> Double {
    let isTag = primitive == "hmac"
    let arguments = isTag ? ["-bytes", "\(bytes)", "-hmac", "sha256"] : [primitive]
    let lines = try output(["speed", "-mr", "-seconds", "1"] + arguments)
    for line in lines.reversed() {
      let fields = line.split(separator: ":")
      // A tag: +F:number:name:bytes per second. A signature: +F2 or +F4:number:bits:seconds to sign:seconds to verify.
      if isTag, fields.first == "+F", let rate = fields.last.flatMap({ Double($0) }), rate > 0 {
        return Double(bytes) / rate
      }
      if !isTag, ["+F2", "+F4"].contains(fields.first), let time = fields.last.flatMap({ Double($0) }), time > 0 {
        // The program prints a time, of which six digits are left, or a rate.
        return time < 1 ? time : 1 / time
      }
    }
    throw BenchmarkFailure("openssl speed \(primitive) said nothing that can be read")
  }

  private static func output(_ arguments: [String]) throws -> [String] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("openssl speed failed; install the package openssl")
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
