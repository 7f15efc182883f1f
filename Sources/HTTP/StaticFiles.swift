import Foundation

/// The files of a folder, listed once: only what was there then can be asked for, so no path leads elsewhere.
public struct StaticFiles: Sendable {
    struct File: Sendable {
        let path: String
        let size: Int
        let type: String
        let tag: String
    }

    private var files: [String: File] = [:]

    /// - Parameter tag: makes the strong entity tag from a file's content.
    public init(folder: String, tag: ([UInt8]) -> String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            guard let type = MediaType.of(name), let data = FileManager.default.contents(atPath: path) else {
                continue
            }
            files[name] = File(path: path, size: data.count, type: type, tag: "\"\(tag(Array(data)))\"")
        }
    }

    public var names: [String] { files.keys.sorted() }

    /// Nil when there is no such file.
    public func response(to request: Request, name: String) -> Response? {
        files[name].map { Self.response(to: request, file: $0) }
    }

    static func response(to request: Request, file: File) -> Response {
        Response.file(file.path, size: file.size, type: file.type, tag: file.tag, to: request)
    }
}

/// Media types by the end of a file's name.
public enum MediaType {
    public static let html = "text/html; charset=utf-8"
    public static let json = "application/json; charset=utf-8"
    public static let css = "text/css; charset=utf-8"

    /// Nil for files that are not to be served.
    static func of(_ name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": css
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml; charset=utf-8"
        case "json": json
        case "txt": "text/plain; charset=utf-8"
        case "png": "image/png"
        case "jpg": "image/jpeg"
        case "mp3": "audio/mpeg"
        case "ogg": "audio/ogg"
        case "wav": "audio/wav"
        default: nil
        }
    }
}
