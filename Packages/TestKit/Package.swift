// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "TestKit",
  products: [.library(name: "TestKit", targets: ["TestKit"])],
  targets: [
    .target(name: "TestKit"),
    .testTarget(name: "TestKitTests", dependencies: ["TestKit"]),
  ]
)
