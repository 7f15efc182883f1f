import Foundation
import Testing

@testable import Appointments

/// Calendar files after RFC 5545.
@Suite struct ICalendarTests {
    @Test func `lines are folded between characters, text is escaped`() throws {
        let text = ICalendar.escaped("a,b;c\\d\nü")
        #expect(text == "a\\,b\\;c\\\\d\\nü")
        let bytes = ICalendar.folded("SUMMARY:" + String(repeating: "ü", count: 100))
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.dropLast().allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(" ") })
        #expect(lines.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }.joined().count == 108)
    }
}
