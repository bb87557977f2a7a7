// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "RealmGraphQL",
  products: [.library(name: "RealmGraphQL", targets: ["RealmGraphQL"])],
  dependencies: [
    .package(path: "../ByteCoding"), .package(path: "../ChangesetOT"), .package(path: "../CommitFeed"),
    .package(path: "../DataExchange"), .package(path: "../DataModel"), .package(path: "../GraphQL"),
    .package(path: "../ObjectStore"), .package(path: "../Permissions"), .package(path: "../QueryLanguage"),
    .package(path: "../SubscriptionMatching"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .target(
      name: "RealmGraphQL",
      dependencies: [
        "ByteCoding", "ChangesetOT", "CommitFeed", "DataExchange", "DataModel", "GraphQL", "Permissions",
        .product(name: "RecordStore", package: "ObjectStore"), "QueryLanguage", "SubscriptionMatching",
      ]),
    .testTarget(
      name: "RealmGraphQLTests",
      dependencies: [
        "RealmGraphQL", "ByteCoding", "ChangesetOT", "DataModel", "GraphQL",
        .product(name: "RecordStore", package: "ObjectStore"), "QueryLanguage", "TestKit",
      ]),
  ]
)
