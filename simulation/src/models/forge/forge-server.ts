import type { ForgeExchange, ForgeResponse } from '@wadi/forges/forge-exchange.ts'
import {
  mergeInGit,
  standInState,
  type StandInPull,
  type StandInState,
} from '@wadi/forges/pull-requests/forge-state-fixture.ts'
import { type StandInAnswers, standInAnswers } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import type { GitServer } from '../git/git-server.ts'
import { mergedCommit } from '../git/merged-commit.ts'

/** The ways in which a forge disappoints: it fails before or after it did what was asked, or asks to wait. */
export type ForgeTrouble = 'failing' | 'late' | 'limited'

/** The address of the forge of worlds. */
export const forgeAddress = 'https://git.example.com'

/** Descriptions of its API are read from a disk that is not a world's. */
const gitea: StandInAnswers = standInAnswers('gitea')

/** A Gitea with one repository, that of a git server. */
export class ForgeServer {
  readonly state: StandInState
  /** Returns the trouble that a request meets; undefined for none. */
  trouble: () => ForgeTrouble | undefined = () => undefined

  /** The number of writes that were carried out. */
  writes = 0
  readonly #onWrite: (asked: string) => void

  /** @param onWrite is called after each write that was carried out, with its method and path */
  constructor(git: GitServer, onWrite: (asked: string) => void = () => undefined) {
    this.#onWrite = onWrite
    const head = async (branch: string): Promise<string> => git.refs.get(`refs/heads/${branch}`) ?? ''
    this.state = standInState('', {
      owner: 'team',
      name: 'apps',
      git: {
        head,
        merge: async (branch, merged, message) => {
          const base = await head(branch)
          git.move(`refs/heads/${branch}`, mergedCommit(git.objects, base, merged, message))
        },
      },
    })
  }

  /** Answers a request. */
  async answer({
    method,
    url,
    headers,
    body: text = '',
  }: Parameters<ForgeExchange>[0]): Promise<ForgeResponse> {
    const trouble = this.trouble()
    if (trouble === 'failing') return { status: 502, headers: {}, body: 'bad gateway' }
    if (trouble === 'limited') return { status: 429, headers: { 'retry-after': '20' }, body: '{}' }
    const asked = { method, url: `${url.pathname}${url.search}`, headers, text }
    const { status, headers: given = {}, body } = await gitea.answer(this.state, asked, forgeAddress)
    if (method !== 'GET' && status < 300) {
      this.writes++
      this.#onWrite(`${method} ${url.pathname}`)
    }
    if (trouble === 'late') return { status: 504, headers: {}, body: 'gateway time-out' }
    return { status, headers: given, body: body === undefined ? '' : JSON.stringify(body) }
  }

  /** Returns the open pull requests. */
  get open(): readonly StandInPull[] {
    return this.state.pulls.filter(({ state }) => state === 'open')
  }

  /** Merges a pull request, as people do. */
  merge(pull: StandInPull): Promise<void> {
    return mergeInGit(this.state, pull)
  }
}
