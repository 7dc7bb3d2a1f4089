import { createHash } from 'node:crypto'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { type ParameterTree, explainTrees } from '@wadi/params/explain/explain.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { StampOwner, OwnerParam } from '@wadi/supply-chains/read/cartographer-objects.ts'
import {
  type CartographerObjects,
  cartographerRole,
  readCartographerObjects,
} from '@wadi/supply-chains/read/read-objects.ts'
import { type RecordedOutputs, readRecordedOutputs } from '@wadi/supply-chains/stamp/recorded-outputs.ts'
import { isRender } from '@wadi/supply-chains/stamp/render-object.ts'
import { StampBudget } from '@wadi/supply-chains/stamp/stamp-budget.ts'
import { stampOwner } from '@wadi/supply-chains/stamp/stamp-owner.ts'
import {
  type CompositeFile,
  type CompositeSource,
  type SourcePart,
  distinctFiles,
} from '../composite/composite-source.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { readRepositorySettings } from '../../source/repository-settings.ts'
import { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import type { RealisedOwner } from './parameters/workload-params.ts'
import { planRender } from './plan-render.ts'
import { trialParams } from './trial-params.ts'
import { readDocument, readDocuments, recordedOutputsFile } from './workload-files.ts'
import type { SharedPlanning, WorkloadNesting, WorkloadSource } from './workload-nesting.ts'

/** Most directories of workloads that lead to one another through `Render`. */
const deepestRender = 4

/** Most parts of a source, and most characters of the report of what decided its parameters. */
const maxParts = 10_000
const maxExplained = 32 * 1024 * 1024

/** The inputs with which all owners of a directory are stamped. */
interface Stamping {
  readonly objects: CartographerObjects
  readonly recordedOutputs: RecordedOutputs | undefined
  /** Parameters to try out. */
  readonly trialParams: readonly OwnerParam[]
  /** With the directory itself. */
  readonly nesting: WorkloadNesting
}

/** The result of planning an owner. */
interface PlannedOwner extends Pick<CompositeSource, 'parts' | 'warnings' | 'parameters' | 'files'> {
  readonly realised: RealisedOwner
  /** The objects that its templates stamped, each a JSON text, and the digests of the workloads that a `Render` led to. */
  readonly stamped: readonly string[]
}

/** Returns the initial state of planning a source that is a directory of workloads. */
export function newNesting(path: string): WorkloadNesting {
  const budget = new StampBudget(path || '.')
  return { chain: [], shared: { budget, explained: 0, operators: new Map(), plans: new Map() } }
}

/**
 * Plans a directory with workloads or deliverables: the objects that the operators' chains stamp for them, each `Render`
 * replaced by the parts of what it names; documents beside them stay as they are. The inputs are those of what a `Render`
 * leads to alone: what was stamped is in the digest, so that a chain matters only for those that it stamps for.
 * @throws InvalidInputError with all that is wrong with every workload; ResourceExhaustedError when they become too much
 */
export async function planWorkloads(
  planned: PlannedSource,
  { chain: above, shared }: WorkloadNesting,
): Promise<WorkloadSource> {
  const { path, trace } = planned
  const chain = [...above, path]
  refuseLoop(chain)
  const known = shared.plans.get(path)
  if (known !== undefined) return known
  const { objects, recordedOutputs } = await readStampedFrom(trace, path, shared)
  const tried = trialParams(planned.trial)
  const stamping = { objects, recordedOutputs, trialParams: tried, nesting: { chain, shared } }
  const parts: SourcePart[] = objects.others.map((document) => textPart(document, document.at.file, ''))
  const warnings: string[] = []
  const parameters: ParameterTree[] = []
  const files: CompositeFile[] = []
  const owners: RealisedOwner[] = []
  const stamped = objects.others.map(({ value }) => jsonText(value))
  for (const text of stamped) shared.budget.spendText(text.length)
  const failures: string[] = []
  for (const owner of objects.owners) {
    try {
      const result = await planOwner(planned, owner, stamping)
      parts.push(...result.parts)
      if (parts.length > maxParts) {
        throw new ResourceExhaustedError(
          `"${path || '.'}": its workloads become more than ${maxParts} objects and sources; split the directory`,
        )
      }
      warnings.push(...result.warnings)
      parameters.push(...result.parameters)
      files.push(...result.files)
      owners.push(result.realised)
      stamped.push(...result.stamped)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      failures.push(error.message)
    }
  }
  if (failures.length > 0) throw new InvalidInputError([...new Set(failures)].join('\n'))
  const reported = [...new Set(warnings)]
  const digest = digestOf([parts.map(({ label, placement }) => [label, placement]), stamped, reported])
  const plan = { path, parts, warnings: reported, parameters, files: distinctFiles(files), digest, owners }
  shared.plans.set(path, plan)
  return plan
}

function refuseLoop(chain: readonly string[]): void {
  const shown = chain.map((each) => each || '.').join(' → ')
  if (chain.slice(0, -1).includes(chain.at(-1) ?? '')) throw new InvalidInputError(`Render loops: ${shown}`)
  if (chain.length > deepestRender) {
    throw new InvalidInputError(
      `Render leads through more than ${deepestRender} directories of workloads: ${shown}`,
    )
  }
}

/** The objects that a directory is stamped from: its own and those of operators. */
async function readStampedFrom(
  trace: TracingTree,
  path: string,
  shared: SharedPlanning,
): Promise<Pick<Stamping, 'objects' | 'recordedOutputs'>> {
  const inputs = new InputCollector(trace)
  const own = await readDocuments(trace, path, false, inputs)
  const { platform } = await readRepositorySettings(trace)
  if (platform !== undefined && !platform.includes(path)) refuseOperatorObjects(own)
  const operators: Located[] = []
  for (const directory of platform ?? []) {
    if (directory === path) continue
    const documents = shared.operators.get(directory) ?? (await readDocuments(trace, directory, true, inputs))
    shared.operators.set(directory, documents)
    for (const document of documents) operators.push(document)
  }
  const role = operators.filter((document) => cartographerRole(document) === 'operator')
  const objects = readCartographerObjects([...own, ...role])
  const recorded = await readDocument(trace, childPath(path, recordedOutputsFile), inputs)
  return { objects, recordedOutputs: recorded && readRecordedOutputs(recorded) }
}

async function planOwner(
  planned: PlannedSource,
  owner: StampOwner,
  { objects, recordedOutputs, trialParams: tried, nesting }: Stamping,
): Promise<PlannedOwner> {
  const { shared } = nesting
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
  const warnings = [...stamped.warnings]
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
    const rendered = await withContext(
      label,
      () => planRender(planned, located, owner.namespace, nesting),
      InvalidInputError,
    )
    texts.push(rendered.digest || parametersDigest(rendered.parameters, shared))
    parts.push(...rendered.parts.map((part) => ({ ...part, label: `${label}: ${part.label}` })))
    warnings.push(...rendered.warnings)
    parameters.push(...rendered.parameters.map((tree) => ({ ...tree, name: `${tree.name} for ${place}` })))
    files.push(...rendered.files.map((file) => ({ ...file, of: `${label}: ${file.of}` })))
  }
  // What a package hides may come from a parameter of the workload.
  const hidden = [...new Set(parameters.flatMap((tree) => tree.hidden ?? []))]
  const realised = { owner, blueprint: stamped.blueprint, params: stamped.params, hidden }
  const shown = parameters.map((tree) => ({ ...tree, hidden }))
  return { parts, warnings, parameters: shown, files, stamped: texts, realised }
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
          `what decided the parameters of workloads takes more than ${maxExplained} characters to record; split the directory or give its workloads fewer parameters`,
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
function paramTrees(owner: StampOwner, params: ReadonlyMap<string, Resolution>): ParameterTree[] {
  return Array.from(params, ([resource, resolution]) => ({
    name: `params of ${placeOf(owner, resource)}`,
    resolution,
  })).filter(({ resolution: { tree } }) => isValueMap(tree) && tree.size > 0)
}

function placeOf({ kind, name }: StampOwner, resource: string): string {
  return `${kind.toLowerCase()} "${name}" resource "${resource}"`
}

function textPart({ value }: Located, label: string, namespace: string): SourcePart {
  return {
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
