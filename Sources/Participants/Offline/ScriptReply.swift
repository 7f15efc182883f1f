import HTTP
import JSON
import Web

/// What scripts of own pages are told: JSON without the envelope of the API, which is a contract with others.
extension Reply {
    static func plain(_ value: some Encodable) throws -> Reply {
        .response(Response(type: MediaType.json, try JSONWriter.bytes(of: value)))
    }

    /// It was taken, and there is no more to say.
    static func taken() throws -> Reply { try plain(["state": "taken"]) }
}

extension Context {
    /// Whether a script asks, which sends what waited on the device.
    var wantsNoPage: Bool { request.wantsNoPage }
}
