public import Foundation
public import Wire

// Pairing and the therapist.
extension Client {
    /// Looks at a code before it is used.
    public func pairingCode(_ code: String) async throws(ClientError) -> PairingCode {
        try await get("/pairing-codes/" + Self.query(code))
    }

    public func pair(
        code: String, birthDate: LocalDate, gender: Gender
    ) async throws(ClientError) -> Profile {
        let body = ["code": code, "birth_date": birthDate.text, "gender": gender.rawValue]
        return try one(await send("POST", "/my/pairing", body))
    }

    public func therapist() async throws(ClientError) -> Therapist { try await get("/my/therapist") }

    /// The therapist as a vCard.
    public func therapistCard() async throws(ClientError) -> Data {
        try await send("GET", "/my/therapist.vcf").body
    }

    /// The notices, the newest first: a hand-over, a cover, a message of a study.
    public func notices() async throws(ClientError) -> [Item<Notice>] {
        try await list("/my/notices?limit=200")
    }

    /// - Returns: the present notice; the first report counts.
    public func noteNoticeSeen(_ id: String, at time: Instant) async throws(ClientError) -> Notice {
        try one(await send("PATCH", "/my/notices/" + id, ["seen_at": time.text]))
    }
}

// For therapists: links to one assignment, without signing in.
extension Client {
    /// Makes a link that opens one assignment, for 48 hours at most and until it is filled in; the former no longer
    /// works. This is its only disclosure.
    public func makeLink(
        ofPatient patient: String, toAssignment assignment: String
    ) async throws(ClientError) -> AssignmentLink {
        try one(await send("POST", "/patients/\(patient)/assignments/\(assignment)/link"))
    }

    public func endLink(
        ofPatient patient: String, toAssignment assignment: String
    ) async throws(ClientError) {
        try await send("DELETE", "/patients/\(patient)/assignments/\(assignment)/link")
    }
}

// Interventions. Texts and ticks in them stay on the device: there is no call that takes them.
extension Client {
    public func interventions() async throws(ClientError) -> [Item<Intervention>] {
        try await list("/my/interventions?limit=200")
    }

    private struct Report: Encodable {
        let opened_at, completed_at: Instant?
    }

    /// - Returns: the present intervention.
    public func reportIntervention(
        _ id: String, opened: Instant? = nil, completed: Instant? = nil
    ) async throws(ClientError) -> Intervention {
        let report = Report(opened_at: opened, completed_at: completed)
        return try one(await send("PATCH", "/my/interventions/" + id, report))
    }

    public func vault() async throws(ClientError) -> Vault { try await get("/my/vault") }

    /// - Parameters:
    ///   - ciphertext: at most 512 KiB.
    ///   - revision: the one it is based on; 0 for none.
    /// - Throws: `ClientError.refused` with 412 when another device was faster.
    public func putVault(_ ciphertext: Data, seen revision: Int) async throws(ClientError) -> Vault {
        let body = Vault(ciphertext: ciphertext.base64EncodedString(), revision: revision)
        return try one(await send("PUT", "/my/vault", body))
    }

    public func emptyVault() async throws(ClientError) { try await send("DELETE", "/my/vault") }
}

// Appointments.
extension Client {
    public func appointments(
        from: Instant? = nil, to: Instant? = nil
    ) async throws(ClientError) -> [Item<Appointment>] {
        let limits = [("from", from), ("to", to)].compactMap { name, time in
            time.map { "\(name)=\(Self.query($0.text))" }
        }
        return try await list("/my/appointments?" + (["limit=200"] + limits).joined(separator: "&"))
    }

    /// Coming sessions noted by the practice. Putting an overlapping appointment adopts one.
    public func notedSessions() async throws(ClientError) -> [Item<NotedSession>] {
        try await list("/my/noted-sessions?limit=200")
    }

    public func appointment(_ id: String) async throws(ClientError) -> Tagged<Appointment> {
        try tagged(await send("GET", "/my/appointments/" + id))
    }

    /// - Parameter etag: of the state it is based on; nil for a new appointment.
    /// - Throws: `ClientError.refused`: 412 when it was changed elsewhere, 428 when it exists already, 410 when it
    ///   was deleted.
    public func putAppointment(
        _ id: String, _ appointment: Appointment, seen etag: String?
    ) async throws(ClientError) -> Tagged<Appointment> {
        let headers = etag.map { ["If-Match": $0] } ?? [:]
        return try tagged(await send("PUT", "/my/appointments/" + id, headers: headers, appointment))
    }

    /// - Parameter etag: of the state it is based on; nil deletes any state.
    public func deleteAppointment(_ id: String, seen etag: String? = nil) async throws(ClientError) {
        try await send(
            "DELETE", "/my/appointments/" + id, headers: etag.map { ["If-Match": $0] } ?? [:])
    }
}
