import Foundation
import Locks
import Testing

@testable import Records

/// RP-203: a reader that stalls holds up nothing, and what is lost is counted.
@Suite struct LineQueueTests {
    private let pipe = Pipe()

    private func queue(limit: Int = 1000) -> LineQueue {
        LineQueue(descriptor: pipe.fileHandleForWriting.fileDescriptor, limit: limit) { count in
            Array("\(count) lines lost\n".utf8)
        }
    }

    private func line(_ number: Int) -> [UInt8] {
        Array("\(number) ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 90) + [UInt8(ascii: "\n")]
    }

    /// Every line that is there to be read, once the queue is empty.
    private func drain(_ queue: LineQueue) -> [String] {
        let reader = pipe.fileHandleForReading.fileDescriptor
        let text = Lock("")
        let done = DispatchSemaphore(value: 0)
        // A thread of its own: it blocks until the pipe is closed.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(reader, &buffer, buffer.count), count > 0 {
                let part = String(decoding: buffer.prefix(count), as: UTF8.self)
                text.withLock { $0 += part }
            }
            done.signal()
        }
        #expect(queue.flush(within: 10))
        try? pipe.fileHandleForWriting.close()
        done.wait()
        return text.withLock { $0 }.split(separator: "\n").map(String.init)
    }

    @Test func `RP-203 lines arrive in their order while the reader reads`() {
        let queue = queue(limit: 1_000_000)
        for number in 0..<5_000 where number < 500 { queue.add(line(number)) }
        let read = drain(queue)
        #expect(read.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } } == Array(0..<500))
        #expect(queue.losses == LineQueue.Losses())
    }

    @Test func `RP-203 a stalled reader holds nothing up, and each lost line is counted once`() {
        let queue = queue()
        var count = 0
        // Until the pipe is full, each line is written before the next.
        repeat {
            queue.add(line(count))
            count += 1
        } while queue.flush(within: 2)
        #expect(queue.losses == LineQueue.Losses())
        let began = ContinuousClock.now
        for _ in 0..<4_000 {
            queue.add(line(count))
            count += 1
        }
        #expect(ContinuousClock.now - began < .seconds(5))
        let losses = queue.losses
        #expect(losses.isStalled && losses.count > 3_900 && losses.count < 4_000)
        #expect(!queue.flush(within: 0.05))
        let read = drain(queue)
        let told = read.compactMap { $0.wholeMatch(of: /(\d+) lines lost/).flatMap { Int($0.1) } }
        #expect(told.reduce(0, +) == losses.count)
        #expect(read.count - told.count == count - losses.count)
        #expect(!queue.losses.isStalled && queue.losses.count == losses.count)
    }

    @Test func `RP-203 a reader that has gone does no harm`() {
        signal(SIGPIPE, SIG_IGN)
        let queue = queue()
        try? pipe.fileHandleForReading.close()
        for number in 0..<50 { queue.add(line(number)) }
        #expect(queue.flush(within: 5))
        #expect(queue.losses.count >= 50 && !queue.losses.isStalled)
    }
}
