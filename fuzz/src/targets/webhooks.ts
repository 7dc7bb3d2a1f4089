import { readWebhook, webhookProviderOf } from '@wadi/api-gateway/webhooks/read-webhook.ts'
import { providerPushes } from '@wadi/api-gateway/webhooks/webhook-fixture.ts'
import { type Target, textBase } from '../target.ts'

/** Webhooks of every provider, signed as its own after they were broken, so that they are read to the end. */
export const webhookTargets: readonly Target[] = [
  {
    name: 'webhooks',
    bases: providerPushes.map(({ name, payload }) => textBase(name, JSON.stringify(payload))),
    read(input, base) {
      const push = providerPushes.find(({ name }) => name === base.name)
      if (push === undefined) throw new Error(`no push of ${base.name}`)
      const body = Buffer.from(input.toString())
      const headers = new Map(Object.entries(push.headers(body.toString())))
      const header = (name: string): string => headers.get(name) ?? ''
      const provider = webhookProviderOf(header, push.secrets)
      if ('status' in provider) throw new Error(provider.text)
      readWebhook(provider, { header, body }, push.secrets)
    },
  },
]
