import Foundation

/// All templates of a folder, parsed once.
public struct Library: Sendable {
    private let templates: [String: Template]

    /// - Parameter sources: template texts by name (`patients/index`).
    /// - Throws: `TemplateError` with the place when one cannot be parsed or names a missing template.
    public init(sources: [String: String]) throws {
        templates = try Dictionary(
            uniqueKeysWithValues: sources.map { name, text in (name, try Parser.parse(text, name: name)) })
        for template in templates.values {
            for name in mentioned(in: template.nodes) where templates[name] == nil {
                throw TemplateError(template: template.name, line: 0, reason: "there is no template \(name)")
            }
        }
    }

    /// Reads every `.html` file below the folder.
    public init(folder: String) throws {
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".html")
        {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            sources[String(path.dropLast(".html".count))] = text
        }
        try self.init(sources: sources)
    }

    public var names: [String] { templates.keys.sorted() }

    /// Renders a template. Names are looked up in the last of the values first.
    /// - Throws: `TemplateError` for an unknown name or template.
    public func render(_ name: String, with values: [Value]) throws -> [UInt8] {
        var renderer = Renderer(templates: templates, values: values)
        return try renderer.render(name)
    }
}

private func mentioned(in nodes: [Node]) -> [String] {
    nodes.flatMap { node -> [String] in
        switch node {
        case .partial(let name, _): [name]
        case .parent(let parent): [parent.name] + parent.blocks.values.flatMap(mentioned)
        case .section(_, _, let content): mentioned(in: content)
        case .block(let block): mentioned(in: block.content)
        case .literal, .variable: []
        }
    }
}
