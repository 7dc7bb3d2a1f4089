import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { checkObjects } from './check-objects.ts'

const context = { cluster: { minorVersion: 30 } }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

// Put together, so that no scanner takes this file for a leak.
const gitHubToken = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const databaseUrl = ['postgres://shop', 's3cretpw@db.shop.svc/orders'].join(':')
const awsSecret = ['wJalrXUtnFEMI/K7MDENG', 'bPxRfiCYzzzzzzzKEY'].join('/')

function secret(parts: Manifest): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web', namespace: 'shop' }, ...parts }
}

function configMap(data: Manifest): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data }
}

async function found(...manifests: Manifest[]): Promise<string[]> {
  const findings = await checkObjects(manifests, { secrets: 'deny' }, context)
  return findings.map(({ rule, field }) => `${rule} ${field}`)
}

test('a plain value of a Secret is found, in base64 too', async () => {
  const data = { password: base64('hunter2'), empty: '' }
  const findings = await checkObjects(
    [secret({ data, stringData: { token: 'abc', port: 5432, nothing: null } })],
    { secrets: 'warn' },
    context,
  )
  assert.deepEqual(
    findings.map(({ rule, severity, field, object }) => [rule, severity, field, object.kind, object.name]),
    ['data.password', 'stringData.token', 'stringData.port'].map((field) => [
      'secrets/plain-secret',
      'warn',
      field,
      'Secret',
      'web',
    ]),
  )
})

test('encrypted values, references and public certificates of a Secret are accepted', async () => {
  const accepted = [
    '<path:secret/data/web#password>',
    '<password | base64encode>',
    '{{ .password }}',
    'ref+vault://secret/web#/password',
    'vault:secret/data/web#PASSWORD',
    'op://shop/web/password',
    '${PASSWORD}',
    '###ZARF_VAR_PASSWORD###',
    'postgres://shop:<path:secret/data/web#password>@db/orders',
    'ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ==,type:str]',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    '  \n',
  ]
  const values = Object.fromEntries(accepted.map((text, index) => [`key${index}`, text]))
  assert.deepEqual(await found(secret({ stringData: values })), [])
  const encoded = Object.fromEntries(accepted.map((text, index) => [`key${index}`, base64(text)]))
  assert.deepEqual(await found(secret({ data: encoded })), [])
  const sops = { password: 'ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ==,type:str]' }
  assert.deepEqual(await found(secret({ data: sops })), [])
})

test('a private key beside a certificate is a plain value', async () => {
  const text =
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIE\n'
  assert.deepEqual(await found(secret({ stringData: { 'tls.pem': text } })), [
    'secrets/plain-secret stringData.tls.pem',
  ])
})

test('SealedSecrets and ExternalSecrets are accepted', async () => {
  const sealed = {
    apiVersion: 'bitnami.com/v1alpha1',
    kind: 'SealedSecret',
    metadata: { name: 'web' },
    spec: { encryptedData: { token: gitHubToken } },
  }
  const external = {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name: 'web' },
    spec: { data: [{ secretKey: 'password', remoteRef: { key: 'web', property: 'password' } }] },
  }
  assert.deepEqual(await found(sealed, external), [])
})

test('credentials are found in every field of any object', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations: { 'shop.example/token': gitHubToken } },
    spec: {
      containers: [
        {
          name: 'web',
          args: ['--verbose', `--database=${databaseUrl}`],
          env: [{ name: 'AWS_SECRET_ACCESS_KEY', value: awsSecret }],
        },
      ],
    },
  }
  assert.deepEqual(await found(pod, configMap({ 'app.ini': `a=b\n[db]\nurl=${databaseUrl}\n` })), [
    'secrets/github metadata.annotations.shop.example/token',
    'secrets/database-connection-string spec.containers[0].args[1]',
    'secrets/aws spec.containers[0].env[0].value',
    'secrets/database-connection-string data.app.ini',
  ])
})

test('passwords and keys are found by the names of variables and of keys of ConfigMaps', async () => {
  const container = {
    name: 'web',
    env: [
      { name: 'DB_PASSWORD', value: 'hunter2' },
      { name: 'PAYMENT_TOKEN', value: 'q8Zt4Lw0Xn2Vb7Ka' },
      { name: 'SMTP_PASSWORD', value: '$(FROM_SECRET)' },
      { name: 'TOKEN', value: 'web-token' },
      { name: 'API_SECRET', value: 'shop/api-secret' },
      { name: 'CACHE_PASSWORD', value: '/run/secrets/cache' },
      { name: 'PASSWORD_FILE', value: 'password.txt' },
      { name: 'ALLOW_EMPTY_PASSWORD', value: 'yes' },
      { name: 'OTHER_PASSWORD', valueFrom: { secretKeyRef: { name: 'web', key: 'password' } } },
    ],
  }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { token: 'q8Zt4Lw0Xn2Vb7Ka' } },
    spec: { containers: [container] },
  }
  assert.deepEqual(await found(pod, configMap({ 'admin-password': 'hunter2', password: '' })), [
    'secrets/password spec.containers[0].env[0].value',
    'secrets/password spec.containers[0].env[1].value',
    'secrets/password data.admin-password',
  ])
})

test('a private key is found, a placeholder for one is not', async () => {
  const key = (text: string): string =>
    `-----BEGIN EC PRIVATE KEY-----\n${text}\n-----END EC PRIVATE KEY-----\n`
  const data = { 'ec.pem': key('q8Zt4Lw0'.repeat(8)), 'example.pem': key('...') }
  assert.deepEqual(await found(configMap(data)), ['secrets/private-key data.ec.pem'])
})

test('a URL with a password is found, one with a reference is not', async () => {
  const password = 'cr3tpw'
  const data = {
    cache: `redis://:${password}@cache:6379/0`,
    queue: 'amqp://shop:$(QUEUE_PASSWORD)@queue:5672',
    mixed: `amqp://shop:<password>@queue or amqp://shop:${password}@queue`,
    plain: 'http://web.shop.svc:8080/a@b',
  }
  assert.deepEqual(await found(configMap(data)), [
    'secrets/url-password data.cache',
    'secrets/url-password data.mixed',
  ])
})

test('a credential beside a reference in a Secret is found', async () => {
  const values = { url: `${databaseUrl}?sslpassword=<path:secret/data/web#password>` }
  assert.deepEqual(await found(secret({ stringData: values })), [
    'secrets/database-connection-string stringData.url',
  ])
})

test('a comment in a value switches no rule off', async () => {
  const text = `# secretlint-disable\ntoken=${gitHubToken}\n`
  assert.deepEqual(await found(configMap({ env: text })), ['secrets/github data.env'])
})

test('no finding holds the value beside the forms in which its place is searched', async () => {
  const findings = await checkObjects(
    [secret({ data: { password: base64('hunter22') } }), configMap({ token: gitHubToken })],
    { secrets: 'deny' },
    context,
  )
  const values = findings.flatMap(({ written }) => written)
  assert.deepEqual(values, ['hunter22', base64('hunter22'), gitHubToken])
  const rest = JSON.stringify(findings.map(({ written: _written, ...finding }) => finding))
  for (const value of values) assert.ok(!rest.includes(value))
})

test('a gate without a severity does not run', async () => {
  assert.deepEqual(await checkObjects([configMap({ token: gitHubToken })], {}, context), [])
})
