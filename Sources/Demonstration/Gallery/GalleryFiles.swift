import Foundation
import Records
import Web
import Wording

extension Gallery {
    /// Writes every page in every language, light and dark, with a list of them.
    /// - Returns: how many files.
    /// - Throws: when the folder cannot be written.
    package func write(to folder: String) throws -> Int {
        let target = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let assets = services.assets
        let files = [
            (assets.stylesheet, "app.css"), (assets.deskStylesheet, "desk.css"), (assets.script, "app.js"),
            (assets.deskScript, "desk.js"), (assets.alone("threshold"), "threshold.css"),
        ]
        for (address, name) in files {
            let text = String(decoding: assets.bytes(of: address), as: UTF8.self)
            try Data(text.replacing("/assets/fonts/", with: "fonts/").utf8)
                .write(to: target.appendingPathComponent(name))
        }
        let fonts = target.appendingPathComponent("fonts")
        try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
        for address in assets.fonts.values {
            let name = String(address.dropFirst("/assets/fonts/".count))
            try Data(assets.bytes(of: address)).write(to: fonts.appendingPathComponent(name))
        }
        let icons = target.appendingPathComponent("icons")
        try? FileManager.default.removeItem(at: icons)
        let drawn = URL(fileURLWithPath: services.settings.resources + "/static/icons")
        try FileManager.default.copyItem(at: drawn, to: icons)
        var links: [String] = []
        for (number, sheet) in sheets.enumerated() {
            for (language, html) in sheet.html.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let page = files.reduce(html.replacing("/assets/icons/", with: "icons/")) { page, file in
                    page.replacing(file.0, with: file.1)
                }
                for theme in ["light", "dark"] {
                    let template = sheet.template.replacing("/", with: "-")
                    let name = "\(template)-\(number).\(language.rawValue).\(theme).html"
                    let themed = page.replacing("<html lang=", with: "<html data-theme=\"\(theme)\" lang=")
                    try Data(themed.utf8).write(to: target.appendingPathComponent(name))
                    links.append("<li><a href=\"\(name)\">\(name)</a> \(sheet.name)</li>")
                }
            }
        }
        let index =
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Gallery</title><ul>"
            + links.joined(separator: "\n") + "</ul></html>\n"
        try Data(index.utf8).write(to: target.appendingPathComponent("index.html"))
        return links.count
    }
}
