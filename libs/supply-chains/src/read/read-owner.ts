import type { Located } from '@wadi/params/values/value.ts'
import type { StampOwner } from './cartographer-objects.ts'
import type { Findings } from '../findings.ts'
import { ObjectFields } from './object-fields.ts'
import type { OwnerKind } from '../select/selector.ts'

/** Reads a `Workload` or a `Deliverable`. */
export function readOwner(located: Located, kind: OwnerKind, name: string, findings: Findings): StampOwner {
  const fields = new ObjectFields(located, `${kind} [${name}]: `, findings)
  const metadata = fields.map('metadata')
  return {
    kind,
    name,
    namespace: metadata.text('namespace'),
    labels: metadata.textMap('labels'),
    params: fields
      .map('spec')
      .maps('params')
      .map((param) => ({
        name: param.requiredText('name'),
        value: param.required('value'),
        at: param.at,
      })),
    located,
    findings,
    at: fields.at,
  }
}
