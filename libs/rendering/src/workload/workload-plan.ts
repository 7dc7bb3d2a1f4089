import { createHash } from 'node:crypto'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type ParameterTree, explainTrees } from '@wadi/params/explain/explain.ts'
import { formatLocation } from '@wadi/params/values/located.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { Owner, OwnerParam } from '@wadi/supply-chains/read/cartographer-objects.ts'
import {
  type CartographerObjects,
  cartographerRole,
  readCartographerObjects,
} from '@wadi/supply-chains/read/read-objects.ts'
import { type RecordedOutputs, readRecordedOutputs } from '@wadi/supply-chains/stamp/recorded-outputs.ts'
import { isRender } from '@wadi/supply-chains/stamp/render-object.ts'
import { StampBudget } from '@wadi/supply-chains/stamp/stamp-budget.ts'
import { stampOwner } from '@wadi/supply-chains/stamp/stamp-owner.ts'
import { InputCollector } from '../tree/input-collector.ts'
import {
  type CompositeFile,
  type CompositePlan,
  type PlannedComposite,
  distinctFiles,
  inPart,
} from '../composite/composite-plan.ts'
import { planRender } from './render-object-plan.ts'
import { childPath } from '../tree/repository-path.ts'
import { readRepositorySettings } from '../repository-settings.ts'
import type { SourcePart } from '../composite/source-part.ts'
import { trialParams } from './trial-params.ts'
import { readDocument, readDocuments, recordedOutputsFile } from './workload-files.ts'

/** Most directories of workloads that lead to one another through `Render`. */
const deepestRender = 4

/** Most parts of a source, and most characters that what decided its parameters takes to tell. */
const maxParts = 10_000
const maxExplained = 32 * 1024 * 1024

/** What the directories of workloads share that one source leads to. */
interface SharedPlanning {
  readonly budget: StampBudget
  /** Characters that it took to tell what decided parameters. */
  explained: number
  /** Operators' documents by `platform` directory. */
  readonly operators: Map<string, readonly Located[]>
  /** Directories that are planned. */
  readonly plans: Map<string, CompositePlan>
}

/** What all owners of a directory are stamped with. */
interface Stamping {
  readonly objects: CartographerObjects
  readonly recordedOutputs: RecordedOutputs | undefined
  /** Parameters to try out. */
  readonly trialParams: readonly OwnerParam[]
  /** The directories of workloads that led here, this one the last. */
  readonly chain: readonly string[]
  readonly shared: SharedPlanning
}

/** What an owner becomes. */
interface PlannedOwner extends Pick<CompositePlan, 'parts' | 'notices' | 'parameters' | 'files'> {
  /** What its templates stamped, each a JSON text, and the digests of the workloads that a `Render` led to. */
  readonly stamped: readonly string[]
}

/**
 * Plans a directory with workloads or deliverables: the objects that the operators' chains stamp for them, each `Render`
 * replaced by the parts of what it names; documents beside them stay as they are. The inputs are those of what a `Render`
 * leads to alone: what was stamped is in the digest, so that a chain counts only for those that it stamps for.
 * @throws InvalidInputError with all that is wrong with every workload; ResourceExhaustedError when they become too much
 */
export async function planWorkload(
  planned: PlannedComposite,
  inputs: InputCollector,
): Promise<CompositePlan> {
  const budget = new StampBudget(planned.path || '.')
  const shared = { budget, explained: 0, operators: new Map(), plans: new Map() }
  return await planOwners(planned, inputs, [], shared)
}

/** @param above the directories of workloads that led here through `Render` */
async function planOwners(
  planned: PlannedComposite,
  inputs: InputCollector,
  above: readonly string[],
  shared: SharedPlanning,
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
  const known = shared.plans.get(path)
  if (known !== undefined) return known
  const stampedFrom = new InputCollector(trace)
  const own = await readDocuments(trace, path, false, stampedFrom)
  const { platform } = await readRepositorySettings(trace)
  if (platform !== undefined && !platform.includes(path)) refuseOperatorObjects(own)
  const operators: Located[] = []
  for (const directory of platform ?? []) {
    if (directory === path) continue
    const documents =
      shared.operators.get(directory) ?? (await readDocuments(trace, directory, true, stampedFrom))
    shared.operators.set(directory, documents)
    for (const document of documents) operators.push(document)
  }
  const role = operators.filter((document) => cartographerRole(document) === 'operator')
  const objects = readCartographerObjects([...own, ...role])
  const recorded = await readDocument(trace, childPath(path, recordedOutputsFile), stampedFrom)
  const recordedOutputs = recorded && readRecordedOutputs(recorded)
  const stamping = { objects, recordedOutputs, trialParams: trialParams(planned.trial), chain, shared }
  const parts: SourcePart[] = objects.others.map((document) => textPart(document, document.at.file, ''))
  const notices: string[] = []
  const parameters: ParameterTree[] = []
  const files: CompositeFile[] = []
  const stamped = objects.others.map(({ value }) => jsonText(value))
  for (const text of stamped) shared.budget.spendText(text.length)
  const failures: string[] = []
  for (const owner of objects.owners) {
    try {
      const result = await planOwner(planned, owner, stamping, inputs)
      parts.push(...result.parts)
      if (parts.length > maxParts) {
        throw new ResourceExhaustedError(
          `"${path || '.'}": its workloads become more than ${maxParts} objects and sources; split the directory`,
        )
      }
      notices.push(...result.notices)
      parameters.push(...result.parameters)
      files.push(...result.files)
      stamped.push(...result.stamped)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      failures.push(error.message)
    }
  }
  if (failures.length > 0) throw new InvalidInputError([...new Set(failures)].join('\n'))
  const told = [...new Set(notices)]
  const digest = digestOf([parts.map(({ label, placement }) => [label, placement]), stamped, told])
  const plan = { path, parts, notices: told, parameters, files: distinctFiles(files), digest }
  shared.plans.set(path, plan)
  return plan
}

async function planOwner(
  planned: PlannedComposite,
  owner: Owner,
  { objects, recordedOutputs, trialParams: tried, chain, shared }: Stamping,
  inputs: InputCollector,
): Promise<PlannedOwner> {
  const { blueprints, templates } = objects
  const given = recordedOutputs === undefined ? {} : { recordedOutputs }
  const { commands, signal } = planned
  const stamped = await stampOwner({
    owner,
    blueprints,
    templates,
    trialParams: tried,
    budget: shared.budget,
    ...given,
    ...(commands && { runYtt: (template, values) => commands.runYtt(template, values, signal) }),
  })
  const parts: SourcePart[] = []
  const notices = [...stamped.notices]
  const parameters = paramTrees(owner, stamped.params)
  const files: CompositeFile[] = []
  const texts = [parametersDigest(parameters, shared)]
  for (const { located, resource } of stamped.objects) {
    const text = jsonText(located.value)
    shared.budget.spendText(text.length)
    texts.push(text)
    const label = `${owner.kind} "${owner.name}" resource "${resource}"`
    const place = placeOf(owner, resource)
    if (!isRender(located)) {
      parts.push(textPart(located, label, owner.namespace))
      continue
    }
    const rendered = await inPart(label, async () => {
      const plan = await planRender(planned, located, owner.namespace, inputs)
      if (!('workload' in plan)) {
        texts.push(parametersDigest(plan.parameters, shared))
        return plan
      }
      const below = await inPart(plan.place, () => planOwners(plan.workload, inputs, chain, shared))
      texts.push(below.digest)
      return below
    })
    parts.push(...rendered.parts.map((part) => ({ ...part, label: `${label}: ${part.label}` })))
    notices.push(...rendered.notices)
    parameters.push(...rendered.parameters.map((tree) => ({ ...tree, name: `${tree.name} for ${place}` })))
    files.push(...rendered.files.map((file) => ({ ...file, of: `${label}: ${file.of}` })))
  }
  return { parts, notices, parameters, files, stamped: texts }
}

/** Equal for parameters that are explained in the same way. */
function parametersDigest(parameters: readonly ParameterTree[], shared: SharedPlanning): string {
  const hash = createHash('sha256')
  for (const tree of parameters) {
    for (const parameter of explainTrees([tree])) {
      const text = `${JSON.stringify(parameter)}\n`
      shared.explained += text.length
      if (shared.explained > maxExplained) {
        throw new ResourceExhaustedError(
          `what decided the parameters of workloads takes more than ${maxExplained} characters to tell; split the directory or give its workloads fewer parameters`,
        )
      }
      hash.update(text)
    }
  }
  return hash.digest('hex')
}

function digestOf(deciding: unknown): string {
  return createHash('sha256').update(JSON.stringify(deciding)).digest('hex')
}

/** The parameters of each resource that has some. */
function paramTrees(owner: Owner, params: ReadonlyMap<string, Resolution>): ParameterTree[] {
  return Array.from(params, ([resource, resolution]) => ({
    name: `params of ${placeOf(owner, resource)}`,
    resolution,
  })).filter(({ resolution: { tree } }) => isValueMap(tree) && tree.size > 0)
}

function placeOf({ kind, name }: Owner, resource: string): string {
  return `${kind.toLowerCase()} "${name}" resource "${resource}"`
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
