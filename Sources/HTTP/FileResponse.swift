extension Response {
    /// Answers with a file that never changes under its tag: the whole, a part of it, or 304 for a client that has it
    /// (RFC 9110, 13 and 14). A request for several ranges gets the whole.
    /// - Parameters:
    ///   - size: of the file in bytes.
    ///   - tag: a strong entity tag, with its quotation marks.
    public static func file(
        _ path: String, size: Int, type: String, tag: String, to request: Request
    ) -> Response {
        var headers: Headers = ["ETag": tag, "Accept-Ranges": "bytes"]
        if request.hasTag(tag) { return Response(status: 304, headers: headers) }
        headers.append("Content-Type", type)
        // The rest of a changed file is worthless: then the whole is sent. A date is no strong validator.
        let condition = request.headers["If-Range"]
        let wanted = condition == nil || condition == tag ? request.range : nil
        switch ByteRange.parse(wanted, size: size) {
        case .whole:
            return Response(status: 200, headers: headers, body: .file(path: path, offset: 0, count: size))
        case .part(let range):
            headers.append("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            let body = Body.file(path: path, offset: range.lowerBound, count: range.count)
            return Response(status: 206, headers: headers, body: body)
        case .unsatisfiable:
            return Response(status: 416, headers: ["Content-Range": "bytes */\(size)"])
        }
    }
}
