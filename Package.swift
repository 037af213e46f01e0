// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "critic-lsp",
  products: [
    .executable(name: "critic-lsp", targets: ["CriticLSP"])
  ],
  targets: [
    .target(
      name: "CLibrary",
      path: "Sources/CriticLSP/CLibrary",
      publicHeadersPath: ".",
      linkerSettings: [.linkedLibrary("m")]
    ),
    .target(name: "JSONRPC", swiftSettings: strict),
    .target(name: "TrackEngine", swiftSettings: strict),
    .executableTarget(
      name: "CriticLSP",
      dependencies: ["CLibrary", "JSONRPC", "TrackEngine"],
      exclude: ["CLibrary"],
      resources: [
        .embedInCode("CommandLine/agents.md"),
        .embedInCode("CommandLine/skill.md"),
        .embedInCode("Export/review.css"),
        .embedInCode("Export/review.js"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: ["TrackEngine"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .testTarget(
      name: "JSONRPCTests",
      dependencies: ["JSONRPC", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TrackEngineTests",
      dependencies: ["TestSupport", "TrackEngine"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CriticLSPTests",
      dependencies: ["CLibrary", "CriticLSP", "JSONRPC", "TestSupport", "TrackEngine"],
      // These take longer to be optimized than to run.
      swiftSettings: strict + [
        .unsafeFlags(
          ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
          .when(configuration: .release)
        )
      ]
    ),
  ]
)

#if os(Linux)
  // The measuring instrument of `make bench`; it reads /proc.
  package.targets.append(
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CLibrary", "JSONRPC", "TrackEngine"],
      path: "Tests/Benchmarks/Instrument",
      swiftSettings: strict
    )
  )
#endif
