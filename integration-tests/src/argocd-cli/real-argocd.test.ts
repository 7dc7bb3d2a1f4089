import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { gitUser, startMeshFixture, type MeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { argocdBinary, runArgocd } from './real-argocd-fixture.ts'

const noArgocd = argocdBinary === undefined && 'argocd is not installed'

for (const way of ['natively', 'over gRPC-web'] as const) {
  describe(`the real argocd ${way}`, { skip: noArgocd }, () => {
    let mesh: MeshFixture
    let repository: RepositoryFixture
    before(async () => {
      mesh = await startMeshFixture()
      repository = await mesh.fixture.createRepository('deploy', {
        'apps/web/web.yaml': configMap('web', '1'),
      })
    })
    after(() => mesh[Symbol.asyncDispose]())

    const run = (...args: string[]) =>
      runArgocd(mesh.fixture.directory, mesh.address, mesh.token, [
        ...args,
        ...(way === 'natively' ? [] : ['--grpc-web']),
      ])
    /** The output of a command that succeeds. */
    const output = async (...args: string[]) => {
      const outcome = await run(...args)
      assert.equal(outcome.exitCode, 0, outcome.error)
      return outcome.output
    }

    test('creates an Application, waits for it, reads it, compares and changes it, and deletes it', async () => {
      const destination = ['--dest-namespace', 'shop', '--dest-server', 'https://kubernetes.default.svc']
      const dry = [
        '--dry-source-repo',
        repository.url,
        '--dry-source-revision',
        'main',
        '--dry-source-path',
        'apps/web',
      ]
      const synced = ['--sync-source-branch', 'environments/prod', '--sync-source-path', 'web']
      const creation = ['app', 'create', 'web', ...dry, ...synced, ...destination]
      assert.equal(await output(...creation), "application 'web' created\n")
      assert.equal(await output(...creation, '--upsert'), "application 'web' unchanged\n")
      await output('app', 'wait', 'web', '--hydrated', '--timeout', '90')
      assert.match(
        await output('app', 'list'),
        /^argocd\/web +\S+ +shop +default +Synced +Unknown +Manual +<none>/m,
      )
      assert.match(
        await output('app', 'get', 'web'),
        /^Sync Status: +Synced to environments\/prod \(\w{7}\)$/m,
      )
      assert.match(await output('app', 'history', 'web'), /^0 .* environments\/prod \(\w{7}\)$/m)
      assert.match(await output('app', 'manifests', 'web', '--source', 'live'), /^kind: ConfigMap$/m)
      assert.equal(await output('app', 'diff', 'web'), '')

      await repository.push({ 'apps/web/web.yaml': configMap('web', '2') })
      await repository.dry.git.push([repository.directory, 'HEAD:next'])
      const difference = await run('app', 'diff', 'web', '--revision', 'next')
      assert.equal(difference.exitCode, 1)
      assert.match(difference.output, /^===== \/ConfigMap .*\/web ======$/m)

      await output('app', 'set', 'web', '--dest-namespace', 'store')
      await output('app', 'set', 'web', '--revision', 'next')
      const shown = JSON.parse(await output('app', 'get', 'web', '-o', 'json')) as {
        spec: { destination: unknown; source?: unknown; sourceHydrator: { drySource: unknown } }
      }
      assert.deepEqual(shown.spec.destination, {
        server: 'https://kubernetes.default.svc',
        namespace: 'store',
      })
      assert.equal(shown.spec.source, undefined)
      assert.deepEqual(shown.spec.sourceHydrator.drySource, {
        repoURL: repository.url,
        targetRevision: 'next',
        path: 'apps/web',
      })
      assert.equal(await output('app', 'delete', 'web', '--yes', '--wait'), "application 'web' deleted\n")
      const gone = await run('app', 'get', 'web')
      assert.equal(gone.exitCode, 20)
      assert.match(gone.error, /NotFound/)
    })

    test('gets an error for what has no meaning in Wadi', async () => {
      const destination = ['--dest-namespace', 'shop', '--dest-server', 'https://kubernetes.default.svc']
      await output('app', 'create', 'plain', '--repo', repository.url, '--path', 'apps/web', ...destination)
      for (const [exitCode, words, ...args] of [
        [20, 'Wadi applies nothing to clusters', 'app', 'sync', 'plain'],
        [20, 'Wadi reads no cluster', 'app', 'resources', 'plain'],
        [1, 'kubectl logs', 'app', 'logs', 'plain'],
        [20, 'argocd app edit NAME', 'app', 'patch', 'plain', '--patch', '[]'],
        [20, 'cannot both be set', 'app', 'set', 'plain', '--dry-source-repo', repository.url],
      ] as const) {
        const outcome = await run(...args)
        assert.equal(outcome.exitCode, exitCode, args.join(' '))
        assert.ok(outcome.error.includes(words), outcome.error)
      }
    })

    test('manages projects, repositories, credentials and clusters', async () => {
      await output(
        'proj',
        'create',
        'shop',
        '-s',
        repository.url,
        '-d',
        'https://kubernetes.default.svc,shop',
      )
      await output('proj', 'add-source', 'shop', 'https://git.example.com/other.git')
      await output('proj', 'role', 'create', 'shop', 'deployer')
      await output('proj', 'role', 'create-token', 'shop', 'deployer')
      const tokens = await output('proj', 'role', 'list-tokens', 'shop', 'deployer', '--unixtime')
      const [issuedAt = ''] = /(?<= )\d+(?= )/.exec(tokens) ?? []
      await output('proj', 'role', 'delete-token', 'shop', 'deployer', issuedAt)
      assert.match(await output('proj', 'get', 'shop'), /^Repositories: +\S+deploy\.git$/m)
      assert.match(await output('proj', 'list'), /^shop /m)
      await output('proj', 'delete', 'shop')
      assert.match(await output('cluster', 'list'), /^https:\/\/kubernetes\.default\.svc +in-cluster/m)
      await output('cluster', 'get', 'in-cluster')
      await output('repocreds', 'add', 'https://git.example.com/', '--username', 'bot', '--password', 'x')
      assert.match(await output('repocreds', 'list'), /^https:\/\/git\.example\.com\/ +bot/m)
      await output('repocreds', 'rm', 'https://git.example.com/')
      const unreachable = await run('repo', 'add', 'http://127.0.0.1:1/none.git')
      assert.equal(unreachable.exitCode, 20)
      await output(
        'repo',
        'add',
        repository.url,
        '--username',
        gitUser.username,
        '--password',
        gitUser.password,
      )
      assert.match(
        await output('repo', 'list'),
        /^git +\S+deploy\.git +false +false +false +true +Successful/m,
      )
      await output('repo', 'get', repository.url)
      await output('repo', 'rm', repository.url)
    })
  })
}
