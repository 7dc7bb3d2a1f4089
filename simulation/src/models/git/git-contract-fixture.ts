import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  ConflictError,
  DomainError,
  FailedPreconditionError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { buildCommits, checkedCommit } from '@wadi/git/commit/build-commit.ts'
import { pushRefs } from '@wadi/git/commit/push.ts'
import { readNote } from '@wadi/git/commit/read-note.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'

/** A server with an empty repository, and mirrors of it. */
export interface ServedGit extends AsyncDisposable {
  /** The mirrors of two who write to it. */
  readonly mirrors: readonly [Mirror, Mirror]
}

/** The options of a server: the ref that it refuses to move, and if it moves one at a time. */
export interface ServedGitOptions {
  readonly protectedRef?: string
  readonly isAtomic?: boolean
}

const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const main = 'refs/heads/main'
const other = 'refs/heads/other'

/** Tests of what the mesh takes for granted of git, for any git. `open` starts a server with those options. */
export function gitContract(name: string, open: (options?: ServedGitOptions) => Promise<ServedGit>): void {
  suite(`${name} keeps the contract of git`, () => {
    for (const [title, options, run] of cases) {
      test(title, async () => {
        await using git = await open(options)
        await run(git.mirrors)
      })
    }
  })
}

type ContractCase = [
  title: string,
  options: ServedGitOptions,
  run: (mirrors: ServedGit['mirrors']) => Promise<void>,
]

const cases: readonly ContractCase[] = [
  [
    'commits and notes have the names that follow from their content',
    {},
    async ([mirror]) => {
      const files = [
        { path: 'b/manifest.yaml', content: 'b\n' },
        { path: 'b.txt', content: 'beside b\n' },
        { path: 'a "quoted" name', content: '' },
      ]
      const first = await build(mirror, undefined, files)
      const second = await build(mirror, first.commit, [
        { path: 'b', content: 'no directory any more\n' },
        { path: 'b.txt', content: undefined },
      ])
      assert.deepEqual([first, second], builtNames)
      const notes = await buildCommits(mirror, [], {
        parent: first.notes,
        notes: [{ target: second.commit, content: 'two' }],
        author,
      })
      const read = (sha: string) => readNote(mirror, new TreeCache(), notes.notes ?? '', sha)
      assert.deepEqual([await read(first.commit), await read(second.commit)], ['note\n', 'two\n'])
    },
  ],
  [
    'several refs move as one, or none does',
    {},
    async ([mirror, rival]) => {
      const [one, two] = [await commit(mirror, '1'), await commit(mirror, '2')]
      await pushRefs(mirror, [update(main, one), update(other, two)], { atomic: true })
      const next = await commit(mirror, '3', one)
      const stale = [update(main, next, one), update(other, next, undefined)]
      await assert.rejects(pushRefs(mirror, stale, { atomic: true }), ConflictError)
      assert.deepEqual(await refsOf(rival), { [main]: one, [other]: two })
    },
  ],
  [
    'of two who push to one head, one loses, and builds on what the other pushed',
    {},
    async ([mirror, rival]) => {
      const base = await commit(mirror, '1')
      await pushRefs(mirror, [update(main, base)], { atomic: false })
      assert.equal(await rival.hasObject(base), false)
      await rival.fetch([`+${main}:refs/wadi/heads/main`])
      assert.equal(await rival.hasObject(base), true)
      const [mine, theirs] = [await commit(mirror, 'mine', base), await commit(rival, 'theirs', base)]
      await pushRefs(rival, [update(main, theirs, base)], { atomic: false })
      await assert.rejects(pushRefs(mirror, [update(main, mine, base)], { atomic: false }), ConflictError)
      assert.deepEqual(await refsOf(mirror), { [main]: theirs })
      await mirror.fetch([`+${main}:refs/wadi/heads/main`])
      assert.equal(await mirror.isAncestor(base, theirs), true)
      assert.equal(await mirror.isAncestor(mine, theirs), false)
    },
  ],
  [
    'a protected ref refuses, and with it all that are pushed as one',
    { protectedRef: other },
    async ([mirror]) => {
      const one = await commit(mirror, '1')
      const push = pushRefs(mirror, [update(main, one), update(other, one)], { atomic: true })
      await assert.rejects(
        push,
        (error) => error instanceof FailedPreconditionError && error.code === 'ref-refused',
      )
      assert.deepEqual(await refsOf(mirror), {})
      await assert.rejects(pushRefs(mirror, [update(other, one)], { atomic: false }), FailedPreconditionError)
    },
  ],
  [
    'a server may move one ref at a time alone',
    { isAtomic: false },
    async ([mirror]) => {
      const one = await commit(mirror, '1')
      const push = pushRefs(mirror, [update(main, one), update(other, one)], { atomic: true })
      await assert.rejects(push, (error) => error instanceof DomainError && /as one/.test(error.message))
      await pushRefs(mirror, [update(main, one)], { atomic: false })
      assert.deepEqual(await refsOf(mirror), { [main]: one })
    },
  ],
  [
    'histories and files are read by the same commands',
    {},
    async ([mirror]) => {
      const one = await commit(mirror, '1')
      const two = await commit(mirror, '2', one, 'x/y')
      const three = await commit(mirror, '3', two)
      const text = async (...args: string[]) => (await mirror.raw(args)).stdout.toString()
      assert.deepEqual(await mirror.commitRange(one, three), [two, three])
      assert.equal(await mirror.mergeBase(three, two), two)
      assert.equal(await text('ls-tree', '-r', '-z', '--name-only', '--full-tree', three), 'file\0x/y\0')
      const differing = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', one, three]
      assert.equal(await text(...differing), 'file\0x/y\0')
      const log = ['log', '--first-parent', '--diff-merges=first-parent', '--no-renames', '--name-only', '-z']
      assert.equal(
        await text(...log, '--max-count=9', '--format=%x01%H', three, `^${one}`, '--'),
        `\u0001${three}\0\nfile\0\u0001${two}\0\nx/y\0`,
      )
    },
  ],
  [
    'what no ref leads to is not given',
    {},
    async ([mirror, rival]) => {
      const lost = await commit(mirror, 'never pushed')
      await pushRefs(mirror, [update(main, await commit(mirror, '1'))], { atomic: false })
      await assert.rejects(rival.fetch([lost]), NotFoundError)
    },
  ],
]

/** The names of the first case, which are those of git. */
const builtNames = [
  {
    commit: '3ed83c277367a528f53a8f97a2e7f85914a8d074',
    notes: '356fa0f4778343fe11dac1a54f4c2e286c3e7d82',
  },
  {
    commit: '876e0bf04e6ea058a4032ee4e9de2b50b8a61457',
    notes: '38c491f4b716a12b3a527939e9f12be3a884dd52',
  },
]

async function build(
  mirror: Mirror,
  parent: string | undefined,
  changes: { path: string; content: string | undefined }[],
): Promise<{ commit: string; notes: string }> {
  const plan = checkedCommit({ parent, message: 'Change\n', author, committer: author, changes })
  const notes = { notes: [{ target: 0, content: 'note' }], author }
  const built = await buildCommits(mirror, [plan], notes)
  return { commit: built.commits[0] ?? '', notes: built.notes ?? '' }
}

async function commit(mirror: Mirror, content: string, parent?: string, path = 'file'): Promise<string> {
  return (await build(mirror, parent, [{ path, content }])).commit
}

function update(ref: string, source: string, expected?: string) {
  return { ref, source, expected }
}

async function refsOf(mirror: Mirror): Promise<Record<string, string>> {
  const { refs } = await mirror.listRemote()
  return Object.fromEntries([...refs].filter(([ref]) => ref !== 'HEAD'))
}
