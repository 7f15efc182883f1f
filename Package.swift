// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Modules stay small and apart; the optimiser may still look across their walls (docs/decisions/0004).
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// A C library of Debian 12, found through pkg-config.
func library(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "intersession",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "intersession", targets: ["PortalCLI"])],
    targets: [
        library("CMicroHTTPD", "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        library("CSodium", "libsodium", apt: "libsodium-dev"),
        library("CQREncode", "libqrencode", apt: "libqrencode-dev"),
        library("CJansson", "jansson", apt: "libjansson-dev"),
        library("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        library("COath", "liboath", apt: "liboath-dev"),
        library("CCmark", "libcmark", apt: "libcmark-dev"),
        library("CArchive", "libarchive", apt: "libarchive-dev"),
        // Debian ships no pkg-config file for it.
        .systemLibrary(name: "CReadStat", providers: [.apt(["libreadstat-dev"])]),
        module("HTTP", ["CMicroHTTPD", "CJansson"]),
        module("Database", ["CSQLite"]),
        module("Templates"),
        module("Secrets", ["CSodium", "COath"]),
        module("SMTP", ["CCurl"]),
        module("Files", ["CArchive", "CReadStat"]),
        module("Wire"),
        module("PortalClient", ["Wire", "Database", "Secrets"]),
        module(
            "Portal",
            ["HTTP", "Database", "Templates", "Secrets", "SMTP", "Files", "Wire", "CQREncode", "CCmark"]),
        .executableTarget(
            name: "PortalCLI", dependencies: ["Portal", "PortalClient", "HTTP", "Wire"],
            swiftSettings: settings),
        tests("HTTPTests", ["HTTP"]),
        tests("DatabaseTests", ["Database"]),
        tests("TemplatesTests", ["Templates"]),
        tests("SecretsTests", ["Secrets"]),
        tests("FilesTests", ["Files"]),
        tests("PortalClientTests", ["PortalClient", "Wire"]),
        tests(
            "PortalTests", ["Portal", "PortalClient", "HTTP", "Database", "Templates", "Secrets", "Wire"],
            exclude: ["Goldens"]),
        tests("EndToEndTests", ["PortalCLI", "PortalClient", "Wire"]),
    ]
)

// Only bin/fuzz asks for it: libFuzzer brings a main of its own.
if Context.environment["INTERSESSION_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["Portal", "HTTP", "Templates", "Files"], path: "Tests/Fuzz",
            exclude: ["corpus"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
