import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { configMap } from '../application-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'

const run = promisify(execFile)
const chart = (value: string) => ({
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml': configMap('a', value),
})

/** Hydrates one commit, then fails to hydrate the next under a limit of a service, then does when the limit is lifted. */
async function hydrateUnderLimit(
  service: 'repo-server' | 'commit-server',
  name: string,
  limit: (pid: number) => Promise<AsyncDisposable>,
  expected: RegExp,
): Promise<void> {
  const { fixture, processes } = await sharedCrashMesh()
  const [limited] = processes[service]
  const pid = limited?.pid ?? 0
  const repository = await fixture.createRepository(name, chart('1'))
  const branch = `environments/${name}`
  await fixture.applyAndWait(await repository.dry.head(), {
    name,
    path: 'web',
    repoURL: repository.url,
    branch,
  })
  const [head] = await repository.commits(branch)
  const limits = await limit(pid)
  try {
    const second = await repository.push(chart('2'))
    await fixture.gateway.applications.hydrateApplication({ name })
    assert.match(await fixture.waitForFailure(name), expected)
    assert.deepEqual((await repository.commits(branch))[0], head)
    await limits[Symbol.asyncDispose]()
    await fixture.waitFor(name, isHydratedAt(second))
  } finally {
    await limits[Symbol.asyncDispose]()
  }
  assert.equal(limited?.pid, pid)
  process.kill(pid, 0)
  await fixture.gateway.applications.deleteApplication({ name })
}

/** Lets a process open no file more. */
async function limitFiles(pid: number): Promise<AsyncDisposable> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8')
  const [, soft = '', hard = ''] = /^Max open files +(\d+) +(\d+)/m.exec(limits) ?? []
  const set = (most: string) => run('prlimit', ['--pid', String(pid), `--nofile=${most}:${hard}`])
  await set('20')
  return {
    [Symbol.asyncDispose]: async () => {
      await set(soft)
    },
  }
}

const pids = '/sys/fs/cgroup/pids'

/** Lets a process and those that it started start no process and no thread more, by a control group as containers have it. */
async function limitProcesses(pid: number): Promise<AsyncDisposable> {
  const group = await mkdtemp(join(pids, 'wadi-test-'))
  const move = async (target: string): Promise<void> => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const one of [String(pid), ...children.trim().split(' ')])
      await writeFile(join(target, 'cgroup.procs'), one)
  }
  await move(group)
  await writeFile(join(group, 'pids.max'), '1')
  let isLifted = false
  return {
    [Symbol.asyncDispose]: async () => {
      if (isLifted) return
      isLifted = true
      await move(pids)
      await rmdir(group)
    },
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

for (const service of ['repo-server', 'commit-server'] as const) {
  test(
    `${service} without free file handles reports it, stays alive, and continues when the limit is lifted`,
    { skip: process.platform === 'linux' ? false : 'limits are set as Linux has it' },
    () =>
      hydrateUnderLimit(
        service,
        `files-${service}`,
        limitFiles,
        new RegExp(`${service}: .*EMFILE.*too many processes or open files`),
      ),
  )
  test(
    `${service} without free processes reports it, stays alive, and continues when the limit is lifted`,
    { skip: isWritable(pids) ? false : 'no control group may be made' },
    () =>
      hydrateUnderLimit(
        service,
        `processes-${service}`,
        limitProcesses,
        new RegExp(`${service}: cannot start git .*EAGAIN.*too many processes or open files`),
      ),
  )
}
