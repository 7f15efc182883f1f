import Records

extension Services {
    /// Has newer zone data of the machine count, for every portal; only by what serves, which goes on with them.
    package func renewZones() throws {
        if try ZoneHistory.renew(records, at: clock.now) { spread(.zonesRead) }
    }
}
