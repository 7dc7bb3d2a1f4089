import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

test('credentials come from files, standard input and variables', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  const { environment } = gateway
  const key = join(directory.path, 'key')
  await writeFile(key, 'PRIVATE KEY\n')
  const added = await runWadi(
    ['repo', 'add', 'https://git.example.com/a.git', '--username', 'ci', '--password-stdin', '--write'],
    { environment, input: 'from stdin\n' },
  )
  assert.deepEqual([added.stdout, added.code], ["Repository 'https://git.example.com/a.git' added\n", 0])
  await runWadi(['repo', 'add', 'https://git.example.com/b.git', '--username', 'ci', '--project', 'dev'], {
    environment: { ...environment, WADI_REPO_PASSWORD: 'from variable' },
  })
  await runWadi(
    ['repo', 'add', 'git@git.example.com:c.git', '--ssh-private-key-path', key, '--no-validate'],
    {
      environment,
    },
  )
  assert.deepEqual(
    gateway.repositories.map((request) => [
      request.password,
      request.write,
      request.sshPrivateKey,
      request.skipValidation,
    ]),
    [
      ['from stdin', true, '', false],
      ['from variable', false, '', false],
      ['', false, 'PRIVATE KEY\n', true],
    ],
  )
})

test('a proxy and the hosts that are reached without it are stored', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const proxied = ['--proxy', 'http://proxy.internal:3128', '--no-proxy', '.example.com,10.0.0.0/8']
  await runWadi(['repo', 'add', 'https://git.example.com/a.git', ...proxied], { environment })
  await runWadi(['repo', 'add', 'https://git.example.com/b.git'], { environment })
  assert.deepEqual(
    gateway.repositories.map(({ proxy, noProxy }) => [proxy, noProxy]),
    [
      ['http://proxy.internal:3128', '.example.com,10.0.0.0/8'],
      ['', ''],
    ],
  )
})

test('the list has the columns of argocd, and a prefix lends its credentials', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  await runWadi(
    ['repo', 'add', 'https://git.example.com/', '--creds', '--password', 'x', '--username', 'ci'],
    {
      environment,
    },
  )
  await runWadi(['repo', 'add', 'https://git.example.com/a.git', '--project', 'dev'], { environment })
  const list = await runWadi(['repo', 'list'], { environment })
  assert.equal(
    list.stdout,
    `TYPE        NAME  REPO                           INSECURE  OCI    LFS    CREDS      STATUS      MESSAGE  PROJECT
git-prefix        https://git.example.com/       false     false  false  true                            ${''}
git               https://git.example.com/a.git  false     false  false  inherited  Successful           dev
`,
  )
  const one = await runWadi(['repo', 'get', 'https://git.example.com/a', '-o', 'url'], { environment })
  assert.equal(one.stdout, 'https://git.example.com/a.git\n')
  const none = await runWadi(['repo', 'get', 'https://git.example.com/z'], { environment })
  assert.equal(none.code, 20)
  const removed = await runWadi(['repo', 'rm', 'https://git.example.com/a.git'], { environment })
  assert.equal(removed.stdout, "Repository 'https://git.example.com/a.git' removed\n")
})

test('a repository says why its pull requests are not reviewed', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  gateway.reviewMessage = 'pull requests are not reviewed as they should be: 403'
  await runWadi(['repo', 'add', 'https://git.example.com/a.git'], { environment })
  const { stdout } = await runWadi(['repo', 'get', 'https://git.example.com/a.git'], { environment })
  assert.match(stdout, /pull requests are not reviewed as they should be: 403/)
})

test('the forge of a repository is stored with its write credentials', async () => {
  await using gateway = await Gateway.start()
  const environment = { ...gateway.environment, WADI_REPO_FORGE_TOKEN: 'from variable' }
  const url = 'https://code.example.com/team/a.git'
  const forge = ['--forge', 'gitea', '--forge-url', 'https://code.example.com']
  const added = await runWadi(['repo', 'add', url, '--write', ...forge], { environment })
  assert.equal(added.code, 0)
  await runWadi(['repo', 'add', url], { environment })
  assert.deepEqual(
    gateway.repositories.map((request) => [request.forge, request.forgeUrl, request.forgeToken]),
    [
      ['gitea', 'https://code.example.com', 'from variable'],
      ['', '', ''],
    ],
  )
  const { stderr, code } = await runWadi(['repo', 'add', url, ...forge], { environment })
  assert.deepEqual([code, /add --write/.test(stderr)], [20, true])
})

test('half a GitHub App is refused before the server hears of it', async () => {
  await using gateway = await Gateway.start()
  const { stderr, code } = await runWadi(
    ['repo', 'add', 'https://git.example.com/a.git', '--github-app-id', '1'],
    {
      environment: gateway.environment,
    },
  )
  assert.equal(code, 20)
  assert.match(stderr, /a GitHub App needs all of/)
  assert.deepEqual(gateway.calls, [])
})
