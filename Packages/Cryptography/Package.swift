// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Cryptography",
  products: [
    .library(name: "Cryptography", targets: ["Cryptography"]),
    .library(name: "COpenSSL", targets: ["COpenSSL"]),
  ],
  dependencies: [.package(path: "../ByteCoding"), .package(path: "../TestKit")],
  targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(name: "Cryptography", dependencies: ["ByteCoding", "COpenSSL"]),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "TestKit"]),
  ]
)
