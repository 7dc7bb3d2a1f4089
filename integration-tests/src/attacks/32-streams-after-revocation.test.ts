import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import type { GatewayClient } from '../gateway-fixture.ts'

const mesh = await usersMeshOfFile()
await mesh.applySettings({ 'accounts.eve': 'apiKey' })
const grant = () => mesh.applyPolicy('p, eve, applications, get, web/*, allow')
await grant()
await store('one', {})
const revoke = () => mesh.applyPolicy()

/** Stores an Application of the project web, whose repository nobody serves. */
async function store(name: string, labels: Record<string, string>): Promise<void> {
  await mesh.admin.applications.createApplication({
    upsert: true,
    application: {
      metadata: { name, labels },
      spec: {
        project: 'web',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
        sourceHydrator: {
          drySource: { repoURL: 'http://127.0.0.1:1/dry.git', targetRevision: 'main', path: name },
          syncSource: { targetBranch: 'environments/web', path: name },
        },
      },
    },
  })
}

/** The streams of Applications, as `TYPE name secret`. */
const streams: Record<string, (user: GatewayClient, signal: AbortSignal) => AsyncIterable<string>> = {
  async *'the own service'({ applications }, signal) {
    for await (const { type, application } of applications.watchApplications({}, { signal, timeoutMs: 0 })) {
      const { name, labels } = (application as { metadata: { name: string; labels?: { secret?: string } } })
        .metadata
      yield `${type} ${name} ${labels?.secret ?? '-'}`
    }
  },
  async *'the service of Argo CD'({ argocdApplications }, signal) {
    for await (const { type, application } of argocdApplications.watch({}, { signal, timeoutMs: 0 })) {
      const { name = '', labels } = application?.metadata ?? {}
      yield `${type} ${name} ${labels?.['secret'] ?? '-'}`
    }
  },
}

for (const [service, watch] of Object.entries(streams)) {
  test(`a stream of ${service} delivers nothing more once the right to read is taken`, async () => {
    const id = `watch ${service}`.replaceAll(' ', '-')
    const { token } = await mesh.admin.accounts.createToken({ name: 'eve', id })
    using eve = mesh.connect(token)
    const end = new AbortController()
    const events = watch(eve, end.signal)[Symbol.asyncIterator]()
    const next = async () => (await events.next()).value as string
    try {
      assert.equal(await next(), 'ADDED one -')
      await revoke()
      // What is taken away looks like deleted, in the state in which it was last seen; its status may have changed before.
      let last = await next()
      while (last === 'MODIFIED one -') last = await next()
      assert.equal(last, 'DELETED one -')
      await store('one', { secret: 'hidden' })
      await store('two', { secret: 'hidden' })
      await store('one', { secret: 'shown' })
      await mesh.admin.applications.deleteApplication({ name: 'two' })
      await grant()
      // Had anything been delivered meanwhile, it would come before this.
      assert.equal(await next(), 'ADDED one shown')
    } finally {
      end.abort()
      await grant()
      await store('one', {})
    }
  })

  test(`a stream of ${service} ends once the token is revoked`, async () => {
    const id = `token ${service}`.replaceAll(' ', '-')
    const { token } = await mesh.admin.accounts.createToken({ name: 'eve', id })
    using eve = mesh.connect(token)
    const end = new AbortController()
    const events = watch(eve, end.signal)[Symbol.asyncIterator]()
    try {
      assert.equal((await events.next()).value, 'ADDED one -')
      await mesh.admin.accounts.deleteToken({ name: 'eve', id })
      const next = () =>
        events.next().then(
          ({ value }) => String(value),
          (error: unknown) => ConnectError.from(error).code,
        )
      let outcome = await next()
      // The status may have changed before.
      while (outcome === 'MODIFIED one -') outcome = await next()
      assert.equal(outcome, Code.Unauthenticated)
    } finally {
      end.abort()
    }
  })
}
