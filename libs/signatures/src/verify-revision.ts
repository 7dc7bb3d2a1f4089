import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { type PermittedKeys, type SignatureProblem, signatureProblem } from './signature-problem.ts'
import { readSignedObject, type SignedObject } from './signed-object.ts'
import type { TrustedKeys } from './trusted-keys.ts'

/** A revision of a repository whose objects are in the mirror. */
export interface Revision {
  mirror: Mirror
  /** The commit. */
  sha: string
  /** The annotated tag that was asked for; undefined when a branch, a lightweight tag or a commit was. */
  tag: { name: string; sha: string } | undefined
}

const maxObjectBytes = 4 * 1024 ** 2
/** Commits that one revision may be built on since its sealing commits. */
const maxCommits = 20_000
const maxSeals = 200
const maxProblems = 10
/** Commits verified at a time. */
const width = 4

/**
 * Verifies the signatures of a revision. With `head` that is the annotated tag, else the commit; with `strict` also
 * every commit that it is built on, back to the sealing commits: signed by a permitted key, with a line
 * `Argocd-gpg-seal: <reason>` in the message, they answer for everything before them. The rules are Argo CD's.
 * @returns what is wrong, the newest first and at most ten; empty for an accepted revision
 * @throws ResourceExhaustedError for a history that is too long
 */
export async function verifyRevision(
  { mirror, sha, tag }: Revision,
  { mode, permitted, keys }: { mode: 'head' | 'strict'; permitted: PermittedKeys; keys: TrustedKeys },
  signal?: AbortSignal,
): Promise<SignatureProblem[]> {
  const verify = async (object: SignedObject): Promise<SignatureProblem | undefined> =>
    signatureProblem(object, await keys.check(object, signal), permitted)
  const commitProblem = async (commit: string) => verify(await readObject(mirror, 'commit', commit))
  const problems: SignatureProblem[] = []
  if (tag) {
    const object = await readObject(mirror, 'tag', tag.sha)
    const problem = await verify(object)
    if (problem) problems.push(problem)
    else if (object.name !== tag.name) problems.push(renamedTag(tag.name, object.name))
    if (mode === 'head') return problems
  }
  if (mode === 'head') return problemsOf([await commitProblem(sha)])
  await mirror.completeHistory([sha], signal)
  const seals = await sealingCommits(mirror, sha, commitProblem, signal)
  const exclusions = seals.map((seal) => `^${seal}`)
  const commits = await listCommits(mirror, [sha, ...exclusions], maxCommits, signal)
  if (commits.length > maxCommits) {
    throw new ResourceExhaustedError(
      `commit ${sha} is built on more than ${maxCommits} commits whose signatures would be verified (mode strict); ` +
        'seal what is older with a signed commit that has a line "Argocd-gpg-seal: <reason>"',
    )
  }
  for (let at = 0; at < commits.length && problems.length < maxProblems; at += width) {
    const some = await Promise.all(commits.slice(at, at + width).map(commitProblem))
    problems.push(...problemsOf(some))
  }
  return problems.slice(0, maxProblems)
}

/** The sealing commits that end the history; those that an accepted one seals are not looked at. */
async function sealingCommits(
  mirror: Mirror,
  sha: string,
  commitProblem: (commit: string) => Promise<SignatureProblem | undefined>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const accepted: string[] = []
  const grep = ['--topo-order', '--regexp-ignore-case', '--grep=^Argocd-gpg-seal:']
  let candidates = await listCommits(mirror, [...grep, sha], maxSeals, signal)
  while (candidates.length > 0) {
    const [candidate = '', ...others] = candidates
    const isAccepted = (await commitProblem(candidate)) === undefined
    if (isAccepted) accepted.push(candidate)
    const exclusions = accepted.map((seal) => `^${seal}`)
    candidates =
      isAccepted && others.length > 0
        ? (await listCommits(mirror, [...grep, sha, ...exclusions], maxSeals, signal)).filter((one) =>
            others.includes(one),
          )
        : others
  }
  return accepted
}

async function listCommits(
  mirror: Mirror,
  args: string[],
  most: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { stdout } = await mirror.raw(['rev-list', `--max-count=${most + 1}`, ...args, '--'], { signal })
  return stdout.toString().split('\n').filter(Boolean)
}

async function readObject(mirror: Mirror, type: 'commit' | 'tag', sha: string): Promise<SignedObject> {
  const { bytes } = await mirror.objects.read(sha, maxObjectBytes)
  return readSignedObject(type, sha, bytes)
}

function renamedTag(name: string, written: string): SignatureProblem {
  return {
    text: `tag ${name} is the signed tag ${written} under another name`,
    advice: `push a signed tag ${name}`,
  }
}

function problemsOf(problems: readonly (SignatureProblem | undefined)[]): SignatureProblem[] {
  return problems.filter((problem) => problem !== undefined)
}
