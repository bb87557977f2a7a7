// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "TestKit",
  products: [.library(name: "TestKit", targets: ["TestKit"])],
  targets: [
    .target(name: "CTestKit"),
    .target(name: "TestKit", dependencies: ["CTestKit"]),
    .testTarget(name: "TestKitTests", dependencies: ["TestKit"]),
  ]
)
