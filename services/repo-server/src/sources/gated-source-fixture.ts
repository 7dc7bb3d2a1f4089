import { create } from '@bufbuild/protobuf'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { GatedSource } from './gated-renderer.ts'
import type { startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

type Bed = Awaited<ReturnType<typeof startBed>>

/** The source `app` as a hydrator asks for it. */
export function source(bed: Bed, ...asked: [gate: string, severity: string][]): GatedSource {
  const severities = asked.map(([gate, severity]) => ({ gate, severity }))
  return { ...bed.dry('app'), gates: create(GatesSchema, { severities }) }
}

/** Renders a source and returns its findings, each as severity and rule. */
export async function rules(bed: Bed, dry = source(bed)): Promise<string[]> {
  const { record } = await bed.gated.render(dry, false, signal)
  return record.findings.map(({ rule, severity }) => `${severity} ${rule}`)
}
