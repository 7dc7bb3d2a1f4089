import { projectObject } from '../application-fixture.ts'
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import type { Resource } from '@wadi/resources/resource.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { applicationNames, namesGenerator, rejectionOf, setObject } from '../application-sets/set-fixture.ts'
import { type CrashMesh, sharedCrashMesh } from '../crash-fixture.ts'
import { connectGateway } from '../gateway-fixture.ts'

const skip = spawnSync('sqlite3', ['--version']).status === 0 ? false : 'sqlite3 is missing'
const owners = {
  'state.db': ['api-gateway', 'appset-service', 'hydrator'],
  'repo-server/credentials.db': ['repo-server'],
  'commit-server/credentials.db': ['commit-server'],
} as const
type Owner = (typeof owners)[keyof typeof owners][number]

/** The mesh with its operator, and what tests look at. */
class Scene {
  readonly mesh: CrashMesh
  readonly data: string
  readonly repoURL: string
  #copies = 0

  constructor(mesh: CrashMesh) {
    this.mesh = mesh
    this.data = join(mesh.fixture.directory, 'data')
    this.repoURL = `${mesh.git.server.url}/acknowledged.git`
  }

  get operator() {
    return this.mesh.fixture.gateway
  }

  async apply(resource: JsonObject): Promise<void> {
    await this.operator.resources.applyResource({ resource })
  }

  async refusal(token: string): Promise<string | undefined> {
    using client = this.connect(token)
    return await rejectionOf(client.applications.listApplications({}))
  }

  connect(token: string) {
    return connectGateway(this.mesh.processes['api-gateway'][0]?.address ?? '', token)
  }

  async signIn(password: string): Promise<string> {
    using nobody = this.connect('')
    return (await nobody.sessions.create({ username: 'crash', password })).token
  }

  /** The objects of a store, as another process reads them. */
  async stored(file: keyof typeof owners, kind: string, name: string): Promise<Resource | undefined> {
    await using store = openSqliteStore({ file: join(this.data, file) })
    return await store.get(kind, 'argocd', name)
  }

  /** Lets the program of SQLite do everything that it may do beside the services. */
  async useElsewhere(): Promise<void> {
    for (const [file, services] of Object.entries(owners)) {
      const copy = join(this.mesh.fixture.directory, `copy-${this.#copies++}`)
      const commands = [
        'SELECT count(*) FROM resources',
        `.backup '${copy}.backup'`,
        `VACUUM INTO '${copy}.vacuum'`,
        'PRAGMA integrity_check',
      ]
      for (const command of commands) {
        await promisify(execFile)('sqlite3', [
          '-bail',
          '-cmd',
          '.timeout 20000',
          join(this.data, file),
          command,
        ])
      }
      for (const service of services) assert.deepEqual(this.deletedFiles(service), [])
    }
  }

  /** The files of stores that a process has open although their names are gone. */
  deletedFiles(service: Owner): string[] {
    if (process.platform !== 'linux') return []
    const descriptors = `/proc/${this.mesh.processes[service][0]?.pid}/fd`
    return readdirSync(descriptors).flatMap((name) => {
      const target = readlinkSync(join(descriptors, name))
      return /\.db(?:-wal|-shm)? \(deleted\)$/.test(target) ? [target] : []
    })
  }

  /** Ends services as a crash does, and starts them again. */
  async crash(services: readonly Owner[]): Promise<void> {
    const killed = services.flatMap((service) => this.mesh.processes[service])
    await Promise.all(killed.map((service) => service.kill()))
    for (const service of killed) await service.start()
  }
}

/** Does something of which the answer says that it is stored; returns what checks that it is. */
type Deed = (scene: Scene) => Promise<() => Promise<unknown>>

const application = { name: 'acknowledged', branch: 'environments/acknowledged' }
const passwords = ['password of crash', 'another password']
const credentials = { username: 'crash', skipValidation: true, upsert: true }

/** Acknowledged changes, by the service that ends at the next moment. */
const deeds: [what: string, owner: Owner, Deed][] = [
  [
    'an account, its password and a project are stored',
    'api-gateway',
    async (scene) => {
      const metadata = { name: 'argocd-cm' }
      const roles = [{ name: 'ci', policies: ['p, proj:crash:ci, applications, get, crash/*, allow'] }]
      await scene.apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { 'accounts.crash': 'apiKey, login' },
      })
      await scene.apply(projectObject('crash', { roles }))
      const [newPassword = ''] = passwords
      await scene.operator.accounts.updatePassword({ name: 'crash', newPassword })
      return async () => {
        assert.equal((await scene.operator.accounts.getAccount({ name: 'crash' })).name, 'crash')
        assert.notEqual(await scene.operator.projects.getProject({ name: 'crash' }), undefined)
      }
    },
  ],
  [
    'an Application is applied',
    'api-gateway',
    async (scene) => {
      await scene.mesh.fixture.apply({ ...application, repoURL: scene.repoURL })
      return async () => assert.ok((await applicationNames(scene.operator)).includes(application.name))
    },
  ],
  [
    'an Application is deleted',
    'api-gateway',
    async (scene) => {
      await scene.operator.applications.deleteApplication({ name: application.name })
      return async () => assert.ok(!(await applicationNames(scene.operator)).includes(application.name))
    },
  ],
  [
    'a session is signed out',
    'api-gateway',
    async (scene) => {
      const token = await scene.signIn(passwords[0] ?? '')
      using session = scene.connect(token)
      await session.sessions.delete({})
      return async () => assert.match((await scene.refusal(token)) ?? '', /signed out|password has changed/)
    },
  ],
  [
    'an API key is made, and another revoked',
    'api-gateway',
    async (scene) => {
      const { token: kept } = await scene.operator.accounts.createToken({ name: 'crash', id: 'kept' })
      const { token } = await scene.operator.accounts.createToken({ name: 'crash', id: 'revoked' })
      await scene.operator.accounts.deleteToken({ name: 'crash', id: 'revoked' })
      return async () => {
        assert.match((await scene.refusal(token)) ?? '', /revoked|password has changed/)
        const { tokens } = await scene.operator.accounts.getAccount({ name: 'crash' })
        assert.deepEqual(
          tokens.map(({ id }) => id),
          ['kept'],
        )
        assert.notEqual(kept, token)
      }
    },
  ],
  [
    "a project's token is revoked, and another made",
    'api-gateway',
    async (scene) => {
      const make = () => scene.operator.projects.createProjectToken({ project: 'crash', role: 'ci' })
      const [{ token, id }, kept] = [await make(), await make()]
      await scene.operator.projects.deleteProjectToken({ project: 'crash', role: 'ci', id })
      return async () => {
        assert.match((await scene.refusal(token)) ?? '', /revoked/)
        assert.equal(await scene.refusal(kept.token), undefined)
      }
    },
  ],
  [
    'a password is changed',
    'api-gateway',
    async (scene) => {
      const [before = '', newPassword = ''] = passwords
      const token = await scene.signIn(before)
      await scene.operator.accounts.updatePassword({ name: 'crash', newPassword })
      return async () => {
        assert.match((await scene.refusal(token)) ?? '', /password has changed/)
        assert.match((await rejectionOf(scene.signIn(before))) ?? '', /^Unauthenticated/)
        await scene.signIn(newPassword)
      }
    },
  ],
  ...(['repo-server', 'commit-server'] as const).flatMap((owner): [string, Owner, Deed][] => {
    const write = owner === 'commit-server'
    const file = `${owner}/credentials.db` as const
    const stored = async ({ operator }: Scene) => {
      const { repositories } = await operator.repositories.listRepositories({ write })
      return repositories.filter(({ username }) => username === 'crash').map(({ repoUrl }) => repoUrl)
    }
    return [
      [
        `credentials of ${owner} are written, deleted and replaced`,
        owner,
        async (scene) => {
          const { repositories } = scene.operator
          const [kept, gone] = [scene.repoURL, `${scene.repoURL}-2`]
          for (const repoUrl of [kept, gone]) {
            await repositories.createRepository({ ...credentials, repoUrl, write, password: 'first' })
          }
          await repositories.deleteRepository({ repoUrl: gone, write })
          await repositories.createRepository({ ...credentials, repoUrl: kept, write, password: 'second' })
          return async () => assert.deepEqual(await stored(scene), [kept])
        },
      ],
      [
        `servers are trusted by ${owner}`,
        owner,
        async (scene) => {
          const data = { ssh_known_hosts: `${owner}.example.com ssh-ed25519 AAAA\n` }
          await scene.apply({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'argocd-ssh-known-hosts-cm' },
            data,
          })
          return async () => {
            const found = await scene.stored(file, 'ConfigMap', 'argocd-ssh-known-hosts-cm')
            assert.match(found?.data?.['ssh_known_hosts'] ?? '', /-server\.example\.com/)
          }
        },
      ],
    ]
  }),
  [
    'an ApplicationSet is applied with its Applications',
    'appset-service',
    async (scene) => {
      const set = setObject({
        name: 'crash',
        project: 'crash',
        generators: [namesGenerator('set-a', 'set-b')],
      })
      await scene.operator.applicationSets.applyApplicationSet({ applicationSet: set })
      return async () => undefined
    },
  ],
  [
    'an ApplicationSet is deleted with its Applications',
    'appset-service',
    async (scene) => {
      await scene.operator.applicationSets.deleteApplicationSet({ name: 'crash' })
      return async () => {
        assert.deepEqual(
          (await applicationNames(scene.operator)).filter((name) => name.startsWith('set-')),
          [],
        )
      }
    },
  ],
]

test(
  'what is acknowledged survives a crash at the next moment, and other programs at the files',
  { skip },
  async (t) => {
    const scene = new Scene(await sharedCrashMesh())
    const checks: (() => Promise<unknown>)[] = []
    for (const [what, owner, deed] of deeds) {
      await t.test(`${what}, and ${owner} ends`, async () => {
        await scene.useElsewhere()
        const check = await deed(scene)
        await scene.crash([owner])
        await check()
        if (what !== 'an Application is applied') checks.push(check)
      })
    }
    await t.test('all services end at once', async () => {
      await scene.useElsewhere()
      await scene.crash(Object.values(owners).flat())
      for (const check of checks) await check()
      await scene.useElsewhere()
    })
  },
)
