import HTTP

extension Pipeline {
    /// Whoever has no token yet has little to say: a large body costs many times its size while it is read.
    func bodyLimit(for head: RequestHead) -> Int {
        let path = head.target?.path ?? []
        guard Surface(path) == .api else {
            if head.headers["Cookie"] == nil { return 16 * 1024 }
            // Files and pictures come in on few pages; 64 kB are for what a form has beside them.
            let takesFiles = path == ["questionnaires", "import"] || path == ["studies", "new"]
            let isStudy = path.count == 3 && path.first == "studies" && path.last == "edit"
            return takesFiles || isStudy ? (1024 + 64) * 1024 : 256 * 1024
        }
        if path.starts(with: ["api", "v1", "auth"]) { return 16 * 1024 }
        return head.headers["Authorization"] == nil ? 64 * 1024 : 1024 * 1024
    }
}
