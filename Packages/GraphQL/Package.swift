// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "GraphQL",
  products: [
    .library(name: "GraphQL", targets: ["GraphQL"]),
    .library(name: "GraphQLTestSupport", targets: ["GraphQLTestSupport"]),
  ],
  dependencies: [.package(path: "../ByteCoding"), .package(path: "../TestKit")],
  targets: [
    .target(name: "GraphQL", dependencies: ["ByteCoding"]),
    .target(name: "GraphQLTestSupport", dependencies: ["GraphQL", "ByteCoding", "TestKit"]),
    .executableTarget(name: "graphql-peer", dependencies: ["GraphQL", "GraphQLTestSupport", "ByteCoding"]),
    .testTarget(
      name: "GraphQLTests", dependencies: ["GraphQL", "GraphQLTestSupport", "ByteCoding", "TestKit"]),
  ]
)
