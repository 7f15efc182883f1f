import HTTP
import JSON

/// What the scripts of pages are told: JSON without the envelope of the API, which is a contract with others.
extension Reply {
    package static func plain(_ value: some Encodable) throws -> Reply {
        .response(Response(type: MediaType.json, try JSONWriter.bytes(of: value)))
    }

    /// It was taken, and there is no more to say.
    package static func taken() throws -> Reply { try plain(["state": "taken"]) }
}

extension Context {
    /// Whether a script asks.
    package var wantsNoPage: Bool { request.wantsNoPage }
}
