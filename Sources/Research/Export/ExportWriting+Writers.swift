import Instruments
import Records
import Studies
import Web

extension ExportWriting {
    func writer(_ format: StudyExport.Format) -> any ExportWriter {
        let definitions = versions.map(\.definition)
        let list = { VariableList(versions, words) }
        switch format {
        case .csv, .therapy, .zip: return ExportLong(.plain)
        case .germanLong: return ExportLong(.german)
        case .wide: return ExportWide(.plain, definitions)
        case .germanWide: return ExportWide(.german, definitions)
        case .timePoints: return ExportTimePoints(.plain, timePoints)
        case .germanTimePoints: return ExportTimePoints(.german, timePoints)
        case .timePointsSav:
            let all = VariableList(versions, and: timePoints.therapies.records, words)
            return ExportTimePointsSAV(timePoints, SavVariables(list: all, shape: shape), words)
        case .codebook: return Codebook(.plain, versions, timePoints, and: more, in: words)
        case .germanCodebook: return Codebook(.german, versions, timePoints, and: more, in: words)
        case .json: return ExportJSON(codebook)
        case .fhir:
            return ExportFHIR(keys.names(in: study.id), urls: urls)
        case .sps: return ExportSPSS(list: list())
        case .r: return ExportR(list: list())
        case .sav: return ExportSAV(list(), definitions, shape, words)
        case .sensors: return ExportSensors()
        case .times: return ExportTimes()
        case .prompts: return ExportPrompts()
        case .profiles: return ExportTable(columns: ["participant"] + ExportChanges.columns)
        case .openMHealth: return ExportDocuments()
        case .matches, .listening, .measurements, .sleeps, .activities, .participants, .interventions,
            .sessions, .pauses, .dailies, .use:
            return ExportTable(columns: ["participant"] + columns(of: format).map(\.name))
        case .measurementsSav, .sleepsSav, .activitiesSav, .participantsSav, .interventionsSav, .sessionsSav,
            .pausesSav, .dailiesSav, .useSav:
            return ExportTableSAV(columns(of: format), shape.tables[format.file ?? ""] ?? .init(), words)
        }
    }

    private func columns(of format: StudyExport.Format) -> [StudyFile.Column] {
        more.first { $0.name == format.file }?.columns ?? []
    }
}
