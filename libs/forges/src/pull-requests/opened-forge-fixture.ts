import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { apiBase } from '../forge-address.ts'
import { forgeApi } from '../forge-api.ts'
import { ForgeClient } from '../forge-client.ts'
import { generatorWords } from '../forge-failure.ts'
import { forges } from '../forges.ts'
import { type StandInPull, standInState } from './forge-state-fixture.ts'
import type { PullRequestForge } from './pull-request-forge.ts'
import type { WantedPullRequest } from './put-pull-request.ts'
import type { Review } from './put-review.ts'
import { standInToken } from './stand-in-answers-fixture.ts'
import { type StandInForge, startStandInForge } from './stand-in-server-fixture.ts'

const { signal } = new AbortController()

interface Opened extends AsyncDisposable {
  server: StandInForge
  forge: PullRequestForge
  /** Opens a repository by another path. */
  reopen: (repository: string) => Promise<PullRequestForge>
  /** Commits of the branches. */
  heads: { main: string; next: string }
}

/** A forge with the branches `main` and `next`, which is one commit ahead. */
export async function openStandIn(name: string): Promise<Opened> {
  const kind = forges.find((one) => one.name === name) ?? assert.fail(name)
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-forge-')))
  const copy = await createRepository(join(scratch.path, 'copy'), {})
  const main = await copy.commitFiles({ 'a.txt': '1\n' }, 'First')
  const next = await copy.commitFiles({ 'a.txt': '2\n' }, 'Second')
  const directory = join(scratch.path, 'copy', '.git')
  await runTestGit(directory, ['update-ref', 'refs/heads/main', main])
  await runTestGit(directory, ['update-ref', 'refs/heads/next', next])
  const server = owned.use(await startStandInForge(name, standInState(directory)))
  const client = new ForgeClient({ waitMs: 0, answerMs: 20_000 })
  const login = {
    forge: kind,
    base: apiBase(kind, server.address),
    token: standInToken,
    way: {},
    mayBeInner: true,
    words: generatorWords,
  }
  const reopen = (repository: string) => kind.open(forgeApi(client, login, signal), repository)
  const forge = await reopen('acme/shop')
  const moved = owned.move()
  return { server, forge, reopen, heads: { main, next }, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** A pull request from `next` to `main`. */
export function wanted(parts: Partial<WantedPullRequest> = {}): WantedPullRequest {
  const text = { title: 'Promote next to main', body: 'One change.' }
  return { head: 'next', base: 'main', ...text, labels: [], reviewers: [], merge: undefined, ...parts }
}

/** An open pull request from `next` to `main` as a stand-in has it. */
export function pull(parts: Partial<StandInPull> = {}): StandInPull {
  return {
    number: 1,
    title: 'A change',
    body: '',
    head: 'next',
    base: 'main',
    state: 'open',
    isMerged: false,
    isDraft: false,
    author: 'ada',
    labels: [],
    requestedReviewers: [],
    reviews: [],
    ...parts,
  }
}

/** A successful review with a comment. */
export function review(headSha: string, parts: Partial<Review> = {}): Review {
  const status = { context: 'wadi/diff', state: 'success', description: '2 changed', targetUrl: '' } as const
  return {
    headSha,
    status,
    comment: { marker: 'wadi:diff', body: 'Two changes.' },
    annotations: [],
    ...parts,
  }
}
