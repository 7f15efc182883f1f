import Foundation
import HTTP
import Testing
import Wire
import Wording

@testable import Records
@testable import Web

@Suite struct PagingTests {
    private struct Thing: Equatable { let at: Int64, id: String }

    private func position(_ thing: Thing) -> Position { Position(number: thing.at, thing.id) }

    private func paging(_ target: String) throws -> Paging { try Paging(Faces.request(target)) }

    private func wrong(_ target: String) throws -> [String] {
        let error = #expect(throws: Problem.self) { try paging(target) }
        return error?.errors.list.map(\.field) ?? []
    }

    @Test func `a page has fifty where nothing is said, and two hundred at most`() throws {
        #expect(
            try paging("/x").limit == 50 && paging("/x?limit=200").limit == 200
                && paging("/x?limit=1").limit == 1)
        for limit in ["0", "201", "-1", "x", "", "1.5"] {
            #expect(try wrong("/x?limit=\(limit)") == ["limit"], "\(limit)")
        }
    }

    @Test func `a cursor is what a page before has given`() throws {
        #expect(try paging("/x?cursor=5_a_b").after == Position(number: 5, "a_b"))
        for cursor in ["", "5", "5_", "x_a", "_a"] {
            #expect(try wrong("/x?cursor=\(cursor)") == ["cursor"], "\(cursor)")
        }
        #expect(try wrong("/x?limit=0&cursor=x") == ["limit", "cursor"])
    }

    @Test func `the way to the next page keeps what else was asked for`() throws {
        let next = try paging("/a%20b/c?state=all&q=%26%3D&cursor=9_z&limit=2").next(
            after: Position(number: 5, "ä"))
        #expect(next == "/a%20b/c?state=all&q=%26%3D&limit=2&cursor=5_%C3%A4")
    }

    /// All parts, one page after the other.
    private func walk(_ list: [Thing], _ order: Paging.Order, _ limit: Int) throws -> [[Thing]] {
        var parts: [[Thing]] = []
        var target: String? = "/x?limit=\(limit)"
        while let here = target {
            let (part, next) = try paging(here).part(of: list, order, position)
            parts.append(Array(part))
            target = next
        }
        return parts
    }

    @Test(arguments: [Paging.Order.newestFirst, .earliestFirst], [1, 2, 3, 7, 50])
    func `walking gives everything once, of one moment too`(_ order: Paging.Order, _ limit: Int) throws {
        let early = [1, 1, 2, 2, 2, 3, 4].enumerated().map {
            Thing(at: Int64($0.element), id: "\($0.offset)")
        }
        let list = order == .earliestFirst ? early : early.sorted { ($1.at, $0.id) < ($0.at, $1.id) }
        let parts = try walk(list, order, limit)
        #expect(parts.flatMap(\.self) == list && parts.dropLast().allSatisfy { $0.count == limit })
        #expect(try walk([], order, limit) == [[]])
    }

    @Test func `what its last thing is gone from goes on behind where it stood`() throws {
        let list = [
            Thing(at: 9, id: "a"), Thing(at: 5, id: "a"), Thing(at: 5, id: "c"), Thing(at: 2, id: "a"),
        ]
        let rest = try paging("/x?cursor=5_b").part(of: list, .newestFirst, position)
        #expect(Array(rest.part) == [list[2], list[3]] && rest.next == nil)
        let ahead = [
            Thing(at: 2, id: "a"), Thing(at: 5, id: "a"), Thing(at: 5, id: "c"), Thing(at: 9, id: "a"),
        ]
        let early = try paging("/x?cursor=5_b").part(of: ahead, .earliestFirst, position)
        #expect(Array(early.part) == [ahead[2], ahead[3]])
    }

    @Test func `ids that are made of words are always the same, and UUIDs`() {
        let id = DerivedID.of("daily", 7, "pia")
        #expect(id == DerivedID.of("daily", "7", "pia") && id != DerivedID.of("daily", 7, "quinn"))
        #expect(UUID(uuidString: id) != nil && Array(id)[14] == "8")
    }
}
