import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { RefMove } from '../models/git/git-server.ts'
import type { Ledger } from './ledger.ts'

/** Returns what is wrong about refs that Wadi moved in one step, as sentences. */
export function checkMoves(ledger: Ledger, moves: readonly RefMove[]): string[] {
  const noteMove = moves.find(({ ref }) => ref === notesRef)
  const notes = noteMove ? noteMove.from : ledger.git.refs.get(notesRef)
  return moves
    .filter(({ isOwn }) => isOwn)
    .flatMap((move) => {
      if (move.ref === notesRef) return checkNotes(ledger, move)
      return checkBranch(ledger, move, notes)
    })
}

/** @param notes the notes before the move */
function checkBranch(ledger: Ledger, move: RefMove, notes: string | undefined): string[] {
  const { ref, from, to } = move
  const branch = ref.slice('refs/heads/'.length)
  const { objects } = ledger.git
  if (to === undefined) return [`${branch} was deleted by Wadi`]
  if (from !== undefined && !objects.isAncestor(from, to)) {
    return [`${branch} went from ${short(from)} to ${short(to)}, which is not built on it`]
  }
  // A staging branch begins where the branch that is deployed from is.
  const before = from ?? ledger.git.refs.get(`refs/heads/${ledger.baseOf(branch)}`)
  const known = before === undefined ? new Set<string>() : objects.history(before)
  // What a branch led to before, a rewound one leads to again when it is restored.
  const made = ledger.broughtBy(move).filter((sha) => !known.has(sha))
  return [
    ...made.flatMap((sha) => checkCommit(ledger, branch, sha, notes)),
    ...lostFiles(ledger, branch, from, to),
    ...(ledger.lineage === 'every' ? missedCommits(ledger, branch, from, made) : []),
  ]
}

function checkCommit(ledger: Ledger, branch: string, sha: string, notes: string | undefined): string[] {
  const { objects } = ledger.git
  const drySha = ledger.dryOf(sha)
  const name = `commit ${short(sha)} of ${branch}`
  const rank = ledger.rank.get(drySha)
  if (rank === undefined) return [`${name} names no dry commit`]
  const problems: string[] = []
  if (ledger.isBroken(drySha, branch))
    problems.push(`${name} is of dry commit ${rank}, which cannot be rendered`)
  const differing = ledger.differing(sha, branch, drySha)
  if (differing.length > 0)
    problems.push(`${name} does not hold ${differing.join(', ')} of dry commit ${rank}`)
  const [parent] = objects.commit(sha).parents
  if (parent === undefined) return problems
  const before = ledger.rank.get(ledger.dryOf(parent)) ?? -1
  const position = ledger.positionOf(parent, notes)
  if (position > rank) problems.push(`${name} goes back from dry commit ${position} to ${rank}`)
  const changed = objects
    .differingPaths(parent, sha)
    .filter((path) => !/(?:^|\/)hydrator\.metadata$|README\.md$/.test(path))
  if (changed.length === 0 && !ledger.mayRepeat.has(branch)) problems.push(`${name} changes no manifest`)
  if (before === rank && !ledger.mayRepeat.has(branch)) {
    problems.push(`${name} is the second one of dry commit ${rank}`)
  }
  return problems
}

/** Files of others that a move lost or changed. */
function lostFiles(ledger: Ledger, branch: string, from: string | undefined, to: string): string[] {
  if (from === undefined) return []
  const { objects } = ledger.git
  const [before, after] = [objects.commit(from).files, objects.commit(to).files]
  return [...(ledger.foreign.get(branch) ?? [])].flatMap(([path, blob]) => {
    if (before.get(path)?.id !== blob || after.get(path)?.id === blob) return []
    return [`${path} of somebody else is lost on ${branch}`]
  })
}

/** With lineage `every`: dry commits that change a branch and have no commit although later ones have. */
function missedCommits(
  ledger: Ledger,
  branch: string,
  from: string | undefined,
  made: readonly string[],
): string[] {
  if (from === undefined || ledger.mayRepeat.has(branch)) return []
  const order = [...ledger.rank.keys()]
  const noted = ledger.rank.get(ledger.dryOf(from)) ?? 0
  const ranks = new Set(made.map((sha) => ledger.rank.get(ledger.dryOf(sha))))
  const last = Math.max(...made.map((sha) => ledger.rank.get(ledger.dryOf(sha)) ?? 0))
  const names = ledger.applications.filter((application) => application.branch === branch)
  let before = order[noted] ?? ''
  return order.slice(noted + 1, last).flatMap((drySha) => {
    if (ledger.isBroken(drySha, branch)) return []
    const isChanged = names.some(({ name }) => ledger.valueAt(before, name) !== ledger.valueAt(drySha, name))
    before = drySha
    const rank = ledger.rank.get(drySha)
    return !isChanged || ranks.has(rank) ? [] : [`${branch} has no commit of dry commit ${rank}`]
  })
}

function checkNotes(ledger: Ledger, { from, to }: RefMove): string[] {
  const { objects } = ledger.git
  if (to === undefined) return ['the notes were deleted by Wadi']
  if (from !== undefined && !objects.isAncestor(from, to)) return ['the notes were rewritten']
  return objects.differingPaths(from, to).flatMap((path) => {
    const sha = path.replaceAll('/', '')
    if (!objects.commit(to).files.has(path)) return []
    return checkNote(ledger, sha, { before: ledger.noteOf(sha, from), now: ledger.noteOf(sha, to) })
  })
}

function checkNote(ledger: Ledger, sha: string, { before, now }: { before: string; now: string }): string[] {
  const branches = [...ledger.seen].flatMap(([branch, seen]) => (seen.has(sha) ? [branch] : []))
  const name = `the note on ${short(sha)}`
  if (branches.length === 0) return [`${name} is ahead: no branch has the commit`]
  const rank = ledger.rank.get(readHydratorMetadata(now).drySha)
  if (rank === undefined) return [`${name} names no dry commit`]
  const former = ledger.rank.get(readHydratorMetadata(before).drySha) ?? -1
  if (former > rank) return [`${name} goes back from dry commit ${former} to ${rank}`]
  const drySha = [...ledger.rank.keys()][rank] ?? ''
  const differing = branches.map((branch) => ledger.differing(sha, branch, drySha))
  if (differing.some((names) => names.length === 0)) return []
  return [`${name} names dry commit ${rank}, of which it does not hold ${differing.flat().join(', ')}`]
}

function short(sha: string): string {
  return sha.slice(0, 7)
}
