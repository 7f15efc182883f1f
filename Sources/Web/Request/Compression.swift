import HTTP

extension Pipeline {
    /// Pages that repeat something of the request stay plain: their length under compression would tell whether a guess in
    /// it stands in the page, too (BREACH). Every page repeats its query, in the links to other languages.
    func isCompressible(_ request: Request, _ status: Int) -> Bool {
        status == 200 && request.method.isSafe && request.query.fields.isEmpty
            && !["q", "search"].contains(request.path.first)
    }
}
