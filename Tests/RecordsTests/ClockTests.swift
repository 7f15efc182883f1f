import Foundation
import Testing
import Wire

@testable import Records

@Suite struct ClockTests {
    @Test func `a clock in a file says what stands there, and the time before while it is written`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: StartError.self) { try Clock.file(path) }
        try Data("1800000000000\n".utf8).write(to: URL(fileURLWithPath: path))
        let clock = try Clock.file(path)
        #expect(clock.now == Instant(milliseconds: 1_800_000_000_000))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 0)
        #expect(clock.now == Instant(milliseconds: 1_800_000_000_000))
        try file.write(contentsOf: Data("1800000000001".utf8))
        #expect(clock.now == Instant(milliseconds: 1_800_000_000_001))
    }
}

@Suite struct RandomnessTests {
    /// Bytes that count up from a number, as many as are asked for.
    private func counting(from first: UInt8) -> Randomness {
        Randomness { count in (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) } }
    }

    @Test func `sixteen bytes become a UUID of RFC 9562`() {
        #expect(counting(from: 0).uuid() == "00010203-0405-4607-8809-0a0b0c0d0e0f")
        let full = [UInt8](repeating: 0xff, count: 16)
        #expect(Randomness.uuid(full, version: 7) == "ffffffff-ffff-7fff-bfff-ffffffffffff")
    }

    @Test func `ids that are made together lie in the order in which they were made`() {
        let now = Instant(milliseconds: 0x0123_4567_89ab)
        let ids: [ID<String>] = Randomness.system.ids(300, at: now)
        #expect(ids == ids.sorted() && Set(ids).count == 300)
        #expect(ids.allSatisfy { $0.text.hasPrefix("01234567-89ab-7") && uuid($0.text) == $0.text })
    }

    @Test func `digits are equally likely: bytes above 249 are drawn again`() {
        #expect(counting(from: 248).digits(4) == "8901")
        let digits = Randomness.system.digits(10_000)
        #expect(digits.utf8.count == 10_000)
        let counts = Dictionary(grouping: digits, by: \.self).mapValues(\.count)
        // Six standard deviations of 30 around 1,000.
        #expect(counts.count == 10 && counts.values.allSatisfy { (820...1180).contains($0) })
    }

    @Test func `eight bytes are one number, the first the largest part`() {
        #expect(counting(from: 1).number() == 0x0102_0304_0506_0708)
    }
}
