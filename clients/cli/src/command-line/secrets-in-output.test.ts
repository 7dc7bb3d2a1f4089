import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { Command } from 'commander'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'
import { commandTable } from './command-table.ts'

const token = 'glpat-T0ps3cr3tT0k3n'
/** The origin that the runner of a forge writes into its checkout; nothing answers there. */
const origin = `https://oauth2:${token}@127.0.0.1:1/team/deploy.git`

/** Those that serve until they are stopped; their own tests read what they print. */
const notRun = ['demo', 'up']

const web = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    sourceHydrator: {
      drySource: { repoURL: origin, targetRevision: 'main', path: 'web' },
      syncSource: { targetBranch: 'environments/prod', path: 'web' },
    },
  },
  status: {
    sourceHydrator: { currentOperation: { phase: 'Failed', message: `cannot fetch ${origin}: 403` } },
  },
} satisfies JsonObject

const files = {
  'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.missing.name }}"}\n',
  'applications/web.yaml': JSON.stringify(web),
}

/** Runs that get further than the general ones, by the command. */
const furtherRuns: Readonly<Record<string, readonly (readonly string[])[]>> = {
  apply: [['-f', 'applications/web.yaml']],
  'app create': [
    ['web', '--dry-source-repo', origin, '--dry-source-path', 'web'],
    ['-f', 'applications/web.yaml'],
  ],
  'app diff': [
    ['web', '--local', '.'],
    ['web', '--revision', 'main'],
  ],
  'app set': [
    ['web', '--dry-source-repo', origin],
    ['web', '-p', 'a=b'],
  ],
  diff: [
    ['--local', '--base', 'main'],
    ['--local', '--base', 'main', '--files'],
    ['--local', '--base', 'nowhere', '--files'],
    ['--local', '--base', 'main', '--files', '--target', 'elsewhere'],
    ['--revision', 'main', '--base', 'main'],
  ],
  explain: [['chart'], ['web', '--repo', '.', '--revision', 'nowhere'], ['web', '--repo', origin]],
  'plugin test': [['web', '--plugin', 'web/a.yaml']],
  render: [['chart'], ['web', '--output-dir', 'out']],
  reproduce: [
    ['web', '--dry-repo', '.'],
    ['web', '--repo', '.', '--branch', 'main'],
    ['web', '--repo', origin, '--branch', 'main'],
  ],
  verify: [
    ['main', '--key', 'web/a.yaml'],
    ['main', '--fetch'],
  ],
}

interface Runnable {
  readonly words: readonly string[]
  readonly command: Command
}

/** All commands that have none below them. */
async function everyCommand(): Promise<Runnable[]> {
  const program = new Command('wadi')
  const session = {
    environment: {},
    signal: new AbortController().signal,
    flags: () => ({ httpRetryMax: 0, loglevel: 'info' as const }),
    connect: () => Promise.reject(new Error('no command is run')),
    warn: () => undefined,
    inform: () => undefined,
    wholeProgram: async () => program,
  }
  for (const { name, load } of commandTable) (await load())(program.command(name), session)
  const below = ({ words, command }: Runnable): Runnable[] =>
    command.commands.length === 0
      ? [{ words, command }]
      : command.commands.flatMap((child) => below({ words: [...words, child.name()], command: child }))
  return below({ words: [], command: program })
}

/** With a name, with the URL in its place, and with the URL in every option that takes any text. */
function generalRuns({ command }: Runnable): string[][] {
  const filled = (value: string) => command.registeredArguments.map(() => value)
  const options = command.options
    .filter(({ required, argChoices, parseArg }) => required && argChoices === undefined && !parseArg)
    .flatMap(({ long, short }) => [long ?? short ?? '', origin])
  return [filled('web'), filled(origin), [...filled('web'), ...options]]
}

const owned = new AsyncDisposableStack()
const gateway = owned.use(await Gateway.start())
const { root, git } = owned.use(await startWorkingCopy(files))
await git.addRemote('origin', origin)
after(async () => {
  await owned.disposeAsync()
})

for (const { words, command } of await everyCommand()) {
  const name = words.join(' ')
  if (notRun.includes(name)) continue
  test(`a token in the URL of the checkout is not in what "${name}" prints`, async () => {
    const environment = { ...gateway.environment, XDG_CACHE_HOME: cacheHome, HOME: root }
    const further = furtherRuns[name] ?? []
    for (const args of [
      ...[...generalRuns({ words, command }), ...further].map((run) => [...run, '--loglevel', 'debug']),
      ...further,
    ]) {
      gateway.applications.clear()
      gateway.applications.set('web', web)
      const { stdout, stderr } = await runWadi([...words, ...args], { directory: root, environment })
      assert.ok(!`${stdout}${stderr}`.includes(token), `${name} ${args.join(' ')}: ${stdout}${stderr}`)
    }
  })
}
