import assert from 'node:assert/strict'
import path from 'node:path'
import { suite, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { configMap, projectObject } from '../application-fixture.ts'
import { connectGateway } from '../gateway-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'
import { startPolicyMesh } from './policy-mesh-fixture.ts'

const admission = 'admissionregistration.k8s.io/v1'
const removedIn32 = 'flowcontrol.apiserver.k8s.io/v1beta3'
const operations = ['CREATE', 'UPDATE']

function limit(namespace: string, longest: number) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limit', namespace },
    data: { longest: String(longest) },
  }
}

/** Bounds the values of ConfigMaps in `env: prod` by a ConfigMap of their own namespace. */
async function createPolicy(client: KubernetesClient): Promise<void> {
  await client.create(usedResource('ConfigMap'), limit('shop', 3))
  await client.create(usedResource('ConfigMap'), limit('demo', 77))
  await client.create(usedResource('ValidatingAdmissionPolicy'), {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'length' },
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }],
      },
      matchConditions: [{ name: 'valued', expression: "has(object.data) && 'value' in object.data" }],
      validations: [
        {
          expression: 'object.data.value.size() <= int(params.data.longest)',
          messageExpression: "'is longer than ' + params.data.longest",
        },
      ],
    },
  })
  await client.create(usedResource('ValidatingAdmissionPolicyBinding'), {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'length' },
    spec: {
      policyName: 'length',
      validationActions: ['Deny'],
      paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' },
      matchResources: { namespaceSelector: { matchLabels: { env: 'prod' } } },
    },
  })
}

for (const { name: kind, missing, open } of ownClusterKinds) {
  suite(`gates of a server with the ${kind}`, { skip: missing ?? false }, () => {
    test('judge before a commit on the machine of a member of the project as hydration does', async () => {
      await using policyMesh = await startPolicyMesh(open)
      const { client, fixture, address } = policyMesh
      await createPolicy(client)
      await fixture.applyOperatorSettings({
        'wadi.gates': `[{ gate: cluster-policies, severity: deny }, { gate: secrets, severity: warn },
          { gate: api-versions, severity: deny, kubernetes: '1.33' }]`,
      })
      const roles = [{ name: 'ci', policies: ['p, proj:shop:ci, applications, get, shop/*, allow'] }]
      const destinations = [{ server: 'https://kubernetes.default.svc', namespace: 'shop' }]
      const resource = projectObject('shop', { roles, destinations })
      await fixture.gateway.resources.applyResource({ resource })
      const repository = await fixture.createRepository('dry', {
        'web/a.yaml': configMap('a', 'long'),
        'later/flow.yaml': `apiVersion: ${removedIn32}\nkind: FlowSchema\nmetadata: {name: flow}\n`,
      })
      const application = {
        name: 'web',
        repoURL: repository.url,
        branch: 'web',
        namespace: 'shop',
        project: 'shop',
      }
      const denied = /cluster-policies\/length ConfigMap\/a: is longer than 3/
      assert.match(await fixture.applyAndFail(application), denied)

      const { token } = await fixture.gateway.projects.createProjectToken({ project: 'shop', role: 'ci' })
      const { policySets } = await connectGateway(address, token).applications.getGates({ name: 'web' })
      const texts = policySets.flatMap(({ files }) => files.map(({ text }) => text)).join('\n')
      assert.ok(texts.includes('"name":"shop"') && !texts.includes('"name":"demo"'), texts)
      assert.ok(texts.includes('"longest":"3"') && !texts.includes('"longest":"77"'), texts)

      const web = path.join(repository.dry.directory, 'web')
      const checkOf = async (directory: string, ...flags: string[]) => {
        const environment = { WADI_SERVER: address, WADI_AUTH_TOKEN: token, XDG_CACHE_HOME: cacheHome }
        return runWadi(['check', directory, '-o', 'json', ...flags], { environment })
      }
      const check = async (...flags: string[]) => checkOf(web, ...flags)
      const checked = await check('--rules-of', 'web')
      assert.equal(checked.code, 1, checked.stderr)
      const findings: { rule: string; severity: string; message: string }[] = JSON.parse(checked.stdout)
      assert.deepEqual(
        findings.map(({ rule, severity, message }) => [rule, severity, message]),
        [['cluster-policies/length', 'deny', 'is longer than 3']],
      )
      const alone = await check()
      assert.deepEqual([alone.code, JSON.parse(alone.stdout)], [0, []])
      // The version of a flag comes before that of the operator.
      const later = path.join(repository.dry.directory, 'later')
      const removed = async (...flags: string[]) => {
        const { code, stdout } = await checkOf(later, '--rules-of', 'web', ...flags)
        return [code, JSON.parse(stdout).map(({ rule }: { rule: string }) => rule)]
      }
      assert.deepEqual(await removed(), [1, ['api-versions/removed']])
      assert.deepEqual(await removed('--cluster-version', '1.31'), [0, []])
      const unknown = await check('--rules-of', 'other')
      assert.equal(unknown.code, 20)
      assert.match(unknown.stderr, /other/)

      // The change of a parameter in the cluster alone has the Application hydrated.
      await client.patch(
        usedResource('ConfigMap'),
        { namespace: 'shop', name: 'limit' },
        { data: { longest: '4' } },
      )
      await fixture.waitFor('web', ({ status }) => status.currentOperation?.phase === 'Hydrated')
      assert.equal((await check('--rules-of', 'web')).code, 0)
    })
  })
}
