import Foundation
import Testing

@testable import SoundFiles

/// Broken files, each from a good one and a number: every one ends in numbers or in a word.
struct SoundMutations {
    let sample: SoundSample
    private let originals: [(kind: SoundKind, bytes: [UInt8])]

    init() throws {
        let sample = try SoundSample()
        self.sample = sample
        originals = try SoundKind.allCases.map { kind in
            (kind, Array(try Data(contentsOf: URL(fileURLWithPath: try sample.file(kind, seconds: 0.5)))))
        }
    }

    func file(_ number: Int) throws -> String {
        var numbers = SeededNumbers(seed: UInt64(number))
        var (kind, bytes) = originals[number % originals.count]
        // Heads are where the most can go wrong.
        let reach = number % 3 == 0 ? bytes.count : min(bytes.count, 200)
        for _ in 0...Int.random(in: 0..<12, using: &numbers) {
            let place = Int.random(in: 0..<reach, using: &numbers)
            guard place < bytes.count else { continue }
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            case 2:
                bytes.removeSubrange(
                    place..<min(bytes.count, place + Int.random(in: 1...40, using: &numbers)))
            case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            case 4:
                for index in place..<min(bytes.count, place + 4) { bytes[index] = 0xff }
            default: bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &numbers))
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return try sample.write("\(number).\(kind.fileExtension)", bytes)
    }

    /// - Returns: how many ended in numbers, and in which words.
    func run(_ range: Range<Int>) throws -> (measured: Int, problems: [SoundProblem: Int]) {
        var measured = 0
        var problems: [SoundProblem: Int] = [:]
        for number in range {
            let path = try file(number)
            if let problem = problem({ try SoundSample.scan.run(file: path) }) {
                problems[problem, default: 0] += 1
                let isAnswer =
                    problem != .decoderFailed && problem != .decoderTimedOut && problem != .unreadable
                #expect(isAnswer, "\(number): \(problem)")
            } else {
                measured += 1
            }
        }
        return (measured, problems)
    }
}

@Suite struct SoundMutationTests {
    @Test func `S4 fifty mutated files end in numbers or in a sentence`() throws {
        let (measured, problems) = try SoundMutations().run(0..<50)
        #expect(measured > 5 && problems[.damaged] ?? 0 > 5, "\(measured) \(problems)")
    }
}

@Suite struct SoundMutationSlowTests {
    @Test func `S4 five hundred mutated files end in numbers or in a sentence`() throws {
        let (measured, problems) = try SoundMutations().run(0..<500)
        print("S4: \(measured) of 500 measured, \(problems)")
        #expect(measured > 50 && problems[.damaged] ?? 0 > 50)
    }
}
