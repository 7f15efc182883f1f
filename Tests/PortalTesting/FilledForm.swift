import HTTP

/// A form of a page as a browser would send it back.
enum FilledForm {
    /// - Parameters:
    ///   - action: its address; the first form with it counts.
    ///   - typed: input for fields, by name; ticks boxes and chooses too.
    /// - Returns: its address with its query, and its fields; nil when the page has no such form.
    static func read(
        _ html: String, action: String, typed: [String: String] = [:]
    ) -> (address: String, fields: [(String, String)])? {
        for form in html.matches(of: /(?s)<form ([^>]*)>(.*?)<\/form>/) where form.1.contains("post") {
            let address = plain(form.1.firstMatch(of: /action="([^"]*)"/).map { String($0.1) } ?? "")
            if address.split(separator: "?").first.map(String.init) == action {
                return (address, fields(String(form.2), typed))
            }
        }
        return nil
    }

    /// The fields inside a form, with their present values.
    static func fields(of form: String) -> [(String, String)] { fields(form, [:]) }

    private static func fields(_ form: String, _ typed: [String: String]) -> [(String, String)] {
        var fields = [(String, String)]()
        var left = typed
        // The hidden field before a box takes no input.
        let boxes = Set(
            form.matches(of: /<input [^>]*>/).filter { $0.0.contains("\"checkbox\"") }.compactMap {
                $0.0.firstMatch(of: /\sname="([^"]*)"/).map { plain(String($0.1)) }
            })
        for match in form.matches(
            of: /(?s)<input ([^>]*)>|<textarea ([^>]*)>(.*?)<\/textarea>|<select ([^>]*)>(.*?)<\/select>/)
        {
            let attributes = String(match.1 ?? match.2 ?? match.4 ?? "")
            guard let name = attributes.firstMatch(of: /\sname="([^"]*)"|^name="([^"]*)"/),
                let key = (name.1 ?? name.2).map({ plain(String($0)) }), key != "form_token"
            else { continue }
            var value = attributes.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
            if let text = match.3 { value = String(text) }
            if let options = match.5 {
                value = options.firstMatch(of: /<option value="([^"]*)" selected/).map { String($0.1) } ?? ""
            }
            let isRadio = attributes.contains("\"radio\"")
            let isChoice = isRadio || attributes.contains("\"checkbox\"")
            let isChecked = attributes.contains(" checked") && !(isRadio && typed[key] != nil)
            if isChoice && !isChecked && typed[key] != plain(value) { continue }
            let isBefore = attributes.contains("\"hidden\"") && boxes.contains(key)
            fields.append((key, isChoice || isBefore ? plain(value) : left[key] ?? plain(value)))
            if !isBefore { left[key] = nil }
        }
        return fields + left.map { ($0.key, $0.value) }
    }

    private static func plain(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
