// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "SubscriptionMatching",
  products: [.library(name: "SubscriptionMatching", targets: ["SubscriptionMatching"])],
  dependencies: [.package(path: "../DataModel"), .package(path: "../QueryLanguage"), .package(path: "../TestKit")],
  targets: [
    .target(name: "SubscriptionMatching", dependencies: ["DataModel", "QueryLanguage"]),
    .testTarget(
      name: "SubscriptionMatchingTests",
      dependencies: [
        "SubscriptionMatching", "DataModel", "QueryLanguage",
        .product(name: "QueryLanguageTestSupport", package: "QueryLanguage"), "TestKit",
      ]),
  ]
)
