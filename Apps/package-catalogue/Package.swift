// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "package-catalogue",
  products: [.executable(name: "package-catalogue", targets: ["package-catalogue"])],
  dependencies: [
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/QueryLanguage"),
    .package(path: "../../Packages/SyncClient"),
  ],
  targets: [
    .executableTarget(
      name: "package-catalogue",
      dependencies: [
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "ObjectStore", package: "ObjectStore"),
        .product(name: "QueryLanguage", package: "QueryLanguage"),
        .product(name: "SyncClient", package: "SyncClient"),
      ])
  ]
)
