import Foundation

/// The files of a folder, listed once: only those can be asked for, so no path leads out of it.
public struct StaticFiles: Sendable {
    struct File: Sendable {
        let path: String
        let size: Int
        let type: String
        let tag: String
        /// Of text, which browsers take compressed; nil for what is compressed already.
        let text: PreparedAnswer?
    }

    private var files: [String: File] = [:]

    /// - Parameter tag: makes the strong entity tag from a file's content.
    public init(folder: String, tag: ([UInt8]) -> String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            guard let type = MediaType.of(name), let data = FileManager.default.contents(atPath: path) else {
                continue
            }
            let bytes = Array(data)
            let tag = tag(bytes)
            let isText = type.hasSuffix("charset=utf-8")
            files[name] = File(
                path: path, size: data.count, type: type, tag: "\"\(tag)\"",
                text: isText ? PreparedAnswer(type: type, bytes, tag: tag) : nil)
        }
    }

    public var names: [String] { files.keys.sorted() }

    /// Nil for an unknown name.
    public func response(to request: Request, name: String) -> Response? {
        files[name].map { Self.response(to: request, file: $0) }
    }

    static func response(to request: Request, file: File) -> Response {
        if let text = file.text, request.range == nil { return text.response(to: request) }
        return Response.file(file.path, size: file.size, type: file.type, tag: file.tag, to: request)
    }
}

/// Media types by the end of a file's name.
public enum MediaType {
    public static let html = "text/html; charset=utf-8"
    public static let json = "application/json; charset=utf-8"
    public static let css = "text/css; charset=utf-8"

    /// Nil for files that must not be served.
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
