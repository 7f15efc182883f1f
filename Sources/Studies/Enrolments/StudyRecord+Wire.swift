import Wire
import Wording

extension StudyRecord {
    /// - Parameters:
    ///   - readers: the caller's languages, the best first.
    ///   - own: as whom the caller is in it.
    package func wire(
        _ readers: [Language], _ own: EnrolmentRecord?, lead: Study.Lead?, now: Instant
    ) -> Study {
        var study = Study(
            name: name, title: title.text(in: readers) ?? name, description: description.text(in: readers),
            text: text.text(in: readers), isPrivate: isPrivate, access: access.rawValue, startsAt: startsAt,
            endsAt: endsAt, running: isRunning(at: now), consentText: consent.text(in: readers),
            enrolled: own?.state == .enrolled, lead: lead)
        study.enrolmentState = own?.state.rawValue
        study.codename = own?.codename
        study.measurements = measurements.map(\.rawValue)
        study.timePoints = timePoints.map(\.wire)
        study.tellsSessionDates = tellsSessionDates
        study.locationReason = locationReason.text(in: readers)
        study.consentVersion = consentVersion
        study.pictureURL = pictureVersion.map { "/api/v1/studies/\(id)/picture?version=\($0)" }
        return study
    }
}
