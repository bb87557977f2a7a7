// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Transport",
  products: [
    .library(name: "Transport", targets: ["Transport"]),
    .library(name: "TransportReal", targets: ["TransportReal"]),
    .library(name: "TransportSimulated", targets: ["TransportSimulated"]),
  ],
  dependencies: [
    .package(path: "../Concurrency"),
    .package(path: "../Cryptography"),
    .package(path: "../Telemetry"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv"),
    .systemLibrary(name: "CHTTPParser"),
    .target(
      name: "Transport",
      dependencies: [
        "Concurrency",
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "Telemetry", package: "Telemetry"),
      ]),
    .target(
      name: "TransportReal",
      dependencies: [
        "Transport", "CLibUV", "CHTTPParser", "Concurrency",
        .product(name: "COpenSSL", package: "Cryptography"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "Telemetry", package: "Telemetry"),
      ]),
    .target(
      name: "TransportSimulated",
      dependencies: ["Transport", "Concurrency", "TestKit", .product(name: "Telemetry", package: "Telemetry")]),
    .testTarget(name: "TransportTests", dependencies: ["Transport", "TestKit"]),
    .testTarget(
      name: "TransportRealTests",
      dependencies: ["Transport", "TransportReal", "TestKit", .product(name: "Cryptography", package: "Cryptography")]),
    .testTarget(
      name: "TransportSimulatedTests", dependencies: ["Concurrency", "Transport", "TransportSimulated", "TestKit"]),
  ]
)
