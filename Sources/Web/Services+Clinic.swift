extension Services {
    /// The clinic's zone.
    package var timezone: String { clinic.now.timezone }

    package var crisisNumbers: [CrisisNumber] { clinic.now.record.crisis ?? inheritedNumbers }

    /// Those of the country of the clinic's zone.
    package var inheritedNumbers: [CrisisNumber] { crisisNumbers(of: Country(zone: timezone)) }

    /// Those of a country.
    package func crisisNumbers(of country: Country) -> [CrisisNumber] {
        country.numbers.map { number, name in
            CrisisNumber(number: number, labels: sentence("crisis.\(name)"))
        }
    }
}
