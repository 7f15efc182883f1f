import Dispatch
import Locks
import Testing

@Suite struct LockTests {
    @Test func `of many threads that add, none is lost`() {
        let sum = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            for _ in 0..<10_000 { sum.withLock { $0 += 1 } }
        }
        #expect(sum.withLock { $0 } == 160_000)
    }

    @Test func `it is free again when the body throws`() {
        struct Stop: Error {}
        let list = Lock([1])
        #expect(throws: Stop.self) {
            try list.withLock { (values: inout [Int]) throws(Stop) in
                values.append(2)
                throw Stop()
            }
        }
        #expect(list.withLock { $0 } == [1, 2])
    }
}
