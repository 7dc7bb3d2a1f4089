import type { Manifest } from '@wadi/manifests/manifest.ts'

const group = 'rules.example.com'

/** The Namespaces of the objects and of some parameters. */
export const namespaces: readonly Manifest[] = ['params', 'shop', 'demo'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
}))

function definition(kind: string, scope: 'Namespaced' | 'Cluster'): Manifest {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { most: { type: 'integer' } } } },
  }
  const names = {
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      scope,
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }
}

function configMap(namespace: string, name: string, most: number, labels: Manifest = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels },
    data: { most: String(most) },
  }
}

function custom(
  kind: string,
  namespace: string,
  name: string,
  most: number,
  labels: Manifest = {},
): Manifest {
  const metadata = { name, labels, ...(namespace !== '' && { namespace }) }
  return { apiVersion: `${group}/v1`, kind, metadata, spec: { most } }
}

/** The parameters of the cluster. */
export const parameterObjects = {
  definitions: [definition('Limit', 'Namespaced'), definition('Bound', 'Cluster')],
  objects: [
    configMap('params', 'named', 5),
    configMap('params', 'prod-a', 7, { env: 'prod' }),
    configMap('params', 'prod-b', 4, { env: 'prod' }),
    configMap('params', 'old', 1, { env: 'old' }),
    configMap('shop', 'own', 3),
    custom('Limit', 'params', 'named', 5),
    custom('Limit', 'shop', 'own', 3, { env: 'prod' }),
    custom('Bound', '', 'named', 5),
    custom('Bound', '', 'prod', 6, { env: 'prod' }),
  ],
}

/** A policy that takes parameters, and what it says of objects with a size. */
export interface ParameterForm {
  readonly name: string
  readonly paramKind: Manifest
  readonly paramRef?: Manifest
  /** True if only a cluster knows that it does not have the kind. */
  readonly isOfAnotherCluster?: boolean
  /** By namespace, the largest size that is accepted; -1 for none, absent for any. Of kinds without namespaces it is the empty one. */
  readonly most: Readonly<Record<string, number>>
}

const ofConfigMaps = { apiVersion: 'v1', kind: 'ConfigMap' }
const ofLimits = { apiVersion: `${group}/v1`, kind: 'Limit' }
const ofBounds = { apiVersion: `${group}/v1`, kind: 'Bound' }
const deny = { parameterNotFoundAction: 'Deny' }
const allow = { parameterNotFoundAction: 'Allow' }
const inParams = { namespace: 'params' }
const prod = { selector: { matchLabels: { env: 'prod' } } }
const notOld = {
  selector: {
    matchExpressions: [
      { key: 'env', operator: 'Exists' },
      { key: 'env', operator: 'NotIn', values: ['old', 'older'] },
    ],
  },
}

/** A form whose parameters not everybody may read. */
export const forbiddenForm: ParameterForm = {
  name: 'config-map-by-name',
  paramKind: ofConfigMaps,
  paramRef: { ...inParams, name: 'named', ...deny },
  most: { shop: 5, demo: 5 },
}

/** The ways in which bindings choose parameters. */
export const parameterForms: readonly ParameterForm[] = [
  forbiddenForm,
  {
    name: 'config-maps-by-labels',
    paramKind: ofConfigMaps,
    paramRef: { ...inParams, ...prod, ...deny },
    most: { shop: 4 },
  },
  {
    name: 'config-maps-by-expressions',
    paramKind: ofConfigMaps,
    paramRef: { ...inParams, ...notOld, ...deny },
    most: { shop: 4 },
  },
  {
    name: 'config-map-of-the-namespace',
    paramKind: ofConfigMaps,
    paramRef: { name: 'own', ...deny },
    most: { shop: 3, demo: -1 },
  },
  {
    name: 'config-map-of-the-namespace-if-any',
    paramKind: ofConfigMaps,
    paramRef: { name: 'own', ...allow },
    most: { shop: 3 },
  },
  {
    name: 'namespaces-have-no-namespaced-parameters',
    paramKind: ofLimits,
    paramRef: { name: 'absent', ...allow },
    most: { '': -1 },
  },
  {
    name: 'missing',
    paramKind: ofConfigMaps,
    paramRef: { ...inParams, name: 'absent', ...deny },
    most: { shop: -1 },
  },
  {
    name: 'limit-by-name',
    paramKind: ofLimits,
    paramRef: { ...inParams, name: 'named', ...deny },
    most: { shop: 5, '': 5 },
  },
  {
    name: 'limit-of-the-namespace-by-labels',
    paramKind: ofLimits,
    paramRef: { ...prod, ...deny },
    most: { shop: 3, demo: -1 },
  },
  {
    name: 'bound-by-name',
    paramKind: ofBounds,
    paramRef: { name: 'named', ...deny },
    most: { shop: 5, '': 5 },
  },
  { name: 'bounds-by-labels', paramKind: ofBounds, paramRef: { ...prod, ...allow }, most: { demo: 6 } },
  {
    name: 'bound-in-a-namespace',
    paramKind: ofBounds,
    paramRef: { ...inParams, name: 'absent', ...allow },
    most: { shop: -1 },
  },
  {
    name: 'unknown-kind',
    paramKind: { apiVersion: `${group}/v1`, kind: 'Absent' },
    isOfAnotherCluster: true,
    paramRef: { name: 'named', ...allow },
    most: { shop: -1 },
  },
  {
    name: 'unknown-version',
    paramKind: { apiVersion: `${group}/v7`, kind: 'Limit' },
    isOfAnotherCluster: true,
    paramRef: { name: 'named', ...allow },
    most: { shop: -1 },
  },
  { name: 'no-reference', paramKind: ofConfigMaps, most: { shop: -1 } },
]

/** Returns the policy of a form, for the ConfigMaps and ClusterRoles of the form. */
export function policyOf({ name, paramKind }: ParameterForm): Manifest {
  const most = `int(has(params.spec) ? string(params.spec.most) : params.data.most)`
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      paramKind,
      failurePolicy: 'Fail',
      matchConstraints: {
        objectSelector: { matchLabels: { form: name } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          {
            apiGroups: ['rbac.authorization.k8s.io'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['clusterroles'],
          },
        ],
      },
      validations: [
        {
          expression: `int(object.metadata.annotations['size']) <= ${most}`,
          messageExpression: `'more than ' + params.metadata.name + ' allows'`,
        },
      ],
    },
  }
}

/** Returns the binding of a form. */
export function bindingOf({ name, paramRef }: ParameterForm): Manifest {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...(paramRef && { paramRef }) },
  }
}

/** Returns objects of each size about the bounds of a form. */
export function judgedObjects({ name, most }: ParameterForm): { object: Manifest; isDenied: boolean }[] {
  return ['shop', 'demo', ''].flatMap((namespace) => {
    const bound = most[namespace]
    if (bound === undefined) return []
    return [bound, bound + 1].flatMap((size) =>
      size < 0 ? [] : [{ object: sized(name, namespace, size), isDenied: size > bound }],
    )
  })
}

function sized(form: string, namespace: string, size: number): Manifest {
  const [labels, annotations] = [{ form }, { size: String(size) }]
  const metadata = { name: 'sized', labels, annotations, ...(namespace !== '' && { namespace }) }
  return namespace === ''
    ? { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules: [] }
    : { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} }
}
