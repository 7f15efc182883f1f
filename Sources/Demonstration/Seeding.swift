import Web

extension DemonstrationClinic {
    /// Fills an empty data folder with a demonstration clinic.
    /// - Returns: the logins, a line each.
    /// - Throws: `StartError` when the folder holds real accounts.
    /// - Parameters:
    ///   - participants: of an additional large study; 0 for none.
    ///   - days: for how long they have been prompted, twice a day.
    ///   - patients: of an additional therapist with a full practice; 0 for none.
    ///   - years: for how long these have filled in weekly questionnaires and dailies.
    package static func seed(
        _ services: Services, participants: Int, days: Int, patients: Int = 0, years: Int = 1
    ) throws -> [String] {
        let clinic = DemonstrationClinic(services)
        var logins = try clinic.build()
        try DemonstrationSounds(services: services, dice: clinic.dice, now: clinic.now).write()
        for life in DemonstrationHealth.all(services, now: clinic.now) { try life.write() }
        try services.clinic.reload(services.records)
        if patients > 0 {
            let sheets = try DemonstrationCaseload(services, patients: patients, years: years).build()
            logins.append(
                "\(DemonstrationCaseload.therapist) / \(password) (therapist): \(patients) patients, \(sheets) sheets"
            )
        }
        guard participants > 0 else { return logins }
        let population = DemonstrationPopulation(services: services, people: participants, days: days)
        let sheets = try population.build(lead: DemonstrationClinic.lead)
        return logins + ["grosse-studie: \(participants) participants, \(sheets) sheets"]
    }
}
