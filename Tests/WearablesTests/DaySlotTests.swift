import Testing

@testable import Wearables

/// A day's series by slots of equal length.
@Suite struct DaySlotTests {
    @Test func `sums are spread over the slots that a sample reaches, and nothing is lost`() {
        let slots = DaySlots([Sample(1_800, 3_600, 100)], isSum: true, length: 86_400, width: 3_600)
        #expect(slots.values.count == 24)
        #expect(slots.values[0] == 50 && slots.values[1] == 50 && slots.values[2] == nil)
    }

    @Test func `rates are means, weighted by how long they held`() {
        let slots = DaySlots(
            [Sample(0, 600, 60), Sample(600, 300, 90)], isSum: false, length: 86_400, width: 900)
        #expect(slots.values[0] == 70 && slots.values[1] == nil)
        #expect(DaySlots([Sample(899, 0, 61)], isSum: false, length: 86_400, width: 900).values[0] == 61)
    }

    @Test(arguments: [(82_800, 23), (86_400, 24), (90_000, 25)])
    func `a day on which the clocks change has an hour less or more`(length: Int, hours: Int) {
        #expect(DaySlots([], isSum: true, length: length, width: 3_600).values.count == hours)
    }

    @Test func `what lies behind the day's end draws nothing`() {
        let slots = DaySlots(
            [Sample(86_000, 900, 5), Sample(90_000, 60, 7)], isSum: true, length: 86_400, width: 3_600)
        #expect(slots.values.compactMap(\.self).count == 1)
    }
}
