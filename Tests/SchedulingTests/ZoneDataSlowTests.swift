import Testing

@testable import Scheduling

/// RP-19 for every name of tzdata; the C library takes a second for each thirty.
@Suite struct ZoneDataSlowTests {
    @Test func `RP-19 every zone of this machine is read as the C library reads it`() throws {
        let data = ZoneData(folder: "/usr/share/zoneinfo")
        #expect(try ZoneDataTests.compare(data.names.sorted(), in: data) > 20_000)
    }
}
