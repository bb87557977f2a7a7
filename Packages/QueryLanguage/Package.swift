// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "QueryLanguage",
  products: [
    .library(name: "QueryLanguage", targets: ["QueryLanguage"]),
    .library(name: "QueryLanguageTestSupport", targets: ["QueryLanguageTestSupport"]),
  ],
  dependencies: [.package(path: "../DataModel"), .package(path: "../TestKit")],
  targets: [
    .target(name: "QueryLanguage", dependencies: ["DataModel"]),
    .target(name: "QueryLanguageTestSupport", dependencies: ["QueryLanguage", "DataModel"]),
    .testTarget(
      name: "QueryLanguageTests",
      dependencies: ["QueryLanguage", "QueryLanguageTestSupport", "DataModel", "TestKit"]),
  ]
)
