import Foundation
import HTTP
import Records
import Secrets

/// Style sheets and scripts, put together once at the start under names that change with their content.
package struct Assets: Sendable {
    private let sheets: [String: Response]
    package let stylesheet: String
    package let script: String
    private let files: StaticFiles

    /// - Throws: when the folder or its first sheet is missing.
    package init(folder: String) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        // Tokens come first; after that the cascade layers decide, not the order of files.
        let css = ["css/tokens.css"] + names.filter { $0.hasSuffix(".css") && $0 != "css/tokens.css" }
        let js = names.filter { $0.hasPrefix("js/") && $0.hasSuffix(".js") }
        let styles = try Self.join(css, in: folder)
        let scripts = try Self.join(js, in: folder)
        stylesheet = "/assets/app.\(Self.tag(styles)).css"
        script = "/assets/app.\(Self.tag(scripts)).js"
        sheets = [
            stylesheet: Self.asset(styles, MediaType.css),
            script: Self.asset(scripts, "text/javascript; charset=utf-8"),
        ]
        files = try StaticFiles(folder: folder, tag: Self.tag)
    }

    /// The bytes under one of the two names; for pages that are written to files.
    package func bytes(of name: String) -> [UInt8] { sheets[name]?.bytes ?? [] }

    package func response(to request: Request, name: String) -> Response? {
        if let asset = sheets["/assets/" + name] {
            guard let tag = asset.headers["ETag"], request.hasTag(tag) else { return asset }
            return Response(status: 304, headers: asset.headers)
        }
        return files.response(to: request, name: name)
    }

    private static func join(_ names: [String], in folder: String) throws -> [UInt8] {
        try names.reduce(into: []) { bytes, name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw StartError("\(folder)/\(name) is missing")
            }
            bytes += Array(data) + [UInt8(ascii: "\n")]
        }
    }

    private static func asset(_ bytes: [UInt8], _ type: String) -> Response {
        var response = Response(type: type, bytes)
        // The name changes with the content, so nobody needs to ask again.
        response.headers.append("Cache-Control", "public, max-age=31536000, immutable")
        response.headers.append("ETag", "\"\(tag(bytes))\"")
        return response
    }

    static func tag(_ bytes: [UInt8]) -> String { String(Token.base64url(Digest.plain(bytes)).prefix(16)) }
}
