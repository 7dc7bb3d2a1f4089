import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { GetDiagnosticsResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { messageObject } from '../output/message-output.ts'
import type { ServerDiagnosis } from './server-diagnosis.ts'

/** Returns a diagnosis as a JSON object, with all findings in one list. */
export function diagnosisObject({ answer, findings }: ServerDiagnosis): JsonObject {
  const object = messageObject(GetDiagnosticsResponseSchema, answer)
  const { services } = object
  const shown = (Array.isArray(services) ? services : []).filter(isJsonObject).map((service) => {
    const { findings: _merged, settings: _settings, metrics: _metrics, log: _log, ...state } = service
    return state
  })
  return { ...object, findings: findings.map((finding) => ({ ...finding })), services: shown }
}
