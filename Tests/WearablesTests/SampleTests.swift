import Testing

@testable import Wearables

@Suite struct SampleTests {
    @Test func `what was stored comes back, to a thousandth`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var end = 0
            let samples = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                let offset = end + Int.random(in: 0...300, using: &generator)
                let length = Int.random(in: 0...300, using: &generator)
                end = offset + length
                return Sample(
                    offset, length, Double(Int.random(in: -5_000...500_000, using: &generator)) / 1_000)
            }
            #expect(try SampleCoding.decode(SampleCoding.encode(samples)) == samples)
        }
    }

    @Test func `bytes that are none of ours are refused, whatever they claim`() {
        var generator = SystemRandomNumberGenerator()
        let good = SampleCoding.encode((0..<100).map { Sample($0 * 60, 60, 70) })
        for _ in 0..<500 {
            var bytes = good
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] = UInt8.random(in: 0...255, using: &generator)
            if let read = try? SampleCoding.decode(bytes) { #expect(read.count <= 1 << 20) }
        }
        #expect(throws: SampleCoding.Broken.self) { try SampleCoding.decode([]) }
        #expect(throws: SampleCoding.Broken.self) {
            try SampleCoding.decode([0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 2])
        }
    }
}
