import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/params/located.ts'
import { jsonText } from '@wadi/params/value-json.ts'
import type { Located } from '@wadi/params/value.ts'
import type { Owner } from '@wadi/supply-chains/cartographer-objects.ts'
import {
  type CartographerObjects,
  cartographerRole,
  readCartographerObjects,
} from '@wadi/supply-chains/read-objects.ts'
import { type RecordedOutputs, readRecordedOutputs } from '@wadi/supply-chains/recorded-outputs.ts'
import { isRender } from '@wadi/supply-chains/render-object.ts'
import { stampOwner } from '@wadi/supply-chains/stamp-owner.ts'
import type { InputCollector } from './input-collector.ts'
import { type CompositePlan, type PlannedComposite, inPart } from './composite-plan.ts'
import { planRender } from './render-object-plan.ts'
import { childPath } from './repository-path.ts'
import { readRepositorySettings, settingsFile } from './repository-settings.ts'
import type { SourcePart } from './source-part.ts'
import { readDocument, readDocuments, recordedOutputsFile } from './workload-files.ts'

/** Most directories of workloads that lead to one another through `Render`. */
const deepestRender = 4

/** What all owners of a directory are stamped with. */
interface Stamping {
  readonly objects: CartographerObjects
  readonly recordedOutputs: RecordedOutputs | undefined
  /** The directories of workloads that led here, this one the last. */
  readonly chain: readonly string[]
}

/**
 * Plans a directory with workloads or deliverables: the objects that the operators' chains stamp for them, each `Render`
 * replaced by the parts of what it names; documents beside them stay as they are.
 * @param above the directories of workloads that led here through `Render`
 * @throws InvalidInputError with all that is wrong with every workload
 */
export async function planWorkload(
  planned: PlannedComposite,
  inputs: InputCollector,
  above: readonly string[],
): Promise<CompositePlan> {
  const { path, trace } = planned
  const chain = [...above, path]
  if (above.includes(path)) {
    throw new InvalidInputError(`Render loops: ${chain.map((each) => each || '.').join(' → ')}`)
  }
  if (chain.length > deepestRender) {
    throw new InvalidInputError(
      `Render leads through more than ${deepestRender} directories of workloads: ${chain.map((each) => each || '.').join(' → ')}`,
    )
  }
  const own = await readDocuments(trace, path, false, inputs)
  await inputs.add(settingsFile)
  const { platform } = await readRepositorySettings(trace)
  if (platform !== undefined && !platform.includes(path)) refuseOperatorObjects(own)
  const operators: Located[] = []
  for (const directory of platform ?? []) {
    if (directory !== path) operators.push(...(await readDocuments(trace, directory, true, inputs)))
  }
  const role = operators.filter((document) => cartographerRole(document) === 'operator')
  const objects = readCartographerObjects([...own, ...role])
  const recorded = await readDocument(trace, childPath(path, recordedOutputsFile), inputs)
  const recordedOutputs = recorded && readRecordedOutputs(recorded)
  const stamping = { objects, recordedOutputs, chain }
  const parts: SourcePart[] = objects.others.map((document) => textPart(document, document.at.file, ''))
  const notices: string[] = []
  const failures: string[] = []
  for (const owner of objects.owners) {
    try {
      const result = await planOwner(planned, owner, stamping, inputs)
      parts.push(...result.parts)
      notices.push(...result.notices)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      failures.push(error.message)
    }
  }
  if (failures.length > 0) throw new InvalidInputError([...new Set(failures)].join('\n'))
  return { path, parts, notices: [...new Set(notices)], parameters: [], files: [] }
}

async function planOwner(
  planned: PlannedComposite,
  owner: Owner,
  { objects, recordedOutputs, chain }: Stamping,
  inputs: InputCollector,
): Promise<Pick<CompositePlan, 'parts' | 'notices' | 'parameters' | 'files'>> {
  const { blueprints, templates } = objects
  const given = recordedOutputs === undefined ? {} : { recordedOutputs }
  const stamped = await stampOwner({ owner, blueprints, templates, ...given })
  const parts: SourcePart[] = []
  const notices = [...stamped.notices]
  for (const { located, resource } of stamped.objects) {
    const label = `${owner.kind} "${owner.name}" resource "${resource}"`
    if (!isRender(located)) {
      parts.push(textPart(located, label, owner.namespace))
      continue
    }
    const rendered = await inPart(label, async () => {
      const plan = await planRender(planned, located, owner.namespace, inputs)
      return 'workload' in plan ? await planWorkload(plan.workload, inputs, chain) : plan
    })
    parts.push(...rendered.parts.map((part) => ({ ...part, label: `${label}: ${part.label}` })))
    notices.push(...rendered.notices)
  }
  return { parts, notices, parameters: [], files: [] }
}

function textPart({ value }: Located, label: string, namespace: string): SourcePart {
  return {
    renderer: 'text',
    label,
    placement: { namespace, syncWave: undefined },
    files: [{ path: label, text: jsonText(value) }],
  }
}

function refuseOperatorObjects(documents: readonly Located[]): void {
  const places = documents
    .filter((document) => cartographerRole(document) === 'operator')
    .map(({ at }) => `${formatLocation(at)}: an object of operators in a directory of developers`)
  if (places.length === 0) return
  throw new InvalidInputError(
    `${places.join('\n')}\nmove it to a directory that "platform" of wadi.yaml lists`,
  )
}
