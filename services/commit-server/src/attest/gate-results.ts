import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { GateRun } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import {
  directoryOfTest,
  type HydrationStatement,
  statementType,
  testName,
  testResultType,
} from '@wadi/signatures/attestations/statement.ts'
import type { AttestedDirectory } from './provenance.ts'

/** The rules or an input of a check, as in-toto describes resources. */
interface Configuration {
  name: string
  uri?: string
  digest?: Record<string, string>
  annotations?: Record<string, string>
}

/** Gates that depend on the version of the cluster. */
const versionedGates = new Set(['api-versions', 'schemas', 'policies'])

/**
 * Returns the statement about what gates found in directories of a hydrated commit; undefined if they checked none. Directories that
 * were not checked are not among its subjects.
 */
export function testResultStatement(
  branch: string,
  { sha, directories }: { sha: string; directories: readonly AttestedDirectory[] },
) {
  const checked = directories.filter(({ gateRuns }) => gateRuns.length > 0)
  if (checked.length === 0) return undefined
  const results = checked.map(resultOf)
  const [passedTests, warnedTests, failedTests] = [
    results.flatMap(({ passed }) => passed),
    results.flatMap(({ warned }) => warned),
    results.flatMap(({ failed }) => failed),
  ]
  const configuration = checked.flatMap(({ gateRuns }) => gateRuns.flatMap(configurationOf))
  const unique = new Map(configuration.map((each) => [JSON.stringify(each), each]))
  return {
    _type: statementType,
    subject: [
      { name: branch, digest: { gitCommit: sha } },
      ...checked.map(({ path, digests }) => ({ name: path || '.', digest: digests })),
    ],
    predicateType: testResultType,
    predicate: {
      result: failedTests.length > 0 ? 'FAILED' : warnedTests.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [...unique.values()],
      passedTests,
      warnedTests,
      failedTests,
    },
  }
}

/** Returns what statements say of gates in all their directories, of each by the last one about it. */
export function gatesOf(statements: readonly HydrationStatement[]): { gates: string; gateWarnings: number } {
  if (statements.length === 0) return { gates: '', gateWarnings: 0 }
  const warnings = new Map<string, number>()
  for (const { directories, warnedTests } of statements) {
    const warned = Map.groupBy(warnedTests, directoryOfTest)
    for (const name of directories.keys()) warnings.set(name, warned.get(name)?.length ?? 0)
  }
  const gateWarnings = warnings.values().reduce((sum, count) => sum + count, 0)
  const hasFailed = statements.some(({ result }) => result === 'FAILED')
  return { gates: hasFailed ? 'FAILED' : gateWarnings > 0 ? 'WARNED' : 'PASSED', gateWarnings }
}

/** The tests of a directory: a gate that found nothing, or each rule that found something. */
function resultOf({ path, record, gateRuns }: AttestedDirectory) {
  const rulesOf = (severity: string): string[] => [
    ...new Set(
      listAt(record, 'findings')
        .filter((finding) => textAt(finding, 'severity') === severity)
        .map((finding) => textAt(finding, 'rule')),
    ),
  ]
  const [failed, warned] = [rulesOf('deny'), rulesOf('warn')]
  const [first, ...others] = gateRuns.map(({ severities }) => severities.map(({ gate }) => gate))
  const ranForAll = (first ?? []).filter((gate) => others.every((gates) => gates.includes(gate)))
  const hasFound = (gate: string) => [...failed, ...warned].some((rule) => rule.startsWith(`${gate}/`))
  const quiet = ranForAll.filter((gate) => !hasFound(gate))
  // Of what a record leaves out it is not known which gates it is of.
  const isWhole = !('findingsLeftOut' in objectAt(record))
  const named = (tests: readonly string[]) => tests.map((test) => testName(path || '.', test))
  return {
    passed: named(isWhole ? quiet : []),
    warned: named(isWhole ? warned : [...warned, ...quiet]),
    failed: named(failed),
  }
}

function configurationOf({ severities, rulesVersion, kubernetesVersion, files }: GateRun): Configuration[] {
  const gates = severities.map(({ gate, severity }): Configuration => {
    const kubernetes = versionedGates.has(gate) ? { kubernetes: kubernetesVersion } : {}
    const annotations = { severity, rules: String(rulesVersion), ...kubernetes }
    return { name: gate, uri: `https://wadi.dev/gates/${encodeURIComponent(gate)}`, annotations }
  })
  const read = files.map(({ path, id, isDirectory }): Configuration => ({
    name: path,
    digest: { [isDirectory ? 'gitTree' : 'gitBlob']: id },
  }))
  return [...gates, ...read]
}
