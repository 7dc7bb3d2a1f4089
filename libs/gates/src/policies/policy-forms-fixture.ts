import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { configMap, deployment } from './sample-objects-fixture.ts'

/** A form of a policy, with an object that it rejects and one that it accepts. */
export interface PolicyForm {
  readonly name: string
  /** The `spec` of the policy beside its match constraints. */
  readonly spec: Manifest
  readonly binding?: Manifest
  /** Default: ConfigMaps and Deployments. */
  readonly rules?: Manifest
  readonly rejected: Manifest
  /** The message of the API server, or its beginning. */
  readonly message: string
  readonly accepted: Manifest
}

function judging(expression: string, ...rest: Manifest[]): Manifest {
  return { validations: [Object.assign({ expression, message: 'is rejected' }, ...rest)] }
}

const byName = { paramRef: { name: 'limits', namespace: 'policies', parameterNotFoundAction: 'Deny' } }

/** Objects that policies of the forms take as parameters, and the namespaces of the objects. */
export const formParameters: readonly Manifest[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { environment: 'production' } } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'policies' } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limits', namespace: 'policies', labels: { limits: 'yes' } },
    data: { replicas: '3' },
  },
]

const configMapParameters = { apiVersion: 'v1', kind: 'ConfigMap' }

/** The forms of policies that the gate and a real API server are compared by. */
export const policyForms: readonly PolicyForm[] = [
  {
    name: 'defaults',
    spec: judging("object.spec.replicas > 1 && object.spec.template.spec.restartPolicy == 'Always'"),
    rejected: deployment({}),
    message: 'is rejected',
    accepted: deployment({}, { replicas: 2 }),
  },
  {
    name: 'failed-expression',
    spec: { validations: [{ expression: "object.data.mode == 'safe'" }] },
    rejected: configMap({ mode: 'fast' }),
    message: "failed expression: object.data.mode == 'safe'",
    accepted: configMap({ mode: 'safe' }),
  },
  {
    name: 'message-expression',
    spec: judging("object.data.mode == 'safe'", {
      messageExpression: "'mode is ' + object.data.mode + ' of ' + request.name + ' in ' + request.namespace",
    }),
    rejected: configMap({ mode: 'fast' }),
    message: 'mode is fast of web in shop',
    accepted: configMap({ mode: 'safe' }),
  },
  {
    name: 'failing-message-expression',
    spec: judging("object.data.mode == 'safe'", { messageExpression: 'string(object.data.absent)' }),
    rejected: configMap({ mode: 'fast' }),
    message: 'is rejected',
    accepted: configMap({ mode: 'safe' }),
  },
  {
    name: 'missing-key',
    spec: judging("object.data.mode == 'safe'"),
    rejected: configMap({}),
    message: "expression 'object.data.mode == 'safe'' resulted in error: no such key",
    accepted: configMap({ mode: 'safe' }),
  },
  {
    name: 'variables',
    spec: {
      variables: [
        { name: 'containers', expression: 'object.spec.template.spec.containers' },
        { name: 'latest', expression: "variables.containers.filter(c, c.image.endsWith(':latest'))" },
      ],
      validations: [
        {
          expression: 'variables.latest.size() == 0',
          messageExpression: "variables.latest.map(c, c.name).join(', ') + ': needs a version'",
        },
      ],
    },
    rules: { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
    rejected: deployment({ image: 'web:latest' }),
    message: 'web: needs a version',
    accepted: deployment({}),
  },
  {
    name: 'match-conditions',
    spec: {
      matchConditions: [
        { name: 'not-system', expression: "!request.namespace.startsWith('kube-')" },
        { name: 'marked', expression: "object.metadata.?labels.checked.orValue('no') == 'yes'" },
      ],
      ...judging('false'),
    },
    rejected: configMap({}, { labels: { checked: 'yes' } }),
    message: 'is rejected',
    accepted: configMap({}),
  },
  {
    name: 'params-by-name',
    spec: { paramKind: configMapParameters, ...judging('object.spec.replicas <= int(params.data.replicas)') },
    binding: byName,
    rules: { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
    rejected: deployment({}, { replicas: 5 }),
    message: 'is rejected',
    accepted: deployment({}, { replicas: 3 }),
  },
  {
    name: 'params-by-selector',
    spec: { paramKind: configMapParameters, ...judging('object.spec.replicas <= int(params.data.replicas)') },
    binding: {
      paramRef: {
        selector: { matchLabels: { limits: 'yes' } },
        namespace: 'policies',
        parameterNotFoundAction: 'Deny',
      },
    },
    rules: { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
    rejected: deployment({}, { replicas: 5 }),
    message: 'is rejected',
    accepted: deployment({}, { replicas: 3 }),
  },
  {
    name: 'params-missing',
    spec: {
      paramKind: configMapParameters,
      matchConditions: [{ name: 'marked', expression: "'checked' in object.metadata.labels" }],
      ...judging('true'),
    },
    binding: {
      paramRef: { name: 'absent', namespace: 'policies', parameterNotFoundAction: 'Deny' },
      matchResources: { objectSelector: { matchLabels: { checked: 'yes' } } },
    },
    rejected: configMap({}, { labels: { checked: 'yes' } }),
    message:
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    accepted: configMap({}),
  },
  {
    name: 'namespace-object',
    spec: judging(
      "namespaceObject.metadata.labels['environment'] != 'production' || 'owner' in object.metadata.labels",
    ),
    rejected: configMap({}),
    message: 'is rejected',
    accepted: configMap({}, { labels: { owner: 'shop' } }),
  },
  {
    name: 'object-selector',
    spec: judging('false'),
    binding: { matchResources: { objectSelector: { matchLabels: { tier: 'front' } } } },
    rejected: configMap({}, { labels: { tier: 'front' } }),
    message: 'is rejected',
    accepted: configMap({}, { labels: { tier: 'back' } }),
  },
  {
    name: 'namespace-selector',
    spec: judging('false'),
    binding: { matchResources: { namespaceSelector: { matchLabels: { environment: 'production' } } } },
    rejected: configMap({}),
    message: 'is rejected',
    accepted: configMap({}, { namespace: 'policies' }),
  },
  {
    name: 'excluded-names',
    spec: judging('false'),
    binding: {
      matchResources: {
        excludeResourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: ['configmaps'],
            resourceNames: ['kept'],
          },
        ],
      },
    },
    rejected: configMap({}),
    message: 'is rejected',
    accepted: configMap({}, { name: 'kept' }),
  },
  {
    name: 'quantities',
    spec: judging(
      "object.spec.template.spec.containers.all(c, quantity(c.resources.limits.memory).compareTo(quantity('1Gi')) <= 0)",
    ),
    rules: { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
    rejected: deployment({ resources: { limits: { memory: '1025Mi' } } }),
    message: 'is rejected',
    accepted: deployment({ resources: { limits: { memory: '1024Mi' } } }),
  },
  {
    name: 'addresses',
    spec: judging(
      "cidr('10.0.0.0/8').containsIP(ip(object.data.address)) && url(object.data.url).getHostname() == 'shop.example'",
    ),
    rejected: configMap({ address: '11.0.0.1', url: 'https://shop.example/a' }),
    message: 'is rejected',
    accepted: configMap({ address: '10.1.2.3', url: 'https://shop.example:8443/a' }),
  },
  {
    name: 'formats',
    spec: judging(
      "!format.dns1123Label().validate(object.data.host).hasValue() && semver(object.data.version).isGreaterThan(semver('1.2.3'))",
    ),
    rejected: configMap({ host: 'Shop_1', version: '1.3.0' }),
    message: 'is rejected',
    accepted: configMap({ host: 'shop-1', version: '1.10.0' }),
  },
  {
    name: 'optional-fields',
    spec: judging("object.?data.?mode.orValue('safe') == 'safe'"),
    rejected: configMap({ mode: 'fast' }),
    message: 'is rejected',
    accepted: configMap({}),
  },
  {
    name: 'expensive',
    spec: judging("'0123456789abcdefghij'.split('').all(c, !object.data.text.contains(c + 'x'))"),
    rejected: configMap({ text: 'y'.repeat(900_000) }),
    message: "expression ''0123456789abcdefghij'.split",
    accepted: configMap({ text: 'short' }),
  },
  {
    name: 'audit-annotation-error',
    spec: {
      auditAnnotations: [{ key: 'mode', valueExpression: 'string(object.data.mode)' }],
    },
    rejected: configMap({}),
    message: "expression 'string(object.data.mode)' resulted in error: no such key: data",
    accepted: configMap({ mode: 'safe' }),
  },
]

const bothKinds = {
  apiGroups: ['', 'apps'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps', 'deployments'],
}

/** Returns the policy of a form, which is for the objects of the form alone, and its binding. */
export function policyOf({
  name,
  spec,
  binding,
  rules = bothKinds,
}: PolicyForm): readonly [Manifest, Manifest] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const matchConstraints = { resourceRules: [rules], objectSelector: { matchLabels: { form: name } } }
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { matchConstraints, ...spec },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    },
  ]
}

/** Returns an object as one of a form. */
export function objectOf({ name }: PolicyForm, object: Manifest): Manifest {
  const { metadata } = object
  if (!isJsonObject(metadata)) return object
  const labels = isJsonObject(metadata['labels']) ? metadata['labels'] : {}
  return { ...object, metadata: { ...metadata, labels: { ...labels, form: name } } }
}
