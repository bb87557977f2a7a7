// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "PostgresClient",
  products: [
    .library(name: "PostgresClient", targets: ["PostgresClient"]),
    .library(name: "PostgresClientTestSupport", targets: ["PostgresClientTestSupport"]),
  ],
  dependencies: [.package(path: "../TestKit")],
  targets: [
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "PostgresClient", dependencies: ["CLibPQ"]),
    .target(name: "PostgresClientTestSupport", dependencies: ["PostgresClient", "TestKit"]),
    .testTarget(
      name: "PostgresClientTests", dependencies: ["PostgresClient", "PostgresClientTestSupport", "TestKit"]),
  ]
)
