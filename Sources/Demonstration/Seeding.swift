import Web

extension DemonstrationClinic {
    /// Fills an empty data folder with a demonstration clinic.
    /// - Returns: the logins, a line each.
    /// - Throws: `StartError` when the folder holds real accounts.
    /// - Parameters:
    ///   - participants: of a large study besides; 0 for none.
    ///   - days: how long they have been asked for, twice a day.
    package static func seed(_ services: Services, participants: Int, days: Int) throws -> [String] {
        let clinic = DemonstrationClinic(services)
        let logins = try clinic.build()
        try DemonstrationSounds(services: services, dice: clinic.dice, now: clinic.now).write()
        for life in DemonstrationHealth.all(services, now: clinic.now) { try life.write() }
        try services.clinic.reload(services.records)
        guard participants > 0 else { return logins }
        let population = DemonstrationPopulation(services: services, people: participants, days: days)
        let sheets = try population.build(lead: DemonstrationClinic.lead)
        return logins + ["grosse-studie: \(participants) participants, \(sheets) sheets"]
    }
}
