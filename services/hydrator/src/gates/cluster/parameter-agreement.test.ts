import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { GateSeverities } from '@wadi/gates/gate-names.ts'
import type { GateContext } from '@wadi/gates/gate.ts'
import { runGates } from '@wadi/gates/run-gates.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import type { PlaneAccess } from '@wadi/testing/kubernetes-plane/plane-access.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { until } from '@wadi/testing/until.ts'
import { clusterPolicyKinds } from './cluster-policy-kinds.ts'
import { FollowedPolicies } from './cluster-policies.ts'
import { FollowedParameters } from './followed-parameters.ts'
import {
  bindingOf,
  forbiddenForm,
  judgedObjects,
  namespaces,
  type ParameterForm,
  parameterForms,
  parameterObjects,
  policyOf,
} from './parameter-forms-fixture.ts'

const paths: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Namespace: 'namespaces',
  Limit: 'limits',
  Bound: 'bounds',
  ClusterRole: 'clusterroles',
  CustomResourceDefinition: 'customresourcedefinitions',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
}

/** Returns the message of the API server if it rejects an object. */
async function post(plane: PlaneAccess, object: Manifest, query = ''): Promise<string | undefined> {
  const { group, version, kind, namespace } = manifestIdentity(object)
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespace === '' ? '' : `/namespaces/${namespace}`
  const { status, body } = await plane.ask('POST', `${base}${place}/${paths[kind]}${query}`, {
    type: 'application/json',
    text: manifestToJson(object),
  })
  if (status < 300) return undefined
  const { message }: { message: string } = JSON.parse(body)
  return message
}

async function judge(object: Manifest, severities: GateSeverities, policies: Partial<GateContext>) {
  const context = { cluster: { minorVersion: 36 }, ...policies }
  const { findings } = await runGates([object], {
    severities,
    waivers: [],
    acceptsAnnotations: false,
    today: '2027-01-01',
    context,
  })
  return findings
}

/** Follows the policies of a plane by a token, for as long as a test takes. */
function follow(plane: PlaneAccess, token: string) {
  const owned = new AsyncDisposableStack()
  const client = owned.use(
    new KubernetesClient({
      server: plane.server,
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: async () => token,
    }),
  )
  const store = owned.use(openKubernetesStore(client, { onError: () => undefined }))
  store.follow(clusterPolicyKinds)
  const parameters = owned.use(new FollowedParameters(client))
  const policies = new FollowedPolicies(store, parameters, () => store.troubles)
  /** Returns what the gate finds now. */
  const findings = async (object: Manifest) => {
    policies.changed()
    const { texts } = await policies.read()
    const clusterPolicies = [...texts].map(([file, text]) => ({ file, text }))
    return judge(object, { 'cluster-policies': 'deny' }, { clusterPolicies })
  }
  return { findings, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Judges by the same policy and parameters in files of a repository. */
async function judgeByRepository(form: ParameterForm, object: Manifest) {
  const { definitions, objects } = parameterObjects
  const all = [...definitions, ...objects, policyOf(form), bindingOf(form)]
  const policies = [{ file: 'policies.yaml', text: all.map(manifestToJson).join('\n---\n') }]
  const [finding] = await judge(object, { policies: 'deny' }, { policies })
  return finding
}

test(
  'policies with parameters judge as the API server does, whatever chooses the parameters',
  { skip: planeMissing() },
  async () => {
    await using lent = await lendKubernetesPlane()
    const { plane } = lent
    for (const object of [...namespaces, ...parameterObjects.definitions])
      assert.equal(await post(plane, object), undefined)
    for (const object of parameterObjects.objects)
      await until(async () => (await post(plane, object)) === undefined)
    await using followed = follow(plane, plane.adminToken)
    for (const form of parameterForms) {
      for (const object of [policyOf(form), bindingOf(form)])
        assert.equal(await post(plane, object), undefined)
      // The API server compiles a policy some time after it has it.
      const [denied] = judgedObjects(form).filter(({ isDenied }) => isDenied)
      assert.ok(denied, form.name)
      await until(async () => (await post(plane, denied.object, '?dryRun=All')) !== undefined)
      for (const { object, isDenied } of judgedObjects(form)) {
        const there = await post(plane, object, '?dryRun=All')
        assert.equal(there !== undefined, isDenied, `${form.name}: ${there}`)
        await until(async () => (await followed.findings(object)).length === (isDenied ? 1 : 0))
        const [here] = await followed.findings(object)
        if (form.isOfAnotherCluster !== true)
          assert.equal((await judgeByRepository(form, object))?.message, here?.message, form.name)
        if (!isDenied) continue
        assert.equal(here?.severity, 'deny', form.name)
        assert.ok(there?.endsWith(`denied request: ${here.message}`), `${there} / ${here.message}`)
      }
    }
  },
)

test(
  'a missing right is a warning that names it, and what the role names is read',
  { skip: planeMissing() },
  async () => {
    await using lent = await lendKubernetesPlane()
    const { plane } = lent
    const account = `reader-${randomUUID().slice(0, 8)}`
    const token = await plane.accountToken('default', account)
    for (const object of namespaces) assert.equal(await post(plane, object), undefined)
    for (const object of parameterObjects.objects.filter(({ kind }) => kind === 'ConfigMap'))
      assert.equal(await post(plane, object), undefined)
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const subjects = [{ kind: 'ServiceAccount', name: account, namespace: 'default' }]
    const verbs = ['list', 'watch']
    const policyRules = [
      ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings'].map((resource) => [
        'admissionregistration.k8s.io',
        resource,
      ]),
      ['apiextensions.k8s.io', 'customresourcedefinitions'],
      ['', 'namespaces'],
    ].map(([group, resource]) => ({ apiGroups: [group], resources: [resource], verbs }))
    await plane.create(`${rbac}/clusterroles`, { metadata: { name: account }, rules: policyRules })
    await plane.create(`${rbac}/clusterrolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account },
      subjects,
    })
    const form = forbiddenForm
    for (const object of [policyOf(form), bindingOf(form)]) assert.equal(await post(plane, object), undefined)
    const [denied] = judgedObjects(form).filter(({ isDenied }) => isDenied)
    assert.ok(denied)
    await using followed = follow(plane, token)
    await until(async () => (await followed.findings(denied.object)).length === 1)
    const [warning] = await followed.findings(denied.object)
    assert.equal(warning?.severity, 'warn')
    assert.match(
      warning.message,
      /parameters of the kind ConfigMap cannot be read: .* cannot (?:list|watch) resource "configmaps" in API group "" in the namespace "params".*\(list and watch are needed\)/,
    )
    const role = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['named'], verbs }
    const inNamespace = `${rbac}/namespaces/params`
    await plane.create(`${inNamespace}/roles`, { metadata: { name: account }, rules: [role] })
    await plane.create(`${inNamespace}/rolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
      subjects,
    })
    await until(async () => (await followed.findings(denied.object))[0]?.severity === 'deny')
  },
)
