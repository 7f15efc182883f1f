import Foundation
import HTTP
import Records
import Secrets

/// Style sheets and scripts, put together once at the start under names that change with their content.
package struct Assets: Sendable {
    private let sheets: [String: PreparedAnswer]
    package let stylesheet: String
    package let script: String
    /// The script of staff pages; patients' phones do not load it.
    package let deskScript: String
    package let deskStylesheet: String
    /// Modules of patients' pages, by name; they import each other, so their addresses change together.
    private let modules: [String: PreparedAnswer]
    private let modulesTag: String
    /// Style sheets of single pages, by name: only those pages load them.
    private let aloneSheets: [String: String]
    /// The addresses of the fonts, by the path that style sheets name them by.
    package let fonts: [String: String]
    private let files: StaticFiles

    /// - Throws: when the folder or its first sheet is missing.
    package init(folder: String) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        // Tokens come first; after that the cascade layers decide, not the order of files.
        let css =
            ["css/tokens.css"]
            + names.filter {
                $0.hasSuffix(".css") && $0 != "css/tokens.css" && !$0.hasPrefix("css/desk/")
                    && !$0.hasPrefix("css/alone/")
            }
        var type: [String: (address: String, bytes: [UInt8])] = [:]
        for name in names where name.hasPrefix("fonts/") && name.hasSuffix(".woff2") {
            let bytes = try Self.read(name, in: folder)
            let address = "/assets/" + name
            type[address] = (address.replacing(".woff2", with: ".\(Self.tag(bytes)).woff2"), bytes)
        }
        fonts = type.mapValues(\.address)
        let deskStyles = Self.named(
            fonts,
            in: try Self.join(
                names.filter { $0.hasPrefix("css/desk/") && $0.hasSuffix(".css") }, in: folder))
        // Patients' modules import what reads numbers; for all other scripts it is put before them.
        let js =
            ["own/number.js"]
            + names.filter { $0.hasPrefix("js/") && $0.hasSuffix(".js") && !$0.hasPrefix("js/desk/") }
        let desk = try Self.join(
            names.filter { $0.hasPrefix("js/desk/") && $0.hasSuffix(".js") }, in: folder)
        let styles = try Self.join(css, in: folder)
        let scripts = try Self.join(js, in: folder)
        stylesheet = "/assets/app.\(Self.tag(styles)).css"
        script = "/assets/app.\(Self.tag(scripts)).js"
        deskScript = "/assets/desk.\(Self.tag(desk)).js"
        deskStylesheet = "/assets/desk.\(Self.tag(deskStyles)).css"
        var alone: [String: (address: String, bytes: [UInt8])] = [:]
        for name in names where name.hasPrefix("css/alone/") && name.hasSuffix(".css") {
            let bytes = try Self.join([name], in: folder)
            let title = String(name.dropFirst("css/alone/".count).dropLast(".css".count))
            alone[title] = ("/assets/\(title).\(Self.tag(bytes)).css", bytes)
        }
        aloneSheets = alone.mapValues(\.address)
        sheets = [
            deskStylesheet: Self.asset(deskStyles, MediaType.css),
            deskScript: Self.asset(desk, Self.scriptType),
            stylesheet: Self.asset(styles, MediaType.css),
            script: Self.asset(scripts, Self.scriptType),
        ].merging(
            alone.values.map { ($0.address, Self.asset($0.bytes, MediaType.css)) }
                + type.values.map { ($0.address, Self.asset($0.bytes, "font/woff2")) }
        ) { first, _ in first }
        let own = names.filter { $0.hasPrefix("own/") && $0.hasSuffix(".js") }
        modulesTag = Self.tag(try Self.join(own, in: folder))
        modules = try Dictionary(
            uniqueKeysWithValues: own.map { name in
                let bytes = try Self.join([name], in: folder)
                return (String(name.dropFirst(4)), Self.asset(bytes, Self.scriptType))
            })
        files = try StaticFiles(folder: folder, tag: Self.tag)
    }

    /// The content of an asset by its address; for pages that are written to files.
    package func bytes(of name: String) -> [UInt8] { sheets[name]?.plain.bytes ?? [] }

    /// The address of a style sheet that only some pages need: `css/alone/NAME.css`.
    package func alone(_ name: String) -> String { aloneSheets[name] ?? "" }

    /// The address of a module of patients' pages.
    package func own(_ module: String) -> String { "/assets/own/\(modulesTag)/\(module)" }

    /// The addresses of all these modules.
    package var ownModules: [String] { modules.keys.sorted().map(own) }

    /// The modules every such page needs: fetched at once instead of one after the other as they import each other.
    package var ownImports: [String] {
        [
            "calls", "draft", "here", "kept", "number", "offered", "outbox", "pages", "plan", "sealing",
            "shown",
            "state",
            "store",
        ]
        .map { own($0 + ".js") }
    }

    /// A module; nil for an unknown name. Under an older tag it is the present one, and must not be cached.
    package func module(_ name: String, tag: String, to request: Request) -> Response? {
        guard let module = modules[name] else { return nil }
        if tag == modulesTag { return module.response(to: request) }
        return Response(type: Self.scriptType, module.plain.bytes)
    }

    package func response(to request: Request, name: String) -> Response? {
        sheets["/assets/" + name]?.response(to: request) ?? files.response(to: request, name: name)
    }

    private static func join(_ names: [String], in folder: String) throws -> [UInt8] {
        try names.reduce(into: []) { bytes, name in
            bytes += try read(name, in: folder) + [UInt8(ascii: "\n")]
        }
    }

    private static func read(_ name: String, in folder: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
            throw StartError("\(folder)/\(name) is missing")
        }
        return Array(data)
    }

    /// A style sheet that names files by their addresses instead of their paths.
    private static func named(_ addresses: [String: String], in sheet: [UInt8]) -> [UInt8] {
        let text = String(decoding: sheet, as: UTF8.self)
        return Array(addresses.reduce(text) { $0.replacing($1.key, with: $1.value) }.utf8)
    }

    private static let scriptType = "text/javascript; charset=utf-8"

    /// The name changes with the content, so the answer never goes stale.
    private static func asset(_ bytes: [UInt8], _ type: String) -> PreparedAnswer {
        PreparedAnswer(
            type: type, bytes, tag: tag(bytes),
            more: [("Cache-Control", "public, max-age=31536000, immutable")])
    }

    static func tag(_ bytes: [UInt8]) -> String { String(Token.base64url(Digest.plain(bytes)).prefix(16)) }
}
