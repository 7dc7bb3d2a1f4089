import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { directoryDigests } from '@wadi/signatures/attestations/directory-digests.ts'
import {
  type HydrationStatement,
  provenanceType,
  testResultType,
} from '@wadi/signatures/attestations/statement.ts'
import type { KnownSigners } from '@wadi/signatures/known-signers.ts'
import type { SignatureCheck } from '@wadi/signatures/signature-check.ts'
import { gateProblems } from './gate-results.ts'
import type { HistoryCommit, HydratedHistory } from './hydrated-history.ts'
import {
  checkCommits,
  type CommitCheck,
  readCommits,
  type ReadCommit,
  signatureText,
} from './read-commits.ts'

/** The expectations of who verifies. */
export interface Expected {
  head: string
  /** Empty for that of the newest statement. */
  branch: string
  /** True to compare the head with the newest attested commit of the branch. */
  isBranch: boolean
  /** A URL of the repository. */
  repository: string
  /** Ids; empty for any one. */
  installations: readonly string[]
  /** A commit that was verified before. */
  since: string | undefined
  /** The gates that must have passed in each directory, empty for any; undefined to require none. */
  gates: readonly string[] | undefined
}

/** A commit of the history and what was found of it. */
export interface VerifiedCommit {
  readonly commit: string
  readonly author: string
  readonly kind: 'attested' | 'foreign' | 'merge'
  /** The key of the commit's signature, or why it is not one of a known key. */
  readonly signature: string
  readonly statements: readonly HydrationStatement[]
  /** The statements that are about this commit as it is expected; empty if none of them says what made it. */
  readonly proven: readonly HydrationStatement[]
  readonly problems: readonly string[]
}

/** The result of verifying a history. */
export interface Verification {
  readonly branch: string
  readonly head: string
  /** The newest first, down to the first attested one or to what was verified before. */
  readonly commits: readonly VerifiedCommit[]
  /** The hydrated directories at the head. */
  readonly directories: readonly string[]
  /** Problems of the history as a whole. */
  readonly problems: readonly string[]
  /** True if each directory was rendered again, with the same bytes and tools; undefined if nobody tried. */
  readonly isReproduced?: boolean
}

/**
 * Verifies the commits that lead to a head: each is signed and attested by a known key, and every hydrated directory at the head is one that
 * a statement names. What is wrong is returned, not thrown.
 */
export async function verifyHistory(
  history: HydratedHistory,
  expected: Expected,
  signers: KnownSigners,
  signal: AbortSignal,
): Promise<Verification> {
  const { head, since } = expected
  const problems: string[] = []
  if (since !== undefined && !(await history.isAncestor(since, head))) {
    problems.push(`it is not built on ${since.slice(0, 7)}, which was verified before: the branch went back`)
  }
  const read = await readCommits(history, head, since)
  const checks = await checkCommits(read, signers, signal)
  const judged = read.map((each, index) => ({ ...each, check: checks[index] }))
  const statements = judged.flatMap(({ check }) => check?.statements ?? [])
  const newest = statements.find(isProvenance)
  const branch = expected.branch || newest?.branch || ''
  const names = namesOf(branch, statements)
  const installations =
    expected.installations.length > 0 ? expected.installations : [newest?.installation ?? '']
  const directories = new Set(statements.flatMap(directoryNames))
  const commits: VerifiedCommit[] = []
  for (const [index, each] of judged.entries()) {
    const isFirst = since === undefined && index === judged.length - 1
    const { repository } = expected
    commits.push(await judge(history, each, { isFirst, names, repository, installations, directories }))
  }
  // After a commit that was verified before, there may be nothing to verify.
  if (newest === undefined && head !== since)
    problems.push('no commit of it has an attestation by a known key')
  problems.push(...(await uncovered(history, expected, commits)))
  if (expected.isBranch) problems.push(...(await rewound(history, branch, head)))
  const atHead = await history.hydratedDirectories(head)
  const { gates } = expected
  const judgedHere = since === undefined ? atHead : atHead.filter((path) => directories.has(path))
  if (gates) problems.push(...gateProblems({ commits, directories: judgedHere }, gates))
  return { branch, head, commits, directories: atHead, problems }
}

/** The names under which statements may be about a branch: its own, and those of branches that are merged into it. */
function namesOf(branch: string, statements: readonly HydrationStatement[]): Set<string> {
  const merged = statements.filter(({ syncBranch }) => syncBranch === branch)
  return new Set([branch, ...merged.map((statement) => statement.branch)])
}

interface Judging {
  isFirst: boolean
  names: ReadonlySet<string>
  repository: string
  installations: readonly string[]
  /** The directories that statements name. */
  directories: ReadonlySet<string>
}

async function judge(
  history: HydratedHistory,
  { commit, isMerge, check }: ReadCommit & { check: CommitCheck | undefined },
  judging: Judging,
): Promise<VerifiedCommit> {
  const { sha, author } = commit
  const { statements = [], problems: found = [] } = check ?? {}
  const verdict: SignatureCheck = check?.commit ?? { kind: 'unsigned' }
  const signature = signatureText(verdict)
  const shown = { commit: sha, author, signature, statements, proven: [] }
  if (statements.length === 0 && isMerge) return { ...shown, kind: 'merge', problems: found }
  if (statements.length === 0) {
    const by = verdict.kind === 'good' ? `signed by ${signature}` : signature
    const changed = await changedDirectories(history, commit, judging.directories)
    const changes = changed.length === 0 ? '' : `; it changes or removes ${changed.join(', ')}`
    const problem = `it has no attestation: a foreign commit by ${author}, ${by}${changes}`
    return { ...shown, kind: 'foreign', problems: [...found, problem] }
  }
  const problems = [...found]
  // The first one may be from before the key; what is attested of it are its directories.
  if (verdict.kind !== 'good' && !(judging.isFirst && verdict.kind === 'unsigned')) {
    problems.push(`the commit is not signed by a known key: ${signature}`)
  }
  const proven: HydrationStatement[] = []
  for (const statement of statements) {
    const own = await statementProblems(history, sha, statement, judging)
    problems.push(...own)
    if (own.length === 0) proven.push(statement)
  }
  // Anybody with push rights can remove a line of its attestations.
  if (!statements.some(isProvenance)) problems.push('no statement says what made it')
  if (proven.some(({ result }) => result === 'FAILED')) problems.push('its checks failed')
  return { ...shown, kind: 'attested', problems, proven: proven.some(isProvenance) ? proven : [] }
}

/** The directories that differ between a commit and its first parent. */
async function changedDirectories(
  history: HydratedHistory,
  { sha, parents: [parent] }: HistoryCommit,
  directories: ReadonlySet<string>,
): Promise<string[]> {
  if (parent === undefined) return []
  const [before, after] = [await history.tree(parent), await history.tree(sha)]
  const changed: string[] = []
  for (const path of directories) {
    if ((await before.entry(path))?.id !== (await after.entry(path))?.id) changed.push(path)
  }
  return changed
}

async function statementProblems(
  history: HydratedHistory,
  sha: string,
  statement: HydrationStatement,
  { names, repository, installations }: Judging,
): Promise<string[]> {
  if (statement.commit !== sha) return [`its attestation is about commit ${statement.commit.slice(0, 7)}`]
  const { predicateType, branch } = statement
  if (predicateType !== testResultType && predicateType !== provenanceType) return []
  const problems = await directoryProblems(history, sha, statement)
  if (!names.has(branch)) problems.unshift(`its attestation is about branch ${branch}`)
  if (predicateType === testResultType) return problems
  if (repositoryIdentity(statement.repository) !== repositoryIdentity(repository)) {
    problems.push(`its attestation is about repository ${statement.repository}, not ${repository}`)
  }
  if (!installations.includes(statement.installation)) {
    problems.push(`installation ${statement.installation} made it, not ${installations.join(' or ')}`)
  }
  return problems
}

/** Finds directories that are not what a statement about a commit says. */
async function directoryProblems(
  history: HydratedHistory,
  sha: string,
  statement: HydrationStatement,
): Promise<string[]> {
  const problems: string[] = []
  const tree = await history.tree(sha)
  for (const [name, attested] of statement.directories) {
    const path = name === '.' ? '' : name
    const digests = await directoryDigests(tree, path, (id) => history.fileDigest(id))
    if (!digests) problems.push(`directory ${name}, which its attestation names, is missing`)
    else if (digests.gitTree !== attested['gitTree'] || digests.dirHash !== attested['dirHash']) {
      problems.push(`directory ${name} is not what its attestation says`)
    }
  }
  return problems
}

/** The hydrated directories at the head that no statement names; those of a commit that was verified before count as named. */
async function uncovered(
  history: HydratedHistory,
  { head, since }: Expected,
  commits: readonly VerifiedCommit[],
): Promise<string[]> {
  if (since !== undefined) return []
  const named = new Set(commits.flatMap(({ statements }) => statements.flatMap(directoryNames)))
  return (await history.hydratedDirectories(head))
    .filter((path) => !named.has(path))
    .map((path) => `no attestation names directory ${path}; "wadi app hydrate NAME --hard" makes one`)
}

function directoryNames(statement: HydrationStatement): string[] {
  return isProvenance(statement) ? [...statement.directories.keys()] : []
}

function isProvenance({ predicateType }: HydrationStatement): boolean {
  return predicateType === provenanceType
}

/** Finds that a branch is not at, or after, its newest attested commit. */
async function rewound(history: HydratedHistory, branch: string, head: string): Promise<string[]> {
  const newest = await history.newestAttested(branch)
  if (!/^[0-9a-f]{40,64}$/.test(newest) || newest === head) return []
  const isThere = (await history.resolve(newest)) !== undefined
  if (isThere && (await history.isAncestor(newest, head))) return []
  return [
    `its newest attested commit is ${newest.slice(0, 7)}, which ${head.slice(0, 7)} is not built on: the branch went back, or was fetched before the notes`,
  ]
}
