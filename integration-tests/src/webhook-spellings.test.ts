import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApiGateway } from '@wadi/api-gateway/api-gateway.ts'
import { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { startHydrator } from '@wadi/hydrator/hydrator.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { until } from '@wadi/testing/until.ts'
import { connectGateway } from './gateway-fixture.ts'
import { quietEnvironment } from './mesh-fixture.ts'

/** Dry repositories as Applications spell them; each has a hydrated branch of its own. */
const spellings: Readonly<Record<string, string>> = {
  hubScp: 'git@github.com:Shop/Config.git',
  hubHttps: 'https://github.com/shop/config',
  hubPort: 'ssh://git@github.com:22/shop/config.git',
  hubPort443: 'ssh://git@ssh.github.com:443/shop/config.git',
  hubUser: 'https://robot@github.com/shop/config.git',
  hubOther: 'https://github.com/shop/config-old.git',
  labHttps: 'https://lab.example.com/teams/web/config.git',
  labPort: 'https://lab.example.com:8443/teams/web/config.git',
  labSsh: 'ssh://git@altssh.lab.example.com:2222/teams/web/config.git',
  labAbove: 'https://lab.example.com/teams/config.git',
  azureUser: 'https://shop@dev.azure.com/shop/web/_git/config',
  azureSsh: 'git@ssh.dev.azure.com:v3/shop/web/config',
  azureOld: 'https://shop.visualstudio.com/DefaultCollection/web/_git/config',
  azureOldSsh: 'shop@vs-ssh.visualstudio.com:v3/shop/web/config',
  azureShort: 'https://shop@dev.azure.com/shop/_git/config',
  azureSpace: 'https://shop@dev.azure.com/shop/Web%20Shop/_git/config',
  bucketHttps: 'https://robot@bitbucket.org/shop/config.git',
  bucketSsh: 'ssh://git@altssh.bitbucket.org:443/shop/config.git',
  serverSsh: 'ssh://git@bucket.example.com:7999/shop/config.git',
  serverHttps: 'https://bucket.example.com/scm/SHOP/config.git',
  serverOwn: 'https://bucket.example.com/scm/~robot/config.git',
  teaSsh: 'ssh://git@tea.example.com:2222/shop/config.git',
}

const secret = 'shared by the forges'

const signed = (body: string) => createHmac('sha256', secret).update(body).digest('hex')
const github = (body: string) => ({
  'x-github-event': 'push',
  'x-hub-signature-256': `sha256=${signed(body)}`,
})
const gitlab = () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret })
const azure = () => ({
  'x-vss-activityid': randomUUID(),
  authorization: `Basic ${Buffer.from(`hook:${secret}`).toString('base64')}`,
})
const bitbucket = () => ({ 'x-event-key': 'repo:push', 'x-hook-uuid': secret })
const bitbucketServer = (body: string) => ({
  'x-event-key': 'repo:refs_changed',
  'x-hub-signature': `sha256=${signed(body)}`,
})
const gitea = (body: string) => ({ 'x-gitea-event': 'push', 'x-gitea-signature': signed(body) })
const azurePush = (remoteUrl: string) => ({
  eventType: 'git.push',
  resource: { repository: { name: 'config', remoteUrl } },
})

const deliveries: readonly (readonly [
  what: string,
  headers: (body: string) => Record<string, string>,
  payload: object,
  reached: RegExp,
])[] = [
  [
    'GitHub with all of its addresses',
    github,
    {
      repository: {
        html_url: 'https://github.com/shop/config',
        clone_url: 'https://github.com/shop/config.git',
        ssh_url: 'git@github.com:shop/config.git',
      },
    },
    /^hub(?!Other)/,
  ],
  [
    'GitHub with its page alone',
    github,
    { repository: { html_url: 'https://github.com/Shop/config' } },
    /^hub(?!Other)/,
  ],
  [
    'GitLab of a subgroup',
    gitlab,
    { project: { git_http_url: 'https://lab.example.com/teams/web/config.git' } },
    /^lab(?!Above)/,
  ],
  [
    'GitLab with http as its own address',
    gitlab,
    { project: { web_url: 'http://lab.example.com:8080/teams/web/config' } },
    /^lab(?!Above)/,
  ],
  ['Azure DevOps', azure, azurePush('https://dev.azure.com/shop/web/_git/config'), /^azure(?!Sp|Short)/],
  [
    'Azure DevOps with a user',
    azure,
    azurePush('https://shop@dev.azure.com/shop/web/_git/config'),
    /^azure(?!Sp|Short)/,
  ],
  [
    'Azure DevOps with its old host',
    azure,
    azurePush('https://shop.visualstudio.com/web/_git/config'),
    /^azure(?!Sp|Short)/,
  ],
  [
    'Azure DevOps with the project named once',
    azure,
    azurePush('https://shop.visualstudio.com/_git/config'),
    /^azureShort/,
  ],
  [
    'Azure DevOps with a blank',
    azure,
    azurePush('https://dev.azure.com/shop/Web Shop/_git/config'),
    /^azureSpace/,
  ],
  [
    'Bitbucket Cloud',
    bitbucket,
    { repository: { links: { html: { href: 'https://bitbucket.org/shop/config' } } } },
    /^bucket/,
  ],
  [
    'Bitbucket Server with a link to clone over http',
    bitbucketServer,
    { repository: { links: { clone: [{ href: 'https://bucket.example.com/scm/SHOP/config.git' }] } } },
    /^server(?!Own)/,
  ],
  [
    'Bitbucket Server with the page of a user',
    bitbucketServer,
    {
      repository: {
        links: { self: [{ href: 'https://bucket.example.com/users/robot/repos/config/browse' }] },
      },
    },
    /^serverOwn/,
  ],
  ['Gitea', gitea, { repository: { clone_url: 'https://tea.example.com/shop/config.git' } }, /^tea/],
]

let owned: AsyncDisposableStack
let address = ''

before(async () => {
  await using started = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'wadi-spellings-'))
  started.defer(() => rm(directory, { recursive: true, force: true }))
  const socket = (service: string) => `unix:${join(directory, `${service}.sock`)}`
  const token = `test-${randomUUID()}`
  // Nobody serves repositories, so that no forge is asked for anything.
  const environment = {
    ...quietEnvironment,
    WADI_DATA_DIR: directory,
    WADI_INSTANCE: 'local',
    WADI_SERVICE_KEY_FILE: join(directory, 'service.key'),
    WADI_REPO_SERVERS: socket('repo-server'),
    WADI_COMMIT_SERVERS: socket('commit-server'),
    WADI_HYDRATORS: socket('hydrator'),
    WADI_APPSET_SERVICES: socket('appset-service'),
    WADI_ADMIN_TOKEN: token,
    WADI_AUDIT_FILE: join(directory, 'audit.log'),
  }
  const at = (listen: string) => ({ env: { ...environment, WADI_LISTEN: listen }, argv: [] })
  started.use(await startHydrator(readSettings(hydratorSettings, at(socket('hydrator')))))
  const gateway = started.use(await startApiGateway(readSettings(apiGatewaySettings, at('127.0.0.1:0'))))
  address = gateway.address
  using client = connectGateway(address, token)
  const keys = ['github', 'gitlab', 'bitbucketserver', 'gitea'].map((forge) => `webhook.${forge}.secret`)
  const stringData = {
    ...Object.fromEntries(keys.map((key) => [key, secret])),
    'webhook.bitbucket.uuid': secret,
    'webhook.azuredevops.username': 'hook',
    'webhook.azuredevops.password': secret,
  }
  await client.resources.applyResource({
    resource: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'argocd-secret' }, stringData },
  })
  for (const [name, repoURL] of Object.entries(spellings)) {
    await client.resources.applyResource({
      resource: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: name.toLowerCase() },
        spec: {
          project: 'default',
          destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
          sourceHydrator: {
            drySource: { repoURL, targetRevision: 'main', path: 'web' },
            syncSource: {
              repoURL: 'https://hydrated.example.com/shop.git',
              targetBranch: `env/${name}`,
              path: 'web',
            },
          },
        },
      },
    })
  }
  // The hydrator hears of an Application a moment after it is stored.
  const all = { repository: { clone_url: spellings['teaSsh'] } }
  await until(async () => (await deliver(gitea, all)) === 1)
  owned = started.move()
})
after(() => owned[Symbol.asyncDispose]())

/** Sends a webhook and returns how many hydrated branches it queued. */
async function deliver(headers: (body: string) => Record<string, string>, payload: object): Promise<number> {
  const body = JSON.stringify({ ...payload, ref: 'refs/heads/main', nonce: randomUUID() })
  const answer = await fetch(`${address}/api/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers(body) },
    body,
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return Number(/^queued (\d+) /.exec(text)?.[1] ?? assert.fail(text))
}

for (const [what, headers, payload, reached] of deliveries) {
  test(`a push of ${what} reaches its repository in every spelling, and no other`, async () => {
    const expected = Object.keys(spellings).filter((name) => reached.test(name))
    assert.ok(expected.length > 0)
    assert.equal(await deliver(headers, payload), expected.length, expected.join(' '))
  })
}
