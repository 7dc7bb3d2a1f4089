import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { until } from '@wadi/testing/until.ts'
import type { PullRequestForge } from './pull-request-forge.ts'

/** A forge with one repository, whose branches `main` and `next` are there, `next` one commit ahead. */
export interface ContractForge extends AsyncDisposable {
  readonly forge: PullRequestForge
  /** The commit of a branch; empty when there is none. */
  readonly head: (branch: string) => Promise<string>
  /** Commits a change of the file `a.txt` to a branch, and returns the commit. */
  readonly commit: (branch: string) => Promise<string>
}

const texts = { head: 'next', base: 'main', title: 'Promote next to main', body: 'One change.' }

/** Tests of what Wadi takes for granted of a forge, for any of them. */
export function forgeContract(name: string, open: () => Promise<ContractForge>, skip: false | string): void {
  suite(`${name} keeps the contract of forges`, { skip }, () => {
    for (const [title, run] of cases) {
      test(title, async () => {
        await using opened = await open()
        await run(opened)
      })
    }
  })
}

const cases: readonly [title: string, run: (opened: ContractForge) => Promise<void>][] = [
  [
    'between two branches one pull request is open at a time',
    async ({ forge, head }) => {
      const opened = await forge.open(texts)
      assert.deepEqual([opened.state, opened.headSha], ['open', await head('next')])
      await assert.rejects(forge.open({ ...texts, title: 'Another one' }), DomainError)
      assert.equal((await forge.openBetween('next', 'main'))?.number, opened.number)
      assert.equal(await forge.openBetween('main', 'next'), undefined)
    },
  ],
  [
    'its texts are changed, it is closed and opened again',
    async ({ forge }) => {
      const { number } = await forge.open(texts)
      const changed = await forge.update(number, { title: 'Promote more', body: 'Two changes.' })
      assert.deepEqual([changed.title, changed.body.trim()], ['Promote more', 'Two changes.'])
      assert.equal((await forge.close(number)).state, 'closed')
      assert.equal(await forge.openBetween('next', 'main'), undefined)
      assert.equal((await forge.reopen?.(number))?.state, 'open')
      assert.equal((await forge.pullRequest(number)).title, 'Promote more')
    },
  ],
  [
    'it shows the newest commit of its branch, and is merged with that one alone',
    async ({ forge, head, commit }) => {
      const opened = await forge.open(texts)
      const newest = await commit('next')
      // A forge may need a moment to see what was pushed.
      await until(async () => (await forge.pullRequest(opened.number)).headSha === newest)
      const stale = forge.merge(opened.number, { method: 'merge', headSha: opened.headSha })
      await assert.rejects(stale, DomainError)
      const before = await head('main')
      await forge.merge(opened.number, { method: 'merge', headSha: newest })
      assert.equal((await forge.pullRequest(opened.number)).state, 'merged')
      assert.notEqual(await head('main'), before)
      assert.equal(await head('next'), newest)
      await assert.rejects(forge.merge(opened.number, { method: 'merge', headSha: newest }), DomainError)
    },
  ],
  [
    'none is opened from a branch that is not there',
    async ({ forge }) => {
      await assert.rejects(forge.open({ ...texts, head: 'absent' }), DomainError)
      assert.deepEqual(await forge.openPullRequests(), [])
    },
  ],
  [
    'of the statuses of a commit with one context, the newest is there',
    async ({ forge, head }) => {
      const { number } = await forge.open(texts)
      const sha = await head('next')
      const status = {
        context: 'wadi/diff',
        state: 'pending',
        description: 'rendering',
        targetUrl: '',
      } as const
      await forge.putStatus(sha, status, number)
      await forge.putStatus(sha, { ...status, context: 'other' }, number)
      await forge.putStatus(sha, { ...status, state: 'success', description: 'done' }, number)
      const found = await forge.status(sha, 'wadi/diff')
      assert.deepEqual([found?.state, found?.description], ['success', 'done'])
      assert.equal(await forge.status(sha, 'absent'), undefined)
    },
  ],
  [
    'a comment is added and changed in place',
    async ({ forge }) => {
      const { number } = await forge.open(texts)
      const { id } = await forge.addComment(number, 'One change.')
      await forge.addComment(number, 'Thanks.')
      await forge.changeComment(number, id, 'Two changes.')
      const found = await forge.comments(number)
      assert.deepEqual(
        found.map(({ body }) => body),
        ['Two changes.', 'Thanks.'],
      )
    },
  ],
]
