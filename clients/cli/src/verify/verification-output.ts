import type { JsonObject } from '@bufbuild/protobuf'
import { provenanceType, testResultType } from '@wadi/signatures/attestations/statement.ts'
import { printable } from '../output/printable.ts'
import { gateResults } from './gate-results.ts'
import type { Verification, VerifiedCommit } from './verify-history.ts'

/** All problems of a history, each with the commit that it is of. */
export function problemsOf({ commits, problems }: Verification): { commit: string; problem: string }[] {
  return [
    ...commits.flatMap(({ commit, problems: own }) => own.map((problem) => ({ commit, problem }))),
    ...problems.map((problem) => ({ commit: '', problem })),
  ]
}

/** The result for people: what was verified, and a line for each problem. */
export function verificationText(verification: Verification): string {
  const { branch, head, commits, directories, isReproduced = false } = verification
  const problems = problemsOf(verification)
  const verdict = problems.length === 0 ? 'verified' : 'NOT verified'
  const attested = commits.filter(({ kind }) => kind === 'attested')
  const keys = [...new Set(attested.map(({ signature }) => signature))].join(', ')
  const lines = [
    `${branch || 'branch unknown'} at ${head.slice(0, 7)}: ${verdict}`,
    `  ${counted(attested.length, 'attested commit')}${merges(commits)}, ${counted(directories.length, 'hydrated directory', 'hydrated directories')}`,
    ...(keys === '' ? [] : [`  signed by ${keys}`]),
    ...gatesLines(verification),
    ...(isReproduced ? ['  reproduced: the same bytes in each directory'] : []),
    ...problems.map(({ commit, problem }) => `  ${commit === '' ? '-' : commit.slice(0, 7)}: ${problem}`),
  ]
  return lines.map((line) => `${line.startsWith('  ') ? '  ' : ''}${printable(line.trim())}\n`).join('')
}

/** The result for programs. */
export function verificationObject(verification: Verification): JsonObject {
  const { branch, head, commits, directories, problems, isReproduced } = verification
  const gates = gateResults(verification)
  return {
    branch,
    commit: head,
    verified: problemsOf(verification).length === 0,
    directories: [...directories],
    ...(isReproduced !== undefined && { reproduced: isReproduced }),
    ...(gates.result !== '' && { gates: { ...gates, directories: [...gates.directories] } }),
    commits: commits.map(({ commit, author, kind, signature, statements, problems: own }) => {
      const provenance = statements.find(({ predicateType }) => predicateType === provenanceType)
      const checks = statements.find(({ predicateType }) => predicateType === testResultType)
      return {
        commit,
        kind,
        author,
        signature,
        ...(provenance && {
          repository: provenance.repository,
          branch: provenance.branch,
          installation: provenance.installation,
          directories: [...provenance.directories.keys()],
        }),
        ...(checks && { checks: checks.result }),
        problems: [...own],
      }
    }),
    problems: [...problems],
  }
}

function gatesLines(verification: Verification): string[] {
  const { result, warnings, directories } = gateResults(verification)
  if (result === '') return []
  const all = verification.directories.length
  const where = directories.length === all ? '' : ` in ${directories.length} of ${all} directories`
  return [`  gates: passed${where}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`]
}

function merges(commits: readonly VerifiedCommit[]): string {
  const { length } = commits.filter(({ kind }) => kind === 'merge')
  return length === 0 ? '' : `, ${counted(length, 'merge')}`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
