import { forgeMutations } from './forge-mutations.ts'
import type { Mutation } from './mutation.ts'

const commitServer = 'services/commit-server/src'
const hydrator = 'services/hydrator/src'
const appsetService = 'services/appset-service/src'
const gateway = 'services/api-gateway/src'

/** The mutations that a simulation must find. Each of them takes away one thing that keeps branches, notes and status true. */
export const mutations: readonly Mutation[] = [
  {
    name: 'commits of other runs are taken for those of people',
    file: `${commitServer}/commit/write-commit.ts`,
    from: `  if (state.note !== '' || (await record(from)) !== (await record(state.head))) throw movedByOtherRun(branch)`,
    to: `  await record(from)`,
    seed: 18,
    found: /goes back from dry commit/,
  },
  {
    name: 'a push compares nothing',
    file: 'libs/git/src/commit/push.ts',
    from: `  const leases = updates.map(({ ref, expected }) => \`--force-with-lease=\${ref}:\${expected ?? ''}\`)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => \`\${source}:\${ref}\`)`,
    to: `  const leases: string[] = []
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => \`+\${source}:\${ref}\`)`,
    seed: 40,
    found: /the notes were rewritten/,
  },
  {
    name: 'notes are forced',
    file: 'libs/git/src/commit/push.ts',
    from: `  const leases = updates.map(({ ref, expected }) => \`--force-with-lease=\${ref}:\${expected ?? ''}\`)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => \`\${source}:\${ref}\`)`,
    to: `  const isNote = (ref: string): boolean => ref.startsWith('refs/notes/')
  const leases = updates.flatMap(({ ref, expected }) => isNote(ref) ? [] : [\`--force-with-lease=\${ref}:\${expected ?? ''}\`])
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => \`\${isNote(ref) ? '+' : ''}\${source}:\${ref}\`)`,
    seed: 40,
    found: /the notes were rewritten/,
  },
  {
    name: 'a branch is recorded as hydrated before its push',
    file: `${hydrator}/run/report/report.ts`,
    from: `phase: 'Hydrating', milliseconds: 0 })`,
    to: `phase: 'Hydrated', milliseconds: 0 })`,
    seed: 1,
    found: /which is not on/,
  },
  {
    name: 'the note goes before its branch',
    file: `${commitServer}/push/push-group.ts`,
    from: `[[...branches], [note]]`,
    to: `[[note], [...branches]]`,
    seed: 2,
    found: /no branch has the commit/,
  },
  {
    name: 'branches and notes are pushed as several refs',
    file: `${commitServer}/push/push-group.ts`,
    from: `atomic: isAtomic && updates.length > 1`,
    to: `atomic: false`,
    seed: 110,
    found: /no branch has the commit/,
  },
  {
    name: 'a lost race is taken for a push that landed',
    file: `${commitServer}/push/push-group.ts`,
    from: `    if (error instanceof ConflictError) return\n`,
    to: `    if (error instanceof ConflictError) return open.forEach((write) => write.landed(notes))\n`,
    seed: 55,
    found: /which is not on|not the newest/,
  },
  {
    name: 'a push without an answer is taken for one that landed',
    file: `${commitServer}/push/push-group.ts`,
    from: `      for (const write of open) write.fail(error)
      return`,
    to: `      for (const write of open) write.landed(notes)
      return`,
    seed: 45,
    found: /which is not on/,
  },
  {
    name: 'nothing is inspected again',
    file: `${hydrator}/run/inspect/inspect.ts`,
    from: `new Set(plan.fingerprints.differingFrom(definitions.areKnown ? outcome.known : undefined))`,
    to: `new Set(outcome.known ? [] : plan.fingerprints.differingFrom(outcome.known))`,
    seed: 1,
    found: /of which it does not hold/,
  },
  {
    name: 'polls find nothing to do',
    file: `${hydrator}/watch/poll-repositories.ts`,
    from: `  return observed.groups.some((group) => isOpen(group, observed, now)) || isChanged(observed)`,
    to: `  return observed.record === undefined && isChanged(observed)`,
    seed: 1,
    found: /not the newest/,
  },
  {
    name: 'a group lands without the directories that cannot be rendered',
    file: `${hydrator}/run/commit/commit-requests.ts`,
    from: `throw new Error('a directory has an error')`,
    to: `errors.failures.length = 0`,
    seed: 40,
    found: /of which it does not hold/,
  },
  {
    name: 'with every dry commit wanted, only the newest is hydrated',
    file: `${hydrator}/run/inspect/wanted-commits.ts`,
    from: `shas.slice(shas.indexOf(noted) + 1)`,
    to: `shas.slice(-1)`,
    seed: 4,
    found: /has no commit of dry commit/,
  },
  {
    name: 'a hydrated group rests whatever its dry branch has',
    file: `${hydrator}/run/observe/groups.ts`,
    from: `before.success?.drySha === drySha`,
    to: `before.success !== undefined`,
    seed: 1,
    found: /not the newest/,
  },
  {
    name: 'commits of one push are mixed up',
    file: `${commitServer}/push/push-group.ts`,
    from: `  let at = 0
  for (const { write, planned } of plans) {`,
    to: `  let at = 0
  for (const { write, planned } of plans.toReversed()) {`,
    seed: 3,
    found: /does not hold/,
  },
  {
    name: 'a commit starts from nothing',
    file: 'libs/git/src/commit/build-commit.ts',
    from: `function* fileCommands(changes: readonly FileChange[]): Generator<Buffer> {`,
    to: `function* fileCommands(changes: readonly FileChange[]): Generator<Buffer> {
  if (changes.length > 0) yield Buffer.from('deleteall\\n')`,
    seed: 1,
    found: /names no dry commit/,
  },
  {
    name: 'an Application that comes back is not heard of',
    file: `${hydrator}/applications/application-index.ts`,
    from: `      } else {
        this.#put(event.resource)`,
    to: `      } else if (event.type === 'modified') {
        this.#put(event.resource)`,
    seed: 29,
    found: /at the end/,
  },
  {
    name: 'a restored branch gets the note of its record',
    file: `${commitServer}/commit/restore-branch.ts`,
    from: `readDryNote(mirror, trees, state.notes, ownHead)`,
    to: `readDryNote(mirror, trees, state.notes, ownHead && knownHead)`,
    seed: 1500,
    found: /of which it does not hold/,
  },
  {
    name: 'dry commits are found before the position of a branch',
    file: `${hydrator}/run/observe/observe.ts`,
    from: `= isAsRecorded(position, before)`,
    to: `= isAsRecorded(position, before) || true`,
    seed: 430,
    flag: '--contested',
    found: /goes back from dry commit/,
  },
  {
    name: 'directories that a render leaves out stay as they are',
    file: `${hydrator}/run/render/render.ts`,
    from: `if (missing.size > 0)`,
    to: `if (missing.size > directories.length)`,
    seed: 3,
    found: /does not hold/,
  },
  {
    name: 'with every dry commit wanted, an error that may pass loses one',
    file: `${hydrator}/run/run-branch.ts`,
    from: `return mayPass && failedRun`,
    to: `return mayPass && !mayPass && failedRun`,
    seed: 793,
    found: /has no commit of dry commit/,
  },
  {
    name: 'the fence looks at the head alone',
    file: `${commitServer}/commit/write-commit.ts`,
    from: `  if (state.drySha !== expected.drySha) return false
  return expected.noteId === '' || noteId(state.note) === expected.noteId`,
    to: `  return expected.drySha !== 'none'`,
    seed: 31,
    flag: '--contested',
    found: /goes back from dry commit/,
  },
  {
    name: 'a record that another run created fails the branch',
    file: `${hydrator}/run/report/branch-records.ts`,
    from: `if (!(cause instanceof AlreadyExistsError)) throw cause`,
    to: `if (cause) throw cause`,
    seed: 196,
    flag: '--contested',
    found: /already exists|does not exist/,
  },
  {
    name: 'a set that was changed past the service is still that of its author',
    file: `${appsetService}/access/author.ts`,
    from: `author?.generation === set.metadata.generation ? author : undefined`,
    to: `author`,
    seed: 8,
    flag: '--sets',
    found: /which nobody with an identity applied/,
  },
  {
    name: 'deletions of a pass are not held back',
    file: `${appsetService}/reconcile/reconcile-set.ts`,
    from: `confirmDeletions: false,`,
    to: `confirmDeletions: true,`,
    seed: 12,
    flag: '--sets',
    found: /nobody confirmed that/,
  },
  {
    name: 'deletions of a change are not held back',
    file: `${appsetService}/changes/change-application-set.ts`,
    from: `    dryRun,
    confirmDeletions,
    onElement,`,
    to: `    dryRun,
    confirmDeletions: true,
    onElement,`,
    seed: 12,
    flag: '--sets',
    found: /nobody confirmed that/,
  },
  {
    name: 'a pass trusts that its store has heard of the newest set',
    file: `${appsetService}/reconcile/reconcile-set.ts`,
    from: `{ isCurrent: true }`,
    to: `{}`,
    seed: 344,
    flag: '--sets',
    found: /goes back from/,
  },
  {
    name: 'the version that the user of a set saw is not compared',
    file: `${appsetService}/changes/change-application-set.ts`,
    from: `  if (stored) requireDecidedVersion(stored, version)
`,
    to: `  if (stored) return
`,
    seed: 183,
    flag: '--sets',
    found: /that its user did not see/,
  },
  {
    name: 'an Application is written whatever its user may do',
    file: `${gateway}/applications/store-application.ts`,
    from: `  permit(stored)
`,
    to: ``,
    seed: 10,
    flag: '--gateway',
    found: /is permitted by nothing/,
  },
  ...forgeMutations,
]
