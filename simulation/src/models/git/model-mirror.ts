import { Buffer } from 'node:buffer'
import {
  CanceledError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { Mirror } from '@wadi/git/mirror/mirror.ts'
import { classifyGitFailure } from '@wadi/git/process/git-failure.ts'
import { Replies } from '@wadi/git/process/replies.ts'
import { parseRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { fastImport } from './fast-import-model.ts'
import { readingCommand } from './git-commands.ts'
import type { GitServer, PushedRef } from './git-server.ts'
import { ModelObjects } from './model-objects.ts'

/** Asks a server, and brings its answer back. @throws UnavailableError if the question or the answer is lost */
export type Contact = <Answer>(label: string, ask: () => Answer, signal?: AbortSignal) => Promise<Answer>

type RawOptions = NonNullable<Parameters<Mirror['raw']>[1]>
type RemoteTarget = Parameters<Mirror['talk']>[0]
type GitResult = Awaited<ReturnType<Mirror['raw']>>

const policy = { allowFile: false, allowPlainHttp: 'never' } as const

/** A mirror whose git is a model; what is pushed, what a rejection means and what is built is decided by the code of `libs/git`. */
export class ModelMirror extends Mirror {
  override readonly objects: ModelObjects
  readonly #server: GitServer
  readonly #contact: Contact

  constructor(url: string, directory: string, server: GitServer, contact: Contact) {
    const options = { directory, url, policy, credentials: async () => undefined, httpClient: 'git' as const }
    super(options, parseRepositoryUrl(url, policy), false)
    this.objects = new ModelObjects(directory, server.objects)
    this.#server = server
    this.#contact = contact
  }

  override async fetch(refspecs: string[], signal?: AbortSignal): Promise<void> {
    const sources = refspecs.map((refspec) => refspec.replace(/^\+/u, '').split(':', 1).join())
    const found = await this.#ask('fetch', () => this.#found(sources), signal)
    for (const sha of found) this.objects.add(sha)
  }

  override async raw(args: string[], options: RawOptions = {}): Promise<GitResult> {
    const { input, acceptExitCodes = [0] } = options
    if (options.signal?.aborted) throw new CanceledError('git was stopped')
    if (args[0] === 'fast-import' && typeof input === 'function') return this.#import(input)
    const { stdout, exitCode } = readingCommand(this.#server.objects, args) ?? this.#unknown(args)
    if (!acceptExitCodes.includes(exitCode)) throw new Error(`git ${args.join(' ')} ended with ${exitCode}`)
    return { stdout: Buffer.from(stdout), stderr: '', exitCode }
  }

  override async talk(target: RemoteTarget, args: string[]): Promise<GitResult> {
    const [command] = args
    if (command === 'ls-remote') {
      const refs = await this.#ask('list refs', () => [...this.#server.refs], target.signal)
      return {
        stdout: Buffer.from(refs.map(([ref, sha]) => `${sha}\t${ref}\n`).join('')),
        stderr: '',
        exitCode: 0,
      }
    }
    if (command !== 'push') throw new InvalidInputError(`the model of git does not know ${command}`)
    const pushed = pushedRefs(args)
    const isAtomic = args.includes('--atomic')
    const label = `push ${pushed.map(({ ref, source }) => `${ref} to ${source.slice(0, 7)}`).join(', ')}`
    const rejections = await this.#ask(label, () => this.#push(pushed, isAtomic), target.signal)
    const lines = pushed.map(({ ref, source }) => {
      const reason = rejections.get(ref)
      return reason === undefined ? `*\t${source}:${ref}\t[new]\n` : `!\t${source}:${ref}\t${reason}\n`
    })
    const stdout = Buffer.from(`To ${this.url}\n${lines.join('')}Done\n`)
    return { stdout, stderr: '', exitCode: rejections.size === 0 ? 0 : 1 }
  }

  override countWrite(): void {
    // There are no files to pack.
  }

  #ask<Answer>(label: string, ask: () => Answer, signal: AbortSignal | undefined): Promise<Answer> {
    const asKnown = (): Answer => {
      if (!this.#server.refusesLogin) return ask()
      const words = `fatal: Authentication failed for '${this.url}'`
      throw classifyGitFailure(words, 128, { command: 'ls-remote', url: this.url })
    }
    return this.#contact(label, asKnown, signal)
  }

  #push(pushed: readonly PushedRef[], isAtomic: boolean): Map<string, string> {
    if (isAtomic && !this.#server.isAtomic) {
      const words = 'fatal: the receiving end does not support --atomic push'
      throw classifyGitFailure(words, 128, { command: 'push', url: this.url })
    }
    return this.#server.push(pushed, isAtomic)
  }

  /** @throws NotFoundError for a ref or a commit that the server does not have */
  #found(sources: readonly string[]): string[] {
    const { refs, objects } = this.#server
    return sources.flatMap((source) => {
      if (source.endsWith('/*')) {
        return [...refs].flatMap(([ref, sha]) => (ref.startsWith(source.slice(0, -1)) ? [sha] : []))
      }
      const sha = refs.get(source) ?? source
      // Servers give by its name what one of their refs leads to.
      if ([...refs.values()].some((head) => objects.isAncestor(sha, head))) return [sha]
      throw new NotFoundError(`revision not found in ${this.url}: ${source}`)
    })
  }

  async #import(input: (replies: Replies) => AsyncIterable<Buffer | string>): Promise<GitResult> {
    const replies = new Replies()
    const { stdout, commits } = await fastImport(this.#server.objects, input(replies), replies)
    for (const sha of commits) this.objects.add(sha)
    return { stdout: Buffer.from(stdout), stderr: '', exitCode: 0 }
  }

  #unknown(args: readonly string[]): never {
    throw new UnavailableError(`the model of git does not know ${args.join(' ')}`)
  }
}

function pushedRefs(args: readonly string[]): PushedRef[] {
  const leases = new Map(
    args.flatMap((arg) => {
      const [, ref = '', expected = ''] = /^--force-with-lease=(.*):([0-9a-f]*)$/.exec(arg) ?? []
      return ref === '' ? [] : [[ref, expected] as const]
    }),
  )
  return args.slice(args.indexOf('--') + 2).map((refspec) => {
    const [source = '', ref = ''] = refspec.replace(/^\+/u, '').split(':')
    return { ref, source, expected: leases.get(ref), isForced: refspec.startsWith('+') }
  })
}
