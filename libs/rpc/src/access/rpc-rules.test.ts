import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { rpcRuleOf } from './rpc-rules.ts'

const generated = new URL('../../../protocol/src/gen/', import.meta.url)

async function everyService(): Promise<DescService[]> {
  const services: DescService[] = []
  for await (const file of glob('**/*_pb.ts', { cwd: generated.pathname })) {
    const module = (await import(new URL(file, generated).href)) as Record<string, unknown>
    services.push(...Object.values(module).filter(isService))
  }
  return services
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}

function isReading({ idempotency }: DescMethod): boolean {
  return idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS
}

test('every RPC of every contract has its access rule', async () => {
  const services = await everyService()
  assert.ok(services.length >= 17, `only ${services.length} services were found`)
  const without = services.flatMap((service) =>
    service.methods
      .filter((method) => rpcRuleOf(service, method) === undefined)
      .map((method) => `${service.typeName}/${method.name}`),
  )
  assert.deepEqual(without, [])
})

test('an RPC without side effects has a rule without side effects', async () => {
  const services = await everyService()
  const contradictory = services.flatMap((service) =>
    service.methods
      .filter((method) => isReading(method) && rpcRuleOf(service, method)?.writes === true)
      .map((method) => `${service.typeName}/${method.name}`),
  )
  assert.deepEqual(contradictory, [])
})

test('nobody outside the mesh may call a service but the gateway', async () => {
  const services = await everyService()
  const inside = services.filter(({ typeName }) =>
    /^wadi\.(?!api_gateway\.|application_sets\.)|^plugin\./.test(typeName),
  )
  assert.ok(inside.length >= 6)
  for (const service of inside) {
    for (const method of service.methods) {
      assert.equal(rpcRuleOf(service, method)?.access, 'services', `${service.typeName}/${method.name}`)
    }
  }
})

test('ApplicationSets are for the gateway and, at the service behind it, for the gateway alone', () => {
  for (const method of ApplicationSetService.methods) {
    const rule = rpcRuleOf(ApplicationSetService, method)
    assert.ok(rule?.access === 'passed on', method.name)
    assert.deepEqual([rule.from, rule.to], ['api-gateway', 'appset-service'])
  }
})
