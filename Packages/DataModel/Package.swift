// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "DataModel",
  products: [.library(name: "DataModel", targets: ["DataModel"])],
  dependencies: [.package(path: "../TestKit")],
  targets: [
    .target(name: "DataModel"),
    .testTarget(name: "DataModelTests", dependencies: ["DataModel", "TestKit"]),
  ]
)
