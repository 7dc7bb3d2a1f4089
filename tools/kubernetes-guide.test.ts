import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import type { KubernetesPlane } from '@wadi/testing/kubernetes-plane/kubernetes-plane.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { GuideCommands } from './guide-commands-fixture.ts'
import { type MeshProcess, startMeshProcess } from './mesh-process-fixture.ts'

const repository = path.join(import.meta.dirname, '..')
const guide = new GuideCommands(path.join(repository, 'docs/guides/kubernetes.md'))

/** Commands that only a cluster with nodes or a container engine carries out, by what they begin with. */
const needsMore = {
  'docker build': 'a container engine: integration-tests/src/image.test.ts builds and runs the image',
  'docker push': 'a registry for images',
  'kubectl --namespace wadi rollout status': 'nodes',
  'kubectl --namespace wadi port-forward': 'nodes',
  'helm test': 'nodes: integration-tests/src/kubernetes-node/helm-test.test.ts runs it',
}

const [namespace, branch] = ['wadi', 'environments/dev']
const users = { reader: 'reads-only', writer: 'writes-too' }

/** A person with an empty cluster, a git server and a checkout of Wadi. */
class Newcomer {
  readonly plane: KubernetesPlane
  readonly directory: string
  readonly #cluster: AsyncDisposable
  readonly #git: GitHttpServer
  readonly #environment: Readonly<Record<string, string>>
  /** The printed commands that differ here, with their replacements. */
  readonly #instead = new Map<string, string>()

  private constructor(parts: {
    plane: KubernetesPlane
    cluster: AsyncDisposable
    directory: string
    git: GitHttpServer
    tools: string
  }) {
    const { plane, cluster, directory, git } = parts
    this.plane = plane
    this.directory = directory
    this.#cluster = cluster
    this.#git = git
    this.#environment = {
      PATH: `${parts.tools}:${process.env['PATH'] ?? ''}`,
      HOME: directory,
      NODE_COMPILE_CACHE: compileCache,
    }
    this.#instead.set('https://git.example.com', git.url)
  }

  static async start(owned: AsyncDisposableStack, git: GitHttpServer): Promise<Newcomer> {
    const cluster = owned.use(new AsyncDisposableStack())
    const { plane } = cluster.use(await lendKubernetesPlane())
    const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-guide-')))
    for (const name of ['deploy', 'wadi']) {
      await symlink(path.join(repository, name), path.join(scratch.path, name))
    }
    await mkdir(path.join(scratch.path, '.kube'))
    await copyFile(plane.kubeconfig, path.join(scratch.path, '.kube/config'))
    for (const [name, password] of Object.entries(users)) {
      await writeFile(path.join(scratch.path, `${name}.txt`), `${password}\n`)
    }
    const tools = path.dirname(await bundledTool('helm', toolCache))
    return new Newcomer({ plane, cluster, directory: scratch.path, git, tools })
  }

  /** Leaves the cluster to the next one, who finds it empty. */
  async leaveCluster(): Promise<void> {
    await this.#cluster[Symbol.asyncDispose]()
  }

  instead(printed: string, here: string): void {
    this.#instead.set(printed, here)
  }

  /** Printed commands in the words of this machine, without those that need more than there is. */
  words(commands: string): string {
    let text = commands
      .split('\n')
      .filter((line) => !Object.keys(needsMore).some((start) => line.startsWith(start)))
      .join('\n')
    for (const [printed, here] of this.#instead) text = text.replaceAll(printed, here)
    return text
  }

  /** Runs commands in one shell and returns what they print. */
  async run(commands: string): Promise<string> {
    const script = `set -euo pipefail\n${this.words(commands)}`
    const options = { cwd: this.directory, env: this.#environment }
    return (await promisify(execFile)('bash', ['-c', script], options)).stdout
  }

  /** Runs a command that does not end by itself, until it has printed something. */
  async runUntil(command: string, printed: RegExp): Promise<void> {
    const child = execFile('bash', ['-c', `exec ${this.words(command)}`], {
      cwd: this.directory,
      env: this.#environment,
    })
    const closed = once(child, 'close')
    let output = ''
    child.stdout?.on('data', (text: string) => {
      output += text
      if (printed.test(output)) child.kill('SIGINT')
    })
    await closed
    assert.match(output, printed)
  }

  /** Starts what the pod of the small shape would be, with the rights of its account, and signs in as printed. */
  async startMesh(owned: AsyncDisposableStack): Promise<MeshProcess> {
    const token = await this.plane.accountToken(namespace, 'wadi-mesh')
    const kubeconfig = path.join(this.directory, 'account')
    await writeKubeconfig(kubeconfig, {
      server: this.plane.server,
      namespace: undefined,
      tls: async () => ({ ca: this.plane.ca }),
      bearerToken: async () => token,
    })
    const admin = await this.run(
      `kubectl --namespace ${namespace} get secret wadi-secrets --output jsonpath='{.data.admin\\.token}' | base64 -d`,
    )
    const adminTokenFile = path.join(this.directory, 'admin.token')
    await writeFile(adminTokenFile, admin, { mode: 0o600 })
    const mesh = await startMeshProcess(path.join(this.directory, 'data'), {
      WADI_STORE: 'kubernetes',
      WADI_KUBECONFIG: kubeconfig,
      WADI_NAMESPACE: namespace,
      WADI_CREDENTIALS_NAMESPACE: 'wadi-read',
      WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
      WADI_ADMIN_TOKEN_FILE: adminTokenFile,
      WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    })
    this.instead('http://127.0.0.1:8080', `http://${mesh.listen}`)
    return owned.use(mesh)
  }

  /** Stores web.yaml as printed. */
  async writeApplication(directory = ''): Promise<void> {
    await mkdir(path.join(this.directory, directory), { recursive: true })
    const text = this.words(guide.yaml('Hydrate a first branch'))
    await writeFile(path.join(this.directory, directory, 'web.yaml'), text)
  }

  /** Makes the repository of the guide with a first commit. */
  async createRepository(): Promise<{ dry: TestRepository; url: string }> {
    const { url } = await this.#git.createRepository('you/deploy.git')
    const dry = await createRepository(path.join(this.directory, 'copy'))
    await dry.commitFiles({ 'web/a.yaml': configMap('web') }, 'Add')
    const remote = url.replace('//', `//writer:${users.writer}@`)
    await dry.git.addRemote('origin', remote)
    await dry.git.push(['origin', 'main'])
    return { dry, url }
  }
}

/** Returns the branch as a person would see it: its commit and the note on it. */
async function branchOf({ dry }: { dry: TestRepository }): Promise<{ head: string; note: string }> {
  await dry.git.fetch(['origin', `+refs/heads/${branch}:refs/branch`, '+refs/notes/*:refs/notes/*'])
  const head = (await dry.git.raw(['rev-parse', 'refs/branch'])).trim()
  const notes = (await dry.git.raw(['for-each-ref', '--format=%(refname)', 'refs/notes'])).trim().split('\n')
  return { head, note: await dry.git.raw(['notes', '--ref', notes[0] ?? '', 'show', head]) }
}

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`
const installationOf = ({ note }: { note: string }) => String(JSON.parse(note).installation)
/** Returns the environment of a person who has signed in in the shell. */
const sessionOf = (signIn: string) =>
  signIn
    .split('\n')
    .filter((line) => line.startsWith('export '))
    .join('\n')
const lineWith = (commands: string, part: string) =>
  commands.split('\n').find((line) => line.includes(part)) ?? ''

suite('the commands of the guide for Kubernetes, as printed', { skip: planeMissing() ?? false }, () => {
  test('take a newcomer from an empty cluster to a hydrated branch, an upgrade, a backup, a restore and the removal', async () => {
    await using owned = new AsyncDisposableStack()
    const git = owned.use(await startGitHttpServer({ users }))
    const newcomer = await Newcomer.start(owned, git)
    const signIn = guide.commands('Sign in')
    const session = sessionOf(signIn)
    guide.commands('Build the image')
    assert.match(await newcomer.run(guide.commands('Install with Helm')), /STATUS: deployed/)
    const served = await newcomer.createRepository()
    {
      await using pod = new AsyncDisposableStack()
      await newcomer.startMesh(pod)
      assert.match(await newcomer.run(signIn.replace(lineWith(signIn, 'initial-password'), '')), /^$|NAME/)
      assert.match(await newcomer.run(lineWith(signIn, 'initial-password')), /^\S{16,}\n$/)
      await newcomer.writeApplication()
      const hydrate = guide.commands('Hydrate a first branch')
      const watching = lineWith(hydrate, '--watch')
      const [before = '', after = ''] = hydrate.split(watching)
      await newcomer.run(`${session}\n${before}`)
      await newcomer.runUntil(watching, /Hydrated/)
      assert.match(await newcomer.run(`${session}\n${after}`), /Hydrated/)
      assert.match(
        await newcomer.run(guide.commands('Who may do what').replace('wadi-hydrator', 'wadi-mesh')),
        /hydratedbranches\.wadi\.dev/,
      )
      assert.match(await newcomer.run(guide.commands('Watch it')), /Normal +Hydrated/)
    }
    assert.match(await newcomer.run(guide.commands('Upgrade')), /REVISION: 2/)
    await newcomer.run(guide.commands('Back up'))
    await newcomer.run(guide.commands('Remove'))
    const { head } = await branchOf(served)
    await newcomer.leaveCluster()

    const second = await Newcomer.start(owned, git)
    for (const file of ['objects.yaml', 'settings.yaml', 'read-credentials.yaml', 'write-credentials.yaml'])
      await copyFile(path.join(newcomer.directory, file), path.join(second.directory, file))
    await second.run(guide.commands('Restore'))
    await using pod = new AsyncDisposableStack()
    await second.startMesh(pod)
    const drySha = await served.dry.commitFiles({ 'web/b.yaml': configMap('more') }, 'More')
    await served.dry.git.push(['origin', 'main'])
    await second.run(`${session}\n./wadi app hydrate web --wait --timeout 60`)
    const after = await branchOf(served)
    assert.notEqual(after.head, head)
    assert.ok(after.note.includes(drySha))
  })

  const skip =
    spawnSync('sh', ['-c', 'command -v "$0"', 'sqlite3']).status === 0 ? false : 'sqlite3 is not installed'
  test(
    'move an installation of wadi up into a cluster, whose branches stay, and install a second one',
    { skip },
    async () => {
      await using owned = new AsyncDisposableStack()
      const git = owned.use(await startGitHttpServer({ users }))
      const newcomer = await Newcomer.start(owned, git)
      const served = await newcomer.createRepository()
      const [stored = ''] = guide.commands('Hydrate a first branch').split('kubectl')
      await newcomer.writeApplication('applications')
      {
        const data = path.join(newcomer.directory, 'up')
        const environment = {
          WADI_ADMIN_TOKEN: 'a-token-of-wadi-up-that-is-long-enough',
          WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
        }
        await using mesh = await startMeshProcess(data, environment)
        const session = `export WADI_SERVER=http://${mesh.listen} WADI_AUTH_TOKEN=${environment.WADI_ADMIN_TOKEN}`
        await newcomer.run(`${session}\n${stored}\n./wadi apply --filename applications`)
        await newcomer.run(`${session}\n./wadi app hydrate web --wait --timeout 60`)
      }
      const before = await branchOf(served)

      newcomer.instead('/var/lib/wadi/state.db', path.join(newcomer.directory, 'up/state.db'))
      newcomer.instead('DIRECTORY', 'applications')
      const move = guide.commands('Move from wadi up')
      const apply = lineWith(move, 'apply --filename')
      await newcomer.run(move.replace(apply, ''))
      await newcomer.run(guide.commands('Install with Kustomize'))
      await newcomer.startMesh(owned)
      await newcomer.run(apply)
      const session = sessionOf(guide.commands('Sign in'))
      await newcomer.run(`${session}\n${stored}\n./wadi app hydrate web --wait --timeout 60`)
      const moved = await branchOf(served)
      const changed = await served.dry.git.raw(['diff', '--name-only', before.head, moved.head])
      assert.deepEqual([changed, installationOf(moved)], ['web/hydrator.metadata\n', installationOf(before)])
      await served.dry.commitFiles({ 'web/b.yaml': configMap('more') }, 'More')
      await served.dry.git.push(['origin', 'main'])
      await newcomer.run(`${session}\n./wadi app hydrate web --wait --timeout 60`)
      const after = await branchOf(served)
      assert.notEqual(after.head, moved.head)
      assert.equal(installationOf(after), installationOf(before))

      await newcomer.run('kubectl create namespace argocd && kubectl create namespace team-a')
      await newcomer.run('kubectl --namespace team-a apply --filename applications/web.yaml')
      assert.match(
        await newcomer.run(guide.commands('Two installations in one cluster')),
        /STATUS: deployed[^]*\nweb .* blue\n/,
      )
    },
  )

  test('install Wadi beside Argo CD', async () => {
    await using owned = new AsyncDisposableStack()
    const newcomer = await Newcomer.start(owned, owned.use(await startGitHttpServer({ users })))
    await newcomer.run('kubectl create namespace argocd')
    assert.match(await newcomer.run(guide.commands('Beside Argo CD')), /STATUS: deployed/)
  })

  test('are all of the guide', { skip }, () => assert.deepEqual(guide.notTaken(), []))
})
