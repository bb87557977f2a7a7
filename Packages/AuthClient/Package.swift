// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "AuthClient",
  products: [
    .library(name: "AuthClient", targets: ["AuthClient"]),
    .library(name: "AccessTokens", targets: ["AccessTokens"]),
  ],
  dependencies: [
    .package(path: "../ByteCoding"),
    .package(path: "../Permissions"),
    .package(path: "../Cryptography"),
    .package(path: "../Telemetry"),
    .package(path: "../Transport"),
  ],
  targets: [
    .target(
      name: "AccessTokens",
      dependencies: [
        .product(name: "ByteCoding", package: "ByteCoding"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "Telemetry", package: "Telemetry"),
      ]),
    .target(
      name: "AuthClient",
      dependencies: [
        "AccessTokens",
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "Telemetry", package: "Telemetry"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .testTarget(
      name: "AccessTokensTests",
      dependencies: [
        "AccessTokens", .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "Permissions", package: "Permissions"), .product(name: "Telemetry", package: "Telemetry"),
      ]),
    .testTarget(
      name: "AuthClientTests",
      dependencies: [
        "AuthClient", .product(name: "Permissions", package: "Permissions"),
        .product(name: "Telemetry", package: "Telemetry"), .product(name: "Transport", package: "Transport"),
      ]),
  ]
)
