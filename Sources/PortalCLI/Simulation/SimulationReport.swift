import Foundation

/// What is said at the end.
extension Simulation {
    func report(
        _ patients: [Patient], _ agreement: Agreement, days: Int, killed: Int, rate: Double
    ) {
        let counts = patients.flatMap(\.weathers).map(\.counts)
        let sum = { (part: KeyPath<Weather.Counts, Int>) in counts.reduce(0) { $0 + $1[keyPath: part] } }
        let phones = patients.reduce(0) { $0 + $1.person.phones.count }
        let browsers = patients.count { $0.person.browser != nil }
        say(
            "people \(plan.patients), phones \(phones), browsers \(browsers), days \(days), seed \(plan.seed)"
        )
        say(
            "requests \(sum(\.requests)): lost \(sum(\.lost)), answers lost \(sum(\.answersLost)), "
                + "late \(sum(\.late)), faults \(sum(\.faults)), busy \(sum(\.busy)), "
                + "server away \(sum(\.unreachable)); server killed \(killed)")
        let refused = agreement.refused.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let refusals = agreement.refused.values.reduce(0, +)
        say(
            "sheets sent \(agreement.acknowledged + refusals): acknowledged \(agreement.acknowledged) "
                + "(\(agreement.inBrowsers) from browsers), "
                + "refused \(refusals)" + (refused.isEmpty ? "" : " (\(refused.joined(separator: ", ")))"))
        say(
            "prompts left alone \(agreement.forgotten), days without a network \(agreement.daysOffline), "
                + "conflicts decided \(agreement.conflicts), sessions of listening \(agreement.heard)")
        let events = agreement.events
        say("events noted \(events.noted), answered \(events.answered)")
        let measured = agreement.measured
        say(
            "days measured \(measured.days), single values filed \(measured.values), "
                + "refused \(measured.refused)")
        for (number, server) in servers.enumerated() {
            let (waits, faults) = server.requests()
            let name = servers.count == 1 ? "server" : "portal \(number + 1)"
            say("\(name): \(Self.quantiles(waits)), faults \(faults)")
        }
        say("phones: \(Self.quantiles(counts.flatMap(\.waits)))")
        say(String(format: "%.0f requests a second while they lived", rate))
        for line in agreement.differences.prefix(20) { say(line) }
        if agreement.differences.count > 20 { say("and \(agreement.differences.count - 20) more") }
        say(
            agreement.differences.isEmpty
                ? "phones and portal agree" : "differences \(agreement.differences.count)")
    }

    private static func quantiles(_ values: [Double]) -> String {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return "no requests" }
        let at = { (share: Double) in sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }
        return String(
            format: "%d answered, median %.1f ms, p99 %.1f ms, longest %.1f ms", sorted.count, at(0.5),
            at(0.99), sorted[sorted.count - 1])
    }
}
