import Therapies
import Wire
import Wording

/// A calendar after RFC 5545: times in UTC, no zones; neutral titles, as calendars are copied to other services.
package struct ICalendar: Sendable {
    package struct Event: Sendable {
        /// Stable for the life of the thing.
        package let uid: String
        let changedAt: Instant
        package let startsAt: Instant
        package let endsAt: Instant
        let sequence: Int
        let isCancelled: Bool
        /// A page with details, for readers with access.
        let link: String?
        /// The owner's title, in their own file; nil for the neutral one.
        let ownTitle: String?
    }

    package static let type = "text/calendar; charset=utf-8"

    let name: String
    /// The title of every event.
    let title: String
    /// A sentence before the link: many calendars show a text, but no link of its own.
    let more: String
    let events: [Event]

    package init(name: String, title: String, more: String, events: [Event]) {
        self.name = name
        self.title = title
        self.more = more
        self.events = events
    }

    package var bytes: [UInt8] {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Intersession//Intersession//EN",
            "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:" + ContentLine.escaped(name),
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
            "X-PUBLISHED-TTL:PT1H",
        ]
        for event in events { lines += self.lines(of: event) }
        if events.isEmpty { lines += Self.zone }
        lines.append("END:VCALENDAR")
        return lines.flatMap(ContentLine.folded)
    }

    /// A calendar holds at least one component (RFC 5545, 3.6); without events it is the zone in which all times are told.
    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "TZNAME:UTC", "END:STANDARD", "END:VTIMEZONE",
    ]

    private func lines(of event: Event) -> [String] {
        var lines = [
            "BEGIN:VEVENT", "UID:" + event.uid, "DTSTAMP:" + Self.time(event.changedAt),
            "LAST-MODIFIED:" + Self.time(event.changedAt), "SEQUENCE:\(event.sequence)",
            "DTSTART:" + Self.time(event.startsAt), "DTEND:" + Self.time(event.endsAt),
            "SUMMARY:" + ContentLine.escaped(event.ownTitle ?? title), "CLASS:PRIVATE",
            "STATUS:" + (event.isCancelled ? "CANCELLED" : "CONFIRMED"),
            // A cancelled appointment leaves the time free.
            "TRANSP:" + (event.isCancelled ? "TRANSPARENT" : "OPAQUE"),
        ]
        if let link = event.link {
            lines += ["DESCRIPTION:" + ContentLine.escaped("\(more) \(link)"), "URL:" + link]
        }
        return lines + ["END:VEVENT"]
    }

    /// `20261120T083000Z`.
    private static func time(_ instant: Instant) -> String {
        instant.text.filter { $0 != "-" && $0 != ":" }
    }
}

extension ICalendar.Event {
    /// A session as the therapist's calendar and single files show it.
    package init(_ session: Session, at now: Instant, link: String?) {
        self.init(
            uid: "\(session.id)@intersession", changedAt: session.revisedAt, startsAt: session.startsAt,
            endsAt: session.endsAt, sequence: session.sequence,
            isCancelled: session.state(at: now) == .cancelled, link: link, ownTitle: nil)
    }

    /// One of a patient's own appointments, for their own calendar.
    package init(_ record: AppointmentRecord, title: String) {
        self.init(
            uid: "\(record.id)@intersession", changedAt: record.changedAt, startsAt: record.startsAt,
            endsAt: record.endsAt, sequence: record.sequence, isCancelled: false, link: nil, ownTitle: title)
    }
}
