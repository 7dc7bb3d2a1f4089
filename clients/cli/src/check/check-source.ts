import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import type { UnplacedFinding } from '@wadi/gates/finding.ts'
import type { Cluster } from '@wadi/gates/gate.ts'
import type { GateSeverities } from '@wadi/gates/gate-names.ts'
import { runGates } from '@wadi/gates/run-gates.ts'
import { gatesThatRun, strictest } from '@wadi/gates/severities.ts'
import { waiversOf } from '@wadi/gates/settings/waivers-of.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { readTexts } from '@wadi/file-trees/read-texts.ts'
import { findPlaces } from '@wadi/gates/finding-places.ts'
import {
  readCustomDefinitions,
  readGateSettings,
  readRepositoryPolicies,
} from '@wadi/rendering/source/repository-settings.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CheckedSource } from './checked-source.ts'
import type { SourceFinding } from './finding-output.ts'
import type { OperatorGates } from './operator-gates.ts'

/** The severities of gates that a repository does not name: a person asked for the check. */
const defaultSeverities: GateSeverities = {
  secrets: 'deny',
  'api-versions': 'deny',
  schemas: 'deny',
  policies: 'deny',
}

/** The Application and the cluster that objects are for. */
interface CheckedFor {
  /** Its name; empty if it is not known. */
  readonly application: string
  readonly cluster: Cluster
  /** Empty if it is not known. */
  readonly namespace: string
  /** The objects that are replaced. */
  readonly former: readonly Manifest[]
  /** The gates and policies that the operator asks for. */
  readonly operator: OperatorGates
}

/**
 * Runs the gates on a source by the settings of its repository; waivers cover what is apart from the other findings.
 * @throws InvalidInputError for wrong settings, with their place
 */
export async function checkSource(
  { path, manifests, tree, inputs, findFiles }: CheckedSource,
  { application, cluster, namespace, former, operator }: CheckedFor,
): Promise<Record<'findings' | 'covered', readonly SourceFinding[]>> {
  const trace = new TracingTree(tree)
  const { gates, ...waivers } = await readGateSettings(trace)
  const definitions = await readCustomDefinitions(trace)
  const context = {
    cluster,
    definitions: [...operator.definitions, ...definitions],
    policies: await readRepositoryPolicies(trace),
    namespace: namespace || 'default',
    former,
    ...operator.policies,
  }
  const { findings, covered, warnings } = await runGates(manifests, {
    severities: severitiesOf(gates, operator),
    unwaivable: operator.unwaivable,
    ...waiversOf(waivers, application),
    today: new Date().toISOString().slice(0, 10),
    context,
  })
  const isQuiet = findings.length + covered.length === 0
  const [texts, files] = isQuiet ? [[], []] : [await readTexts(tree, inputs), await findFiles()]
  const placed = (some: readonly UnplacedFinding[]): SourceFinding[] => {
    const wanted = some.map((one) => ({ ...one, file: files[one.position ?? -1] }))
    const places = findPlaces(texts, wanted)
    return some.map(({ written: _secret, position: _position, ...finding }, index) => ({
      ...finding,
      at: finding.at ?? places[index],
      source: path,
    }))
  }
  return {
    findings: [...placed(findings), ...warnings.map((finding) => ({ ...finding, source: path }))],
    covered: placed(covered),
  }
}

function severitiesOf(gates: GateSeverities, { severities, isServer }: OperatorGates): GateSeverities {
  if (isServer) return gatesThatRun(strictest([gates, severities]))
  return { ...defaultSeverities, ...gates, ...severities }
}

/** Leaves out what several sources have in common: the same line, object and rule. */
export function withoutRepeats(findings: readonly SourceFinding[]): SourceFinding[] {
  const known = new Set<string>()
  return findings.filter(({ rule, object, field, at }) => {
    if (at === undefined) return true
    const key = JSON.stringify([rule, object, field, at])
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

/**
 * Returns the minor version of a version such as 1.35, v1.35 or 1.35.2.
 * @throws CommandFailure for another form
 */
export function minorVersion(version: string): number {
  const [, minor] = /^v?1\.(\d{1,3})(?:\.|$)/.exec(version) ?? []
  if (minor === undefined) throw new CommandFailure(`${version} is not a version of Kubernetes, such as 1.35`)
  return Number(minor)
}
