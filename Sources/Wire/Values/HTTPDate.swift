/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7); the two older forms, which are not sent any more, are not read.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package static func read(_ text: String) -> Instant? {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
