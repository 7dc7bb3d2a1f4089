import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { makeCacheHome } from './cache-home-fixture.ts'
import type { RunResult } from './command-line-process-fixture.ts'
import { runWadi, temporaryDirectory } from './run-wadi-fixture.ts'

type Files = Record<string, string | Buffer | undefined>

/** A served repository that somebody pushes dry commits to, and another system hydrated ones. */
interface Shadow extends AsyncDisposable {
  readonly url: string
  /** The clone with the dry files. */
  readonly checkout: string
  readonly cacheHome: string
  /** Pushes a dry commit and returns its id. */
  pushDry(files: Files): Promise<string>
  /** Pushes a commit to the hydrated branch, with a note if there is a text for it, and returns its id. */
  pushHydrated(files: Files, message?: string, note?: string): Promise<string>
  /** Removes an object of the served repository, by its name. */
  lose(object: string): Promise<void>
  /** Returns all refs of the served repository with their commits. */
  refs(): Promise<string>
  /** Runs `wadi shadow` in the clone. */
  shadow(...args: string[]): Promise<RunResult>
}

const branch = 'environments/prod'

/** An Application that is hydrated to the directory of its name. */
export function shadowedApplication(
  name: string,
  repoURL: string,
  { source = {}, annotations = {} }: { source?: object; annotations?: Record<string, string> } = {},
): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', annotations },
    spec: {
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: name, ...source },
        syncSource: { targetBranch: branch, path: name },
      },
    },
  })
}

/** Serves an empty repository, and clones it. */
export async function startShadow(): Promise<Shadow> {
  await using owned = new AsyncDisposableStack()
  const server = owned.use(await startGitHttpServer())
  const { url, directory } = await server.createRepository('deploy.git')
  const home = owned.use(await temporaryDirectory()).path
  const cacheHome = join(home, 'cache')
  await makeCacheHome(cacheHome)
  const shared = { objects: join(directory, 'objects') }
  const dry = await createRepository(join(home, 'dry'), shared)
  const hydrated = await createRepository(join(home, 'hydrated'), shared)
  await dry.git.addRemote('origin', url)
  const point = (ref: string, sha: string) => runTestGit(directory, ['update-ref', ref, sha])
  const identity = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com']
  const moved = owned.move()
  return {
    url,
    checkout: dry.directory,
    cacheHome,
    pushDry: async (files) => {
      const sha = await dry.commitFiles(files, 'Change')
      await point('refs/heads/main', sha)
      return sha
    },
    pushHydrated: async (files, message = 'Hydrate', note = '') => {
      const sha = await hydrated.commitFiles(files, message)
      await point(`refs/heads/${branch}`, sha)
      if (note !== '') {
        await runTestGit(directory, [
          ...identity,
          'notes',
          '--ref=hydrator.metadata',
          'add',
          '-f',
          '-m',
          note,
          sha,
        ])
      }
      return sha
    },
    lose: async (object) => {
      const id = (await runTestGit(directory, ['rev-parse', object])).trim()
      await rm(join(directory, 'objects', id.slice(0, 2), id.slice(2)))
    },
    refs: () => runTestGit(directory, ['show-ref']),
    shadow: (...args) =>
      runWadi(['shadow', ...args], {
        directory: dry.directory,
        environment: { HOME: home, XDG_CACHE_HOME: cacheHome },
      }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
