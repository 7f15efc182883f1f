import JSON
import Testing
import Wire

@testable import Database
@testable import Records

struct IDTests {
    private let text = "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"

    @Test func `an id from outside is a UUID, whatever the case of its letters`() {
        #expect(ID<Study>(uuid: text.uppercased()) == ID(text))
        for wrong in ["", "1", text + "0", "7f1f2c1e6f0e4b579a530c6d0f3b0a11", nil] {
            #expect(ID<Study>(uuid: wrong) == nil, "\(wrong ?? "nil")")
        }
    }

    @Test func `it is stored, written and named as its text alone`() throws {
        let id = ID<Study>(text)
        #expect(id.sqlValue == .text(text) && ID<Study>(sqlValue: .text(text)) == id)
        #expect(ID<Study>(sqlValue: .integer(1)) == nil && ID<Study>?(sqlValue: .null) == .some(nil))
        #expect("/studies/\(id)" == "/studies/\(text)")
        #expect(
            String(decoding: try JSONWriter.bytes(of: ["id": id]), as: UTF8.self) == #"{"id":"\#(text)"}"#)
    }

    @Test func `ids come in the order of their texts`() {
        let ids: [ID<Account>] = ["b", "a", "c"]
        #expect(ids.sorted() == ["a", "b", "c"] && Set(ids).count == 3)
    }
}
