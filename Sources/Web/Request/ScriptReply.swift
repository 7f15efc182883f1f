import HTTP
import JSON

/// What the scripts of pages are told: JSON without the envelope of the API, which is a contract with others, and with
/// properties named as scripts name theirs.
extension Reply {
    package static func plain(_ value: some Encodable) throws -> Reply {
        .response(Response(type: MediaType.json, try JSONWriter.bytes(of: value, keepsNames: true)))
    }

    package static func taken() throws -> Reply { try plain(["state": "taken"]) }
}

extension Context {
    package var wantsNoPage: Bool { request.wantsNoPage }
}
