import {
  directoryOfTest,
  provenanceType,
  testName,
  testResultType,
} from '@wadi/signatures/attestations/statement.ts'
import type { Verification } from './verify-history.ts'

const types: ReadonlySet<string> = new Set([provenanceType, testResultType])

/** The results of a statement of which each test that it names passed or warned. */
const accepted: ReadonlySet<string> = new Set(['PASSED', 'WARNED'])

/** The attested results of gates for a hydrated directory. */
interface DirectoryResult {
  readonly directory: string
  /** The names of tests, one or more; undefined if no gate checked it. */
  readonly tests: { readonly passed: readonly string[]; readonly warned: readonly string[] } | undefined
}

/** The attested results of gates for the directories at a head. */
export interface GateResults {
  /** `PASSED`, or `WARNED` with warnings; empty if gates checked no directory. */
  readonly result: string
  readonly warnings: number
  /** The directories that gates checked. */
  readonly directories: readonly string[]
}

/** Returns what gates found in the hydrated directories at the head, as the newest statements about each say. */
export function gateResults(verification: Pick<Verification, 'commits' | 'directories'>): GateResults {
  const checked = directoryResults(verification).filter(({ tests }) => tests !== undefined)
  const warnings = checked.reduce((sum, { tests }) => sum + (tests?.warned.length ?? 0), 0)
  const result = checked.length === 0 ? '' : warnings === 0 ? 'PASSED' : 'WARNED'
  return { result, warnings, directories: checked.map(({ directory }) => directory) }
}

/**
 * Returns a problem for each directory at the head of which no statement says that gates passed.
 * @param gates those that must have passed; empty for any
 */
export function gateProblems(
  verification: Pick<Verification, 'commits' | 'directories'>,
  gates: readonly string[],
): string[] {
  return directoryResults(verification).flatMap(({ directory, tests }) => {
    if (tests === undefined) {
      return [`no attestation says that gates passed in directory ${directory}`]
    }
    const all = [...tests.passed, ...tests.warned]
    const missing = gates.filter((gate) => !all.some((test) => isOfGate(test, testName(directory, gate))))
    return missing.map((gate) => `no attestation says that gate ${gate} passed in directory ${directory}`)
  })
}

/** The newest commit with a statement about a directory decides. */
function directoryResults({
  commits,
  directories,
}: Pick<Verification, 'commits' | 'directories'>): DirectoryResult[] {
  const known = new Map<string, DirectoryResult>()
  for (const { proven } of commits) {
    const ofCommit = new Map<string, DirectoryResult>()
    for (const statement of proven.filter(({ predicateType }) => types.has(predicateType))) {
      const { predicateType, passedTests, warnedTests, result } = statement
      const passed = Map.groupBy(passedTests, directoryOfTest)
      const warned = Map.groupBy(warnedTests, directoryOfTest)
      for (const directory of statement.directories.keys()) {
        const tests = { passed: passed.get(directory) ?? [], warned: warned.get(directory) ?? [] }
        const hasTests = tests.passed.length + tests.warned.length > 0
        if (predicateType === testResultType && accepted.has(result) && hasTests) {
          ofCommit.set(directory, { directory, tests })
        } else if (predicateType === testResultType || !ofCommit.has(directory)) {
          ofCommit.set(directory, { directory, tests: undefined })
        }
      }
    }
    for (const [directory, result] of ofCommit) if (!known.has(directory)) known.set(directory, result)
  }
  return directories.map((directory) => known.get(directory) ?? { directory, tests: undefined })
}

function isOfGate(test: string, name: string): boolean {
  return test === name || test.startsWith(`${name}/`)
}
