import Demonstration
import Foundation
import PortalClient
import Records
import Wire

/// Adds people to the simulation: registered, paired, with their phones.
extension Simulation {
    func signUp() async throws -> [Patient] {
        var patients: [Patient] = []
        // Hashing passwords is slow by intention, and two at a time.
        for first in stride(from: 0, to: plan.patients, by: 4) {
            let numbers = first..<min(first + 4, plan.patients)
            patients += try await withThrowingTaskGroup(of: (Int, Patient).self) { group in
                for number in numbers { group.addTask { (number, try await signUp(number)) } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        return patients
    }

    func signUp(_ number: Int) async throws -> Patient {
        let own = SeededRandom(plan.seed &* 1_000_003 &+ UInt64(number))
        let email = "patient\(number)@example.org"
        let password = "zwischen den Sitzungen \(number)"
        guard let address = URL(string: address) else { throw CocoaError(.fileReadUnknown) }
        let client = Client(address, transport: network)
        _ = try await client.register(
            Registration(
                email: email, password: password, passwordConfirmation: password, privacyAccepted: true,
                timezone: "Europe/Vienna"))
        _ = try await client.verifyEmail(try link(to: email))
        let (therapy, code) = try await therapist.admit()
        var phones: [SimulatedPhone] = []
        var weathers: [Weather] = []
        for index in 0..<(own.share() < 0.3 ? 2 : 1) {
            let weather = Weather(network, plan.climate, seed: own.next())
            let phone = SimulatedPhone(
                "\(folder)/phones/\(number)-\(index).sqlite", address, time, weather,
                skew: Int64(own.number(-120...120)), credentials: (email, password))
            phones.append(phone)
            weathers.append(weather)
        }
        _ = try await client.signIn(email: email, password: password)
        let born = LocalDate(
            year: own.number(1960...2004), month: own.number(1...12), day: own.number(1...28))
        _ = try await client.pair(
            code: code, birthDate: born ?? LocalDate(daysSince1970: 0), gender: .notStated)
        let kinds = AnswerModel.all
        // Every third person answers in a browser, too.
        var browser: SimulatedBrowser?
        if number % 3 == 0 {
            let weather = Weather(network, plan.climate, seed: own.next())
            weathers.append(weather)
            browser = SimulatedBrowser(
                address, time, weather, skew: Int64(own.number(-120...120)), credentials: (email, password))
        }
        let person = SimulatedPerson(
            "patient \(number)", phones, browser, kinds[number % kinds.count], seed: own.next(), time)
        await person.learn(try await takePart(client))
        return Patient(person: person, weathers: weathers, therapy: therapy)
    }

    /// The token out of the mail that confirms an address.
    func link(to email: String) throws -> String {
        let outbox = folder + "/outbox"
        for name in try FileManager.default.contentsOfDirectory(atPath: outbox) where name.hasSuffix(".eml") {
            let path = outbox + "/" + name
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains(email),
                let found = text.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
            return String(found.1)
        }
        throw StartError("no mail came for \(email)")
    }
}
